"""How large a workbook is once it is unpacked, found out before a library holds it as a grid.

A sheet is held as a full grid from its first to its last cell: two cells far apart, or one that is
repeated a million times, would ask for more memory than the machine has.
"""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from tamis.sources.room import check_room

__all__ = ["check_workbook"]

_BLOCK = 1 << 20
_SHEET_CELL_BYTES = 32
_XML_COPIES = 2  # of the texts, while they are put into cells
_REFERENCE = re.compile(rb'<c [^<>]{0,40}?r="([A-Z]{1,7})([0-9]{1,18})"')
_ROW = re.compile(rb'<row [^<>]{0,40}?r="([0-9]{1,18})"')
_SHARED_TEXT = re.compile(rb"<si\b[^>]*>(.*?)</si>", re.DOTALL)
_TEXT_CELL = re.compile(rb'<c [^<>]{0,80}?t="s"[^<>]*>\s*<v>([0-9]{1,9})</v>')
_TABLE_TAG = re.compile(rb"<(/?)table:(table|table-row|table-cell|covered-table-cell)(\s[^>]*|/)?>")
_REPEATED_CELLS = re.compile(rb'number-(?:columns|rows)-repeated="([0-9]{1,18})"')


def check_workbook(path: Path, suffix: str) -> None:
    """Refuse a workbook that would take more memory than reading may; .xls is read apart."""
    if suffix == ".xls" or not zipfile.is_zipfile(path):
        return  # a file of another kind is for its reader to refuse
    with zipfile.ZipFile(path) as archive:
        parts = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
        shared, total = list[int](), 0
        for entry in sorted(parts, key=lambda name: "sharedStrings" not in name):
            grid = OpenDocumentGrid() if suffix == ".ods" else ExcelGrid(shared)
            # What reads .ods files loops on tags that do not end: they are parsed here first.
            parser = expat.ParserCreate() if suffix == ".ods" else None
            for block in _read_blocks(archive, entry):
                if parser is not None:
                    parser.Parse(block, False)
                total += _XML_COPIES * len(block)
                grid.add(block)
                check_room(
                    total + grid.texts + _SHEET_CELL_BYTES * grid.cells,
                    path.name,
                    "a value may stand far outside of the table, delete such cells, or ",
                )
            if parser is not None:
                parser.Parse(b"", True)


def _read_blocks(archive: zipfile.ZipFile, entry: str) -> Iterator[bytes]:
    """Yield what a part unpacks to, cut where a tag ends."""
    rest = b""
    with archive.open(entry) as stream:
        while block := stream.read(_BLOCK):
            block = rest + block
            end = block.rfind(b">") + 1
            rest = block[end:]
            if len(rest) > _BLOCK:  # a long text has no tag to cut
                end, rest = len(block), b""
            yield block[:end]
    yield rest


class ExcelGrid:
    """The grid of an Excel sheet: to the last row and column that a cell names.

    `shared` are the lengths of the texts that cells refer to, each of which is copied there.
    """

    def __init__(self, shared: list[int]) -> None:
        self._shared = shared
        self._rows = self._columns = self.texts = 0

    def add(self, block: bytes) -> None:
        """Note the cells of some bytes of a sheet."""
        for letters, row in _REFERENCE.findall(block):
            self._rows = max(self._rows, int(row))
            self._columns = max(self._columns, _column_number(letters))
        self._rows = max([self._rows, *map(int, _ROW.findall(block))])
        self._shared += [len(text) for text in _SHARED_TEXT.findall(block)]
        places = map(int, _TEXT_CELL.findall(block))
        self.texts += sum(self._shared[place] for place in places if place < len(self._shared))

    @property
    def cells(self) -> int:
        """Number of cells of the grid."""
        return self._rows * self._columns


class OpenDocumentGrid:
    """The grid of the largest OpenDocument sheet: cells and rows may stand for many of their kind.

    Empty ones at the end of a row or a sheet, which fill it to its edge, take no room.
    """

    def __init__(self) -> None:
        self.cells = self.texts = 0
        self._start_sheet()

    def _start_sheet(self) -> None:
        self._rows = self._widest = self._above = 0
        self._start_row(1)

    def _start_row(self, repeated: int) -> None:
        self._repeated, self._width, self._empty = repeated, 0, 0

    def add(self, block: bytes) -> None:
        """Note the cells of some bytes of a sheet."""
        for closing, tag, text in _TABLE_TAG.findall(block):
            found = _REPEATED_CELLS.search(text)
            count = int(found[1]) if found else 1
            if tag == b"table":
                self._start_sheet()
            elif tag == b"table-row":
                self._end_row() if closing else self._start_row(count)
            elif not closing:
                self._add_cells(count, filled=b"value-type" in text)

    def _add_cells(self, count: int, *, filled: bool) -> None:
        if filled:
            self._width += self._empty + count
            self._empty = 0
        else:
            self._empty += count

    def _end_row(self) -> None:
        if self._width:
            self._rows += self._above + self._repeated
            self._widest = max(self._widest, self._width)
            self._above = 0
        else:
            self._above += self._repeated
        self.cells = max(self.cells, self._rows * self._widest)
        self._start_row(1)


def _column_number(letters: bytes) -> int:
    """Give the number of a column by its letters.

    >>> _column_number(b"A"), _column_number(b"AA"), _column_number(b"XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
