"""`em-wrapper`: the columns in which a Gaussian mixture finds the best separated clusters.

FSSEM of Dy & Brodley (2004). Columns are added, or removed, one at a time; the rows are clustered
in each set of columns by EM, with the number of components that has the best BIC.

Neither criterion compares sets of different size: for given clusters the trace never falls when a
column joins, and a likelihood is a density. So two sets are compared with the clusters of both
(cross-projection): the larger set wins if its clusters, judged in both sets of columns, are better
than those of the smaller set, judged in both. Traces are multiplied, log-likelihoods added.

Where we go beyond the description:

* The numbers of components 1, 2, ... are tried until two in a row were no better, rather than
  merging downwards from the largest.
* Better means by more than 1% in the mean of both traces, or by 0.01 in that of both
  log-likelihoods per row (`min_gain`): with a column of pure noise the clusters hardly change, and
  chance decides.
* A value is known only to within the step of its column, the median distance between neighbouring
  values: the variance of that rounding is added to each component, with 1e-6 of that of the column.
  Otherwise a component shrinks onto one repeated value.
"""

from typing import ClassVar, Unpack

import numpy as np

from tamis.algorithms.clustering.cluster_search import Subset, clustering_path
from tamis.algorithms.path import Goal, Path
from tamis.numerics.row_chunks import draw_rows
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.statistics.rows import RowTable
from tamis.values import dataclass

# Gaussian mixtures with full covariances by EM, several starts at a time.
#
# All starts of one number of components are one array, so that an iteration is a few products.
# They run for a few iterations; the best is then run until it has converged.
RIDGE = 1e-6  # added to the variances, in those of the whole column
_SHORT, _LONG = 10, 200  # iterations
_CONVERGED = 1e-5  # gain in log-likelihood by row and iteration
_MAX_SIZES_WITHOUT_GAIN = 2  # numbers of components without a gain after which the scan ends
_MIN_SHARE = 1e-300


