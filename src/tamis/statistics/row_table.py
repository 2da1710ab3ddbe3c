"""The rows as methods of selection use them, with the Gram matrix of their columns."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram
from tamis.statistics.linear import TableSummary, summary_of_moments, summary_of_rows
from tamis.statistics.moments import Moments
from tamis.statistics.statistic import Statistic
from tamis.statistics.target import Target
from tamis.statistics.units import compute_level


@dataclass(frozen=True, eq=False)
class RowTable(Statistic[Gram]):
    """All rows of the columns that vary, as they came, and the labels of the rows if there are any.

    `scale` is whether the columns are standardised for distances and for the Gram matrix.

    Examples
    --------
    >>> import numpy as np
    >>> RowTable(np.array([[1.0, 2.0], [3.0, 6.0]]), None, True).rows
    array([[-1., -1.],
           [ 1.,  1.]])
    """

    values: Floats
    target: Target | None
    scale: bool

    def of_columns(self, columns: Indices) -> "RowTable":
        """Give the same rows with some of the columns."""
        return RowTable(self.values[:, columns], self.target, self.scale)

    @cached_property
    def rows(self) -> Floats:
        """The rows, centred and of standard deviation 1 (unscaled: 1 in the quadratic mean)."""
        base = self._summary
        return (self.values - base.mean) / (base.std if self.scale else compute_level(base.std))

    @cached_property
    def standardised(self) -> Floats:
        """The rows, centred and of standard deviation 1 whatever `scale` says; constants are 0."""
        base = self._summary
        return (self.values - base.mean) / np.where(base.std > 0, base.std, 1.0)

    @property
    def labels(self) -> Target:
        """The labels, for a method that cannot do without."""
        if self.target is None:
            raise TamisError("The rows have no labels: this method needs one for each.")
        return self.target

    @property
    def gram(self) -> Gram:
        """The Gram matrix of the columns."""
        return self._summary.gram

    @property
    def explained(self) -> Gram:
        """What the columns explain of each other."""
        return self.gram

    @cached_property
    def _summary(self) -> TableSummary:
        n, d = self.values.shape
        if n >= d:
            return summary_of_moments(Moments.from_batch(self.values), self.scale)
        return summary_of_rows(self.values, self.scale)
