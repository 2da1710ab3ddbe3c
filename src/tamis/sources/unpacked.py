"""How large Arrow columns are once they are written out, found out before they are.

A dictionary, a view or a packed buffer may stand for a thousand times its own size: a small file
can ask for more memory than the machine has.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.errors import TamisError, spell
from tamis.memory import get_budget

_GIB = 1 << 30
_MIB = 1 << 20


def is_text(dtype: pa.DataType) -> bool:
    """Whether values are text or bytes of any length."""
    types = pa.types
    return bool(
        types.is_string(dtype)
        or types.is_large_string(dtype)
        or types.is_string_view(dtype)
        or types.is_binary(dtype)
        or types.is_large_binary(dtype)
        or types.is_binary_view(dtype)
    )


def check_size(size: int, what: str) -> None:
    """Refuse what would take more memory than allowed, once unpacked; `what` begins the sentence.

    The advice is rounded up to what is enough.
    """
    if size <= get_budget():
        return
    unit, name = (_GIB, "GB") if size >= _GIB else (_MIB, "MB")
    enough = spell("memory", f"{-(-size // unit)}{name}")
    raise TamisError(
        f"{what} takes {size / unit:,.1f} {name} once unpacked, more than the memory allowed: pass "
        f"{enough}, or omit the column if you do not need it."
    )


def in_pieces(batch: pa.RecordBatch, room: int, label: str) -> Iterator[pa.RecordBatch]:
    """Cut a sound batch so that no piece has texts of more than `room` bytes once written out.

    A single row that takes more than the memory budget is refused.
    """
    sizes = _row_bytes(batch, room)
    if sizes is None:
        yield batch
        return
    ends = np.cumsum(sizes)
    start = 0
    while start < batch.num_rows:
        before = int(ends[start - 1]) if start else 0
        check_size(int(sizes[start]), f"Row {start + 1} of a part of {label}")
        stop = max(start + 1, int(np.searchsorted(ends, before + room, side="right")))
        yield batch.slice(start, stop - start)
        start = stop


def count_text_bytes(table: pa.Table) -> int:
    """Count the bytes of all texts of a table once they are written out."""
    return sum(_text_bytes(chunk) for column in table.columns for chunk in column.chunks)


def _text_bytes(column: Any) -> int:
    if is_text(column.type) and column.type not in (pa.string_view(), pa.binary_view()):
        return pc.sum(pc.binary_length(column)).as_py() or 0  # to fill gaps would load pandas
    if (lengths := _lengths(column)) is None:
        return 0
    if not pa.types.is_dictionary(column.type):
        return int(lengths.sum())
    return int(_write_out(column, lengths).sum())


def _row_bytes(batch: pa.RecordBatch, room: int) -> Any:
    """Give the bytes of all texts of each row; None where they all have room together."""
    total, found = 0, []
    for column in batch.columns:
        lengths = _lengths(column)
        if lengths is not None:
            total += batch.num_rows * int(lengths.max(initial=0))
            found.append((column, lengths))
    if total <= room:
        return None
    rows = np.zeros(batch.num_rows, dtype=np.int64)
    for column, lengths in found:
        rows += _write_out(column, lengths) if pa.types.is_dictionary(column.type) else lengths
    return rows


def _write_out(column: Any, lengths: Any) -> Any:
    """Give the length of the text of each row of a dictionary column, 0 where it is missing."""
    codes = np.asarray(column.indices.cast(pa.int64()).fill_null(-1))
    return np.append(lengths, 0)[codes]  # the last is for missing values


def _lengths(column: Any) -> Any:
    """Give the length of each text, of a dictionary's in their order; None for other columns."""
    dictionary = pa.types.is_dictionary(column.type)
    texts = column.dictionary if dictionary else column
    if not is_text(texts.type):
        return None
    if texts.type in (pa.string_view(), pa.binary_view()):
        return _view_lengths(texts)
    return np.asarray(pc.binary_length(texts).fill_null(0)).astype(np.int64)


def _view_lengths(texts: Any) -> Any:
    """Read the lengths off views: the first four bytes of each of sixteen."""
    raw = texts.buffers()[1]
    if raw is None:
        return np.zeros(len(texts), dtype=np.int64)
    views = np.frombuffer(raw, dtype="<i4").reshape(-1, 4)[texts.offset : texts.offset + len(texts)]
    lengths = views[:, 0].astype(np.int64)
    return np.where(np.asarray(texts.is_valid()), lengths, 0) if texts.null_count else lengths


def check_room(size: int, what: str, advice: str = "") -> None:
    """Refuse what takes more bytes than reading may, before it is unpacked."""
    limit = get_budget()
    if size > limit:
        more = spell("memory", write_size(2 * size))
        raise TamisError(
            f"{what} would take {write_size(size)} of memory and the limit is {write_size(limit)}: "
            f"{advice}if the file is sound, raise the limit ({more})."
        )


def write_size(size: int) -> str:
    """Write a number of bytes, rounded up.

    >>> write_size(3 << 30), write_size(5 << 19)
    ('3GB', '3MB')
    """
    shift, unit = (30, "GB") if size >= 2 << 30 else (20, "MB")
    return f"{-(-size >> shift)}{unit}"