def fit_mixture(X: Floats, *, k_max: int, n_init: int, ridge: Floats, random_state: int) -> Floats:
    """Fit 1, 2, ... components, and take the number with the best BIC.

    The scan ends once two further numbers in a row have not been better, or at `k_max`. Give how
    much each row belongs to each component (rows, components).
    """
    n, q = X.shape
    best = np.ones((n, 1))
    least = _bic(log_likelihood(X, best, ridge), n, q, 1)
    squares = (X[:, :, None] * X[:, None, :]).reshape(n, q * q)
    for k in range(2, min(k_max, n // (q + 2)) + 1):
        rng = np.random.default_rng([random_state, k])
        starts = np.stack([_seed_rows(X, k, rng) for _ in range(n_init)])
        found = _best_of(X, squares, starts, ridge)
        if found is not None:
            bic = _bic(found[1], n, q, k)
            if bic < least - 1e-9 * abs(least):
                best, least = found[0], bic
        if k - best.shape[1] >= _MAX_SIZES_WITHOUT_GAIN:
            break
    return best


def _best_of(
    X: Floats, squares: Floats, starts: Floats, ridge: Floats
) -> tuple[Floats, float] | None:
    """Run all starts for a few iterations and the best to the end; None if all collapse.

    A component of too few rows to have a covariance has collapsed: its likelihood means nothing.
    """
    q = X.shape[1]
    shares = starts
    for _ in range(_SHORT):
        shares, likelihood = _expect(X, _maximise(X, squares, shares, ridge))
    held = shares.sum(axis=2).min(axis=1) >= q + 1
    if not held.any():
        return None
    pick = int(np.argmax(np.where(held, likelihood, -np.inf)))
    shares, last = shares[pick : pick + 1], -np.inf
    for _ in range(_LONG):
        shares, likelihood = _expect(X, _maximise(X, squares, shares, ridge))
        if likelihood[0] - last < _CONVERGED * len(X):
            break
        last = float(likelihood[0])
    if shares.sum(axis=2).min() < q + 1:
        return None
    return np.ascontiguousarray(shares[0].T), float(likelihood[0])


Parameters = tuple[Floats, Floats, Floats]  # weights, means and covariances, for each start


def _maximise(X: Floats, squares: Floats, shares: Floats, ridge: Floats) -> Parameters:
    """Give the parameters of the mixtures with these shares (starts, components, rows)."""
    n, q = X.shape
    counts = shares.sum(axis=2) + _MIN_SHARE
    means = shares @ X / counts[..., None]
    covariances = (shares @ squares / counts[..., None]).reshape(*counts.shape, q, q)
    covariances = covariances - means[..., :, None] * means[..., None, :]
    return counts / n, means, covariances + np.diag(ridge)


def _expect(X: Floats, parameters: Parameters) -> tuple[Floats, Floats]:
    """Give the share of every row in every component, and the log-likelihood of each start."""
    weights, means, covariances = parameters
    q = X.shape[1]
    factors = np.linalg.cholesky(covariances)
    whiten = np.linalg.inv(factors).swapaxes(-1, -2)
    away = X @ whiten - (means[..., None, :] @ whiten)
    logs = np.log(np.diagonal(factors, axis1=-2, axis2=-1)).sum(axis=-1)
    constant = np.log(weights) - logs - 0.5 * q * np.log(2 * np.pi)
    # log(weight x density) for each start, component and row.
    densities = constant[..., None] - 0.5 * np.square(away).sum(axis=-1)
    top = densities.max(axis=1, keepdims=True)
    shares = np.exp(densities - top)
    total = shares.sum(axis=1, keepdims=True)
    return shares / total, (np.log(total) + top).sum(axis=(1, 2))


def log_likelihood(X: Floats, shares: Floats, ridge: Floats) -> float:
    """Give the log-likelihood of rows under the mixture that these shares lead to."""
    n, q = X.shape
    squares = (X[:, :, None] * X[:, None, :]).reshape(n, q * q)
    parameters = _maximise(X, squares, shares.T[None], ridge)
    return float(_expect(X, parameters)[1][0])


def scatter_trace(X: Floats, shares: Floats, ridge: Floats) -> float:
    """Give trace(S_w^-1 S_b): how far apart the clusters lie, in their own spread.

    Examples
    --------
    Two clusters of variance 1 whose means lie 2 from the middle.

    >>> X = np.array([[-3.0], [-1.0], [1.0], [3.0]])
    >>> shares = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> round(scatter_trace(X, shares, np.zeros(1)), 6)
    4.0
    """
    weights = shares.sum(axis=0) / len(X)
    means = shares.T @ X / (shares.sum(axis=0)[:, None] + _MIN_SHARE)
    centred = X - X.mean(axis=0)
    apart = means - X.mean(axis=0)
    between = (apart * weights[:, None]).T @ apart
    within = centred.T @ centred / len(X) - between + np.diag(ridge)
    return float(np.trace(np.linalg.solve(within, between)))


def _bic(likelihood: float, n: int, q: int, k: int) -> float:
    count = k - 1 + k * q + k * q * (q + 1) // 2
    return count * float(np.log(n)) - 2 * likelihood


def _seed_rows(X: Floats, k: int, rng: np.random.Generator) -> Floats:
    """Choose rows far from each other (k-means++), and give each row to the nearest."""
    n = len(X)
    chosen = [int(rng.integers(n))]
    nearest = np.square(X - X[chosen[0]]).sum(axis=1)
    labels = np.zeros(n, dtype=np.intp)
    for label in range(1, k):
        summed = np.cumsum(nearest)
        at = rng.random() * summed[-1]
        chosen.append(min(int(np.searchsorted(summed, at, side="right")), n - 1))
        away = np.square(X - X[chosen[-1]]).sum(axis=1)
        labels[away < nearest] = label
        nearest = np.minimum(nearest, away)
    return np.eye(k)[labels].T


def cluster_by_mixtures(
    table: RowTable,
    k: int | None,
    *,
    direction: str = "forward",
    criterion: str = "trace",
    k_max: int = 10,
    n_init: int = 5,
    min_gain: float = 0.01,
    sample: int = 1000,
    random_state: int = 0,
    **goal: Unpack[Goal],
) -> Path:
    """Search for the columns with the best separated clusters; `k` of them if given."""
    rows = table.rows[draw_rows(len(table.rows), sample, random_state)]
    judge = Mixtures(rows, criterion == "trace", k_max, n_init, min_gain, random_state)
    return clustering_path(table, rows, judge, k, backward=direction == "backward", **goal)


@dataclass(eq=False)
class Mixtures:
    """The criterion of the clusters that EM finds with each set of columns."""

    kind: ClassVar[str] = "mixture"

    rows: Floats
    by_trace: bool
    k_max: int
    n_init: int
    min_gain: float
    random_state: int

    def __post_init__(self) -> None:
        self._ridge = RIDGE * self.rows.var(axis=0) + measure_steps(self.rows) ** 2 / 12
        self._known: dict[Subset, Floats] = {}

    @property
    def criterion_name(self) -> str:
        """What the search maximises."""
        return "separation" if self.by_trace else "log-likelihood by row"

    def value(self, subset: Subset) -> float:
        """Give the criterion of a set of columns with its own clusters."""
        return self.criterion(subset, subset)

    def clusters(self, subset: Subset) -> int:
        """Give the number of clusters."""
        return self.mixture(subset).shape[1]

    def prefers_larger(self, small: Subset, large: Subset) -> bool:
        """Say whether the larger set wins by cross-projection."""
        both = (small, large)
        first, second = ([self.criterion(a, b) for a in both] for b in both)
        if self.by_trace:
            least = first[0] * first[1] * (1 + self.min_gain) ** 2 + NEGLIGIBLE
            return second[0] * second[1] > least
        return sum(second) > sum(first) + 2 * self.min_gain

    def criterion(self, columns: Subset, clustered: Subset) -> float:
        """Judge in some columns the clusters found with others: one M-step of EM."""
        chosen = list(columns)
        rows, shares = self.rows[:, chosen], self.mixture(clustered)
        if self.by_trace:
            return scatter_trace(rows, shares, self._ridge[chosen])
        return log_likelihood(rows, shares, self._ridge[chosen]) / len(rows)

    def mixture(self, subset: Subset) -> Floats:
        """Fit the mixture of this set of columns, once."""
        if subset not in self._known:
            chosen = list(subset)
            self._known[subset] = fit_mixture(
                np.ascontiguousarray(self.rows[:, chosen]),
                k_max=self.k_max,
                n_init=self.n_init,
                ridge=self._ridge[chosen],
                random_state=self.random_state,
            )
        return self._known[subset]

    def labels(self, subset: Subset) -> Indices:
        """Give each row the cluster it belongs to most; clusters in order of their first rows."""
        found = self.mixture(subset).argmax(axis=1)
        _, first, codes = np.unique(found, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[codes]

    def hierarchy(self, subset: Subset) -> None:
        """There is none."""


def measure_steps(rows: Floats) -> Floats:
    """Give for each column the median distance between neighbouring values.

    Examples
    --------
    >>> measure_steps(np.array([[0.0], [2.0], [2.0], [4.0], [4.5]]))
    array([2.])
    """
    distances = [np.diff(np.unique(column)) for column in rows.T]
    return np.array([float(np.median(each)) if each.size else 0.0 for each in distances])
