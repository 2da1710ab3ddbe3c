"""NPZ archives: one 2-d array of numbers, with the names beside it if there are any."""

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tamis.sources.files import readable
from tamis.sources.source import Source, batch_rows

_NAMES = ("feature_names", "columns", "names")


def open_npz(path: Path) -> Source:
    """Find the table of an archive: the array `X`, or the only one with rows and columns."""
    if not zipfile.is_zipfile(path):
        raise TamisError(f"{path.name} is no NPZ archive, or a damaged one: write it anew.")
    with readable(path.name), zipfile.ZipFile(path) as file:
        entries = file.namelist()
        members = [_Member(path, name) for name in entries if name.endswith(".npy")]
    if {"data.npy", "indices.npy", "indptr.npy", "shape.npy"} <= set(entries):
        import scipy.sparse

        with readable(path.name):
            return ArraySource(scipy.sparse.load_npz(path), label=path.name)
    tables = [m for m in members if len(m.shape) == 2 and m.dtype.kind in "fiub"]
    chosen = [m for m in tables if m.name == "X"] or tables
    if len(chosen) != 1:
        found = ", ".join(m.name for m in tables) or "none"
        raise TamisError(
            f"{path.name} must hold one array of rows and columns, or one named X; 2-d arrays of "
            f"numbers in it: {found}."
        )
    names = _names(path, members, chosen[0].shape[1])
    if chosen[0].fortran:
        with readable(path.name), np.load(path, allow_pickle=False) as archive:
            return ArraySource(archive[chosen[0].name], names, path.name)
    return NpzSource(chosen[0], names)


class _Member:
    """One array of an archive: its header, and its rows when asked."""

    def __init__(self, path: Path, entry: str) -> None:
        self.path, self.entry, self.name = path, entry, entry.removesuffix(".npy")
        with zipfile.ZipFile(path) as file, file.open(entry) as stream:
            self.shape, self.fortran, self.dtype = self._header(stream)

    @staticmethod
    def _header(stream: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
        version = np.lib.format.read_magic(stream)
        if version == (1, 0):
            return np.lib.format.read_array_header_1_0(stream)
        return np.lib.format.read_array_header_2_0(stream)

    def rows(self, step: int) -> Iterator[Any]:
        """Read `step` rows at a time, never the whole array."""
        width = self.shape[1] * self.dtype.itemsize
        with zipfile.ZipFile(self.path) as file, file.open(self.entry) as stream:
            self._header(stream)
            for start in range(0, self.shape[0], step):
                count = min(step, self.shape[0] - start)
                data = stream.read(count * width)
                if len(data) != count * width:
                    raise EOFError("the array ends too soon")
                yield np.frombuffer(data, self.dtype).reshape(count, self.shape[1])


class NpzSource(ArraySource):
    """An array inside an archive, unpacked a block of rows at a time."""

    def __init__(self, member: _Member, names: Sequence[str] | None) -> None:
        super().__init__(np.empty((0, member.shape[1]), member.dtype), names, member.path.name)
        self._member = member

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._member.shape[0]

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows."""
        every = list(columns) == list(range(self._member.shape[1]))
        with readable(self.label):
            for block in self._member.rows(batch_rows(self._member.shape[1])):
                yield block if every else block[:, list(columns)]

    def pick(self, columns: Sequence[int]) -> Any:
        """Read these columns into an array."""
        return np.concatenate([self.array[:, list(columns)], *self.batches(columns)])

    def tables(self, columns: Sequence[int], *, gaps: bool = False) -> Iterator[Any]:  # noqa: ARG002
        """Yield these columns as Arrow tables."""
        names = [self.names[j] for j in columns]
        for block in self.batches(columns):
            yield from ArraySource(block, names).tables(range(len(names)))


def _names(path: Path, members: list[_Member], width: int) -> list[str] | None:
    for member in members:
        if member.name in _NAMES and member.shape == (width,) and member.dtype.kind == "U":
            with readable(path.name), np.load(path, allow_pickle=False) as archive:
                return [str(name) for name in archive[member.name]]
    return None
