"""Text tables that must be written anew to be read: other encodings, lines that are no rows."""

import csv
import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import Unreadable
from tamis.memory import get_budget
from tamis.sources.encodings import ENCODING_NAMES, find_encoding
from tamis.sources.faults import check_names
from tamis.sources.files import explain_unreadable
from tamis.sources.inner_lines import find_repeated, find_subtotals
from tamis.sources.layout_sentences import (
    encoding_sentence,
    repeated_sentence,
    subtotals_sentence,
    totals_sentence,
)
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.stamp import Stamp
from tamis.sources.suffixes import HEADERLESS
from tamis.sources.table_file import TableFile
from tamis.sources.text_layout import Layout, find_layout
from tamis.sources.text_lines import BLANKS, find_totals, is_blank, split_cells

__all__ = ["PlainText", "as_plain_text", "open_bytes", "read_lines"]

_PROBE = 1 << 20
_TAIL = 1 << 16
_SAMPLED_ROWS = 50
_LONGEST_LINE = 1 << 26
_SEPARATED = {".tsv": "\t", ".tab": "\t"}


@dataclass(frozen=True)
class PlainText:
    """A text table that can be read as it is, and what is to be said to its reader."""

    path: Path
    mark: str | None
    header: bool
    doubts: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()


# What was found: a table is opened several times.
_done: dict[tuple[object, ...], PlainText] = {}


def as_plain_text(path: Path, suffix: str, how: TableFile) -> PlainText:
    """Give a text file as one in UTF-8 that begins with its header and has rows below it."""
    with explain_unreadable(path):
        key = (*Stamp(path).key, how.delimiter, how.header, how.encoding, str(how.skip_lines))
        if key not in _done or not _done[key].path.exists():
            _done[key] = _find_form(path, suffix, how)
    return _done[key]


def _find_form(path: Path, suffix: str, how: TableFile) -> PlainText:
    mark = how.mark or _SEPARATED.get(suffix)
    with open_bytes(path) as stream:
        encoding = how.encoding or find_encoding(stream)
    with open_bytes(path) as stream:
        start = stream.read(_PROBE)
    lines = _lines_of(start, encoding, whole=len(start) < _PROBE)
    # Of a table whose lines are longer than that, the reader itself says what is wrong.
    layout = _layout_of(lines, path, suffix, how, mark) if len(lines) > 2 else Layout()
    if how.encoding is None and encoding in ENCODING_NAMES:
        layout = layout.saying(
            encoding_sentence(path.name, ENCODING_NAMES[encoding], _find_accent(lines))
        )
    last, layout = _find_end(path, encoding, how, layout)
    layout = _leave_out_inner(path, encoding, how, layout, lines, last)
    header = layout.header if how.header is None else how.header
    if encoding == "utf-8" and layout.is_plain and last is None:
        return PlainText(path, mark, header, layout.doubts)
    text = scratch_folder() / path.name.removesuffix(".gz").removesuffix(".bz2")
    with with_room(), text.open("w", encoding="utf-8", newline="") as copy:
        _write_copy(_kept_lines(path, encoding, layout, last), layout, copy, path.name)
    found = path.stat()
    os.utime(text, ns=(found.st_atime_ns, found.st_mtime_ns))
    mark = "," if layout.separator == BLANKS else mark or layout.separator
    return PlainText(text, mark, header, layout.doubts, layout.texts)


def _layout_of(
    lines: list[str], path: Path, suffix: str, how: TableFile, mark: str | None
) -> Layout:
    if how.skip_lines == "auto":
        return find_layout(
            lines, path.name, mark=mark, header=how.header, headerless=suffix in HEADERLESS
        )
    found = find_layout(lines, path.name, mark=mark, header=how.header is not False)
    left_out = () if how.skip_lines == "none" else how.lines_left_out
    return Layout(found.separator if found.separator == BLANKS else mark, left_out=left_out)


def open_bytes(path: Path) -> Any:
    """Open a file that may be packed."""
    packing = {".gz": "gzip", ".bz2": "bz2"}.get(path.suffix.lower())
    return pa.input_stream(pa.OSFile(str(path)), compression=packing)


def _lines_of(start: bytes, encoding: str, *, whole: bool) -> list[str]:
    """Split the first bytes of a text into lines; one that is cut is none."""
    text = start.decode(encoding, errors="replace").lstrip("\ufeff")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if whole and lines[-1] else lines[:-1]


def _find_accent(lines: list[str]) -> str:
    """Give a word with a letter that is not in ASCII."""
    words = (word for line in lines for word in line.replace(",", " ").replace(";", " ").split())
    return next((word.strip('"') for word in words if not word.isascii()), "")


