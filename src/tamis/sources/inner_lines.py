"""Lines within a text table that are no rows: the header once more, and subtotals."""

import mmap
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tamis.sources.text_lines import is_number, split_cells

__all__ = ["find_repeated", "find_subtotals"]

MIN_SUBTOTALS = 2
_MAX_TRIED_LINES = 10_000
_BLOCK_BYTES = 1 << 22
_FIRST_CELLS = 2  # among which a subtotal is named
_SUBTOTAL = re.compile(r"(.{1,60}\W)?(sub)?-?totals?(\W.{1,60})?", re.IGNORECASE)


def find_repeated(path: Path, header: bytes) -> list[int]:
    """Give the numbers of the lines, from 1, that are the same as the header, but the first.

    Tables that were put together from several files have their headers in the middle.
    """
    if not header.strip():
        return []
    lines = _lines_with(path, header)
    return [number for number, line in lines if line.rstrip(b"\r") == header][1:]


def find_subtotals(path: Path, encoding: str, separator: str, rows: Sequence[str]) -> list[int]:
    """Give the numbers of the lines, from 1, that sum up the rows above them.

    They are named so in one of the first cells, and have no value in a column where all `rows`
    have one: a store called Total has an address.
    """
    found: list[tuple[int, list[str]]] = []
    for tried, (number, line) in enumerate(_lines_with(path, b"otal")):
        if tried > _MAX_TRIED_LINES:
            return []
        cells = split_cells(line.decode(encoding, errors="replace").strip("\r"), separator)
        if any(_SUBTOTAL.fullmatch(cell.strip()) for cell in cells[:_FIRST_CELLS]):
            found.append((number, cells))
    if len(found) < MIN_SUBTOTALS or not all(any(map(is_number, cells)) for _, cells in found):
        return []
    named = [_blank_places(cells) for _, cells in found]
    others = [split_cells(row, separator) for row in rows]
    others = [cells for cells in others if not any(map(_SUBTOTAL.fullmatch, cells[:_FIRST_CELLS]))]
    often = set.union(set(), *map(_blank_places, others))
    return [number for number, _ in found] if set.intersection(*named) - often else []


def _blank_places(cells: Sequence[str]) -> set[int]:
    return {j for j, cell in enumerate(cells) if not cell.strip()}


def _lines_with(path: Path, part: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that have these bytes, with their numbers from 1."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        number, counted, place = 1, 0, _find_bytes(text, part, 0)
        while place >= 0:
            start = text.rfind(b"\n", 0, place) + 1
            end = text.find(b"\n", place)
            end = end if end >= 0 else len(text)
            number += _count_lines(text, counted, start)
            counted = start
            yield number, text[start:end]
            place = _find_bytes(text, part, end)


def _find_bytes(text: mmap.mmap, part: bytes, start: int) -> int:
    """Give the place of these bytes from `start` on, -1 where there is none."""
    for left in range(start, len(text), _BLOCK_BYTES):
        place = text.find(part, left, left + _BLOCK_BYTES + len(part) - 1)
        if place >= 0:
            return place
        _give_back(text, left)
    return -1


def _count_lines(text: mmap.mmap, start: int, end: int) -> int:
    count = 0
    for left in range(start, end, _BLOCK_BYTES):
        count += text[left : min(left + _BLOCK_BYTES, end)].count(b"\n")
        _give_back(text, left)
    return count


def _give_back(text: mmap.mmap, start: int) -> None:
    """Take the pages of a block that was read out of memory: else all of a long file is held."""
    if hasattr(mmap, "MADV_DONTNEED"):
        page = start - start % mmap.PAGESIZE
        text.madvise(mmap.MADV_DONTNEED, page, min(2 * _BLOCK_BYTES, len(text) - page))
