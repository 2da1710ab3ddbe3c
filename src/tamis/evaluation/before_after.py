"""The same rows before and after columns were dropped, checked in one place."""

from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.types import Floats


def rows_of(X: Any, name: str = "X") -> Floats:
    """Give a table as float64 rows, or say what keeps it from being one."""
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or 0 in rows.shape:
        raise TamisError(f"{name} has the shape {rows.shape}: give rows x columns, some of each.")
    if not np.isfinite(rows).all():
        raise TamisError(f"{name} has missing or infinite values: fill them or drop their rows.")
    return rows


def before_after(full: Any, reduced: Any) -> tuple[Floats, Floats]:
    """Check two tables that describe the same rows, before and after.

    Examples
    --------
    >>> full, reduced = before_after([[1, 2], [3, 4]], [[1], [3]])
    >>> full.shape, reduced.shape
    ((2, 2), (2, 1))
    """
    before, after = rows_of(full, "full"), rows_of(reduced, "reduced")
    if len(before) != len(after):
        raise TamisError(
            f"full has {len(before)} rows and reduced {len(after)}: give the same rows twice."
        )
    return before, after