def _find_end(
    path: Path, encoding: str, how: TableFile, layout: Layout
) -> tuple[int | None, Layout]:
    """Find the last line with a row, where totals or notes follow; None where all are rows."""
    separator = layout.separator
    of_bytes = encoding in ("utf-8", *ENCODING_NAMES)
    if how.skip_lines != "auto" or _is_packed(path) or separator is None or not of_bytes:
        return None, layout
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL))
        end = file.read().decode(encoding, errors="replace")
    lines = end.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
    lines = lines if size <= _TAIL else lines[1:]
    width = _usual_width(lines, separator)
    count = find_totals(lines, separator, width) if len(lines) > 2 else 0
    said = [i for i in range(len(lines) - count, len(lines)) if not is_blank(lines[i])]
    if not said:
        return None, layout
    total = _count_lines(path)
    numbers = [total - len(lines) + i + 1 for i in said]
    last = numbers[0] - 1
    return last, layout.saying(totals_sentence(path.name, numbers, lines[said[0]]))


def _leave_out_inner(
    path: Path, encoding: str, how: TableFile, layout: Layout, lines: list[str], last: int | None
) -> Layout:
    """Skip lines within the table that are the header again, or subtotals."""
    of_bytes = encoding in ("utf-8", *ENCODING_NAMES) and not _is_packed(path)
    separator = layout.separator
    if how.skip_lines != "auto" or separator is None or not of_bytes:
        return layout
    first = layout.first
    if first and (found := find_repeated(path, lines[first - 1].encode(encoding))):
        layout = replace(layout, left_out=(*layout.left_out, *found))
        layout = layout.saying(repeated_sentence(path.name, found))
    rows = [line for line in lines[first : first + _SAMPLED_ROWS] if not is_blank(line)]
    sums = find_subtotals(path, encoding, separator, rows)
    if found := [line for line in sums if last is None or line <= last]:
        layout = replace(layout, left_out=(*layout.left_out, *found))
        layout = layout.saying(subtotals_sentence(path.name, found))
    return layout


def _is_packed(path: Path) -> bool:
    return path.suffix.lower() in (".gz", ".bz2")


def _usual_width(lines: list[str], separator: str) -> int:
    widths = [len(split_cells(line, separator)) for line in lines[:50] if not is_blank(line)]
    return max(set(widths), key=widths.count, default=0)


def _count_lines(path: Path) -> int:
    count, last = 0, b"\n"
    with path.open("rb") as file:
        while block := file.read(_PROBE):
            count += block.count(b"\n") or block.count(b"\r")
            last = block[-1:]
    return count + (last not in (b"\n", b"\r"))


def _kept_lines(path: Path, encoding: str, layout: Layout, last: int | None) -> Iterator[str]:
    """Yield the lines that are read, with their ends."""
    left_out = set(layout.left_out)
    for number, line in enumerate(read_lines(path, encoding), start=1):
        if last is not None and number > last:
            return
        if number not in left_out and not (layout.blank_rows and is_blank(line)):
            yield line


def read_lines(path: Path, encoding: str) -> Iterator[str]:
    """Yield the lines of a text with their ends; one without an end is refused."""
    longest = min(_LONGEST_LINE, get_budget() // 4)
    with open_bytes(path) as raw:
        errors = "replace" if encoding in ENCODING_NAMES else "strict"
        text = io.TextIOWrapper(raw, encoding, errors=errors, newline="")
        number = 0
        while line := text.readline(longest):
            number += 1
            if len(line) >= longest:
                raise Unreadable(
                    f"Line {number} of {path.name} does not end within {longest >> 20} MB: give a "
                    "text table with one row in a line.",
                    str(path),
                )
            yield line.removeprefix("\ufeff") if number == 1 else line


def _write_copy(lines: Iterable[str], layout: Layout, copy: Any, label: str) -> None:
    separator = layout.separator or ","
    writer = csv.writer(copy, lineterminator="\n", delimiter=_write_separator(separator))
    if layout.names:
        writer.writerow(name for j, name in enumerate(layout.names) if j not in layout.blank)
    if separator == BLANKS:
        writer.writerows(cells for line in lines if (cells := split_cells(line, BLANKS)))
    elif layout.blank:
        blank = set(layout.blank)
        for row in csv.reader(lines, delimiter=separator):
            if any(j < len(row) and row[j].strip() for j in blank):
                check_names([*map(str, range(min(blank))), ""], label)
            writer.writerow([cell for j, cell in enumerate(row) if j not in blank])
    else:
        copy.writelines(lines)


def _write_separator(separator: str) -> str:
    return "," if separator == BLANKS else separator
