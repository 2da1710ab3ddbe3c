"""Lines within a text table that are no rows: the header once more, and subtotals."""

import mmap
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from tamis.sources.text_lines import is_number, split_cells

__all__ = ["MIN_SUBTOTALS", "find_subtotals", "is_repeated"]

MIN_SUBTOTALS = 2
_MAX_TRIED_LINES = 10_000
_BLOCK_BYTES = 1 << 22
_FIRST_CELLS = 2  # among which a subtotal is named
_SUBTOTAL = re.compile(r"(.{1,60}\W)?(sub)?-?totals?(\W.{1,60})?", re.IGNORECASE)


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
        if tried > _MAX_TRIED_LINES:
            return set()
        text = line.decode(encoding, errors="replace").strip("\r")
        cells = split_cells(text, separator)
        if any(_SUBTOTAL.fullmatch(cell.strip()) for cell in cells[:_FIRST_CELLS]):
            found.append((text, cells))
    if len(found) < MIN_SUBTOTALS or not all(any(map(is_number, cells)) for _, cells in found):
        return set()
    named = [_blank_places(cells) for _, cells in found]
    others = [split_cells(row, separator) for row in rows]
    others = [cells for cells in others if not any(map(_SUBTOTAL.fullmatch, cells[:_FIRST_CELLS]))]
    often = set.union(set(), *map(_blank_places, others))
    return {text for text, _ in found} if set.intersection(*named) - often else set()


def _blank_places(cells: Sequence[str]) -> set[int]:
    return {j for j, cell in enumerate(cells) if not cell.strip()}


def _lines_with(path: Path, part: bytes) -> Iterator[bytes]:
    """Yield the lines that have these bytes."""
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
