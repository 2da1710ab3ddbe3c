"""The form for tables too wide for the matrix and too long for the rows: a sketch of the rows."""

from tamis.numerics.types import Floats
from tamis.statistics.gram.row_gram import RowGram


class SketchGram(RowGram):
    """A Gram matrix estimated from random sums of the rows: `G` is about `Z'Z`."""

    @property
    def form(self) -> str:
        """How the matrix is held, in words."""
        return f"estimated from {len(self.rows):,} random sums of the rows"

    @property
    def error(self) -> float:
        """How far shares of the variance may be off: a correlation of s sums varies by 1/sqrt(s).

        That of all columns together is less, unless one or two factors drive them all
        (docs/scale.md).
        """
        return float(len(self.rows) ** -0.5)

    def weigh_columns(self, weights: Floats) -> "SketchGram":
        """Give the Gram matrix of the columns, each multiplied with its weight."""
        return SketchGram(self.rows * weights)
