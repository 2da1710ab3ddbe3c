"""Whether the first line of a text table is a header, or a row of values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tamis.numerics.types import Floats
from tamis.sources.plain_arrays import NO_NUMBER

__all__ = ["looks_like_values", "numbers_in"]

_N_HEADER_ROWS = 1_000  # to compare the first line with
_ALIKE = 0.8  # of the columns, among whose values the first line would not stand out
_MIN_ORDERED_NUMBERS = 6  # numbers are in order by chance once in 360 times
_IN_ORDER = 0.9  # of the rows, where every row is in order
_HEADER_YEARS = (1800, 2100)


def numbers_in(names: Sequence[str], types: Sequence[pa.DataType]) -> dict[int, float]:
    """Give the names over columns of numbers as numbers; none if one of them is no number."""
    found: dict[int, float] = {}
    for j, (name, dtype) in enumerate(zip(names, types, strict=True)):
        if pa.types.is_integer(dtype) or pa.types.is_floating(dtype):
            try:
                found[j] = float(name)
            except ValueError:
                return {}
    return found


def looks_like_values(numbers: dict[int, float], rows: pa.RecordBatch) -> bool:
    """Whether the numbers in the first line are like those below them.

    Years, wavelengths and positions are names: evenly spaced or, many of them, in order, which the
    values of a row are only where those of all rows are (quantiles).
    """
    first = np.array(list(numbers.values()))
    below = [_values(rows.column(j)[:_N_HEADER_ROWS]) for j in numbers]
    if not first.size or not np.isfinite(first).all() or _are_spaced(first):
        return False
    fits = [_fits(value, column) for value, column in zip(first, below, strict=True)]
    if np.mean(fits) < _ALIKE:
        return False
    steps = np.sign(np.diff(first))
    ordered = first.size > 1 and bool((steps == steps[0]).all())
    if ordered and (first.size >= _MIN_ORDERED_NUMBERS or _are_years(first)):
        down = np.diff(np.column_stack(below), axis=1) * steps[0] >= 0
        return bool(np.mean(down.all(axis=1)) >= _IN_ORDER)
    return True


def _values(column: Any) -> Floats:
    cells = column.cast(pa.float64(), safe=False).fill_null(NO_NUMBER)
    return np.array(np.from_dlpack(cells))


def _fits(value: float, column: Floats) -> bool:
    """Whether a value is within the range of a column, twice as far to either side."""
    seen = column[np.isfinite(column)]
    if not seen.size:
        return False
    low, high = seen.min(), seen.max()
    return bool(low - (high - low) <= value <= high + (high - low))


def _are_spaced(first: Floats) -> bool:
    steps = np.diff(first)
    return steps.size > 1 and bool(steps[0] != 0 and np.allclose(steps, steps[0], rtol=1e-6))


def _are_years(first: Floats) -> bool:
    return bool(
        ((first == first.round()) & (first >= _HEADER_YEARS[0]) & (first <= _HEADER_YEARS[1])).all()
    )
