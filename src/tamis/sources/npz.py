"""NPZ archives: one 2-d array of numbers, with the names beside it if there are any."""

import os
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from tamis.errors import TamisError, Unreadable
from tamis.memory import batch_rows
from tamis.progress import Meter
from tamis.sources.arrays import ArraySource, StoredArraySource, check_dimensions, to_native
from tamis.sources.files import explain_unreadable, read_ahead
from tamis.sources.source import Source
from tamis.sources.stamp import Stamp
from tamis.sources.unpacked import check_room

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


_NAME_ENTRIES = ("feature_names", "columns", "names")
_SPARSE_ENTRIES = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "bsr": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
}
_MAX_SPARSE_ROWS = 1 << 25
_MOST_COLUMNS = 1 << 22
_COLUMN_INFO_BYTES = 150  # name, kind and position of a column
_NAME_COPIES = 4  # of names, while their letters are checked
_LONGEST_LAYOUT = 64
ROW_BY_ROW = "it is stored column by column, save it with numpy.ascontiguousarray; "


def open_npz(path: Path) -> Source:
    """Find the table of an archive: the array `X`, or the only one with rows and columns."""
    if not zipfile.is_zipfile(path):
        raise Unreadable(
            f"{path.name} is not an NPZ archive, or is damaged: write it again.", str(path)
        )
    with explain_unreadable(path):
        with zipfile.ZipFile(path) as file:
            entries = [name for name in file.namelist() if name.endswith(".npy")]
            found = [Member(path, entry, file).detach() for entry in entries]
        members = {member.name: member for member in found}
        if {"format", "data", "shape"} <= set(members):
            return ArraySource(_sparse(members, path.name), label=path.name)
        chosen = _table(members, path.name)
        check_shape(chosen.shape, chosen.count, path.name)
        check_room(_COLUMN_INFO_BYTES * chosen.shape[1], f"The names of the columns of {path.name}")
        names = _names(members, chosen.shape[1])
        if chosen.fortran:
            check_room(chosen.size, f"{chosen.name!r} of {path.name}", ROW_BY_ROW)
            return ColumnwiseSource(chosen.read_all(), names, path.name)
        return NpzSource(chosen, names)


def _table(members: dict[str, Member], label: str) -> Member:
    tables = [m for m in members.values() if len(m.shape) == 2 and m.dtype.kind in "fiub"]
    chosen = [m for m in tables if m.name == "X"] or tables
    cubes = [m for m in members.values() if len(m.shape) > 2 and m.dtype.kind in "fiub"]
    if not tables and len(cubes) == 1:
        check_dimensions(cubes[0].shape, label)
    if len(chosen) != 1:
        found = ", ".join(m.name for m in tables) or "none"
        raise TamisError(
            f"{label} must hold one array of rows and columns, or one named X; 2-d arrays of "
            f"numbers in it: {found}."
        )
    return chosen[0]


def _names(members: dict[str, Member], width: int) -> list[str] | None:
    for member in members.values():
        if member.name in _NAME_ENTRIES and member.shape == (width,) and member.dtype.kind == "U":
            check_room(_NAME_COPIES * member.size, f"{member.name!r} of {member.path.name}")
            names = to_native(member.read_all())
            codes = names.view(np.uint32)
            if ((codes > sys.maxunicode) | ((codes >= 0xD800) & (codes < 0xE000))).any():
                raise ValueError(f"{member.name!r} does not hold text")
            return [str(name) for name in names]
    return None


