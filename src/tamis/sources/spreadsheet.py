"""Workbooks (.xlsx, .xls, .ods): a sheet becomes a text table, read as every other."""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, Unreadable, spelled, spelled_name
from tamis.progress import track
from tamis.registry import nearest
from tamis.sources.files import readable
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.suffixes import suffix_of
from tamis.sources.workbook_sizes import check_workbook

__all__ = ["SheetText", "sheet_as_text"]

_SHOWN_SHEETS = 5


@dataclass(frozen=True)
class SheetText:
    """A text table made of a sheet, and what its reader must be told."""

    path: Path
    doubts: tuple[str, ...]


# What was converted: the table is opened several times, and a sheet is slow to read.
_done: dict[tuple[str, str, int, int], SheetText] = {}


def sheet_as_text(path: Path, sheet: str | int | None = None) -> SheetText:
    """Write a sheet as CSV to a temporary file of the same name."""
    found = path.stat()
    key = (str(path.resolve()), repr(sheet), found.st_size, found.st_mtime_ns)
    if key not in _done:
        text = scratch_folder() / path.name
        with readable(path):
            doubts = _convert(path, sheet, text)
        # A pass that resumes in another process knows the text by the time of the workbook.
        os.utime(text, ns=(found.st_atime_ns, found.st_mtime_ns))
        _done[key] = SheetText(text, doubts)
    return _done[key]


def _convert(path: Path, sheet: str | int | None, text: Path) -> tuple[str, ...]:
    library = _load_library()
    check_workbook(path, suffix_of(path))
    try:
        with library.CalamineWorkbook.from_path(str(path)) as book:
            names = _list_sheets(library, book)
            chosen = _find_sheet(names, sheet, path.name)
            read = book.get_sheet_by_name(chosen)
            rows = track("rows of the sheet read", _filled(read.iter_rows()))
            with with_room(), text.open("w", encoding="utf-8", newline="") as copy:
                count = _write_rows(rows, copy)
    except BaseException as error:  # a panic of the library is no Exception
        if isinstance(error, Exception | KeyboardInterrupt | SystemExit | GeneratorExit):
            raise
        raise ValueError("its sheets are damaged") from error
    others = [name for name in names if name != chosen]
    # A sheet of one row beside others is a note; alone it is a header without rows.
    if count < 2 and (others or not count):
        advice = f"choose another with {spelled('sheet', others[0])}" if others else "fill it"
        raise Unreadable(f"Sheet {chosen!r} of {path.name} has no rows: {advice}.", str(path))
    return () if sheet is not None or not others else (_sheets_sentence(path.name, chosen, others),)


def _sheets_sentence(label: str, chosen: str, others: Sequence[str]) -> str:
    """Say which sheet is read where there are others.

    >>> _sheets_sentence("b.xlsx", "Data", ["2023"])
    "b.xlsx has 2 sheets, and 'Data' is read: sheet takes another ('2023')."
    """
    shown = ", ".join(map(repr, others[:_SHOWN_SHEETS]))
    more = " ..." if len(others) > _SHOWN_SHEETS else ""
    return (
        f"{label} has {len(others) + 1} sheets, and {chosen!r} is read: "
        f"{spelled_name('sheet')} takes another ({shown}{more})."
    )


def _list_sheets(library: Any, book: Any) -> list[str]:
    """Name the sheets of cells that are shown, or all of those: charts and macros are none."""
    sheets = [one for one in book.sheets_metadata if one.typ == library.SheetTypeEnum.WorkSheet]
    return [one.name for one in sheets if one.visible == library.SheetVisibleEnum.Visible] or [
        one.name for one in sheets
    ]


def _write_rows(rows: Iterator[list[Any]], copy: Any) -> int:
    writer, count = csv.writer(copy, lineterminator="\n"), 0
    for row in _squared(rows):
        writer.writerow([_written(cell) for cell in row])
        count += 1
    return count


def _load_library() -> Any:
    try:
        import python_calamine
    except ImportError as error:
        raise TamisError(
            "Workbooks (.xlsx, .xls, .ods) need python-calamine: pip install 'tamis[excel]'."
        ) from error
    return python_calamine


def _find_sheet(names: list[str], sheet: str | int | None, label: str) -> str:
    """Give the name of a sheet by its name or its position from 1; None is the first."""
    if not names:
        raise TamisError(f"{label} has no sheet: give a workbook with a table in it.")
    if sheet is None:
        return names[0]
    if str(sheet) in names:
        return str(sheet)
    if str(sheet).isdecimal() and 1 <= int(sheet) <= len(names):
        return names[int(sheet) - 1]
    raise TamisError(f"{label} has no sheet {str(sheet)!r}{nearest(str(sheet), names)}")


def _filled(rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
    """Skip rows without any value."""
    return (row for row in rows if any(cell not in (None, "") for cell in row))


def _squared(rows: Iterator[list[Any]]) -> Iterator[list[Any]]:
    """Give all rows the width of the first, unless they have values beyond it."""
    width = 0
    for row in rows:
        width = width or max(j for j, cell in enumerate(row, start=1) if cell not in (None, ""))
        beyond = [cell for cell in row[width:] if cell not in (None, "")]
        yield [*row[:width], *[None] * (width - len(row)), *beyond]


def _written(cell: Any) -> str:
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
