"""Tables that R saved (.rds, .RData): a data frame or a matrix, which is held as a whole."""

import bz2
import gzip
import lzma
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tamis.errors import TamisError, spell
from tamis.memory import check_room
from tamis.registry import nearest
from tamis.rules.tables import ROW_NAMES_COLUMN
from tamis.sources.arrow import ArrowSource
from tamis.sources.files import explain_unreadable, look_at_file
from tamis.sources.source import Source
from tamis.sources.table_file import suffix_of

_BLOCK = 1 << 20
_COPIES_WHILE_PARSED = 8  # of the unpacked bytes, while they are parsed and put into a table
_OPENERS: Mapping[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}

# What was read: a table is opened several times, and parsing is slow.
_known: dict[tuple[object, ...], pa.Table] = {}


def open_r_file(path: Path, name: str | int | None) -> Source:
    """Open a data frame, or a matrix, of a file of R; `name` chooses one of several."""
    with explain_unreadable(path):
        key = (*look_at_file(path), str(name))
        if key not in _known:
            _check_unpacked(path)
            _known.clear()  # one is held at a time
            _known[key] = _read_table(path, name)
        table = _known[key]

    def read(columns: Sequence[int], rows: int) -> list[pa.RecordBatch]:
        return table.select(list(columns)).to_batches(max_chunksize=rows)

    source = ArrowSource(path.name, table.schema, read, path=path)
    named = source.names[:1] == (ROW_NAMES_COLUMN,)
    kinds = ("row names", *source.kinds[1:]) if named else source.kinds
    source.info = replace(source.info, kinds=kinds, n_rows=table.num_rows)
    return source


def _check_unpacked(path: Path) -> None:
    """Refuse a file that unpacks to more than reading may take."""
    with path.open("rb") as file:
        start = file.read(6)
    opener = next((how for mark, how in _OPENERS.items() if start.startswith(mark)), open)
    size = 0
    with opener(path, "rb") as stream:
        while block := stream.read(_BLOCK):
            size += len(block)
            check_room(_COPIES_WHILE_PARSED * size, path.name)


def _read_table(path: Path, name: str | int | None) -> pa.Table:
    try:
        import rdata
    except ImportError as error:
        raise TamisError(
            f"{path.name} needs rdata: pip install 'tamis[r]', or write it as Parquet in R, with "
            "`arrow::write_parquet(x, 'table.parquet')`."
        ) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about classes of R that are not known
        sequences = _bounded_sequences(rdata, path.name)
        if suffix_of(path) == ".rds":
            found = rdata.read_rds(str(path), altrep_constructor_dict=sequences)
        else:
            tables = rdata.read_rda(str(path), altrep_constructor_dict=sequences)
            found = _choose(tables, name, path.name)
    return _as_table(found, path.name)


def _bounded_sequences(library: Any, label: str) -> dict[bytes, Any]:
    """Let a sequence that a few bytes stand for (1:n) be written out only where it has room."""
    known = dict(library.parser.DEFAULT_ALTREP_MAP)

    def bounded(inner: Any) -> Any:
        def expand(state: Any) -> Any:
            check_room(int(_COPIES_WHILE_PARSED * max(state.value[0], 0)), f"A sequence of {label}")
            return inner(state)

        return expand

    return known | {
        mark: bounded(inner) for mark, inner in known.items() if mark.startswith(b"compact_")
    }


def _choose(found: Mapping[str, Any], name: str | int | None, label: str) -> Any:
    tables = {key: value for key, value in found.items() if _is_table(value)}
    if name is not None:
        if str(name) in tables:
            return tables[str(name)]
        raise TamisError(f"{label} has no table {str(name)!r}{nearest(str(name), list(tables))}")
    if len(tables) != 1:
        shown = ", ".join(list(tables)[:5]) or "none"
        advice = f"choose one with {spell('sheet', next(iter(tables)))}" if tables else "save one"
        raise TamisError(
            f"{label} must hold one data frame or matrix, and has {len(tables)} ({shown}): "
            f"{advice}."
        )
    return next(iter(tables.values()))


def _is_table(value: Any) -> bool:
    plain = isinstance(value, np.ndarray) and value.ndim == 2
    return plain or type(value).__name__ in ("DataFrame", "DataArray")


def _as_table(found: Any, label: str) -> pa.Table:
    import pandas as pd

    if not _is_table(found):
        raise TamisError(
            f"{label} holds a {type(found).__name__} of R where a data frame or a matrix is "
            "needed: save it with `saveRDS(as.data.frame(x), 'table.rds')`."
        )
    if not isinstance(found, pd.DataFrame):
        found = _of_matrix(found)
    frame = found.rename(columns=str)
    if pd.api.types.is_integer_dtype(frame.index.dtype):  # rows that are only counted
        return pa.Table.from_pandas(frame, preserve_index=False)
    frame.insert(0, ROW_NAMES_COLUMN, frame.index.astype(str), allow_duplicates=True)
    return pa.Table.from_pandas(frame, preserve_index=False)


def _of_matrix(matrix: Any) -> Any:
    """Turn a matrix into a frame, with the names of its rows and columns if it has any."""
    import pandas as pd

    if isinstance(matrix, np.ndarray):
        return pd.DataFrame(matrix, columns=[f"x{j}" for j in range(matrix.shape[1])])
    if matrix.ndim != 2:
        raise ValueError("an array of R with other than two dimensions is no table")
    rows, columns = matrix.dims
    coordinates = matrix.coords
    names = coordinates[columns].values if columns in coordinates else None
    index = coordinates[rows].values if rows in coordinates else None
    labels = [f"x{j}" for j in range(matrix.shape[1])] if names is None else names
    return pd.DataFrame(matrix.values, columns=labels, index=index)