def _sparse(members: dict[str, Member], label: str) -> Any:
    """Build the matrix that `scipy.sparse.save_npz` wrote; `ArraySource` checks its positions."""
    import scipy.sparse

    mark = members["format"]
    if mark.shape != () or mark.size > _LONGEST_LAYOUT or members["shape"].shape != (2,):
        raise ValueError("its format must be one word and its shape two integers")
    layout = mark.read_all().astype(str).item()
    if layout not in _SPARSE_ENTRIES:
        raise TamisError(
            f"{label} holds a sparse matrix in the layout {layout!r}: save it as CSR, with "
            "matrix.tocsr()."
        )
    parts = [members[name] for name in _SPARSE_ENTRIES[layout]]
    check_room(8 * sum(part.count for part in parts), label)
    data, *places = (part.read_all() for part in parts)
    shape = members["shape"].read_all()
    if {array.dtype.kind for array in (shape, *places)} - {"i", "u"}:
        raise ValueError("its shape and positions must be integers")
    shape = tuple(int(n) for n in shape)
    check_shape(shape, data.size + sum(array.size for array in places), label)
    places = [array.astype(np.int64) for array in places]
    kind = getattr(scipy.sparse, f"{layout}_array")
    built = (to_native(data), tuple(places)) if layout == "coo" else (to_native(data), *places)
    return kind(built, shape=shape)


def check_shape(shape: tuple[int, ...], stored: int, label: str) -> None:
    """Refuse rows and columns that no value stands in, when there are very many of them."""
    for n, most, what in zip(
        shape, (_MAX_SPARSE_ROWS, _MOST_COLUMNS), ("rows", "columns"), strict=True
    ):
        if n > max(most, stored):
            raise TamisError(
                f"{label} declares {n:,} {what} and has values for at most {stored:,}: it is "
                "damaged, or needs a smaller shape."
            )


class ColumnwiseSource(ArraySource):
    """An array that was stored column by column: held as a whole, and copied by blocks of rows."""

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows."""
        step = batch_rows(len(columns))
        every = list(columns) == list(range(self.array.shape[1]))
        for start in range(0, len(self.array), step):
            block = self.array[start : start + step]
            yield block if every else block[:, list(columns)]


class NpzSource(StoredArraySource):
    """An array inside an archive, unpacked a block of rows at a time."""

    def __init__(self, member: Member, names: Sequence[str] | None) -> None:
        super().__init__(np.empty((0, member.shape[1]), member.dtype), names, member.path.name)
        self._member, self._stamp = member, Stamp(member.path)
        self._meter = Meter(self._stamp.size)
        self.info = replace(self.info, n_rows=member.shape[0], meter=self._meter)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows, read ahead."""
        return read_ahead(lambda: self._numbers(columns))

    def _numbers(self, columns: Sequence[int]) -> Iterator[Any]:
        n, width = self._member.shape
        every, done = list(columns) == list(range(width)), 0
        self._meter.done = 0
        self._stamp.check()
        with explain_unreadable(self._member.path):
            for block in self._member.rows(batch_rows(width)):
                done += len(block)
                self._meter.done = self._meter.total * done // n
                yield to_native(block if every else block[:, list(columns)])
        self._stamp.check()

    def pick(self, columns: Sequence[int]) -> Any:
        """Read these columns into an array."""
        return np.concatenate([self.array[:, list(columns)], *self.batches(columns)])


class LooseMember(Member):
    """An array in a file of its own."""

    @contextmanager
    def _open_values(self) -> Iterator[tuple[IO[bytes], int]]:
        with self.path.open("rb") as stream:
            yield stream, self.path.stat().st_size


def open_npy(path: Path) -> Source:
    """Open the array of a file; pickled objects are never loaded."""
    with explain_unreadable(path):
        array = LooseMember(path, path.name)
        if array.dtype.names is not None:
            raise TamisError(
                f"{path.name} holds records with fields ({', '.join(array.dtype.names[:5])}): save "
                "them as a table, with `pandas.DataFrame(array).to_parquet('table.parquet')`."
            )
        if array.dtype.kind not in "fiub":
            what = "Python objects" if array.dtype.hasobject else f"{array.dtype} values"
            raise TamisError(
                f"{path.name} holds {what} where numbers are needed: convert them before "
                "`numpy.save`, or write a table with text as Parquet."
            )
        check_dimensions(array.shape, path.name)
        check_shape(array.shape, array.count, path.name)
        if array.fortran:
            check_room(array.size, path.name, ROW_BY_ROW)
            return ColumnwiseSource(array.read_all(), None, path.name)
        return NpzSource(array, None)
