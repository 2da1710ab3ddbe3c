"""What the messages of a Feather file say of themselves: rows, packing, sizes once unpacked.

pyarrow shows none of it before it has unpacked a record batch whole, so the flatbuffers are read.
"""

import struct
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

__all__ = ["Header", "buffer_count", "read_header"]

_PREFIX_BYTES = 8  # bytes before a packed buffer: its size once unpacked, or -1 if it is not packed
_BATCH, _DICTIONARY = 3, 2  # kinds of messages


@dataclass(frozen=True)
class Header:
    """Rows of a record batch, whether it is packed, and the bytes of its buffers, unpacked."""

    rows: int
    packed: bool
    sizes: tuple[int, ...]


def read_header(message: Any) -> Header:
    """Read the header of a record batch, or of the record batch of a dictionary."""
    table = _Table(message.metadata.to_pybytes())
    kind, place = table.number("B", table.field(table.root, 1)), table.child(table.root, 2)
    batch = table.child(place, 1) if kind == _DICTIONARY else place
    length = table.field(batch, 0)
    packed = table.field(batch, 3) > 0
    buffers = table.structs(batch, 2)
    sizes = tuple(_count_unpacked(message.body, *one) if packed else one[1] for one in buffers)
    return Header(table.number("q", length) if length else 0, packed, sizes)


def _count_unpacked(body: Any, offset: int, length: int) -> int:
    if length < _PREFIX_BYTES or offset < 0 or offset + _PREFIX_BYTES > body.size:
        return 0
    (size,) = struct.unpack("<q", body.slice(offset, _PREFIX_BYTES).to_pybytes())
    return length - _PREFIX_BYTES if size < 0 else int(size)


class _Table:
    """Reads numbers off a flatbuffer."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.root = self.number("I", 0)

    def number(self, kind: str, at: int) -> int:
        """Read one number."""
        return int(struct.unpack_from(f"<{kind}", self._data, at)[0])

    def field(self, table: int, slot: int) -> int:
        """Give the position of a field of a table, 0 if it is not there."""
        places = table - self.number("i", table)
        here = 4 + 2 * slot
        offset = self.number("H", places + here) if here < self.number("H", places) else 0
        return table + offset if offset else 0

    def child(self, table: int, slot: int) -> int:
        """Give the position of what a field refers to."""
        at = self.field(table, slot)
        return at + self.number("I", at)

    def structs(self, table: int, slot: int) -> list[tuple[int, int]]:
        """Read a vector of pairs of long integers."""
        if not self.field(table, slot):
            return []
        start = self.child(table, slot)
        count = self.number("I", start)
        pairs = struct.unpack_from(f"<{2 * count}q", self._data, start + 4)
        return list(zip(pairs[::2], pairs[1::2], strict=True))


def buffer_count(dtype: pa.DataType) -> int | None:
    """Give how many buffers a column of this type has in a record batch; None if that varies.

    >>> buffer_count(pa.float64()), buffer_count(pa.string()), buffer_count(pa.string_view())
    (2, 3, None)
    """
    types = pa.types
    if types.is_null(dtype):
        return 0
    if types.is_dictionary(dtype) or types.is_primitive(dtype) or types.is_fixed_size_binary(dtype):
        return 2
    if types.is_string(dtype) or types.is_large_string(dtype):
        return 3
    if types.is_binary(dtype) or types.is_large_binary(dtype):
        return 3
    own = 1 if types.is_struct(dtype) or types.is_fixed_size_list(dtype) else 2
    if not (own == 1 or types.is_list(dtype) or types.is_large_list(dtype) or types.is_map(dtype)):
        return None
    parts = [buffer_count(dtype.field(i).type) for i in range(dtype.num_fields)]
    return None if None in parts else own + sum(part or 0 for part in parts)
