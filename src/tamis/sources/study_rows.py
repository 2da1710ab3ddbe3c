"""The rows of a file of SPSS, Stata or SAS, written as an Arrow file by a process of its own.

The library that reads them can be crashed by a damaged file; and reading from the middle of a file
means to read all before it, so that it is done once.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.sources.apart import serve_apart
from tamis.sources.table_file import suffix_of

__all__ = ["write_study"]

_ROWS_FOR_DATES = 200  # that show which numbers are dates
_STUDY_VALUE_BYTES = 64  # of a value on its way
_MOST_CODES = 1_000  # of a column whose labels make categories


@dataclass(frozen=True)
class _Column:
    """A variable: its Arrow type, and the labels that take the place of its codes."""

    name: str
    dtype: pa.DataType
    labels: Mapping[Any, str]


def write_study(path: str, copy: str, size: int) -> dict[str, Any]:
    """Write a file as Arrow record batches of about this size, and give what it says of columns.

    A variable of nominal measure all of whose codes have labels is categories, as is one of a file
    that knows no measure, which is named in `unsure`; ordinal codes and scales are numbers.
    """
    read = _Reader(Path(path))
    _, meta = read.call(metadataonly=True)
    rows = max(1, size // (_STUDY_VALUE_BYTES * max(1, meta.number_columns)))
    columns = _find_columns(read, meta, rows)
    schema = pa.schema([(one.name, one.dtype) for one in columns])
    with pa.OSFile(copy, "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for chunk in read.chunks([one.name for one in columns], rows):
            arrays = [_as_array(one, chunk[one.name]) for one in columns]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
    labels = meta.column_names_to_labels
    unknown = set(meta.variable_measure.values()) <= {"unknown"}
    return {
        "texts": {name: text for name, text in labels.items() if text},
        "unsure": [one.name for one in columns if one.labels] if unknown else [],
    }


class _Reader:
    """The function of pyreadstat that reads a file, by its suffix."""

    def __init__(self, path: Path) -> None:
        import pyreadstat

        self._path = path
        readers = {
            ".sav": pyreadstat.read_sav,
            ".zsav": pyreadstat.read_sav,
            ".dta": pyreadstat.read_dta,
            ".sas7bdat": pyreadstat.read_sas7bdat,
            ".xpt": pyreadstat.read_xport,
        }
        self._read = readers[suffix_of(path)]

    def call(self, **how: Any) -> tuple[dict[str, list[Any]], Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about names that it changes
            return self._read(str(self._path), output_format="dict", **how)

    def chunks(self, names: list[str], rows: int) -> Iterator[dict[str, list[Any]]]:
        start = 0
        while True:
            chunk, _ = self.call(usecols=names, row_offset=start, row_limit=rows)
            count = len(chunk[names[0]]) if names[0] in chunk else 0
            if count:
                yield chunk
            if count < rows:
                return
            start += count


def _find_columns(read: _Reader, meta: Any, rows: int) -> list[_Column]:
    first, _ = read.call(row_limit=_ROWS_FOR_DATES)
    labels = _complete_labels(read, meta, rows)
    return [
        _Column(name, pa.string(), labels[name])
        if name in labels
        else _Column(name, _type_of(meta.readstat_variable_types[name], first[name]), {})
        for name in meta.column_names
    ]


def _complete_labels(read: _Reader, meta: Any, rows: int) -> dict[str, Mapping[Any, str]]:
    """Give the labels of the variables all of whose codes have one."""
    measures = meta.variable_measure
    maybe = {
        name: labels
        for name, labels in meta.variable_value_labels.items()
        if measures.get(name, "unknown") in ("nominal", "unknown") and len(labels) > 1
    }
    if not maybe:
        return {}
    codes: dict[str, set[Any]] = {name: set() for name in maybe}
    for chunk in read.chunks(list(maybe), rows):
        for name in codes:
            if len(codes[name]) <= _MOST_CODES:
                codes[name] |= {value for value in chunk[name] if not _is_missing(value)}
    return {name: maybe[name] for name, seen in codes.items() if seen <= set(maybe[name])}


def _type_of(stored: str, first: Sequence[Any]) -> pa.DataType:
    """Give the Arrow type of a variable by how it is stored and by its first values."""
    if stored == "string":
        return pa.string()
    value = next((one for one in first if not _is_missing(one)), None)
    if isinstance(value, date):  # which a datetime is, too
        return pa.timestamp("us")
    return pa.time64("us") if isinstance(value, time) else pa.float64()


def _is_missing(value: Any) -> bool:
    return value is None or value == "" or value != value


def _as_array(column: _Column, values: Sequence[Any]) -> Any:
    plain = [None if _is_missing(value) else value for value in values]
    if column.labels:
        plain = [None if v is None else column.labels.get(v, _write_code(v)) for v in plain]
    elif pa.types.is_timestamp(column.dtype):
        plain = [_as_datetime(value) for value in plain]
    return pa.array(plain, column.dtype)


def _write_code(code: Any) -> str:
    return f"{code:g}" if isinstance(code, float) else str(code)


def _as_datetime(value: Any) -> Any:
    is_day = isinstance(value, date) and not isinstance(value, datetime)
    return datetime.combine(value, time()) if is_day else value


if __name__ == "__main__":
    serve_apart(write_study)
