"""Frames that AnnData writes into HDF5 and Zarr stores: one dataset or group for every column."""

from typing import Any

import numpy as np
import pyarrow as pa

from tamis.sources.room import check_room

__all__ = ["is_dataset", "read_frame", "read_names"]

_TEXT_BYTES = 100  # that a text of moderate length takes
_TEXTS_AT_A_TIME = 1 << 16  # which are objects of Python until Arrow has them
_LABEL_TYPES = {"f": np.float64, "i": np.int64, "b": np.bool_}


def read_names(frame: Any) -> list[str]:
    """Read the names of the rows of a frame."""
    return [str(text) for text in _read_texts(frame[str(frame.attrs["_index"])])]


def read_frame(frame: Any, label: str, *, only: str = "") -> pa.Table:
    """Read a frame with the names of its rows first, or one column of it alone."""
    index = str(frame.attrs["_index"])
    order = [str(name) for name in _as_text_list(frame.attrs.get("column-order", ()))]
    names = [only] if only else [index, *(name for name in order if name != index)]
    arrays, kept = [], []
    for name in names:
        check_room(_TEXT_BYTES * _rows_of(frame[name]), f"{name!r} of {label}")
        array = _read_column(frame, name)
        if array is not None:
            arrays.append(array)
            kept.append(name)
    lengths = {len(array) for array in arrays}
    if len(lengths) > 1:
        raise ValueError("its columns have different lengths")
    return pa.table(arrays, names=kept)


def _rows_of(column: Any) -> int:
    part = next((column[n] for n in ("codes", "values") if _has(column, n)), column)
    return int(part.shape[0]) if len(part.shape) else 1


def _has(column: Any, name: str) -> bool:
    """Whether a column is a group with this part; a dataset has none."""
    return not is_dataset(column) and name in column


def is_dataset(column: Any) -> bool:
    """Whether an object of a store has values itself; a group has parts."""
    return type(column).__name__ in ("Dataset", "Array")


def _as_text_list(values: Any) -> list[str]:
    return [v.decode() if isinstance(v, bytes) else str(v) for v in list(values)]


def _read_column(frame: Any, name: str) -> pa.Array | pa.ChunkedArray | None:
    """Read a column as Arrow has it; None for what is no column (a matrix in a frame)."""
    column = frame[name]
    if _has(column, "categories"):
        return _as_categories(column["codes"][:], _read_texts(column["categories"]))
    if _has(column, "values"):
        mask = np.asarray(column["mask"][:]).astype(bool)
        values = _read_values(column["values"][:])
        return pa.array([None if m else v for v, m in zip(values, mask, strict=True)])
    if not is_dataset(column):
        return None
    if "__categories" in frame and name in frame["__categories"]:
        return _as_categories(column[:], _read_texts(frame["__categories"][name]))
    if len(column.shape) != 1:
        return None
    if column.dtype.kind in "fib":
        return pa.array(np.asarray(column[:]).astype(_LABEL_TYPES[column.dtype.kind]))
    step = range(0, int(column.shape[0]), _TEXTS_AT_A_TIME)
    parts = [pa.array(_read_values(column[i : i + _TEXTS_AT_A_TIME])) for i in step]
    # They are not joined: all of them would be there twice.
    return pa.chunked_array(parts) if parts else pa.array([])


def _as_categories(codes: Any, categories: list[str]) -> pa.Array:
    codes = np.asarray(codes).astype(np.int64)
    if codes.size and not -1 <= codes.min() <= codes.max() < len(categories):
        raise ValueError("a column refers to categories that it does not have")
    indices = pa.array(codes.astype(np.int32), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(categories, pa.string()))


def _read_values(stored: Any) -> list[Any]:
    values = np.asarray(stored)
    return values.tolist() if values.dtype.kind in "fiub" else _read_texts(values)


def _read_texts(column: Any) -> list[Any]:
    values = np.asarray(column[:])
    return [v.decode() if isinstance(v, bytes) else str(v) for v in values.tolist()]
