"""Text tables that must be written anew to be read: other encodings, lines that are no rows."""

import codecs
import csv
import io
import mmap
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import Unreadable
from tamis.memory import get_budget
from tamis.rules.tables import (
    FIRST_CELLS,
    LAYOUT_ROWS,
    MAX_TRIED_LINES,
    MIN_SUBTOTALS,
    PROBE_BYTES,
    SUBTOTAL_WORD,
    TAIL_BYTES,
)
from tamis.sources.faults import (
    check_names,
    encoding_sentence,
    repeated_sentence,
    subtotals_sentence,
    totals_sentence,
)
from tamis.sources.files import explain_unreadable, look_at_file
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.table_file import HEADERLESS, TableFile
from tamis.sources.text_layout import (
    BLANKS,
    Layout,
    find_layout,
    find_totals,
    is_blank,
    is_number,
    join_quoted,
    split_cells,
)

LONGEST_LINE = 1 << 26
ENCODING_NAMES = {"cp1252": "Windows-1252", "latin-1": "Latin-1"}
_BYTES_CHECKED = 1 << 26  # bytes of a file that are checked before it is read
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x19\x1b-\x1f\x7f]")
_UTF8_LETTERS = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH = re.compile(rb"[\x80-\xff]")
_NOT_WINDOWS = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_HALF_ZERO = 0.3  # of the bytes at every second place, where most letters are Latin
_SEPARATED = {".tsv": "\t", ".tab": "\t"}


# What was found: a table is opened several times.
_done: dict[tuple[object, ...], tuple[Path, Layout]] = {}


def as_plain_text(path: Path, suffix: str, how: TableFile) -> tuple[Path, Layout]:
    """Give a text file as one in UTF-8 that begins with its header and has rows below it.

    The separator, if it is known, and the header of the layout are those of that file.
    """
    with explain_unreadable(path):
        key = (*look_at_file(path), how.delimiter, how.header, how.encoding, str(how.skip_lines))
        if key not in _done or not _done[key][0].exists():
            _done[key] = _find_form(path, suffix, how)
    return _done[key]


def _find_form(path: Path, suffix: str, how: TableFile) -> tuple[Path, Layout]:
    mark = how.mark or _SEPARATED.get(suffix)
    with open_bytes(path) as stream:
        encoding = how.encoding or find_encoding(stream)
    with open_bytes(path) as stream:
        start = stream.read(PROBE_BYTES)
    lines = _end_plainly(start.decode(encoding, errors="replace").lstrip("\ufeff")).split("\n")
    if len(start) == PROBE_BYTES or not lines[-1]:  # one that is cut is none
        lines.pop()
    # Of a table whose lines are longer than that, the reader itself says what is wrong.
    layout = _layout_of(lines, path, suffix, how, mark) if len(lines) > 2 else Layout()
    if how.encoding is None and encoding in ENCODING_NAMES:
        words = (w for line in lines for w in line.replace(",", " ").replace(";", " ").split())
        accent = next((word.strip('"') for word in words if not word.isascii()), "")
        layout = layout.saying(encoding_sentence(path.name, ENCODING_NAMES[encoding], accent))
    of_bytes = encoding in ("utf-8", *ENCODING_NAMES)
    packed = path.suffix.lower() in (".gz", ".bz2")
    separator = layout.separator
    if how.skip_lines == "auto" and separator is not None and of_bytes and not packed:
        layout = _find_end(path, encoding, layout, separator)
        layout = _leave_out_inner(path, encoding, layout, separator, lines)
    header = layout.header if how.header is None else how.header
    if encoding == "utf-8" and layout.is_plain:
        return path, replace(layout, separator=mark, header=header)
    text = scratch_folder() / path.name.removesuffix(".gz").removesuffix(".bz2")
    with with_room(), text.open("w", encoding="utf-8", newline="") as copy:
        _write_copy(_kept_rows(path, encoding, layout), layout, copy, path.name)
    found = path.stat()
    os.utime(text, ns=(found.st_atime_ns, found.st_mtime_ns))
    mark = "," if layout.separator == BLANKS else mark or layout.separator
    return text, replace(layout, separator=mark, header=header)


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


def open_bytes(path: Path, file: Any = None) -> Any:
    """Open a file that may be packed; `file` is the one that is already open."""
    packing = {".gz": "gzip", ".bz2": "bz2"}.get(path.suffix.lower())
    return pa.input_stream(file or pa.OSFile(str(path)), compression=packing)


