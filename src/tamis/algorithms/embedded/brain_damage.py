"""`brain-damage`: the columns whose weights a small neural network can spare least.

Optimal Brain Damage (LeCun, Denker & Solla, 1990), as Cunningham's survey names it, on
scikit-learn's network with one hidden layer. The network is trained on all columns. At a minimum
of the training error, setting a weight w to 0 raises the error by about h w^2 / 2, where h is the
second derivative of the error by that weight; this is its saliency, and that of a column is the sum
over its weights into the hidden layer. The column of least saliency is removed, the network is
trained on from where it is, and so on: the last column left ranks first. Of more than 50 columns a
tenth is removed at a time.

LeCun et al. pass the second derivatives back layer by layer and omit all terms off the
diagonal, also between the outputs. With one hidden layer the exact diagonal costs no more, so we
use it. The error that is trained is the mean log-loss or half the mean squared error, and a weight
decay: without it noise gets large weights where rows are few or classes overlap. Of 1, 3, 10, 30
and 100 the decay is used with which the network predicts held-out rows best (three folds).

Without a number of columns, the set is kept for which the Bayesian information criterion of its
network is smallest: the number of weights times log(n), plus the deviance.

Copies of a column share its weights: one of them is removed early, and the other takes its part.
A network that ends in another minimum (`random_state`) may rank columns of little use differently.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

from tamis.algorithms.learners import make_folds
from tamis.algorithms.orders import best_in_order, put_included_first
from tamis.algorithms.path import Path
from tamis.numerics.ties import last_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.statistics.labels import Target
from tamis.statistics.rows import RowTable
from tamis.values import dataclass

_ONE_BY_ONE = 50  # columns; of more than these a share is removed at a time
_VALIDATION_SHARE = 0.1
_FIRST_ROUNDS, _ROUNDS = 500, 100  # of training, at first and after a removal
_DECAYS, _FOLDS, _TRIAL_ROUNDS = (1.0, 3.0, 10.0, 30.0, 100.0), 3, 200
_SETTLED = 1e-5  # the largest slope of the error that counts as its minimum
_SMALLEST_SALIENCY = float(np.finfo(float).tiny)


def rank_by_saliency(
    table: RowTable,
    k: int | None,
    *,
    retain: float,
    include: Sequence[int] = (),
    hidden: int = 5,
    decay: float | None = None,
    random_state: int = 0,
) -> Path:
    """Rank the columns by the reverse order of their removal; by default keep by the BIC."""
    table.labels.check_splits()
    used = choose_decay(table, hidden, random_state) if decay is None else decay
    network = Network(table, hidden, used, random_state)
    order, scores, size = remove_least_salient(network, include)
    most = size if k is None else k
    return best_in_order(table.gram, order, scores, most, retain=retain, include=include)


def choose_decay(table: RowTable, hidden: int, random_state: int) -> float:
    """Give the weight decay with which the network predicts held-out rows best."""
    X, target = table.standardised, table.labels
    errors = np.zeros(len(_DECAYS))
    for train, test in make_folds(target, _FOLDS, random_state):
        for i, decay in enumerate(_DECAYS):
            model = _make_network(target, hidden, decay, random_state, _TRIAL_ROUNDS)
            _train(model, X[train], target.standard_y[train])
            if target.task == "regression":
                errors[i] += np.square(model.predict(X[test]) - target.standard_y[test]).sum()
            else:
                shares = model.predict_proba(X[test])[np.arange(len(test)), target.codes[test]]
                errors[i] -= np.log(np.maximum(shares, NEGLIGIBLE)).sum()
    return _DECAYS[int(np.argmin(errors))]


def remove_least_salient(
    network: "Network", include: Sequence[int] = ()
) -> tuple[Indices, Floats, int]:
    """Remove columns to the last; give them best first, their saliencies, and the best number."""
    d = network.width
    live, removed, scores = np.ones(d, dtype=bool), list[int](), np.zeros(d)
    may_go = live.copy()
    may_go[list(include)] = False
    best, size = np.inf, d
    for _ in track("columns removed", range(d), d):
        network.train(live)
        count = int(live.sum())
        criterion = network.criterion(count)
        if criterion < best:
            best, size = criterion, count
        saliency = network.saliencies()
        np.copyto(scores, saliency, where=live)
        if count == max(1, len(include)):
            break
        # Of many columns a share goes before the network is trained on.
        most = 1
        if count > _ONE_BY_ONE:
            most = min(int(np.ceil(_VALIDATION_SHARE * count)), count - _ONE_BY_ONE)
        for _ in range(min(most, int(may_go.sum()), count - 1)):
            j = last_best(np.where(may_go, -saliency, -np.inf))
            live[j] = may_go[j] = False
            removed.append(j)
    last = put_included_first(np.flatnonzero(live), include)
    order = np.array([*last, *removed[::-1]], dtype=np.intp)
    return order, np.maximum(scores, 0.0), max(size, 1)


class Network:
    """scikit-learn's network with one hidden layer, on standardised columns."""

    def __init__(self, table: RowTable, hidden: int, decay: float, random_state: int) -> None:
        self.width = table.standardised.shape[1]
        self._X, self._target, self._decay = table.standardised, table.labels, decay
        self._model = _make_network(self._target, hidden, decay, random_state, _FIRST_ROUNDS)
        self._layers: Layers | None = None
        self._used = self._X

    def train(self, live: NDArray[np.bool_]) -> None:
        """Train on from where it is, with these columns; the weights of the others are 0."""
        self._used = np.where(live, self._X, 0.0)
        if self._layers is not None:
            self._layers.first[~live] = 0.0
            self._model.set_params(max_iter=_ROUNDS)
        _train(self._model, self._used, self._target.standard_y)
        # The arrays of the model itself: a weight set to 0 here is where training goes on from.
        self._layers = Layers(*self._model.coefs_, *self._model.intercepts_)

    @property
    def layers(self) -> "Layers":
        """The weights after training."""
        assert self._layers is not None
        return self._layers

    def saliencies(self) -> Floats:
        """Give the rise of the error without each column: the sum over its weights of h w^2 / 2."""
        h = second_derivatives(self._used, self._target, self.layers, decay=self._decay)
        return np.asarray((h * self.layers.first**2).sum(axis=1) / 2)

    def criterion(self, count: int) -> float:
        """Give the Bayesian information criterion with so many columns."""
        n, layers = len(self._X), self.layers
        weights = layers.second.size + layers.offset.size + (count + 1) * layers.bias.size
        delta = _differences(self._target, layers.outputs(self._used)[1])[0]
        if self._target.task == "regression":
            deviance = n * float(np.log(np.mean(delta**2) + _SMALLEST_SALIENCY))
        else:
            # What is predicted falls short of 1 for the class of the row by this much.
            short = -delta.min(axis=1) if delta.shape[1] > 1 else np.abs(delta[:, 0])
            deviance = -2 * float(np.log1p(-np.minimum(short, 1 - _SMALLEST_SALIENCY)).sum())
        return deviance + weights * float(np.log(n))


