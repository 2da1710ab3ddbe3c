"""Excel files: a sheet becomes a text table, which is then read as every other."""

import csv
import os
import warnings
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, Unreadable, spelled
from tamis.progress import track
from tamis.registry import nearest
from tamis.sources.files import readable
from tamis.sources.scratch import scratch_folder, with_room

__all__ = ["sheet_as_text"]

# What was converted: the table is opened several times, and a sheet is slow to read.
_done: dict[tuple[str, str, int, int], Path] = {}


def sheet_as_text(path: Path, sheet: str | int | None = None) -> Path:
    """Write a sheet as CSV to a temporary file of the same name, and give its path."""
    found = path.stat()
    key = (str(path.resolve()), repr(sheet), found.st_size, found.st_mtime_ns)
    if key not in _done:
        text = scratch_folder() / path.name
        with readable(path), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and the like
            _convert(path, sheet, text)
        # A pass that resumes in another process knows the text by the time of the workbook.
        os.utime(text, ns=(found.st_atime_ns, found.st_mtime_ns))
        _done[key] = text
    return _done[key]


def _convert(path: Path, sheet: str | int | None, text: Path) -> None:
    openpyxl = _library()
    with path.open("rb") as file:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        chosen = book[_named(book.sheetnames, sheet, path.name)]
        chosen.reset_dimensions()  # what the file says of its size may be wrong
        rows = track("rows of the sheet read", _filled(chosen.iter_rows(values_only=True)))
        with with_room(), text.open("w", encoding="utf-8", newline="") as copy:
            writer, count = csv.writer(copy, lineterminator="\n"), 0
            for row in _squared(rows):
                writer.writerow([_written(cell) for cell in row])
                count += 1
        others = [name for name in book.sheetnames if name != chosen.title]
        if count < 2 and (others or not count):
            advice = f"choose another with {spelled('sheet', others[0])}" if others else "fill it"
            raise Unreadable(
                f"Sheet {chosen.title!r} of {path.name} has no rows: {advice}.", str(path)
            )


def _library() -> Any:
    try:
        import openpyxl
    except ImportError as error:
        raise TamisError("Excel files need openpyxl: pip install 'tamis[excel]'.") from error
    return openpyxl


def _named(names: list[str], sheet: str | int | None, label: str) -> str:
    """Give the name of a sheet by its name or its position from 1; None is the first."""
    if sheet is None:
        return names[0]
    if str(sheet) in names:
        return str(sheet)
    if str(sheet).isdecimal() and 1 <= int(sheet) <= len(names):
        return names[int(sheet) - 1]
    raise TamisError(f"{label} has no sheet {str(sheet)!r}{nearest(str(sheet), names)}")


def _filled(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Skip rows without any value."""
    return (row for row in rows if any(cell not in (None, "") for cell in row))


def _squared(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[Any]]:
    """Give all rows the width of the first, unless they have values beyond it."""
    width = 0
    for row in rows:
        width = width or max(j for j, cell in enumerate(row, start=1) if cell not in (None, ""))
        beyond = [cell for cell in row[width:] if cell not in (None, "")]
        yield [*row[:width], *[None] * (width - len(row)), *beyond]


def _written(cell: Any) -> str:
    """Write the value of a cell as text files have it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, date | time):
        return cell.isoformat()
    return repr(cell) if isinstance(cell, float) else str(cell)
