"""ARFF files (Weka, OpenML), dense or sparse, a batch of rows at a time."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import TamisError
from tamis.memory import check_room
from tamis.sources.arrow import ArrowSource
from tamis.sources.faults import encoding_sentence
from tamis.sources.files import explain_unreadable
from tamis.sources.text_form import ENCODING_NAMES, find_encoding, open_bytes, read_lines
from tamis.values import dataclass

_ATTRIBUTE = re.compile(
    r"@attribute\s+(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|(\S+))\s+(\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER_TYPES = ("numeric", "real", "integer")
_ATTRIBUTE_BYTES = 5_000  # that a column takes until it is known what it holds, as measured
_CHECKED_BYTES = 1 << 20


@dataclass(frozen=True)
class ArffAttribute:
    """A column: its name, its Arrow type, and the values it may have if it is nominal."""

    name: str
    dtype: pa.DataType
    values: tuple[str, ...] = ()


def read_arff_header(lines: Iterable[str], label: str) -> tuple[list[ArffAttribute], int]:
    """Give the attributes, and the number of the line that says that the data follow."""
    found: list[ArffAttribute] = []
    size = checked = 0
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        word = text[:10].lower()
        if word.startswith("@data"):
            if not found:
                raise TamisError(f"{label} has no @attribute before @data: name its columns there.")
            return found, number
        if word.startswith("@attribute"):
            size += len(line) + _ATTRIBUTE_BYTES
            if size - checked > _CHECKED_BYTES:  # how much there is to compare with takes time
                check_room(checked := size, f"The header of {label}")
            found.append(_read_attribute(text, number, label))
        elif text and not text.startswith("%") and not word.startswith("@relation"):
            raise TamisError(
                f"Line {number} of {label} is no line of an ARFF header ({text[:40]!r}): give "
                "@relation, @attribute or @data there."
            )
    raise TamisError(f"{label} has no @data: give the whole of an ARFF file.")


def _read_attribute(text: str, number: int, label: str) -> ArffAttribute:
    found = _ATTRIBUTE.fullmatch(text)
    if found is None:
        raise TamisError(
            f"Line {number} of {label} is no attribute with a name and a type ({text[:60]!r}): "
            "write both, as in '@attribute age numeric'."
        )
    quoted = next((part for part in found.groups()[:2] if part is not None), None)
    name = found[3] if quoted is None else _unescape(quoted)
    kind = found[4].strip()
    if kind.startswith("{"):
        values = tuple(split_values(kind.strip().removeprefix("{").removesuffix("}")))
        return ArffAttribute(name, pa.dictionary(pa.int32(), pa.string()), values)
    word = kind.split()[0].lower()
    if word in _NUMBER_TYPES:
        return ArffAttribute(name, pa.float64())
    if word in ("string", "date"):
        return ArffAttribute(name, pa.string() if word == "string" else pa.timestamp("s"))
    raise TamisError(
        f"Line {number} of {label} has the type {word[:40]!r}: write numeric, string, date or the "
        "values in braces."
    )


def split_values(line: str) -> list[str]:
    r"""Split values at commas outside of quotes, which may be of either kind.

    >>> split_values("1, 'a, b' ,\"c\",?, 'it\\'s'")
    ['1', 'a, b', 'c', '?', "it's"]
    """
    if "'" not in line and '"' not in line:
        return [cell.strip() for cell in line.split(",")]
    if "'" not in line and "\\" not in line:
        return [cell.strip() for cell in next(csv.reader([line], skipinitialspace=True), [])]
    cells = [cell.strip() for cell in _split_outside_quotes(line)]
    quoted = [len(cell) > 1 and cell[0] in "'\"" and cell[-1] == cell[0] for cell in cells]
    return [_unescape(c[1:-1]) if q else c for c, q in zip(cells, quoted, strict=True)]


def _split_outside_quotes(line: str) -> list[str]:
    cells, start, quote, escaped = [], 0, "", False
    for i, letter in enumerate(line):
        if escaped:
            escaped = False
        elif letter == "\\":
            escaped = True
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == ",":
            cells.append(line[start:i])
            start = i + 1
    return [*cells, line[start:]]


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


_WEIGHT = re.compile(r"\{\s*[0-9.eE+-]+\s*\}")
_MISSING = ("?", "")

Row = tuple[int, Sequence[str | None]]  # the number of its line, and its values


class ArffSource(ArrowSource):
    """An ARFF file: nominal attributes are categories, `?` is missing."""

    def __init__(self, path: Path) -> None:
        with explain_unreadable(path):
            with open_bytes(path) as stream:
                self._encoding = find_encoding(stream)
            lines = read_lines(path, self._encoding)
            self._attributes, self._start = read_arff_header(lines, path.name)
            fields = [(field.name, field.dtype) for field in self._attributes]
            super().__init__(path.name, pa.schema(fields), path=path)
            self.path, self._size = path, path.stat().st_size
        if self._encoding in ENCODING_NAMES:
            said = encoding_sentence(path.name, ENCODING_NAMES[self._encoding], "")
            self.info = replace(self.info, doubts=(said,))

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        yield "", self._read_batches(columns, rows)

    def _read_batches(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        chosen = [self._attributes[j] for j in columns]
        source = self._rows(list(columns))
        done, step = 0, max(1, rows)
        while block := list(islice(source, step)):
            lines = [line for line, _ in block]
            cells = zip(*(values for _, values in block), strict=True)
            arrays = [
                _as_array(field, list(values), lines, self.label)
                for field, values in zip(chosen, cells, strict=True)
            ]
            done += sum(len(value or "") for _, values in block for value in values)
            self._count(done / self._size)
            yield pa.RecordBatch.from_arrays(arrays, names=[field.name for field in chosen])

    def _rows(self, columns: list[int]) -> Iterator[Row]:
        """Yield the values of these columns in every row, None for a missing one."""
        width = len(self._attributes)
        place = {j: position for position, j in enumerate(columns)}
        chosen = [self._attributes[j] for j in columns]
        # What a sparse row means where it has nothing: 0, or the first of the values.
        zeros = ["0" if pa.types.is_floating(field.dtype) else None for field in chosen]
        usual = [(*field.values, zero)[0] for field, zero in zip(chosen, zeros, strict=True)]
        lines = enumerate(read_lines(self.path, self._encoding), start=1)
        for number, line in islice(lines, self._start, None):
            text = line.strip()
            if not text or text.startswith("%"):
                continue
            if text.startswith("{"):
                yield number, self._sparse(text, number, usual, place)
                continue
            cells = split_values(text)
            if len(cells) == width + 1 and _WEIGHT.fullmatch(cells[-1]):
                cells.pop()  # the weight of a row
            if len(cells) != width:
                raise TamisError(
                    f"Line {number} of {self.label} has {len(cells):,} values where there are "
                    f"{width:,} attributes: fix that line."
                )
            yield number, [None if cells[j] in _MISSING else cells[j] for j in columns]

    def _sparse(
        self, text: str, number: int, usual: list[str | None], place: dict[int, int]
    ) -> list[str | None]:
        """Fill a row of which only some values are written, each with its position."""
        row = list(usual)
        inner = text[1:].partition("}")[0] if "'" not in text else text[1 : text.rfind("}")]
        for pair in split_values(inner) if inner.strip() else []:
            at, _, value = pair.partition(" ")
            if not at.isdecimal() or len(at) > 9 or int(at) >= len(self._attributes):
                raise TamisError(
                    f"Line {number} of {self.label} has {pair[:40]!r}, which is no position and "
                    "value of a sparse row: fix that line."
                )
            if int(at) in place:
                value = value.strip()
                plain = split_values(value)[0] if value else ""
                row[place[int(at)]] = None if plain in _MISSING else plain
        return row


def _as_array(field: ArffAttribute, values: list[str | None], lines: list[int], label: str) -> Any:
    if field.values or pa.types.is_dictionary(field.dtype):
        return _as_categories(field, values, lines, label)
    if pa.types.is_string(field.dtype):
        return pa.array(values, pa.string())
    try:
        return _convert(values, field.dtype)
    except (pa.ArrowInvalid, ValueError, OverflowError):
        place = next(i for i, value in enumerate(values) if value and not _fits(value, field.dtype))
        what = "dates" if pa.types.is_timestamp(field.dtype) else "numbers"
        raise TamisError(
            f"Line {lines[place]} of {label} has {values[place][:40]!r} in {field.name!r} where "  # type: ignore[index]
            f"{what} are needed: fix it, or declare the attribute as a string."
        ) from None


def _convert(values: list[str | None], dtype: Any) -> Any:
    if pa.types.is_timestamp(dtype):
        return pa.array([v and datetime.fromisoformat(v) for v in values], dtype)
    return pa.array(values, pa.string()).cast(dtype)


def _fits(value: str, dtype: Any) -> bool:
    try:
        _convert([value], dtype)
    except (pa.ArrowInvalid, ValueError, OverflowError):
        return False
    return True


def _as_categories(
    field: ArffAttribute, values: list[str | None], lines: list[int], label: str
) -> Any:
    codes = {value: code for code, value in enumerate(field.values)}
    for value, line in zip(values, lines, strict=True):
        if value is not None and value not in codes:
            raise TamisError(
                f"Line {line} of {label} has {value[:40]!r} in {field.name!r}, which is not one of "
                "its values in the header: fix one of them."
            )
    indices = pa.array([None if value is None else codes[value] for value in values], pa.int32())
    # A value that the header has twice stands for one category.
    return pa.DictionaryArray.from_arrays(indices, pa.array(field.values, pa.string()))
