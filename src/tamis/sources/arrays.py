"""NumPy arrays, lists of rows and SciPy sparse matrices, in memory or in a file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.memory import batch_rows
from tamis.progress import Meter
from tamis.rules.kinds import Kind
from tamis.sources.files import check_unchanged, explain_unreadable, look_at_file, read_ahead
from tamis.sources.source import JoinableSource, SourceInfo

_MIN_TABLE_ROWS = 1000  # if a batch has as many


def check_dimensions(shape: tuple[int, ...], label: str) -> None:
    """Refuse an array that is no table, and name the tables that can be made of it."""
    if len(shape) == 2:
        return
    advice = "give rows and columns, as in [[1, 2], [3, 4]]"
    if len(shape) > 2 and shape[0] > 0 and shape[-1] > 0:
        cells = prod(shape)
        last, first = (cells // shape[-1], shape[-1]), (shape[0], cells // shape[0])
        advice = (
            f"`array.reshape(-1, array.shape[-1])` makes {last[0]:,} rows of {last[1]:,} columns "
            f"(as of pixels with a spectrum each), `array.reshape(len(array), -1)` {first[0]:,} "
            f"rows of {first[1]:,}"
        )
    raise TamisError(f"{label} has the shape {shape}: {advice}.")


class ArraySource(JoinableSource):
    """A 2-d array whose columns are called x0, x1, ... unless names are given.

    One that lies column by column, or in a file, is copied `in_blocks` of rows. A choice of its
    columns is an array, an Arrow table with nulls for NaN (`as_table`), or what `choose` gives.
    """

    def __init__(
        self,
        data: Any,
        names: Sequence[str] | None = None,
        label: str = "The table",
        *,
        in_blocks: bool = False,
        as_table: bool = False,
        choose: Callable[[list[int]], Any] | None = None,
    ) -> None:
        self._in_blocks, self._as_table, self._choose = in_blocks, as_table, choose
        self._sparse = type(data).__module__.startswith("scipy.sparse")
        array = data if self._sparse else _as_array(data)
        if array.dtype.kind not in "fiub":
            raise TamisError(
                f"{label} holds {array.dtype} values where numbers are needed: convert them, "
                "or give a data frame if some columns are text."
            )
        self.array = _as_csr(array, label) if self._sparse else to_native(array)
        check_dimensions(self.array.shape, label)
        width = self.array.shape[1]
        kind: Kind = "boolean" if self.array.dtype.kind == "b" else "numeric"
        self.info = SourceInfo(
            names=tuple(f"x{j}" for j in range(width)) if names is None else tuple(names),
            kinds=(kind,) * width,
            label=label,
            named=names is not None,
            n_rows=int(self.array.shape[0]),
        )

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the full array when every column is wanted, otherwise in blocks of rows."""
        every = list(columns) == list(range(self.array.shape[1]))
        if self._sparse or (every and not self._in_blocks):
            yield pick_columns(self.array, columns)
            return
        step = batch_rows(len(columns))
        for start in range(0, self.array.shape[0], step):
            yield pick_columns(self.array[start : start + step], columns)

    def pick(self, columns: Sequence[int]) -> Any:
        """Give these columns as an array of the same kind, or as was asked for."""
        if self._choose is not None:
            return self._choose(list(columns))
        return super().pick(columns) if self._as_table else pick_columns(self.array, columns)

    def types(self, columns: Sequence[int], *, mark_missing: bool = False) -> list[Any]:  # noqa: ARG002
        """Give the types in which `tables` yields these columns."""
        import pyarrow as pa

        return [pa.from_numpy_dtype(self.array.dtype)] * len(columns)

    def tables(
        self,
        columns: Sequence[int],
        *,
        mark_missing: bool = False,  # noqa: ARG002
        types: Sequence[Any] | None = None,
    ) -> Iterator[Any]:
        """Yield these columns as Arrow tables, of the `types` that other files have."""
        step = batch_rows(len(columns))
        # Columns are copied one by one, and often the first table is enough: it is a small one.
        step = min(step, max(_MIN_TABLE_ROWS, step // 4))
        for start in range(0, self.array.shape[0], step):
            block = pick_columns(self.array[start : start + step], columns)
            yield self._as_arrow_table(block, columns, types)

    def _as_arrow_table(
        self, block: Any, columns: Sequence[int], types: Sequence[Any] | None
    ) -> Any:
        import pyarrow as pa

        block = block.toarray() if self._sparse else block
        names, cells = [self.names[j] for j in columns], list(block.T)
        nulls = [pa.array(column, from_pandas=True) for column in cells] if self._as_table else []
        table = pa.table(nulls or cells, names=names)
        return table.cast(pa.schema([*zip(names, types, strict=True)])) if types else table


class StoredArraySource(ArraySource):
    """An array in a file: `read` gives these columns of it, a block of rows at a time.

    A choice of its columns is an Arrow table or, with `picks_arrays`, an array.
    """

    def __init__(
        self,
        path: Path,
        shape: Sequence[int],
        dtype: Any,
        names: Sequence[str] | None,
        read: Callable[[list[int]], Iterator[Any]],
        *,
        picks_arrays: bool = False,
    ) -> None:
        super().__init__(np.empty((0, shape[1]), dtype), names, path.name)
        self._path, self._state = path, look_at_file(path)
        self._read, self._picks_arrays = read, picks_arrays
        self._meter = Meter(self._state[1])
        self.info = replace(self.info, n_rows=shape[0], meter=self._meter)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows, read ahead."""
        return read_ahead(lambda: self._blocks(list(columns)))

    def _blocks(self, columns: list[int]) -> Iterator[Any]:
        done, total = 0, self._meter.total
        self._meter.done = 0
        check_unchanged(self._path, self._state)
        with explain_unreadable(self._path):
            for block in self._read(columns):
                done += block.shape[0]
                self._meter.done = total * done // max(self.n_rows or 0, 1)
                yield to_native(block)
        check_unchanged(self._path, self._state)

    def pick(self, columns: Sequence[int]) -> Any:
        """Read these columns into an array or a table."""
        if self._picks_arrays:
            return np.concatenate([self.array[:, list(columns)], *self.batches(columns)])
        return JoinableSource.pick(self, columns)

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


def pick_columns(block: Any, columns: Sequence[int]) -> Any:
    """Give these columns of an array, itself where they are all of them."""
    every = list(columns) == list(range(block.shape[1]))
    return block if every else block[:, list(columns)]


def to_native(values: Any) -> Any:
    """Give numbers in the byte order of this machine, and none wider than float64.

    >>> to_native(np.array([1.5], ">f8")).dtype == np.float64
    True
    >>> to_native(np.ones(2, np.longdouble)).dtype
    dtype('float64')
    """
    wide = values.dtype.kind == "f" and values.dtype.itemsize > 8
    dtype = np.dtype(np.float64) if wide else values.dtype.newbyteorder("=")
    return values if values.dtype == dtype else values.astype(dtype)


def _as_csr(matrix: Any, label: str) -> Any:
    """Convert to CSR after checking every position: SciPy's compiled loops trust them."""
    if hasattr(matrix, "check_format"):
        try:
            # SciPy's own check does not look at the pointers when the last of them is 0.
            if (matrix.indptr[1:] < matrix.indptr[:-1]).any():
                raise ValueError("indptr must never fall")
            matrix.check_format(full_check=True)
        except ValueError as error:
            raise TamisError(
                f"{label} is a sparse matrix with positions outside of it ({error}): build it "
                "again."
            ) from error
    if matrix.dtype == np.float16:  # those loops do not know it
        matrix = matrix.astype(np.float32)
    return to_native(matrix).tocsr()


def _as_array(data: Any) -> Any:
    if isinstance(data, np.ma.MaskedArray):
        return np.ma.filled(data.astype(np.float64), np.nan)
    try:
        array = np.asarray(data)
        return array.astype(np.float64) if array.dtype.kind == "O" else array
    except OverflowError as error:
        most = np.finfo(np.float64).max
        raise TamisError(
            f"The array holds integers beyond {most:.2g}: use a larger unit."
        ) from error
    except (TypeError, ValueError) as error:
        raise TamisError(
            "The array holds text or rows of different length: give numbers, or a data frame if "
            "some columns are text."
        ) from error
