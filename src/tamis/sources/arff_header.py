"""The header of an ARFF file: names and types of its attributes."""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from tamis.errors import TamisError
from tamis.sources.room import check_room

__all__ = ["ArffAttribute", "ArffHeader", "read_arff_header", "split_values"]

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


@dataclass(frozen=True)
class ArffHeader:
    """All attributes, and the number of the line that says that the data follow."""

    attributes: tuple[ArffAttribute, ...]
    lines: int


def read_arff_header(lines: Iterable[str], label: str) -> ArffHeader:
    """Read the lines up to `@data`."""
    found: list[ArffAttribute] = []
    size = checked = 0
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        word = text[:10].lower()
        if word.startswith("@data"):
            if not found:
                raise TamisError(f"{label} has no @attribute before @data: name its columns there.")
            return ArffHeader(tuple(found), number)
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
    return [_unquote(cell.strip()) for cell in _split_outside_quotes(line)]


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


def _unquote(cell: str) -> str:
    if len(cell) > 1 and cell[0] in "'\"" and cell[-1] == cell[0]:
        return _unescape(cell[1:-1])
    return cell


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text
