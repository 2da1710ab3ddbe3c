"""Which column of a table without names holds classes: the first or the last, unlike the others."""

from typing import Any

import numpy as np
import pyarrow as pa

from tamis.numerics.types import Floats

__all__ = ["find_class_column"]

_MAX_CLASSES, _MIN_CLASS_ROWS = 20, 2
_MAX_CLASS_SHARE = 0.8  # of the rows in one class; words and rare events are mostly 0
_MAX_SIMILAR = 0.1  # share of the other columns that may look the same


def find_class_column(sample: Any) -> str | None:
    """Give the name of the column of classes among some rows of a table; None if none stands out.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> table = {f"x{j}": rng.normal(size=60) for j in range(1, 6)}
    >>> find_class_column(pa.table({"x0": [1, 2, 3] * 20, **table}))
    'x0'
    """
    if sample.num_columns < 3:
        return None
    alike = [_are_classes(_as_floats(column)) for column in sample.columns]
    edges = [j for j in (0, sample.num_columns - 1) if alike[j]]
    if len(edges) != 1 or sum(alike) - 1 > _MAX_SIMILAR * (len(alike) - 1):
        return None
    return str(sample.column_names[edges[0]])


def _as_floats(column: Any) -> Floats:
    kind = column.type
    if column.null_count or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return np.zeros(0)
    return np.array(np.from_dlpack(column.cast(pa.float64(), safe=False).combine_chunks()))


def _are_classes(values: Floats) -> bool:
    """Whether values are integers without a gap, few of them, none rare and none very frequent."""
    if not values.size or not np.isfinite(values).all() or (values != np.round(values)).any():
        return False
    different, counts = np.unique(values, return_counts=True)
    few = 2 <= different.size <= _MAX_CLASSES and different[0] in (-1, 0, 1)
    whole = different[-1] - different[0] in (different.size - 1, 2 * (different.size - 1))
    return bool(
        few
        and whole
        and counts.min() >= _MIN_CLASS_ROWS
        and counts.max() <= _MAX_CLASS_SHARE * values.size
    )
