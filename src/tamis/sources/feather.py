"""Feather (Arrow IPC) files, a record batch at a time."""

import mmap
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.memory import check_size, get_budget
from tamis.sources.arrow import ArrowSource, without_index
from tamis.sources.files import explain_unreadable
from tamis.sources.source import Unread
from tamis.values import dataclass

_PREFIX_BYTES = 8  # bytes before a packed buffer: its size once unpacked, or -1 if it is not packed
_DICTIONARY = 2  # a kind of messages


@dataclass(frozen=True)
class Header:
    """Rows of a record batch, whether it is packed, and the bytes of its buffers, unpacked."""

    rows: int
    packed: bool
    sizes: tuple[int, ...]


def read_header(message: Any) -> Header:
    """Read the header of a record batch, or of the record batch of a dictionary.

    pyarrow shows none of it before it has unpacked a record batch whole, so the flatbuffer is read:
    tables give the places of their fields.
    """
    data = message.metadata.to_pybytes()

    def number(kind: str, at: int) -> int:
        return int(struct.unpack_from(f"<{kind}", data, at)[0])

    def field(table: int, slot: int) -> int:
        """Give the place of a field of a table, 0 if it is not there."""
        places, here = table - number("i", table), 4 + 2 * slot
        offset = number("H", places + here) if here < number("H", places) else 0
        return table + offset if offset else 0

    def child(table: int, slot: int) -> int:
        """Give the place of what a field refers to."""
        at = field(table, slot)
        return at + number("I", at)

    root = number("I", 0)
    batch = child(root, 2)
    if number("B", field(root, 1)) == _DICTIONARY:
        batch = child(batch, 1)
    length, packed, pairs = field(batch, 0), field(batch, 3) > 0, tuple[int, ...]()
    if field(batch, 2):
        start = child(batch, 2)
        pairs = struct.unpack_from(f"<{2 * number('I', start)}q", data, start + 4)
    sizes = (
        _count_unpacked(message.body, offset, size) if packed else size
        for offset, size in zip(pairs[::2], pairs[1::2], strict=True)
    )
    return Header(number("q", length) if length else 0, packed, tuple(sizes))


def _count_unpacked(body: Any, offset: int, length: int) -> int:
    if length < _PREFIX_BYTES or offset < 0 or offset + _PREFIX_BYTES > body.size:
        return 0
    (size,) = struct.unpack("<q", body.slice(offset, _PREFIX_BYTES).to_pybytes())
    return length - _PREFIX_BYTES if size < 0 else int(size)


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


_MAGIC_BYTES = 8  # bytes before the first message
_RECORD_BATCHES_IN_BUDGET = 8  # of the memory budget that a record batch may take


class FeatherSource(ArrowSource):
    """A Feather file.

    Record batches are read one at a time. One may be as large as the table: then the file is mapped
    and read in slices, and what a slice has touched is given back to the system. A file that is cut
    while it is mapped would end the process, so its size is checked before every slice. A packed
    record batch is unpacked whole, so what has no room is refused by its header.
    """

    def __init__(self, path: Path, unread: Unread | None = None) -> None:
        with explain_unreadable(path):
            self._headers, self._dictionaries = _read_headers(path)
            self._packed = any(header.packed for header in self._headers)
            largest = max((sum(header.sizes) for header in self._headers), default=0)
            self._mapped = largest > get_budget() // _RECORD_BATCHES_IN_BUDGET and not self._packed
            reader, _ = _open_batches(path, mapped=False)
            schema = without_index(reader.schema)
            super().__init__(path.name, schema, path=path, unread=unread)
            self.path = path
            self._places = _find_buffers(reader.schema)
            known = len(self._headers) == reader.num_record_batches
            units = enumerate(_unit(i, len(self._headers)) for i in range(len(self._headers)))
            n_rows = sum(self._headers[i].rows for i, unit in units if not self._skips(unit))
            self.info = replace(self.info, n_rows=n_rows if known else None)

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        names = [self.names[j] for j in columns]
        reader, _ = _open_batches(self.path, mapped=False)
        place = {name: i for i, name in enumerate(reader.schema.names)}
        fields = [place[name] for name in names]
        # Arrow copies all of a mapped record batch to choose fields from it.
        some = None if self._mapped or len(fields) == len(place) else fields
        reader, mapping = _open_batches(self.path, mapped=self._mapped, fields=some)
        count = reader.num_record_batches
        for i in range(count):
            if not self._skips(unit := _unit(i, count)):
                self._check_room(i, names)
                yield unit, self._slices(reader, mapping, i, names, rows)
            self._count((i + 1) / count)

    def _check_room(self, i: int, names: list[str]) -> None:
        """Refuse a packed record batch that is too large unpacked: it is unpacked whole."""
        header = self._headers[i] if i < len(self._headers) else None
        if header is None or not header.packed:
            return
        if self._places is None:
            size = sum(header.sizes)
        else:
            size = sum(sum(header.sizes[self._places[name]]) for name in names)
        check_size(self._dictionaries + size, f"A record batch of {self.path.name}")

    def _slices(
        self, reader: Any, mapping: mmap.mmap | None, i: int, names: list[str], rows: int
    ) -> Iterator[pa.RecordBatch]:
        self._check_unchanged()
        batch = reader.get_batch(i).select(names)
        for start in range(0, batch.num_rows, rows):
            if mapping is not None:
                self._check_unchanged()
            yield batch.slice(start, rows)
            # The pages that were read are given back: they are still in the file.
            if mapping is not None and hasattr(mmap, "MADV_DONTNEED"):
                mapping.madvise(mmap.MADV_DONTNEED)


def _find_buffers(schema: pa.Schema) -> dict[str, slice] | None:
    """Say which buffers of a record batch belong to which column; None where that varies."""
    found, start = dict[str, slice](), 0
    for field in schema:
        count = buffer_count(field.type)
        if count is None:
            return None
        found[field.name] = slice(start, start + count)
        start += count
    return found


def _unit(i: int, count: int) -> str:
    return f"record batch {i + 1} of {count}" if count > 1 else ""


def _open_batches(
    path: Path, *, mapped: bool, fields: list[int] | None = None
) -> tuple[Any, mmap.mmap | None]:
    """Open a file, to read only these fields if they are given; with its mapping if it is mapped.

    It is unmapped once nothing refers to its bytes.
    """
    options = pa.ipc.IpcReadOptions(included_fields=fields)
    mapping = _map(path) if mapped else None
    stream = pa.OSFile(str(path)) if mapping is None else pa.BufferReader(pa.py_buffer(mapping))
    return pa.ipc.open_file(stream, options=options), mapping


def _read_headers(path: Path) -> tuple[list[Header], int]:
    """Give the headers of all record batches, and how large the dictionaries are, unpacked.

    The file is mapped for that: of the record batches themselves only the sizes are read.
    """
    stream, found, dictionaries = pa.BufferReader(pa.py_buffer(_map(path))), list[Header](), 0
    stream.seek(_MAGIC_BYTES)
    try:
        while True:
            message = pa.ipc.read_message(stream)
            if message.type == "record batch":
                found.append(read_header(message))
            elif message.type == "dictionary":
                dictionaries += sum(read_header(message).sizes)
    except (EOFError, OSError, struct.error, pa.ArrowInvalid):  # the end, or damage
        return found, dictionaries


def _map(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
