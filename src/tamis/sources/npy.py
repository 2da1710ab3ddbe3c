"""One array of an NPZ archive: its header, checked, and its values, never more than are there."""

import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from math import prod
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from tamis.sources.room import check_room

_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BEST_RATIO = 1032  # no deflated stream unpacks to more bytes for each of its own
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    (3, 0): np.lib.format.read_array_header_2_0,  # the names of fields alone are written otherwise
}


class Member:
    """An array in an archive.

    What the header declares is compared with the size of the member, and that with the size of the
    file: a few bytes cannot ask for the memory of a terabyte. An `archive` is given where several
    arrays must be of one state of a file that others may replace; otherwise it is opened anew.
    """

    def __init__(self, path: Path, entry: str, archive: zipfile.ZipFile | None = None) -> None:
        self.path, self.entry, self.name = path, entry, entry.removesuffix(".npy")
        self._archive = archive
        with self._open_values() as (stream, room):
            self.shape, self.fortran, self.dtype = _header(stream)
            self._start = stream.tell()
        wrong = [n for n in self.shape if isinstance(n, bool) or n < 0]
        whole = self.dtype.hasobject or self._start + self.size == room  # pickles have any size
        if wrong or not whole:
            raise ValueError(f"the shape {self.shape} of {self.name!r} does not fit its size")

    def detach(self) -> Self:
        """Open the archive anew for the values; that of the header may be closed."""
        self._archive = None
        return self

    @property
    def count(self) -> int:
        """Number of values."""
        return prod(self.shape)

    @property
    def size(self) -> int:
        """Number of bytes of all values."""
        return self.count * self.dtype.itemsize

    @contextmanager
    def _open_values(self) -> Iterator[tuple[IO[bytes], int]]:
        kept = None if self._archive is None else nullcontext(self._archive)
        with (
            kept or zipfile.ZipFile(self.path) as archive,
            open_member(archive, self.entry) as found,
        ):
            yield found

    def rows(self, step: int) -> Iterator[Any]:
        """Read `step` rows at a time, never the whole array."""
        width = prod(self.shape[1:])
        with self._open_values() as (stream, _):
            stream.read(self._start)
            for start in range(0, self.shape[0], step):
                count = min(step, self.shape[0] - start)
                yield self._values(stream, count * width).reshape(count, *self.shape[1:])
            stream.read(1)  # at the end the checksum is compared

    def read_all(self) -> Any:
        """Read all values; there must be room for them."""
        check_room(self.size, f"{self.name!r} of {self.path.name}")
        with self._open_values() as (stream, _):
            stream.read(self._start)
            values = self._values(stream, self.count)
            stream.read(1)
        return values.reshape(self.shape, order="F" if self.fortran else "C")

    def _values(self, stream: IO[bytes], count: int) -> Any:
        if self.dtype.hasobject:
            raise ValueError(f"{self.name!r} holds Python objects, which are not loaded")
        data = stream.read(count * self.dtype.itemsize)
        if len(data) != count * self.dtype.itemsize:
            raise EOFError("the array ends too soon")
        return np.frombuffer(data, self.dtype, count) if count else np.empty(0, self.dtype)


@contextmanager
def open_member(archive: zipfile.ZipFile, entry: str) -> Iterator[tuple[IO[bytes], int]]:
    """Give the unpacked bytes as a stream, and their number, which the file has room for."""
    info = archive.getinfo(entry)
    name = entry.removesuffix(".npy")
    if info.compress_type not in _PACKINGS or info.flag_bits & 1:
        raise ValueError(f"{name!r} is compressed or encrypted in an unsupported way")
    assert archive.fp is not None
    packed = min(info.compress_size, os.fstat(archive.fp.fileno()).st_size)
    most = packed * (_BEST_RATIO if info.compress_type else 1)
    if info.file_size > most:
        raise ValueError(f"{name!r} claims {info.file_size:,} bytes, it has {packed:,}")
    with archive.open(info) as stream:
        yield stream, info.file_size


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    if version not in _HEADERS:
        raise ValueError(f"arrays of version {version[0]}.{version[1]} are not known")
    return _HEADERS[version](stream)
