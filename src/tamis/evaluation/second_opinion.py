"""What trees predict of columns that a linear model hardly explains, on rows they have not seen."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell
from tamis.facts.selection_answer import OpinionFacts
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import USUAL_POLICY, MissingPolicy
from tamis.run.again import Reader, sample_rows
from tamis.statistics.clipping import HashedSample, find_limits
from tamis.statistics.fills import fill_alone

MAX_OPINION_ROWS = 1_000
MIN_OPINION_ROWS = 40
_FAR_MORE = 0.1  # share that trees must predict beyond the linear model to be worth a word
_TREES, _LEAST_LEAF = 40, 4
_PENALTIES = 10.0 ** np.arange(-2, 5)  # of a ridge on standardised columns


def read_opinion(
    reader: Reader | None, kept: Sequence[int], targets: Mapping[Any, int]
) -> list[OpinionFacts]:
    """Read some rows of a table again, and let trees predict columns by those kept."""
    found = sample_rows(reader, [*kept, *targets.values()], MAX_OPINION_ROWS)
    if reader is None or found is None:
        raise TamisError("The table cannot be read again for a second opinion: give its file.")
    if len(found.at) < MIN_OPINION_ROWS:
        raise TamisError(
            f"{spell('second_opinion', True)}: trees need {MIN_OPINION_ROWS} rows, the table has "
            f"{len(found.at)}; omit it."
        )
    missing = reader.request.missing
    pairs = zip(found.values, found.labels, strict=True)
    encoded = [encode_column(values, labels, missing) for values, labels in pairs]
    return ask_trees(encoded[: len(kept)], dict(zip(targets, encoded[len(kept) :], strict=True)))


def encode_column(
    values: Floats, labels: Sequence[str], missing: MissingPolicy = USUAL_POLICY
) -> Floats:
    """Write a column as numbers: itself, filled and without extreme values, or its levels.

    >>> encode_column(np.array([0.0, 1.0, np.nan]), ("a", "b")).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    """
    if labels:
        levels = np.arange(len(labels), dtype=np.float64)
        return np.asarray(values[:, None] == levels, dtype=np.float64)
    column = values[:, None]
    limits = find_limits(HashedSample.from_batch(column), "auto")
    return fill_alone(np.clip(column, *limits), missing)


def ask_trees(kept: Sequence[Floats], targets: dict[Any, Floats]) -> list[OpinionFacts]:
    """Predict each target by the kept columns: linearly, and by trees.

    Examples
    --------
    >>> x = np.random.default_rng(0).uniform(-1, 1, 300)
    >>> (found,) = ask_trees([x[:, None]], {"square": x[:, None] ** 2})
    >>> found.linear < 0.1, found.trees > 0.9
    (True, True)
    """
    X = np.column_stack(list(kept))
    half = np.zeros(len(X), dtype=bool)
    half[np.random.default_rng(0).permutation(len(X))[: len(X) // 2]] = True
    opinions = []
    for name, Y in targets.items():
        linear, trees = (_share(X, Y, half, one) for one in (_predict_linearly, _predict_by_trees))
        opinions.append(OpinionFacts(name, linear, trees, trees - linear >= _FAR_MORE))
    return opinions


def _share(X: Floats, Y: Floats, half: Any, predict: Callable[..., Floats]) -> float:
    """Give 1 less the squared errors over those of the mean; at least 0."""
    wrong = total = 0.0
    for learn, test in ((half, ~half), (~half, half)):
        wrong += float(np.square(Y[test] - predict(X[learn], Y[learn], X[test])).sum())
        total += float(np.square(Y[test] - Y[learn].mean(axis=0)).sum())
    return max(1.0 - wrong / total, 0.0) if total else 0.0


def _predict_linearly(X: Floats, Y: Floats, new: Floats) -> Floats:
    middle, centre = X.mean(axis=0), Y.mean(axis=0)
    spread = X.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    U, sizes, Vt = np.linalg.svd((X - middle) / spread, full_matrices=False)
    projected = U.T @ (Y - centre)
    best, least = np.zeros((X.shape[1], Y.shape[1])), np.inf
    for penalty in _PENALTIES:
        kept = sizes**2 / (sizes**2 + penalty)
        left = (Y - centre - U @ (kept[:, None] * projected)) / (
            1.0 - 1.0 / len(X) - np.square(U) @ kept
        )[:, None].clip(1e-3)
        error = float(np.square(left).sum())
        if error < least:
            least = error
            best = Vt.T @ ((sizes / (sizes**2 + penalty))[:, None] * projected)
    return np.asarray((new - middle) / spread @ best + centre)


def _predict_by_trees(X: Floats, Y: Floats, new: Floats) -> Floats:
    from sklearn.ensemble import ExtraTreesRegressor

    model = ExtraTreesRegressor(_TREES, min_samples_leaf=_LEAST_LEAF, random_state=0)
    one = Y.shape[1] == 1
    found = model.fit(X, Y[:, 0] if one else Y).predict(new)
    return np.asarray(found).reshape(len(new), -1)
