"""Files of SPSS, Stata and SAS, in chunks of rows, with their value and variable labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import TamisError, Unreadable
from tamis.sources.files import ArrowFile, readable
from tamis.sources.room import check_room
from tamis.sources.stamp import Stamp
from tamis.sources.suffixes import suffix_of

__all__ = ["StudySource"]

_FIRST_ROWS = 200  # that show which numbers are dates
_FEWEST_ROWS = 1_000  # of a chunk: the rows before it are read again
_MOST_CODES = 1_000  # of a column whose labels make categories
_COLUMN_BYTES = 2_000  # that the labels and types of a column take
_SHOWN = 5


@dataclass(frozen=True)
class _Column:
    """A variable: its Arrow type, and the labels that take the place of its codes."""

    name: str
    dtype: pa.DataType
    labels: Mapping[Any, str]


# What was found: the codes of labelled columns are looked at in all rows, once.
_known: dict[tuple[str, int, int], tuple[tuple[_Column, ...], Any]] = {}


class StudySource(ArrowFile):
    """A file of SPSS, Stata or SAS.

    Codes that a file declares as missing are missing. A variable of nominal measure all of whose
    codes have labels is categories, as is one of a file that knows no measure; ordinal codes and
    scales are numbers. The labels of the variables are in `info.texts`.
    """

    def __init__(self, path: Path) -> None:
        self._reader = _load_reader(path)
        with readable(path):
            key = Stamp(path).key
            if key not in _known:
                meta = self._call(path, metadataonly=True)[1]
                check_room(_COLUMN_BYTES * meta.number_columns, f"The variables of {path.name}")
                _known[key] = (self._find_columns(path, meta), meta)
            self._columns, meta = _known[key]
            super().__init__(path, pa.schema([(one.name, one.dtype) for one in self._columns]))
        texts = {name: text for name, text in meta.column_names_to_labels.items() if text}
        unknown = set(meta.variable_measure.values()) <= {"unknown"}
        named = [one.name for one in self._columns if one.labels] if unknown else []
        self.info = replace(self.info, texts=texts, doubts=_say_categories(path.name, named))

    def _call(self, path: Path, **how: Any) -> tuple[dict[str, list[Any]], Any]:
        try:
            return self._reader(str(path), output_format="dict", **how)
        except UnicodeDecodeError as error:
            raise Unreadable(
                f"{path.name} has texts in an unknown encoding: save it again in UTF-8.", str(path)
            ) from error

    def _find_columns(self, path: Path, meta: Any) -> tuple[_Column, ...]:
        first = self._call(path, row_limit=_FIRST_ROWS)[0]
        labels = self._complete_labels(path, meta)
        return tuple(
            _Column(name, pa.string(), labels[name])
            if name in labels
            else _Column(name, _type_of(meta.readstat_variable_types[name], first[name]), {})
            for name in meta.column_names
        )

    def _complete_labels(self, path: Path, meta: Any) -> dict[str, Mapping[Any, str]]:
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
        for chunk in self._chunks(path, list(maybe), _FEWEST_ROWS * 10):
            for name in codes:
                if len(codes[name]) <= _MOST_CODES:
                    codes[name] |= {value for value in chunk[name] if not _is_missing(value)}
        return {name: maybe[name] for name, seen in codes.items() if seen <= set(maybe[name])}

    def _chunks(self, path: Path, names: list[str], rows: int) -> Iterator[dict[str, list[Any]]]:
        start = 0
        while True:
            chunk, _ = self._call(path, usecols=names, row_offset=start, row_limit=rows)
            count = len(chunk[names[0]]) if names[0] in chunk else 0
            if count:
                yield chunk
            if count < rows:
                return
            start += count

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        chosen = [self._columns[j] for j in columns]
        done = 0
        for chunk in self._chunks(self.path, [one.name for one in chosen], max(rows, _FEWEST_ROWS)):
            arrays = [_as_array(one, chunk[one.name]) for one in chosen]
            batch = pa.RecordBatch.from_arrays(arrays, names=[one.name for one in chosen])
            done += batch.nbytes
            self._count(min(done, self.stamp.size))
            for start in range(0, batch.num_rows, rows):
                yield batch.slice(start, rows)


def _load_reader(path: Path) -> Any:
    try:
        import pyreadstat
    except ImportError as error:
        raise TamisError(f"{path.name} needs pyreadstat: pip install 'tamis[studies]'.") from error
    readers = {
        ".sav": pyreadstat.read_sav,
        ".zsav": pyreadstat.read_sav,
        ".dta": pyreadstat.read_dta,
        ".sas7bdat": pyreadstat.read_sas7bdat,
        ".xpt": pyreadstat.read_xport,
    }
    return readers[suffix_of(path)]


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
        plain = [None if v is None else column.labels.get(v, _written(v)) for v in plain]
    elif pa.types.is_timestamp(column.dtype):
        plain = [_as_datetime(value) for value in plain]
    return pa.array(plain, column.dtype)


def _written(code: Any) -> str:
    return f"{code:g}" if isinstance(code, float) else str(code)


def _as_datetime(value: Any) -> Any:
    is_day = isinstance(value, date) and not isinstance(value, datetime)
    return datetime.combine(value, time()) if is_day else value


def _say_categories(label: str, names: Sequence[str]) -> tuple[str, ...]:
    """Say which codes are read as categories where the file does not say what they measure."""
    if not names:
        return ()
    shown = ", ".join(map(repr, names[:_SHOWN])) + (", ..." if len(names) > _SHOWN else "")
    what = "column has" if len(names) == 1 else "columns have"
    return (
        f"{len(names)} {what} a label for every code and {'is' if len(names) == 1 else 'are'} read "
        f"as categories ({shown}): remove the labels in {label} where the codes are an order.",
    )
