"""The result of a query by SQLAlchemy: its rows are kept in a temporary file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import NoRows, TamisError
from tamis.memory import batch_rows
from tamis.sources.feather import FeatherSource
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.source import Source

__all__ = ["open_result"]

_RESULT_LABEL = "The result"

# The last result with its file: it gives its rows once, and a table is opened several times.
_fetched: list[tuple[Any, Path]] = []


def open_result(result: Any) -> Source:
    """Fetch all rows of a result, a batch at a time, and open them as a table."""
    if not _fetched or _fetched[0][0] is not result:
        _fetched[:] = [(result, _fetch(result))]
    source = FeatherSource(_fetched[0][1])
    source.info = replace(source.info, label=_RESULT_LABEL, files=None)
    return source


def _fetch(result: Any) -> Path:
    names = [str(name) for name in result.keys()]  # noqa: SIM118
    folder = scratch_folder()
    parts: list[Any] = []
    for number, rows in enumerate(result.partitions(batch_rows(len(names)))):
        table = _as_table(names, rows)
        parts.append((folder / f"{number}.arrow", table.schema))
        with with_room():
            _write(parts[-1][0], table.schema, [table])
    if not parts:
        raise NoRows(f"{_RESULT_LABEL} has no rows: at least 2 are needed.")
    # A column without a value in one part has a type in another; integers may become decimals.
    schema = pa.unify_schemas([schema for _, schema in parts], promote_options="permissive")
    whole = folder / "result.arrow"
    with with_room():
        _write(whole, schema, (_read(path).cast(schema) for path, _ in parts))
    for path, _ in parts:
        path.unlink()
    return whole


def _as_table(names: Sequence[str], rows: Sequence[Any]) -> pa.Table:
    try:
        columns = zip(*rows, strict=True)
        return pa.table([pa.array(list(column)) for column in columns], names=list(names))
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, OverflowError) as error:
        raise TamisError(
            f"A column of the result mixes values of different kinds "
            f"({' '.join(str(error).split())[:120]}): cast it in the query."
        ) from error


def _write(path: Any, schema: pa.Schema, tables: Any) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for table in tables:
            writer.write_table(table)


def _read(path: Any) -> pa.Table:
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        return reader.read_all()
