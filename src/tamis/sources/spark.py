"""Spark data frames, classic and Connect: work on every partition by `mapInArrow`, sums by key."""

import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.rules.kinds import Kind
from tamis.sources.read import on_workers
from tamis.sources.source import PartedSource, Source, SourceInfo, Values, Work
from tamis.values import dataclass

# Columns of numbers that leave Spark together, in one array for each type.
#
# Spark writes rows into Arrow cell by cell: a row that is one array is written in a third less
# time than one of as many columns. Types and missing values are those of the columns.
_PACKED_TYPES = ("byte", "short", "integer", "long", "float", "double")


@dataclass(frozen=True)
class PackedColumns:
    """Which columns of a table go together; a group of one goes as it is.

    Examples
    --------
    >>> packed = PackedColumns.of(["double", "string", "double"])
    >>> packed.expressions(["a", "b", "c.d"])
    ['array(`a`, `c.d`) AS `0`', '`b` AS `1`']
    """

    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, types: Sequence[str]) -> "PackedColumns":
        """Put the numbers of one type together."""
        groups: dict[Any, list[int]] = {}
        for j, kind in enumerate(types):
            groups.setdefault(kind if kind in _PACKED_TYPES else j, []).append(j)
        return cls(tuple(map(tuple, groups.values())))

    def expressions(self, names: Sequence[str]) -> list[str]:
        """Write the groups in SQL, each under its number: Arrow stumbles over names with a dot."""
        quoted = [f"`{name.replace('`', '``')}`" for name in names]
        found = []
        for number, group in enumerate(self.groups):
            listed = ", ".join(quoted[j] for j in group)
            found.append(f"{listed if len(group) == 1 else f'array({listed})'} AS `{number}`")
        return found

    def unpack(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Give record batches with a column for each, under its number."""
        import pyarrow as pa

        names = [str(j) for j in range(sum(map(len, self.groups)))]
        for batch in batches:
            if batch.num_rows:
                columns = dict(self._columns(batch))
                yield pa.record_batch([columns[j] for j in range(len(names))], names=names)

    def _columns(self, batch: Any) -> Iterator[tuple[int, Any]]:
        for group, column in zip(self.groups, batch.columns, strict=True):
            yield from zip(group, [column] if len(group) == 1 else _split(column), strict=True)


def _split(lists: Any) -> list[Any]:
    """Split lists of one length into arrays of their first, second, ... values."""
    import pyarrow as pa

    flat, rows = lists.flatten(), len(lists)
    valid = None
    if flat.null_count:
        valid = np.from_dlpack(flat.is_valid().cast(pa.uint8())).reshape(rows, -1).T
        flat = flat.fill_null(0)
    values = np.ascontiguousarray(np.from_dlpack(flat).reshape(rows, -1).T)
    found = []
    for j, column in enumerate(values):
        bits = None if valid is None else pa.py_buffer(np.packbits(valid[j], bitorder="little"))
        found.append(pa.Array.from_buffers(flat.type, rows, [bits, pa.py_buffer(column)]))
    return found


_N_SPARK_PARTS_ADDED = 64  # whose values merge together: half a gigabyte in tiles of 8 MB
_SCHEMA = "part int, name string, data binary"
_SPARK_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("byte", "short", "integer", "long", "float", "double", "decimal"), "numeric"),
    "boolean": "boolean",
    **dict.fromkeys(("string", "varchar", "char"), "categorical"),
}


def open_spark(data: Any) -> "SparkSource":
    """Wrap a Spark data frame."""
    if type(data).__name__ != "DataFrame":
        raise TamisError(f"Unsupported type {type(data).__name__} of Spark: give a DataFrame.")
    if not hasattr(data.groupBy(), "applyInArrow"):
        raise TamisError("Spark before 4.0 is not supported: pip install 'tamis[spark]'.")
    return SparkSource(data)


class SparkSource(PartedSource):
    """A Spark data frame; tamis must be installed where its tasks run."""

    def __init__(self, data: Any) -> None:
        self._data = data
        fields = data.schema.fields
        self._types = [field.dataType.typeName() for field in fields]
        self.info = SourceInfo(
            names=tuple(field.name for field in fields),
            kinds=tuple(_SPARK_KINDS.get(kind, "other") for kind in self._types),
        )

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, partition by partition."""
        from tamis.sources.arrow import as_floats

        for batch in self._home(columns):
            yield as_floats(batch)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:  # noqa: ARG002
        """Yield these columns as Arrow tables, partition by partition."""
        import pyarrow as pa

        for batch in self._home(columns):
            yield pa.Table.from_batches([batch])

    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Bring the first rows home as an Arrow table."""
        with on_workers("Spark"):
            return self.pick(columns).limit(rows).toArrow()

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the frame with these columns only; nothing is computed."""
        quoted = [self.names[j].replace("`", "``") for j in columns]
        return self._data.select(*(f"`{name}`" for name in quoted))

    def gather(self, columns: Sequence[int], work: Work) -> Values:
        """Do the work in the tasks of the frame, and merge it by name in two rounds."""
        info = SourceInfo(
            names=tuple(self.names[j] for j in columns),
            kinds=tuple(self.kinds[j] for j in columns),
            once=True,
        )
        sums = self._map(columns, partial(_done, work=work, info=info))
        for place in (f"int(part / {_N_SPARK_PARTS_ADDED})", "0"):
            grouped = sums.selectExpr("*", f"{place} AS place").groupBy("name", "place")
            sums = grouped.applyInArrow(_merge_group, _SCHEMA)
        with on_workers("Spark"):
            return dict(pickle.loads(row["data"]) for row in sums.toLocalIterator())

    def _home(self, columns: Sequence[int]) -> Iterator[Any]:
        import pyarrow as pa

        names = [self.names[j] for j in columns]
        with on_workers("Spark"):
            for row in self._map(columns, _write_batches).toLocalIterator():
                for batch in pa.ipc.open_stream(row["data"]):
                    yield batch.rename_columns(names)

    def _map(self, columns: Sequence[int], make: Callable[[Iterator[Any]], Iterator[Any]]) -> Any:
        """Make rows of the record batches of every partition, where it is."""
        packed = PackedColumns.of([self._types[j] for j in columns])
        names = packed.expressions([self.names[j] for j in columns])
        sent = partial(_map_unpacked, packed=packed, make=make)
        return self._data.selectExpr(*names).mapInArrow(sent, _SCHEMA)


class SparkPart(Source):
    """A partition where it is: its record batches go by once."""

    def __init__(self, batches: Iterator[Any], info: SourceInfo) -> None:
        self._batches, self.info = batches, info

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        from tamis.sources.arrow import as_floats

        for batch in self._batches:
            if batch.num_rows:
                yield as_floats(batch.select(list(columns)))

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:  # noqa: ARG002
        """Yield these columns as Arrow tables."""
        import pyarrow as pa

        for batch in self._batches:
            if batch.num_rows:
                names = [self.names[j] for j in columns]
                yield pa.table(batch.select(list(columns)).columns, names=names)


def _map_unpacked(
    batches: Iterator[Any], packed: PackedColumns, make: Callable[[Iterator[Any]], Iterator[Any]]
) -> Iterator[Any]:
    return make(packed.unpack(batches))


def _done(batches: Iterator[Any], work: Work, info: SourceInfo) -> Iterator[Any]:
    """Do the work on one partition; each of its results is a row of its own batch."""
    from pyspark import TaskContext

    here = TaskContext.get()
    number = 0 if here is None else here.partitionId()
    for name, value in work(number, SparkPart(batches, info)).items():
        yield _row(number, repr(name), pickle.dumps((name, value)))


def _merge_group(table):  # type: ignore[no-untyped-def]
    """Merge the values of one name, in the order of the partitions."""
    import pyarrow as pa

    rows = sorted(table.to_pylist(), key=lambda row: row["part"])
    found = (pickle.loads(row["data"]) for row in rows)
    name, total = next(found)
    for _, value in found:
        total = total.merge(value)
    data = pickle.dumps((name, total))
    return pa.Table.from_batches([_row(rows[0]["place"], rows[0]["name"], data)])


def _write_batches(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow as pa

    for number, batch in enumerate(batches):
        if batch.num_rows:
            sink = io.BytesIO()
            with pa.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            yield _row(number, "", sink.getvalue())


def _row(part: int, name: str, data: bytes) -> Any:
    import pyarrow as pa

    return pa.RecordBatch.from_arrays(
        [pa.array([part], pa.int32()), pa.array([name]), pa.array([data], pa.binary())],
        names=["part", "name", "data"],
    )
