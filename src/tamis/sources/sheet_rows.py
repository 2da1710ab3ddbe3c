"""The rows of a sheet, written as CSV; also as a process of its own.

A damaged .xls file can end the process that reads it, and what it asks for in memory cannot be
found out before: it is read in another process, with a limit.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from tamis.sources.apart import run_apart, serve_apart

__all__ = ["WrittenSheet", "write_apart", "write_sheet"]


@dataclass(frozen=True, eq=False)
class WrittenSheet:
    """The sheets of a workbook, the one that was written, and its rows; "" if there is none."""

    names: list[str]
    chosen: str
    rows: int


def write_sheet(path: Path, sheet: str | None, text: Path, track: Any = iter) -> WrittenSheet:
    """Write a sheet, by name or by position from 1; None is the first."""
    import python_calamine

    with python_calamine.CalamineWorkbook.from_path(str(path)) as book:
        names = _list_sheets(python_calamine, book)
        chosen = _find_sheet(names, sheet)
        if not chosen:
            return WrittenSheet(names, "", 0)
        rows = track(_skip_blank_rows(book.get_sheet_by_name(chosen).iter_rows()))
        with text.open("w", encoding="utf-8", newline="") as copy:
            return WrittenSheet(names, chosen, _write_rows(rows, copy))


def write_apart(path: Path, sheet: str | None, text: Path, room: int) -> WrittenSheet:
    """Do the same in a process of its own, which may take so many bytes of memory."""
    given = [str(path.resolve()), sheet, str(text)]
    return WrittenSheet(**run_apart("tamis.sources.sheet_rows", given, room))


def _serve(path: str, sheet: str | None, text: str) -> dict[str, Any]:
    return asdict(write_sheet(Path(path), sheet, Path(text)))


def _list_sheets(library: Any, book: Any) -> list[str]:
    """Name the sheets of cells that are shown, or all of those: charts and macros are none."""
    sheets = [one for one in book.sheets_metadata if one.typ == library.SheetTypeEnum.WorkSheet]
    shown = [one.name for one in sheets if one.visible == library.SheetVisibleEnum.Visible]
    return shown or [one.name for one in sheets]


def _find_sheet(names: list[str], sheet: str | None) -> str:
    if sheet is None:
        return names[0] if names else ""
    if sheet in names:
        return sheet
    known = sheet.isdecimal() and 1 <= int(sheet) <= len(names)
    return names[int(sheet) - 1] if known else ""


def _write_rows(rows: Iterator[list[Any]], copy: Any) -> int:
    writer, count = csv.writer(copy, lineterminator="\n"), 0
    for row in _square_rows(rows):
        writer.writerow([_write_cell(cell) for cell in row])
        count += 1
    return count


def _skip_blank_rows(rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
    """Skip rows without any value."""
    return (row for row in rows if any(cell not in (None, "") for cell in row))


def _square_rows(rows: Iterator[list[Any]]) -> Iterator[list[Any]]:
    """Give all rows the width of the first, unless they have values beyond it."""
    width = 0
    for row in rows:
        width = width or max(j for j, cell in enumerate(row, start=1) if cell not in (None, ""))
        beyond = [cell for cell in row[width:] if cell not in (None, "")]
        yield [*row[:width], *[None] * (width - len(row)), *beyond]


def _write_cell(cell: Any) -> str:
    """Write the value of a cell as text files have it; every number of a workbook is a float."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    return str(cell)


if __name__ == "__main__":
    serve_apart(_serve)