@dataclass(frozen=True, eq=False)
class Layers:
    """The weights from columns to hidden units and from these to outputs, and what is added."""

    first: Floats
    second: Floats
    bias: Floats
    offset: Floats

    def outputs(self, X: Floats) -> tuple[Floats, Floats]:
        """Give what the hidden units and the outputs are, before the last function."""
        Z = np.tanh(X @ self.first + self.bias)
        return Z, Z @ self.second + self.offset


def second_derivatives(X: Floats, target: Target, layers: Layers, *, decay: float) -> Floats:
    """Give the second derivative of the training error by every weight of the first layer.

    With z = tanh(a) a hidden unit, v its weights to the outputs, D the slopes of the error by the
    outputs and H its second derivatives: d2E/da2 = z'^2 (v'Hv) + z'' (v'D), z'' = -2 z z'; a weight
    multiplies a column x, so its own is the mean of x^2 d2E/da2.
    """
    Z, outputs = layers.outputs(X)
    delta, bend = _differences(target, outputs)
    slope = 1.0 - Z**2
    curvature = slope**2 * bend(layers.second.T) - 2.0 * Z * slope * (delta @ layers.second.T)
    return np.asarray(((X**2).T @ curvature + decay) / len(X))


def _differences(target: Target, outputs: Floats) -> tuple[Floats, Callable[[Floats], Floats]]:
    """Give the slopes of each row's error by the outputs, and what gives `v'Hv` of each v."""
    if target.task == "regression":
        here = np.ones_like(outputs)
        return outputs - target.standard_y[:, None], lambda V: here @ V**2
    if outputs.shape[1] == 1:
        P = expit(outputs)
        return P - target.codes[:, None], lambda V: (P * (1.0 - P)) @ V**2
    P = softmax(outputs, axis=1)
    chosen = target.codes[:, None] == np.arange(P.shape[1])
    return P - chosen, lambda V: P @ V**2 - (P @ V) ** 2


def _train(model: Any, X: Floats, y: Any) -> None:
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        # Whether it has settled shows in the ranking; a removal trains it on anyway.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)


def _make_network(target: Target, hidden: int, decay: float, random_state: int, rounds: int) -> Any:
    from sklearn.neural_network import MLPClassifier, MLPRegressor

    kind = MLPRegressor if target.task == "regression" else MLPClassifier
    return kind(
        hidden_layer_sizes=(hidden,),
        activation="tanh",
        solver="lbfgs",
        alpha=decay,
        max_iter=rounds,
        tol=_SETTLED,
        warm_start=True,
        random_state=random_state,
    )
