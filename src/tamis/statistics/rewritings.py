"""What is done to rows before they are summed up: logarithms of counts, or Pareto units."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats
from tamis.statistics.missing_cells import as_float64
from tamis.statistics.units import divide_columns


@dataclass(frozen=True)
class LogCounts:
    """Counts by the size of their row, then log1p; `size` is the mean sum of a row.

    >>> LogCounts(4.0).rewrite(np.array([[1.0, 1.0], [0.0, 8.0]])).round(3).tolist()
    [[1.099, 1.099], [0.0, 1.609]]
    """

    size: float

    def measure_sizes(self, rows: Any) -> Floats:
        """Give the sum of each row over the mean sum, 1 for rows of zeros."""
        if (rows < 0).sum():
            raise TamisError(
                f"{spell('scale', 'counts')} is for counts, and a row has a value below 0: give "
                "counts, or choose the columns anew."
            )
        sizes = add_row_sums(rows) / self.size if self.size else np.ones(rows.shape[0])
        sizes[sizes == 0] = 1.0
        return sizes

    def rewrite(self, rows: Any) -> Any:
        """Give some rows as logarithms."""
        factors = self.measure_sizes(rows)
        if not scipy.sparse.issparse(rows):
            return np.log1p(as_float64(rows) / factors[:, None])
        cells = scipy.sparse.csr_array(rows, dtype=np.float64, copy=True)
        cells.sum_duplicates()
        cells.data = np.log1p(cells.data / np.repeat(factors, np.diff(cells.indptr)))
        return cells


@dataclass(frozen=True, eq=False)
class ParetoUnits:
    """Columns divided by the root of their standard deviation."""

    units: Floats

    def rewrite(self, rows: Any) -> Any:
        """Give some rows in these units."""
        if scipy.sparse.issparse(rows):
            return divide_columns(scipy.sparse.csr_array(rows, dtype=np.float64), self.units)
        return as_float64(rows) / self.units


def add_row_sums(rows: Any) -> Floats:
    """Add the values of every row that are there."""
    if not scipy.sparse.issparse(rows):
        values = as_float64(rows)
        return np.asarray(values.sum(axis=1, where=np.isfinite(values)))
    cells = scipy.sparse.csr_array(rows, dtype=np.float64, copy=True)
    cells.data[~np.isfinite(cells.data)] = 0.0
    return np.asarray(cells.sum(axis=1)).ravel()
