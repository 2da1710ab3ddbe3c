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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis.algorithms.clustering.cluster_evidence import clustering_path
from tamis.algorithms.clustering.cluster_search import Subset, sample_rows
from tamis.algorithms.clustering.mixture import (
    RIDGE,
    Mixture,
    fit_mixture,
    log_likelihood,
    scatter_trace,
)
from tamis.algorithms.path import Path
from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.numerics.types import Floats, Indices
from tamis.statistics.row_table import RowTable


def cluster_by_mixtures(
    table: RowTable,
    k: int | None,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    direction: str = "forward",
    criterion: str = "trace",
    k_max: int = 10,
    n_init: int = 5,
    min_gain: float = 0.01,
    sample: int = 1000,
    random_state: int = 0,
) -> Path:
    """Search for the columns with the best separated clusters; `k` of them if given."""
    rows = table.rows[sample_rows(len(table.rows), sample, random_state)]
    judge = Mixtures(rows, criterion == "trace", k_max, n_init, min_gain, random_state)
    return clustering_path(
        table,
        rows,
        judge,
        k,
        retain=retain,
        include=include,
        backward=direction == "backward",
    )


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
        self._known: dict[Subset, Mixture] = {}

    @property
    def criterion_name(self) -> str:
        """What the search maximises."""
        return "separation" if self.by_trace else "log-likelihood by row"

    def value(self, subset: Subset) -> float:
        """Give the criterion of a set of columns with its own clusters."""
        return self.criterion(subset, subset)

    def clusters(self, subset: Subset) -> int:
        """Give the number of clusters."""
        return self.mixture(subset).size

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
        rows, shares = self.rows[:, chosen], self.mixture(clustered).shares
        if self.by_trace:
            return scatter_trace(rows, shares, self._ridge[chosen])
        return log_likelihood(rows, shares, self._ridge[chosen]) / len(rows)

    def mixture(self, subset: Subset) -> Mixture:
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
        found = self.mixture(subset).shares.argmax(axis=1)
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
