"""The form for tables too wide for the matrix and too long for the rows: a sketch of the rows.

Where the table can be read again, passes over it make some columns exact (`passes.py`).
"""

import numpy as np

from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram.passes import KnownColumns, Multiply
from tamis.statistics.gram.protocol import EVERY, Columns
from tamis.statistics.gram.row_gram import RowGram


class SketchGram(RowGram):
    """A Gram matrix estimated from random sums of the rows: `G` is about `Z'Z`."""

    def __init__(self, rows: Floats, known: KnownColumns | None = None) -> None:
        super().__init__(rows)
        self._known = known

    @property
    def known(self) -> KnownColumns | None:
        """What further passes over the table say; None where it cannot be read again."""
        return self._known

    def let_read_again(self, multiply: Multiply) -> "SketchGram":
        """Give the matrix as one that may have passes made."""
        return SketchGram(self.rows, KnownColumns(multiply, self.shape[1]))

    def keep_exact(self, columns: Indices) -> "SketchGram":
        """Give the matrix with these columns as they were read; as it is if some were not."""
        if self._known is None or not np.isin(columns, self._known.columns).all():
            return self
        panel = np.array([self._known.find_column(int(j)) for j in columns])
        return PanelGram(self.rows, columns, panel)

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


class PanelGram(SketchGram):
    """A sketch of which some columns are known exactly: row `i` of `panel` is column `exact[i]`."""

    def __init__(self, rows: Floats, exact: Indices, panel: Floats) -> None:
        super().__init__(rows)
        self.exact, self.panel = exact, panel
        self._place = {int(j): i for i, j in enumerate(exact)}

    def column(self, j: int) -> Floats:
        """Give one column of `G`."""
        return self.panel[self._place[j]].copy() if j in self._place else super().column(j)

    def block(self, rows: Columns, columns: Columns = EVERY) -> Floats:
        """Give some rows and columns of `G`."""
        found = super().block(rows, columns)
        every = np.arange(self.shape[1])
        tall, wide = every[rows], every[columns]
        for i in np.flatnonzero(np.isin(tall, self.exact)):
            found[i] = self.panel[self._place[int(tall[i])]][wide]
        for i in np.flatnonzero(np.isin(wide, self.exact)):
            found[:, i] = self.panel[self._place[int(wide[i])]][tall]
        return found
