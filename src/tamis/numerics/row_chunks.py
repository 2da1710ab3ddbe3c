"""Runs of rows whose blocks take little memory: a table is worked through in such blocks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK_BYTES = 1 << 23  # fits the larger caches; products of such blocks run at full speed


def row_blocks(count: int, width: int, *, room: int | None = None) -> list[slice]:
    """Cut `count` rows of `width` numbers into blocks of at most `room` bytes, or one row.

    Examples
    --------
    >>> row_blocks(5, 4, room=64)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, (room or BLOCK_BYTES) // (8 * max(width, 1)))
    return [slice(first, min(first + step, count)) for first in range(0, count, step)]


def lay_in_rows(values: Any) -> Any:
    """Give a dense array of two dimensions with every row in one piece of memory.

    NumPy's own copy of an array that lies in columns takes longer.
    """
    if values.flags.c_contiguous:
        return values
    out = np.empty(values.shape, values.dtype)
    for part in row_blocks(*values.shape):
        out[part] = values[part]
    return out


def draw_rows(n: int, most: int, seed: Any) -> NDArray[np.intp]:
    """Draw at most so many rows without replacement, in the order of the table."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))
