"""NPZ archives: one 2-d array of numbers, with the names beside it if there are any."""

import sys
import zipfile
from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError, Unreadable
from tamis.progress import Meter
from tamis.sources.ahead import read_ahead
from tamis.sources.arrays import ArraySource, native
from tamis.sources.files import readable
from tamis.sources.npy import Member
from tamis.sources.source import Source, batch_rows
from tamis.sources.stamp import Stamp

_NAMES = ("feature_names", "columns", "names")
_PARTS = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "bsr": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
}
_MOST_ROWS = 1 << 25
_MOST_COLUMNS = 1 << 22


def open_npz(path: Path) -> Source:
    """Find the table of an archive: the array `X`, or the only one with rows and columns."""
    if not zipfile.is_zipfile(path):
        raise Unreadable(
            f"{path.name} is not an NPZ archive, or is damaged: write it again.", str(path)
        )
    with readable(path):
        with zipfile.ZipFile(path) as file:
            entries = [name for name in file.namelist() if name.endswith(".npy")]
        members = {member.name: member for member in (Member(path, entry) for entry in entries)}
        if {"format", "data", "shape"} <= set(members):
            return ArraySource(_sparse(members, path.name), label=path.name)
        chosen = _table(members, path.name)
        _check_shape(chosen.shape, prod(chosen.shape), path.name)
        names = _names(members, chosen.shape[1])
        if chosen.fortran:
            return ArraySource(chosen.whole(), names, path.name)
        return NpzSource(chosen, names)


def _table(members: dict[str, Member], label: str) -> Member:
    tables = [m for m in members.values() if len(m.shape) == 2 and m.dtype.kind in "fiub"]
    chosen = [m for m in tables if m.name == "X"] or tables
    if len(chosen) != 1:
        found = ", ".join(m.name for m in tables) or "none"
        raise TamisError(
            f"{label} must hold one array of rows and columns, or one named X; 2-d arrays of "
            f"numbers in it: {found}."
        )
    return chosen[0]


def _names(members: dict[str, Member], width: int) -> list[str] | None:
    for member in members.values():
        if member.name in _NAMES and member.shape == (width,) and member.dtype.kind == "U":
            names = native(member.whole())
            codes = names.view(np.uint32)
            if ((codes > sys.maxunicode) | ((codes >= 0xD800) & (codes < 0xE000))).any():
                raise ValueError(f"{member.name!r} does not hold text")
            return [str(name) for name in names]
    return None


def _sparse(members: dict[str, Member], label: str) -> Any:
    """Build the matrix that `scipy.sparse.save_npz` wrote; `ArraySource` checks its positions."""
    import scipy.sparse

    layout = members["format"].whole().astype(str).item()
    if layout not in _PARTS:
        raise TamisError(
            f"{label} holds a sparse matrix in the layout {layout!r}: save it as CSR, with "
            "matrix.tocsr()."
        )
    data, *places = (members[name].whole() for name in _PARTS[layout])
    shape = members["shape"].whole()
    if shape.shape != (2,) or {array.dtype.kind for array in (shape, *places)} - {"i", "u"}:
        raise ValueError("its shape and positions must be integers")
    shape = tuple(int(n) for n in shape)
    _check_shape(shape, data.size + sum(array.size for array in places), label)
    places = [array.astype(np.int64) for array in places]
    kind = getattr(scipy.sparse, f"{layout}_array")
    parts = (native(data), tuple(places)) if layout == "coo" else (native(data), *places)
    return kind(parts, shape=shape)


def _check_shape(shape: tuple[int, ...], stored: int, label: str) -> None:
    """Refuse rows and columns that no value stands in, when there are very many of them."""
    for n, most, what in zip(shape, (_MOST_ROWS, _MOST_COLUMNS), ("rows", "columns"), strict=True):
        if n > max(most, stored):
            raise TamisError(
                f"{label} declares {n:,} {what} and has values for at most {stored:,}: it is "
                "damaged, or needs a smaller shape."
            )


class NpzSource(ArraySource):
    """An array inside an archive, unpacked a block of rows at a time."""

    def __init__(self, member: Member, names: Sequence[str] | None) -> None:
        super().__init__(np.empty((0, member.shape[1]), member.dtype), names, member.path.name)
        self._member, self.stamp = member, Stamp(member.path)
        self.meter = Meter(self.stamp.size)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._member.shape[0]

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows, read ahead."""
        return read_ahead(lambda: self._numbers(columns))

    def _numbers(self, columns: Sequence[int]) -> Iterator[Any]:
        n, width = self._member.shape
        every, done = list(columns) == list(range(width)), 0
        self.meter = meter = Meter(self.stamp.size)
        self.stamp.check()
        with readable(self._member.path):
            for block in self._member.rows(batch_rows(width)):
                done += len(block)
                meter.done = meter.total * done // n
                yield native(block if every else block[:, list(columns)])
        self.stamp.check()

    def pick(self, columns: Sequence[int]) -> Any:
        """Read these columns into an array."""
        return np.concatenate([self.array[:, list(columns)], *self.batches(columns)])

    def tables(
        self,
        columns: Sequence[int],
        *,
        mark_missing: bool = False,  # noqa: ARG002
        types: Sequence[Any] | None = None,
    ) -> Iterator[Any]:
        """Yield these columns as Arrow tables, of the `types` that other files have."""
        names = [self.names[j] for j in columns]
        for block in self.batches(columns):
            yield from ArraySource(block, names).tables(range(len(names)), types=types)