def _end_plainly(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _find_end(path: Path, encoding: str, layout: Layout, separator: str) -> Layout:
    """Find the last line with a row, where totals or notes follow."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL_BYTES))
        end = file.read().decode(encoding, errors="replace")
    lines = _end_plainly(end).removesuffix("\n").split("\n")
    lines = lines if size <= TAIL_BYTES else lines[1:]
    if not _find_last(lines, separator):
        return layout
    # The first of them may be within quotes: only the whole text says where rows begin.
    rows = deque(_read_plain(path, encoding, layout), maxlen=len(lines))
    said = [rows[i] for i in _find_last([text for _, text in rows], separator)]
    if not said:
        return layout
    sentence = totals_sentence(path.name, [number for number, _ in said], said[0][1])
    return replace(layout, last=said[0][0] - 1).saying(sentence)


def _find_last(rows: list[str], separator: str) -> list[int]:
    """Give the places of the totals and notes among the last rows of a table."""
    some = [row for row in rows[:LAYOUT_ROWS] if not is_blank(row, separator)]
    widths = [len(split_cells(row, separator)) for row in some]
    usual = max(set(widths), key=widths.count, default=0)
    count = find_totals(rows, separator, usual) if len(rows) > 2 else 0
    return [i for i in range(len(rows) - count, len(rows)) if not is_blank(rows[i], separator)]


def _leave_out_inner(
    path: Path, encoding: str, layout: Layout, separator: str, lines: list[str]
) -> Layout:
    """Skip lines within the table that are the header again, or subtotals."""
    below = join_quoted(enumerate(lines[max(layout.first - 1, 0) :]), separator, "\n")
    sample = [text for _, text in islice(below, LAYOUT_ROWS + 1)]
    header = sample.pop(0) if layout.first else ""
    again = header if is_repeated(path, header.split("\n")[0].encode(encoding)) else ""
    rows = [text for text in sample if not is_blank(text, separator)]
    sums = find_subtotals(path, encoding, separator, rows)
    if not again and not sums:
        return layout
    # The lines may be within quotes: only the whole text says where rows begin.
    found = [row for row in _read_plain(path, encoding, layout) if row[1] in {again, *sums} - {""}]
    copies = [row for row in found if row[1] == again and row[0] != layout.first]
    last = layout.last
    sums_found = [row for row in found if row[1] in sums and (last is None or row[0] <= last)]
    if copies:
        layout = replace(layout, left_out=(*layout.left_out, *_lines_of_rows(copies)))
        layout = layout.saying(repeated_sentence(path.name, [number for number, _ in copies]))
    if len(sums_found) >= MIN_SUBTOTALS:
        layout = replace(layout, left_out=(*layout.left_out, *_lines_of_rows(sums_found)))
        layout = layout.saying(subtotals_sentence(path.name, [n for n, _ in sums_found]))
    return layout


def _lines_of_rows(rows: Iterable[tuple[int, str]]) -> list[int]:
    return [number + i for number, text in rows for i in range(text.count("\n") + 1)]


def _read_rows(path: Path, encoding: str, layout: Layout) -> Iterator[tuple[int, str]]:
    """Yield the rows, with their ends, and the number of the first line of each."""
    left_out = set(layout.left_out)
    lines = enumerate(read_lines(path, encoding), start=1)
    kept = (line for line in lines if line[0] not in left_out)
    return join_quoted(kept, layout.separator)


def _read_plain(path: Path, encoding: str, layout: Layout) -> Iterator[tuple[int, str]]:
    """Yield the rows as the first lines are judged: without their ends."""
    for number, text in _read_rows(path, encoding, layout):
        yield number, _end_plainly(text).removesuffix("\n")


def _kept_rows(path: Path, encoding: str, layout: Layout) -> Iterator[str]:
    for number, text in _read_rows(path, encoding, layout):
        if layout.last is not None and number > layout.last:
            return
        if not (layout.blank_rows and is_blank(text, layout.separator)):
            yield text


def read_lines(path: Path, encoding: str) -> Iterator[str]:
    """Yield the lines of a text with their ends; one without an end is refused."""
    longest = min(LONGEST_LINE, get_budget() // 4)
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
    mark = "," if separator == BLANKS else separator
    writer = csv.writer(copy, lineterminator="\n", delimiter=mark)
    if layout.names:
        writer.writerow(name for j, name in enumerate(layout.names) if j not in layout.blank)
    if separator == BLANKS:
        writer.writerows(cells for line in lines if (cells := split_cells(line, BLANKS)))
    elif layout.blank:
        blank = set(layout.blank)
        for row in (split_cells(line, separator) for line in lines):
            if any(j < len(row) and row[j].strip() for j in blank):
                check_names([*map(str, range(min(blank))), ""], label)
            writer.writerow([cell for j, cell in enumerate(row) if j not in blank])
    else:
        copy.writelines(lines)


_BLOCK_BYTES = 1 << 22
_SUBTOTAL = re.compile(rf"(.{{1,60}}\W)?{SUBTOTAL_WORD}(\W.{{1,60}})?", re.IGNORECASE)


def is_repeated(path: Path, header: bytes) -> bool:
    """Whether a line that is the same as the header follows.

    Tables that were put together from several files have their headers in the middle.
    """
    same = (line for line in _lines_with(path, header) if line.rstrip(b"\r") == header)
    return bool(header.strip()) and len(list(islice(same, 2))) > 1


def find_subtotals(path: Path, encoding: str, separator: str, rows: Sequence[str]) -> set[str]:
    """Give the lines that sum up the rows above them.

    They are named so in one of the first cells, and have no value in a column where all `rows`
    have one: a store called Total has an address.
    """
    found: list[tuple[str, list[str]]] = []
    for tried, line in enumerate(_lines_with(path, b"otal")):
        if tried > MAX_TRIED_LINES:
            return set()
        text = line.decode(encoding, errors="replace").strip("\r")
        cells = split_cells(text, separator)
        if any(_SUBTOTAL.fullmatch(cell.strip()) for cell in cells[:FIRST_CELLS]):
            found.append((text, cells))
    if len(found) < MIN_SUBTOTALS or not all(any(map(is_number, cells)) for _, cells in found):
        return set()
    named = [_blank_places(cells) for _, cells in found]
    others = [split_cells(row, separator) for row in rows]
    others = [cells for cells in others if not any(map(_SUBTOTAL.fullmatch, cells[:FIRST_CELLS]))]
    often = set.union(set(), *map(_blank_places, others))
    return {text for text, _ in found} if set.intersection(*named) - often else set()


def _blank_places(cells: Sequence[str]) -> set[int]:
    return {j for j, cell in enumerate(cells) if not cell.strip()}


def _lines_with(path: Path, part: bytes) -> Iterator[bytes]:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        place = _find_bytes(text, part, 0)
        while place >= 0:
            start = text.rfind(b"\n", 0, place) + 1
            end = text.find(b"\n", place)
            end = end if end >= 0 else len(text)
            yield text[start:end]
            place = _find_bytes(text, part, end)


def _find_bytes(text: mmap.mmap, part: bytes, start: int) -> int:
    """Give the place of these bytes from `start` on, -1 where there is none."""
    for left in range(start, len(text), _BLOCK_BYTES):
        place = text.find(part, left, left + _BLOCK_BYTES + len(part) - 1)
        if place >= 0:
            return place
        _give_back(text, left)
    return -1


def _give_back(text: mmap.mmap, start: int) -> None:
    """Take the pages of a block that was read out of memory: else all of a long file is held."""
    if hasattr(mmap, "MADV_DONTNEED"):
        page = start - start % mmap.PAGESIZE
        text.madvise(mmap.MADV_DONTNEED, page, min(2 * _BLOCK_BYTES, len(text) - page))


def find_encoding(stream: Any) -> str:
    """Give the encoding of a stream of bytes, read from its start.

    What is no text at all is called UTF-8: its reader refuses it.
    """
    start = stream.read(PROBE_BYTES)
    for mark, name in _BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return name
    if (wide := _find_wide(start)) is not None:
        return wide
    decoder, block, read = codecs.getincrementaldecoder("utf-8")(), start, len(start)
    while block:
        try:
            decoder.decode(block)
        except UnicodeDecodeError:
            return _find_legacy(block)
        block = stream.read(PROBE_BYTES) if read < _BYTES_CHECKED else b""
        read += len(block)
    return "utf-8"


def _find_wide(start: bytes) -> str | None:
    """Recognise UTF-16 without a mark: every second byte of Latin letters is zero."""
    some = start[: 1 << 12]
    zeros = [part.count(0) / max(len(part), 1) for part in (some[::2], some[1::2])]
    if min(zeros) > 0.05 or max(zeros) < _HALF_ZERO:
        return None
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _find_legacy(block: bytes) -> str:
    """Separate the encodings of one byte a letter from UTF-8 that is damaged, and from no text."""
    sound = sum(map(len, _UTF8_LETTERS.findall(block)))
    high = len(_HIGH.findall(block))
    if _CONTROL.search(block) or 2 * sound > high:
        return "utf-8"
    return "latin-1" if _NOT_WINDOWS.search(block) else "cp1252"
