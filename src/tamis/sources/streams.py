"""Whatever hands out an Arrow stream: datasets, lazy frames, database relations, readers.

Objects are recognised by the name of their class: no library is loaded for that.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import NoRows, TamisError
from tamis.memory import batch_rows
from tamis.sources.arrow import ArrowSource
from tamis.sources.feather import FeatherSource
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.source import Source

# Gives record batches of these columns, at most about so many rows at a time.
Opener = Callable[[list[str], int], Iterable[pa.RecordBatch]]

_FRAME_MODULES = ("pandas.", "polars.", "pyarrow.lib.")
_ALL_ROWS = 1 << 62
_RESULT_LABEL = "The result"

# The last result with its file: it gives its rows once, and a table is opened several times.
_fetched: list[tuple[Any, Path]] = []
_ONCE = ("pyarrow.lib.RecordBatchReader", "nanoarrow.array_stream.ArrayStream")


def open_stream(data: Any) -> Source | None:
    """Wrap what can be read as a stream of batches; None for everything else."""
    classes = [f"{cls.__module__}.{cls.__qualname__}" for cls in type(data).__mro__]
    if "pyarrow._dataset.Dataset" in classes:
        return wrap_stream("The dataset", data.schema, _of_dataset(data))
    if any(name.startswith("polars.") and name.endswith(".LazyFrame") for name in classes):
        # Integers of 128 bits, which Arrow does not know, become floats.
        types = data.collect_schema().items()
        wide = [name for name, dtype in types if str(dtype) in ("Int128", "UInt128")]
        frame = data.cast(dict.fromkeys(wide, float)) if wide else data
        schema = frame.head(0).collect().to_arrow().schema
        return wrap_stream("The lazy frame", schema, _of_lazy_frame(frame))
    if any(name.endswith(".DuckDBPyRelation") for name in classes):
        with _duckdb_reader(data.limit(0), 1) as reader:
            return wrap_stream("The relation", reader.schema, _of_duckdb(data))
    if any(n.startswith("sqlalchemy.engine.") and n.endswith("Result") for n in classes):
        if not _fetched or _fetched[0][0] is not data:
            _fetched[:] = [(data, _fetch(data))]
        source = FeatherSource(_fetched[0][1])
        source.info = replace(source.info, label=_RESULT_LABEL, files=None)
        return source
    if callable(data) and not isinstance(data, type) and not hasattr(data, "columns"):
        return wrap_stream("The stream", _reader(data()).schema, _of_capsule(data))
    if any(name in _ONCE for name in classes):
        reader = _reader(data)
        return wrap_stream("The stream", reader.schema, _of_capsule(lambda: reader), once=True)
    known = any(name.startswith(_FRAME_MODULES) for name in classes)
    if hasattr(data, "__arrow_c_stream__") and not known:
        return wrap_stream("The stream", _reader(data).schema, _of_capsule(lambda: data))
    return None


def wrap_stream(
    label: str, schema: pa.Schema, opener: Opener, *, once: bool = False
) -> ArrowSource:
    """Wrap what is handed out as a stream, anew each time unless it can be read only `once`."""
    names, passes, first_count = schema.names, 0, None

    def read(columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        nonlocal passes, first_count
        passes += 1
        if once and passes > 1:
            raise TamisError(f"{label} can be read only once: {REOPEN}.")
        chosen, count = [names[j] for j in columns], 0
        for batch in opener(chosen, rows):
            count += batch.num_rows
            for start in range(0, batch.num_rows, rows):
                yield batch.select(chosen).slice(start, rows)
        if first_count not in (None, count):
            raise TamisError(
                f"{label} gave {first_count:,} rows at first and {count:,} when it was read again: "
                f"{REOPEN}."
            )
        first_count = count

    source = ArrowSource(label, schema, read)
    source.info = replace(source.info, once=once)
    return source


REOPEN = (
    "give a function that opens it anew, such as `lambda: reader()`, or a table (`.read_all()`)"
)


def _of_dataset(dataset: Any) -> Opener:
    few: dict[str, Any] = {"batch_readahead": 1, "fragment_readahead": 1}
    if type(getattr(dataset, "format", None)).__name__ == "ParquetFileFormat":
        import pyarrow.dataset

        few["fragment_scan_options"] = pyarrow.dataset.ParquetFragmentScanOptions(
            pre_buffer=False, use_buffered_stream=True, buffer_size=1 << 16
        )
    return lambda names, rows: dataset.to_batches(columns=names, batch_size=rows, **few)


def _of_lazy_frame(frame: Any) -> Opener:
    def read(names: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        chosen = frame.select(names)
        if hasattr(chosen, "collect_batches"):
            parts = chosen.collect_batches(chunk_size=rows, maintain_order=True)
        else:  # before Polars 1.34 the columns read are held together
            parts = [chosen.collect()]
        for part in parts:
            yield from part.to_arrow().to_batches(max_chunksize=rows)

    return read


def _of_duckdb(relation: Any) -> Opener:
    """Read a relation; a pass that begins within another one interrupts it, which then goes on.

    A connection has one open result, and a relation does not give its connection for a second one.
    """
    turn = threading.Lock()
    open_one: list[Any] = []

    def close() -> None:
        while open_one:
            open_one.pop().close()

    def read(names: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        columns = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        reader, done = None, 0
        try:
            while True:
                with turn:
                    if reader is None or reader not in open_one:
                        close()
                        rest = relation.limit(_ALL_ROWS, done) if done else relation
                        reader = _duckdb_reader(rest.project(columns), rows)
                        open_one.append(reader)
                    batch = next(reader, None)
                if batch is None:
                    return
                done += batch.num_rows
                yield batch
        finally:
            with turn:
                if reader in open_one:
                    close()

    return read


def _duckdb_reader(relation: Any, rows: int) -> Any:
    """Stream a relation; its `__arrow_c_stream__` would hold the whole result."""
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch
    return read(rows)


def _of_capsule(opener: Callable[[], Any]) -> Opener:
    return lambda names, _: (batch.select(names) for batch in _reader(opener()))


def _reader(stream: Any) -> Any:
    if isinstance(stream, pa.RecordBatchReader):
        return stream
    if not hasattr(stream, "__arrow_c_stream__"):
        raise TamisError(
            f"The function gives a {type(stream).__name__}: it must give an Arrow stream, such as "
            "a pyarrow.RecordBatchReader."
        )
    return pa.RecordBatchReader.from_stream(stream)


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


def _read(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        return reader.read_all()
