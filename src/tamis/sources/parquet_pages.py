"""The sizes of a Parquet file's pages, read off their headers: a page is unpacked whole."""

from pathlib import Path
from typing import Any

__all__ = ["largest_page"]

_HEADER_BYTES = 1 << 12  # bytes that nearly all headers have room in
_MAX_HEADER_BYTES = 1 << 20
_TYPE_BYTES = {
    3: 1,
    7: 8,
}  # bytes of a value of these types; 1 and 2 are true and false, without any
_VARINTS, _TEXT, _LISTS, _STRUCT = (4, 5, 6), 8, (9, 10), 12
_SIZE, _PACKED = 2, 3  # fields of a page's header


def largest_page(path: Path, chunk: Any) -> int:
    """Give the size of the largest page of a column chunk, unpacked.

    What cannot be understood counts as the end: the reader will say what is wrong with it.
    """
    start = chunk.data_page_offset
    if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
        start = min(start, chunk.dictionary_page_offset)
    end, largest = start + chunk.total_compressed_size, 0
    with path.open("rb") as file:
        while start < end:
            file.seek(start)
            try:
                fields, length = _header(file.read(_HEADER_BYTES))
            except IndexError:
                file.seek(start)
                try:
                    fields, length = _header(file.read(_MAX_HEADER_BYTES))
                except (IndexError, ValueError):
                    break
            except ValueError:
                break
            size, packed = fields.get(_SIZE, 0), fields.get(_PACKED, -1)
            if packed < 0:
                break
            largest = max(largest, size)
            start += length + packed
    return largest


def _header(data: bytes) -> tuple[dict[int, int], int]:
    """Read the integers of a header in Thrift's compact form, and how long it is."""
    reader = _Compact(data)
    return reader.integers(), reader.at


class _Compact:
    def __init__(self, data: bytes) -> None:
        self._data, self.at = data, 0

    def integers(self) -> dict[int, int]:
        """Read a struct to its end and give its own integers by field."""
        found, field = {}, 0
        while (first := self._byte()) != 0:
            kind = first & 15
            field = field + (first >> 4) if first >> 4 else self._read_signed()
            if kind in _VARINTS:
                found[field] = self._read_signed()
            else:
                self._skip(kind)
        return found

    def _skip(self, kind: int) -> None:
        if kind in _VARINTS:
            self._varint()
        elif kind in _TYPE_BYTES:
            self.at += _TYPE_BYTES[kind]
        elif kind == _TEXT:
            length = self._varint()
            self.at += length
        elif kind in _LISTS:
            first = self._byte()
            count = first >> 4 if first >> 4 < 15 else self._varint()
            for _ in range(count):
                self._skip(first & 15)
        elif kind == _STRUCT:
            self.integers()
        elif kind not in (1, 2):
            raise ValueError(f"unknown type {kind}")

    def _byte(self) -> int:
        byte = self._data[self.at]
        self.at += 1
        return byte

    def _varint(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number that is too long")

    def _read_signed(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
