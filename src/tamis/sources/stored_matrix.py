"""Matrices in HDF5 and Zarr stores: dense, or sparse by rows or columns, read by blocks of rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from tamis.memory import batch_bytes, batch_rows
from tamis.progress import Meter
from tamis.sources.ahead import read_ahead
from tamis.sources.arrays import ArraySource, StoredArraySource, to_native
from tamis.sources.files import explain_unreadable
from tamis.sources.npz import check_shape
from tamis.sources.room import check_room
from tamis.sources.source import JoinableSource
from tamis.sources.stamp import Stamp
from tamis.sources.stored_frame import enter

__all__ = ["open_matrix"]

_SPARSE_PARTS = ("data", "indices", "indptr")
_ENTRY_BYTES = 16  # a value and its column


def open_matrix(
    about: Mapping[str, Any], path: Path, names: Sequence[str], reopen: Any
) -> JoinableSource:
    """Open a matrix that was described by its form, shape, entries and type; `reopen` opens it."""
    rows, columns = about["shape"]
    check_shape((rows, columns), about["entries"], path.name)
    if about["form"] == "csc":
        whole = _whole_matrix(reopen, (rows, columns), about["entries"], path.name)
        return ArraySource(whole, names, path.name)
    dtype, sparse = np.dtype(about["dtype"]), about["form"] == "csr"
    return StoredMatrix(path, (rows, columns), names, reopen, dtype, sparse=sparse)


def _whole_matrix(reopen: Any, shape: tuple[int, int], entries: int, label: str) -> Any:
    """Read a matrix that is stored by columns: its rows are all over the file."""
    check_room(
        2 * _ENTRY_BYTES * entries,
        label,
        "it is stored by columns, write it by rows (`adata.X = adata.X.tocsr()`), or ",
    )
    with reopen() as stored:
        data, indices, indptr = (enter(stored, part, label)[:] for part in _SPARSE_PARTS)
    _check_parts(data, indices, indptr, shape[1])
    return scipy.sparse.csc_array((data, indices, indptr), shape=shape)


def _check_parts(data: Any, indices: Any, indptr: Any, n: int) -> None:
    """Refuse parts that no sparse matrix can have: SciPy's compiled loops trust them."""
    kinds = {indices.dtype.kind, indptr.dtype.kind}
    wrong = data.dtype.kind not in "fiub" or kinds - {"i", "u"} or len(indptr) != n + 1
    wrong = wrong or len(data) != len(indices) or bool(len(indptr) and indptr[0] != 0)
    if wrong or bool((indptr[1:] < indptr[:-1]).any()) or indptr[-1] > len(data):
        raise ValueError("the parts of the sparse matrix do not fit together")


class StoredMatrix(StoredArraySource):
    """A matrix in a store, read a block of rows at a time."""

    def __init__(
        self,
        path: Path,
        shape: tuple[int, int],
        names: Sequence[str],
        reopen: Any,
        dtype: np.dtype[Any],
        *,
        sparse: bool,
    ) -> None:
        super().__init__(to_native(np.empty((0, shape[1]), dtype)), names, path.name)
        self._reopen, self._stored_sparse, self._shape = reopen, sparse, shape
        self._stamp = Stamp(path)
        self._meter = Meter(self._stamp.size)
        self.info = replace(self.info, n_rows=shape[0], meter=self._meter)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows, sparse as they are stored."""
        return read_ahead(lambda: self._numbers(list(columns)))

    def _numbers(self, columns: list[int]) -> Iterator[Any]:
        every = columns == list(range(self._shape[1]))
        self._stamp.check()
        with explain_unreadable(self._stamp.path), self._reopen() as stored:
            done = 0
            for block in (
                self._sparse_blocks(stored) if self._stored_sparse else self._dense(stored)
            ):
                done += block.shape[0]
                self._meter.done = self._meter.total * done // max(self._shape[0], 1)
                yield block if every else block[:, columns]
        self._stamp.check()

    def _dense(self, stored: Any) -> Iterator[Any]:
        step = batch_rows(self._shape[1])
        for start in range(0, self._shape[0], step):
            yield to_native(np.asarray(stored[start : start + step]))

    def _sparse_blocks(self, stored: Any) -> Iterator[Any]:
        most, window = max(1, batch_bytes() // _ENTRY_BYTES), batch_rows(1)
        for first in range(0, self._shape[0], window):
            # Where rows begin is read some rows at a time: all of it would grow with the table.
            count = min(window, self._shape[0] - first)
            starts = enter(stored, "indptr", self.label)[first : first + count + 1]
            indptr = np.asarray(starts).astype(np.int64)
            if len(indptr) != count + 1:
                raise ValueError("the parts of the sparse matrix do not fit together")
            start = 0
            while start < count:
                fits = int(np.searchsorted(indptr, indptr[start] + most, side="right")) - 1
                stop = min(max(start + 1, fits), count)
                yield self._sparse_block(stored, indptr[start : stop + 1])
                start = stop

    def _sparse_block(self, stored: Any, indptr: Any) -> Any:
        """Read the rows that begin and end at these positions."""
        low, high = int(indptr[0]), int(indptr[-1])
        check_room(_ENTRY_BYTES * max(high - low, 0), f"A row of {self.label}")
        parts = (
            to_native(np.asarray(enter(stored, "data", self.label)[low:high])),
            np.asarray(enter(stored, "indices", self.label)[low:high]),
            indptr - low,
        )
        _check_parts(*parts, len(indptr) - 1)
        # SciPy gives both kinds of positions the wider type of the two: 16 bytes a value, not 12.
        if parts[1].dtype == np.int32 and high - low <= np.iinfo(np.int32).max:
            parts = (*parts[:2], parts[2].astype(np.int32))
        matrix = scipy.sparse.csr_array(parts, shape=(len(indptr) - 1, self._shape[1]))
        # All positions are checked there, and brought into order.
        return ArraySource(matrix, label=self.label).array
