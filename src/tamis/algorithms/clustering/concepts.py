"""What is known of a set of rows without reading them again, and category utility on top of it.

A set of rows is one vector: the number of rows, the sums and the sums of squares of the numeric
columns, and the number of rows with each value of each nominal column. The vector of a union is the
sum of the vectors.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tamis.numerics.types import Floats, Indices

PLAIN = float(1 / (2 * np.sqrt(np.pi)))  # the mean density of a normal distribution of deviation 1

# A numeric column known to within this many standard deviations counts as much as a nominal one
# whose value is certain: 1. The default of CLASSIT, 1, is for columns in their own units: no group
# of rows of a standardised column would score more than all rows.
ACUITY = PLAIN


@dataclass(frozen=True, eq=False)
class Features:
    """How rows become vectors: so many numeric columns, and so many values of each nominal one."""

    numeric: int
    values: tuple[int, ...] = ()
    acuity: float = ACUITY

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.numeric + len(self.values)

    @cached_property
    def single(self) -> float:
        """What is guessed of a single row: 1 of each nominal column, the most of a numeric one."""
        return self.numeric * PLAIN / self.acuity + len(self.values)

    def vectors(self, numbers: Floats, codes: Indices | None = None) -> Floats:
        """Give the vector of every row."""
        n = len(numbers)
        parts = [np.ones((n, 1)), numbers, numbers**2]
        if codes is not None:
            ones = [np.eye(size)[codes[:, j]] for j, size in enumerate(self.values)]
            parts += ones
        return np.ascontiguousarray(np.hstack(parts))

    def count_right_guesses(self, sums: Floats) -> Floats:
        """Give the values guessed right in each set of rows: the sum over its columns of p^2.

        For a numeric column the sum over values of p^2 becomes the mean density of a normal
        distribution, 1 / (2 sqrt(pi) deviation), where the deviation is at least the acuity.

        Examples
        --------
        Of three rows, two have the first value: 4/9 + 1/9.

        >>> Features(0, (2,)).count_right_guesses(np.array([[3.0, 2.0, 1.0]])).round(4)
        array([0.5556])
        """
        d = self.numeric
        shares = sums[:, 1:] / sums[:, :1]
        numeric = np.add.reduce(_densities(shares[:, :d], shares[:, d : 2 * d], self.acuity), 1)
        if not self.values:
            return np.asarray(numeric)
        return np.asarray(numeric + np.square(shares[:, 2 * d :]).sum(axis=1))

    def by_column(self, sums: Floats) -> Floats:
        """Give the same for each column, the numeric ones first: (sets of rows, columns)."""
        d = self.numeric
        shares = sums[:, 1:] / sums[:, :1]
        numeric = _densities(shares[:, :d], shares[:, d : 2 * d], self.acuity)
        nominal = [np.square(part).sum(axis=1) for part in self.nominal_shares(sums)]
        return np.column_stack([numeric, *nominal])

    def nominal_shares(self, sums: Floats) -> list[Floats]:
        """Give the share of each value of each nominal column: (sets of rows, values) for each."""
        shares = sums[:, 1 + 2 * self.numeric :] / sums[:, :1]
        return np.split(shares, np.cumsum(self.values)[:-1], axis=1) if self.values else []


def _densities(means: Floats, squares: Floats, acuity: float) -> Floats:
    return PLAIN / np.sqrt(np.maximum(squares - means * means, acuity * acuity))


def category_utility(features: Features, sums: Floats, *, weighted: bool = True) -> float:
    """Give how much better values are guessed once the cluster of a row is known, by cluster.

    `sums` has the vector of every cluster. `weighted=False` omits the share of rows in each
    cluster, as the formula is printed in Cunningham's survey.

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 1], [0, 0], [1, 1]])
    >>> features = Features(0, (2, 2))
    >>> vectors = features.vectors(np.zeros((4, 0)), rows)
    >>> sums = cluster_sums(vectors, np.array([0, 0, 0, 1]))
    >>> round(category_utility(features, sums), 7)
    0.2708333
    >>> round(category_utility(features, sums, weighted=False), 7)
    0.6527778
    """
    gains = features.count_right_guesses(sums) - features.count_right_guesses(
        sums.sum(axis=0, keepdims=True)
    )
    weights = sums[:, 0] / sums[:, 0].sum() if weighted else np.ones(len(sums))
    return float(weights @ gains) / len(sums)


def cluster_sums(vectors: Floats, labels: Indices) -> Floats:
    """Add up the vectors of the rows of each cluster."""
    sums = np.zeros((int(labels.max()) + 1, vectors.shape[1]))
    np.add.at(sums, labels, vectors)
    return sums
