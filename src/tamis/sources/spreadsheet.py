"""Workbooks (.xlsx, .xls, .ods): a sheet becomes a text table, read as every other.

A process of its own writes its rows as CSV: a damaged .xls file can end the process that reads it,
and what a sheet asks for in memory cannot be found out before: two cells far apart make a full
grid, and one text may stand in all of them.
"""

import csv
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, Unreadable, spell, spell_name
from tamis.memory import get_budget
from tamis.registry import nearest
from tamis.sources.apart import run_apart, serve_apart
from tamis.sources.files import explain_unreadable, once_per_file
from tamis.sources.scratch import scratch_folder, with_room

_SHOWN_SHEETS = 5
_FIRST_ROWS = 50  # that show how wide a sheet is, and whether it has a table
_FEWEST_TABLE_ROWS = 3


@once_per_file
def sheet_as_text(path: Path, sheet: str | int | None = None) -> tuple[Path, tuple[str, ...]]:
    """Write a sheet as CSV to a temporary file of the same name, and say which where it matters."""
    found, text = path.stat(), scratch_folder() / path.name
    if find_spec("python_calamine") is None:
        raise TamisError(
            "Workbooks (.xlsx, .xls, .ods) need python-calamine: pip install 'tamis[excel]'."
        )
    given = [str(path.absolute()), None if sheet is None else str(sheet), str(text)]
    with explain_unreadable(path), with_room():
        written = run_apart("tamis.sources.spreadsheet", given, get_budget())
    names, chosen, rows = written["names"], written["chosen"], written["rows"]
    if not names:
        raise TamisError(f"{path.name} has no sheet: give a workbook with a table in it.")
    if not chosen:
        raise TamisError(f"{path.name} has no sheet {str(sheet)!r}{nearest(str(sheet), names)}")
    others = [name for name in names if name != chosen]
    # A sheet of one row beside others is a note; alone it is a header without rows.
    if rows < 2 and (others or not rows):
        advice = f"choose another with {spell('sheet', others[0])}" if others else "fill it"
        raise Unreadable(f"Sheet {chosen!r} of {path.name} has no rows: {advice}.", str(path))
    # A pass that resumes in another process knows the text by the time of the workbook.
    os.utime(text, ns=(found.st_atime_ns, found.st_mtime_ns))
    if sheet is not None or not others:
        return text, ()
    shown = ", ".join(map(repr, others[:_SHOWN_SHEETS]))
    more = " ..." if len(others) > _SHOWN_SHEETS else ""
    said = f"{path.name} has {len(names)} sheets, and {chosen!r} is read: "
    return text, (f"{said}{spell_name('sheet')} takes another ({shown}{more}).",)


def write_sheet(path: str, sheet: str | None, text: str) -> dict[str, Any]:
    """Write a sheet, by name or by position from 1; None is the first that has a table.

    Gives the names of all sheets, the chosen one, "" if there is none, and its number of rows.
    """
    import python_calamine

    with python_calamine.CalamineWorkbook.from_path(path) as book:
        # Charts and macros are no sheets of cells; hidden ones count where no other is there.
        kinds, sights = python_calamine.SheetTypeEnum, python_calamine.SheetVisibleEnum
        sheets = [one for one in book.sheets_metadata if one.typ == kinds.WorkSheet]
        shown = [one.name for one in sheets if one.visible == sights.Visible]
        names = shown or [one.name for one in sheets]
        if sheet is None:
            chosen = _find_table(book, names)
        elif sheet in names or not sheet.isdecimal():
            chosen = sheet if sheet in names else ""
        else:
            chosen = dict(enumerate(names, start=1)).get(int(sheet), "")
        if not chosen:
            return {"names": names, "chosen": "", "rows": 0}
        rows = _skip_blank_rows(book.get_sheet_by_name(chosen).iter_rows())
        with Path(text).open("w", encoding="utf-8", newline="") as copy:
            writer, count = csv.writer(copy, lineterminator="\n"), 0
            for row in _square_rows(rows):
                writer.writerow([_write_cell(cell) for cell in row])
                count += 1
        return {"names": names, "chosen": chosen, "rows": count}


def _find_table(book: Any, names: list[str]) -> str:
    """Give the first sheet with at least half as many numbers as the one with most.

    Before the data there are often a cover and a list of what the columns mean, which may be
    numbered; several sheets of data are alike, and the first of them is read.
    """
    if len(names) < 2:
        return names[0] if names else ""
    counts = [_count_numbers(book.get_sheet_by_name(name)) for name in names]
    return next(name for name, n in zip(names, counts, strict=True) if n >= max(counts) / 2)


def _count_numbers(sheet: Any) -> float:
    """Count the numbers of a sheet by its first rows; 0 where few of them have several values."""
    first = list(islice(_skip_blank_rows(sheet.iter_rows()), _FIRST_ROWS))
    filled = [[cell for cell in row if cell not in (None, "")] for row in first]
    rows = [row for row in filled if len(row) > 1 and any(map(_is_number, row))]
    if len(rows) < _FEWEST_TABLE_ROWS:
        return 0.0
    return sum(map(_is_number, chain(*rows))) * max(1.0, sheet.height / len(first))


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _skip_blank_rows(rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
    return (row for row in rows if any(cell not in (None, "") for cell in row))


def _square_rows(rows: Iterator[list[Any]]) -> Iterator[list[Any]]:
    """Give all rows the width of the table, unless they have values beyond it.

    The first row may be a title of one cell: what is below it stays in its column. The table is
    as wide as its header, or as several rows are; a value beyond that is for its reader to see.
    """
    first = list(islice(rows, _FIRST_ROWS))
    times = Counter(map(_count_cells, first))
    headers = []
    for row in first:
        filled = [cell for cell in row if cell not in (None, "")]
        if len(filled) > 1 and all(isinstance(cell, str) for cell in filled):
            headers.append(_count_cells(row))
    shared = [cells for cells, count in times.items() if count > 1]
    width = max([*map(_count_cells, first[:1]), *headers, *shared], default=0)
    for row in chain(first, rows):
        beyond = [cell for cell in row[width:] if cell not in (None, "")]
        yield [*row[:width], *[None] * (width - len(row)), *beyond]


def _count_cells(row: list[Any]) -> int:
    """Count the cells up to the last that has a value."""
    return max((j for j, cell in enumerate(row, start=1) if cell not in (None, "")), default=0)


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
    serve_apart(write_sheet)
