"""ARFF files (Weka, OpenML), dense or sparse, a batch of rows at a time."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import TamisError
from tamis.sources.arff_header import ArffAttribute, read_arff_header, split_values
from tamis.sources.encodings import ENCODING_NAMES, find_encoding
from tamis.sources.files import ArrowFile, explain_unreadable
from tamis.sources.layout_sentences import encoding_sentence
from tamis.sources.text_form import open_bytes, read_lines

__all__ = ["ArffSource"]

_WEIGHT = re.compile(r"\{\s*[0-9.eE+-]+\s*\}")
_MISSING = ("?", "")

Row = tuple[int, Sequence[str | None]]  # the number of its line, and its values


class ArffSource(ArrowFile):
    """An ARFF file: nominal attributes are categories, `?` is missing."""

    def __init__(self, path: Path) -> None:
        with explain_unreadable(path):
            with open_bytes(path) as stream:
                self._encoding = find_encoding(stream)
            header = read_arff_header(read_lines(path, self._encoding), path.name)
            self._attributes, self._start = header.attributes, header.lines
            fields = [(one.name, one.dtype) for one in self._attributes]
            super().__init__(path, pa.schema(fields))
        if self._encoding in ENCODING_NAMES:
            said = encoding_sentence(path.name, ENCODING_NAMES[self._encoding], "")
            self.info = replace(self.info, doubts=(said,))

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        chosen = [self._attributes[j] for j in columns]
        source = self._rows(list(columns))
        done, step = 0, max(1, rows)
        while block := list(islice(source, step)):
            lines = [line for line, _ in block]
            cells = zip(*(values for _, values in block), strict=True)
            arrays = [
                _as_array(one, list(values), lines, self.label)
                for one, values in zip(chosen, cells, strict=True)
            ]
            done += sum(len(value or "") for _, values in block for value in values)
            self._count(min(done, self.stamp.size))
            yield pa.RecordBatch.from_arrays(arrays, names=[one.name for one in chosen])

    def _rows(self, columns: list[int]) -> Iterator[Row]:
        """Yield the values of these columns in every row, None for a missing one."""
        width = len(self._attributes)
        place = {j: position for position, j in enumerate(columns)}
        usual = [_find_omitted(self._attributes[j]) for j in columns]
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


def _find_omitted(attribute: ArffAttribute) -> str | None:
    """Give what a sparse row means where it has nothing: 0, or the first of the values."""
    if attribute.values:
        return attribute.values[0]
    return "0" if pa.types.is_floating(attribute.dtype) else None


def _as_array(one: ArffAttribute, values: list[str | None], lines: list[int], label: str) -> Any:
    if one.values or pa.types.is_dictionary(one.dtype):
        return _as_categories(one, values, lines, label)
    if pa.types.is_string(one.dtype):
        return pa.array(values, pa.string())
    try:
        if pa.types.is_timestamp(one.dtype):
            return pa.array([v and datetime.fromisoformat(v) for v in values], one.dtype)
        return pa.array(values, pa.string()).cast(one.dtype)
    except (pa.ArrowInvalid, ValueError, OverflowError):
        place = next(i for i, value in enumerate(values) if value and not _fits(value, one.dtype))
        what = "dates" if pa.types.is_timestamp(one.dtype) else "numbers"
        raise TamisError(
            f"Line {lines[place]} of {label} has {values[place][:40]!r} in {one.name!r} where "  # type: ignore[index]
            f"{what} are needed: fix it, or declare the attribute as a string."
        ) from None


def _fits(value: str, dtype: Any) -> bool:
    try:
        if pa.types.is_timestamp(dtype):
            pa.scalar(datetime.fromisoformat(value), dtype)
        else:
            pa.scalar(value).cast(dtype)
    except (pa.ArrowInvalid, ValueError, OverflowError):
        return False
    return True


def _as_categories(
    one: ArffAttribute, values: list[str | None], lines: list[int], label: str
) -> Any:
    codes = {value: code for code, value in enumerate(one.values)}
    for value, line in zip(values, lines, strict=True):
        if value is not None and value not in codes:
            raise TamisError(
                f"Line {line} of {label} has {value[:40]!r} in {one.name!r}, which is not one of "
                "its values in the header: fix one of them."
            )
    indices = pa.array([None if value is None else codes[value] for value in values], pa.int32())
    # A value that the header has twice stands for one category.
    return pa.DictionaryArray.from_arrays(indices, pa.array(one.values, pa.string()))
