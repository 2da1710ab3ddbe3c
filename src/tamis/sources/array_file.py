"""NPY files: one 2-d array of numbers, without names."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tamis.errors import TamisError
from tamis.sources.arrays import check_dimensions
from tamis.sources.files import explain_unreadable
from tamis.sources.npy import Member
from tamis.sources.npz import ROW_BY_ROW, ColumnwiseSource, NpzSource, check_shape
from tamis.sources.room import check_room
from tamis.sources.source import Source

__all__ = ["open_npy"]


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
