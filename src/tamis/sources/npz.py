"""NPZ archives: one 2-d array of numbers, with the names beside it if there are any."""

import os
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from tamis.errors import TamisError, Unreadable
from tamis.memory import batch_rows, check_room
from tamis.sources.arrays import (
    ArraySource,
    StoredArraySource,
    check_dimensions,
    pick_columns,
    to_native,
)
from tamis.sources.files import explain_unreadable
from tamis.sources.source import Source

_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BEST_RATIO = 1032  # no deflated stream unpacks to more bytes for each of its own
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
    (3, 0): np.lib.format.read_array_header_2_0,  # the names of fields alone are written otherwise
}


class Member:
    """An array in an archive or, without an `entry`, in a file of its own.

    What the header declares is compared with the size of the member, and that with the size of the
    file: a few bytes cannot ask for the memory of a terabyte. An `archive` is given where several
    arrays must be of one state of a file that others may replace; otherwise it is opened anew.
    """

    def __init__(self, path: Path, entry: str = "", archive: zipfile.ZipFile | None = None) -> None:
        self.path, self.entry, self.archive = path, entry, archive
        self.name = entry.removesuffix(".npy") or path.name
        with self._open_values() as (stream, room):
            version = np.lib.format.read_magic(stream)
            if version not in _HEADERS:
                raise ValueError(f"arrays of version {version[0]}.{version[1]} are not known")
            self.shape, self.fortran, self.dtype = _HEADERS[version](stream)
            self._start = stream.tell()
        wrong = [n for n in self.shape if isinstance(n, bool) or n < 0]
        whole = self.dtype.hasobject or self._start + self.size == room  # pickles have any size
        if wrong or not whole:
            raise ValueError(f"the shape {self.shape} of {self.name!r} does not fit its size")

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
        if not self.entry:
            with self.path.open("rb") as stream:
                yield stream, self.path.stat().st_size
            return
        kept = None if self.archive is None else nullcontext(self.archive)
        with (
            kept or zipfile.ZipFile(self.path) as archive,
            open_member(archive, self.entry) as found,
        ):
            yield found

    def read_rows(self) -> Iterator[Any]:
        """Read some rows of a table of numbers at a time, never the whole array."""
        rows, width = self.shape
        step = batch_rows(width)
        with self._open_values() as (stream, _):
            stream.read(self._start)
            for start in range(0, rows, step):
                count = min(step, rows - start)
                data = stream.read(count * width * self.dtype.itemsize)
                if len(data) != count * width * self.dtype.itemsize:
                    raise EOFError("the array ends too soon")
                yield np.frombuffer(data, self.dtype, count * width).reshape(count, width)
            stream.read(1)  # at the end the checksum is compared

    def read_all(self) -> Any:
        """Read all values; there must be room for them, and pickles are never loaded."""
        check_room(self.size, f"{self.name!r} of {self.path.name}")
        with self._open_values() as (stream, _):
            values = np.lib.format.read_array(stream, allow_pickle=False)
            stream.read(1)
        return values

    def as_source(self, names: Sequence[str] | None) -> Source:
        """Give a table of numbers, which is held as a whole where it is stored by columns."""
        label = self.path.name
        if not self.fortran:

            def read(columns: list[int]) -> Iterator[Any]:
                return (pick_columns(block, columns) for block in self.read_rows())

            return StoredArraySource(
                self.path, self.shape, self.dtype, names, read, picks_arrays=True
            )
        check_room(
            self.size,
            f"{self.name!r} of {label}" if self.entry else label,
            "it is stored column by column, save it with numpy.ascontiguousarray; ",
        )
        return ArraySource(self.read_all(), names, label, in_blocks=True)


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


def open_npz(path: Path) -> Source:
    """Find the table of an archive: the array `X`, or the only one with rows and columns."""
    if not zipfile.is_zipfile(path):
        raise Unreadable(
            f"{path.name} is not an NPZ archive, or is damaged: write it again.", str(path)
        )
    with explain_unreadable(path):
        with zipfile.ZipFile(path) as file:
            entries = [name for name in file.namelist() if name.endswith(".npy")]
            members = {(one := Member(path, entry, file)).name: one for entry in entries}
        for member in members.values():
            member.archive = None  # it is closed now, and opened anew for the values
        if {"format", "data", "shape"} <= set(members):
            return ArraySource(_sparse(members, path.name), label=path.name)
        chosen = _table(members, path.name)
        check_shape(chosen.shape, chosen.count, path.name)
        check_room(_COLUMN_INFO_BYTES * chosen.shape[1], f"The names of the columns of {path.name}")
        return chosen.as_source(_names(members, chosen.shape[1]))


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


def open_npy(path: Path) -> Source:
    """Open the array of a file; pickled objects are never loaded."""
    with explain_unreadable(path):
        array = Member(path)
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
        return array.as_source(None)
