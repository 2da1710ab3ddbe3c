"""Text tables: CSV, TSV and their relatives, packed or not."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc

from tamis.errors import TamisError
from tamis.sources.files import ArrowSource, kind_of, readable

_BLOCK = 1 << 23
_PROBE = 1 << 20


class DelimitedSource(ArrowSource):
    """A text table with a header line; the separator is read off that line."""

    n_rows: int | None = None

    def __init__(self, path: Path, *, tab: bool = False) -> None:
        self.path, self.label = path, path.name
        with readable(path.name):
            header = self._header()
        self._separator = "\t" if tab else _separator(header)
        self._block = max(_BLOCK, 64 * len(header))
        with self._explained(), self._open() as reader:
            schema = reader.schema
        super().__init__(path, schema)
        # A whole number or an empty cell at the top may be followed by a decimal one.
        numbers = {"numeric", "null"}
        self._floats = {
            field.name: pa.float64()
            for field in schema
            if kind_of(field.type) in numbers or pa.types.is_null(field.type)
        }
        self.kinds = tuple(
            "numeric" if name in self._floats else kind
            for name, kind in zip(self.names, self.kinds, strict=True)
        )
        self._seen = {field.name: field.type for field in schema}

    def _header(self) -> str:
        with pa.input_stream(str(self.path), compression="detect") as stream:
            probe = stream.read(_PROBE)
            while b"\n" not in probe and (more := stream.read(_PROBE)):
                probe += more
        line = probe.split(b"\n", 1)[0]
        try:
            text = line.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise TamisError(_not_utf8(self.label)) from error
        if not text.strip():
            raise TamisError(f"{self.label} starts with an empty line: put the header there.")
        return text

    def _open(self, names: list[str] | None = None, types: dict[str, Any] | None = None) -> Any:
        stream = pa.input_stream(str(self.path), compression="detect")
        return pc.open_csv(
            stream,
            read_options=pc.ReadOptions(block_size=self._block),
            parse_options=pc.ParseOptions(delimiter=self._separator, newlines_in_values=True),
            convert_options=pc.ConvertOptions(
                include_columns=names, column_types=types, strings_can_be_null=True
            ),
        )

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        names = [self.names[j] for j in columns]
        yield from self._typed(names, rows, {**self._seen, **self._floats})

    def tables(self, columns: Sequence[int]) -> Iterator[pa.Table]:
        """Yield these columns as Arrow tables, whole numbers as such where all of them are."""
        names = [self.names[j] for j in columns]
        types = dict(self._seen)
        for name in names:
            if name in self._floats and not self._holds_throughout(name):
                types[name] = pa.float64()
        for batch in self._typed(names, None, types):
            yield pa.Table.from_batches([batch])

    def _holds_throughout(self, name: str) -> bool:
        """Tell whether the type seen at the top fits the whole column."""
        if not pa.types.is_integer(self._seen[name]):
            return False
        try:
            with self._open([name], {name: self._seen[name]}) as reader:
                for _ in reader:
                    pass
        except pa.ArrowInvalid:
            return False
        return True

    def _typed(
        self, names: list[str], rows: int | None, types: dict[str, Any]
    ) -> Iterator[pa.RecordBatch]:
        with self._explained(), self._open(names, {name: types[name] for name in names}) as reader:
            for batch in reader:
                step = rows or max(batch.num_rows, 1)
                for start in range(0, batch.num_rows, step):
                    yield batch.slice(start, step)

    def _explained(self) -> Any:
        return _Explained(self.label)


class _Explained:
    """Turn Arrow's parse errors into a sentence about the file."""

    def __init__(self, label: str) -> None:
        self._label = label

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, pa.ArrowException | UnicodeDecodeError | OSError):
            raise TamisError(self._sentence(str(error))) from error

    def _sentence(self, text: str) -> str:
        if "UTF8" in text or "utf-8" in text:
            return _not_utf8(self._label)
        ragged = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", text)
        if ragged:
            row, expected, got = ragged.groups()
            return (
                f"{self._label}: line {row} has {got} values where the header has {expected}: "
                "mend that line."
            )
        value = re.search(r"column '?(.*?)'?: Row #(\d+): .*?invalid value '(.*?)'", text)
        value = value or re.search(r"column '?(.*?)'?:()(?: .*?)?invalid value '(.*?)'", text)
        if value:
            return _text_in_numbers(self._label, *value.groups())
        short = " ".join(text.split())[:200].rstrip(".")
        return f"{self._label} cannot be read as a text table: {short}."


def _text_in_numbers(label: str, column: str, row: str, value: str) -> str:
    where = f" (line {row})" if row else ""
    return (
        f"Column {column!r} of {label} has the text {value!r}{where} where numbers are needed: "
        f"mend it, or leave the column out with exclude."
    )


def _not_utf8(label: str) -> str:
    return f"{label} is not UTF-8 text: save it as UTF-8, in a spreadsheet as 'CSV UTF-8'."


def _separator(header: str) -> str:
    """Take the comma, unless the header has none but has tabs or semicolons."""
    if "," in header:
        return ","
    return max("\t;", key=header.count) if any(c in header for c in "\t;") else ","
