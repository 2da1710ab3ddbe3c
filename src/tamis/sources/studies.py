"""Files of SPSS, Stata and SAS, with their value and variable labels.

A process of its own writes the rows as an Arrow file: the library that reads them can be crashed by
a damaged file; and reading from the middle of a file means to read all before it.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import TamisError
from tamis.memory import batch_bytes, get_budget
from tamis.sources.apart import run_apart, serve_apart
from tamis.sources.faults import list_few
from tamis.sources.feather import FeatherSource
from tamis.sources.files import explain_unreadable, once_per_file
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.source import Source
from tamis.sources.table_file import suffix_of

_MAX_LABELS_SHOWN = 5
_ROWS_FOR_DATES = 200  # that show which numbers are dates
_STUDY_VALUE_BYTES = 64  # of a value on its way
_MOST_CODES = 1_000  # of a column whose labels make categories


def open_study(path: Path) -> Source:
    """Open a file of SPSS, Stata or SAS, converted once; its labels are in `info.texts`.

    Codes that a file declares as missing are missing.
    """
    if find_spec("pyreadstat") is None:
        raise TamisError(f"{path.name} needs pyreadstat: pip install 'tamis[studies]'.")
    with explain_unreadable(path):
        copy, said = _convert(path)
    source = FeatherSource(copy)
    source.info = replace(
        source.info,
        files=(path,),
        label=path.name,
        texts=said["texts"],
        doubts=_say_categories(path.name, said["unsure"]),
    )
    return source


@once_per_file
def _convert(path: Path) -> tuple[Path, dict[str, Any]]:
    """Write the rows as an Arrow file, and give what the file says of its columns."""
    copy = scratch_folder() / path.name
    given = [str(path.absolute()), str(copy), batch_bytes()]
    with with_room():
        return copy, run_apart("tamis.sources.studies", given, get_budget())


def _say_categories(label: str, names: Sequence[str]) -> tuple[str, ...]:
    """Say which codes are read as categories where the file does not say what they measure."""
    if not names:
        return ()
    shown = list_few(names, _MAX_LABELS_SHOWN)
    what = "column has" if len(names) == 1 else "columns have"
    return (
        f"{len(names)} {what} a label for every code and {'is' if len(names) == 1 else 'are'} read "
        f"as categories ({shown}): remove the labels in {label} where the codes are an order.",
    )


def write_study(path: str, copy: str, size: int) -> dict[str, Any]:
    """Write a file as Arrow record batches of about this size, and give what it says of columns.

    A variable of nominal measure all of whose codes have labels is categories, as is one of a file
    that knows no measure, which is named in `unsure`; ordinal codes and scales are numbers.
    """
    warnings.simplefilter("ignore")  # about names that the library changes
    read = _make_reader(Path(path))
    _, meta = read(metadataonly=True)
    rows = max(1, size // (_STUDY_VALUE_BYTES * max(1, meta.number_columns)))
    labels = _complete_labels(read, meta, rows)
    stored, (first, _) = meta.readstat_variable_types, read(row_limit=_ROWS_FOR_DATES)
    schema = pa.schema(
        (name, pa.string() if name in labels else _type_of(stored[name], first[name]))
        for name in meta.column_names
    )
    with pa.OSFile(copy, "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for chunk in _read_chunks(read, schema.names, rows):
            arrays = [_as_array(f.type, labels.get(f.name), chunk[f.name]) for f in schema]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
    unknown = set(meta.variable_measure.values()) <= {"unknown"}
    return {
        "texts": {name: text for name, text in meta.column_names_to_labels.items() if text},
        "unsure": [name for name in schema.names if name in labels] if unknown else [],
    }


Read = Callable[..., tuple[dict[str, list[Any]], Any]]  # a function of pyreadstat, for one file


def _make_reader(path: Path) -> Read:
    import pyreadstat

    readers = {
        ".sav": pyreadstat.read_sav,
        ".zsav": pyreadstat.read_sav,
        ".dta": pyreadstat.read_dta,
        ".sas7bdat": pyreadstat.read_sas7bdat,
        ".xpt": pyreadstat.read_xport,
    }
    return partial(readers[suffix_of(path)], str(path), output_format="dict")


def _read_chunks(read: Read, names: list[str], rows: int) -> Iterator[dict[str, list[Any]]]:
    start = 0
    while True:
        chunk, _ = read(usecols=names, row_offset=start, row_limit=rows)
        count = len(chunk[names[0]]) if names[0] in chunk else 0
        if count:
            yield chunk
        if count < rows:
            return
        start += count


def _complete_labels(read: Read, meta: Any, rows: int) -> dict[str, Mapping[Any, str]]:
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
    for chunk in _read_chunks(read, list(maybe), rows):
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


def _as_array(dtype: Any, labels: Mapping[Any, str] | None, values: Sequence[Any]) -> Any:
    plain: list[Any] = [None if _is_missing(value) else value for value in values]
    if labels is not None:
        codes = {v: f"{v:g}" if isinstance(v, float) else str(v) for v in plain}
        plain = [None if v is None else labels.get(v, codes[v]) for v in plain]
    elif pa.types.is_timestamp(dtype):
        plain = [datetime.combine(v, time()) if type(v) is date else v for v in plain]
    return pa.array(plain, dtype)


if __name__ == "__main__":
    serve_apart(write_study)
