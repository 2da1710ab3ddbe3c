"""NumPy arrays, lists of rows and SciPy sparse matrices."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.memory import batch_rows
from tamis.sources.info import Kind, SourceInfo
from tamis.sources.source import JoinableSource

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

    One that lies column by column, or in a file, is copied `in_blocks` of rows.
    """

    def __init__(
        self,
        data: Any,
        names: Sequence[str] | None = None,
        label: str = "The table",
        *,
        in_blocks: bool = False,
    ) -> None:
        self._in_blocks = in_blocks
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
            block = self.array[start : start + step]
            yield block if every else block[:, list(columns)]

    def pick(self, columns: Sequence[int]) -> Any:
        """Give these columns as an array of the same kind."""
        return pick_columns(self.array, columns)

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
        import pyarrow as pa

        names = [self.names[j] for j in columns]
        wanted = [*zip(names, types, strict=True)] if types else None
        step = batch_rows(len(columns))
        # Columns are copied one by one, and often the first table is enough: it is a small one.
        step = min(step, max(_MIN_TABLE_ROWS, step // 4))
        every = names == list(self.names)
        for start in range(0, self.array.shape[0], step):
            block = self.array[start : start + step]
            block = block if every else block[:, list(columns)]
            block = block.toarray() if self._sparse else block
            table = pa.table({name: block[:, i] for i, name in enumerate(names)})
            yield table.cast(pa.schema(wanted)) if wanted else table


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
