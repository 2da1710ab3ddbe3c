"""The rows of a sheet, written as CSV by a process of its own.

A damaged .xls file can end the process that reads it, and what a sheet asks for in memory cannot be
found out before: two cells far apart make a full grid, and one text may stand in all of them.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from itertools import chain, islice
from pathlib import Path
from typing import Any

from tamis.sources.apart import serve_apart

__all__ = ["WrittenSheet", "write_sheet"]

_FIRST_ROWS = 50  # that show how wide a sheet is, and whether it has a table
_FEWEST_TABLE_ROWS = 3


@dataclass(frozen=True, eq=False)
class WrittenSheet:
    """The sheets of a workbook, the one that was written, and its rows; "" if there is none."""

    names: list[str]
    chosen: str
    rows: int


def write_sheet(path: str, sheet: str | None, text: str) -> dict[str, Any]:
    """Write a sheet, by name or by position from 1, and give the fields of a `WrittenSheet`.

    None is the first that has a table.
    """
    import python_calamine

    with python_calamine.CalamineWorkbook.from_path(path) as book:
        names = _list_sheets(python_calamine, book)
        chosen = _find_table(book, names) if sheet is None else _find_sheet(names, sheet)
        if not chosen:
            return asdict(WrittenSheet(names, "", 0))
        rows = _skip_blank_rows(book.get_sheet_by_name(chosen).iter_rows())
        with Path(text).open("w", encoding="utf-8", newline="") as copy:
            return asdict(WrittenSheet(names, chosen, _write_rows(rows, copy)))


def _list_sheets(library: Any, book: Any) -> list[str]:
    """Name the sheets of cells that are shown, or all of those: charts and macros are none."""
    sheets = [one for one in book.sheets_metadata if one.typ == library.SheetTypeEnum.WorkSheet]
    shown = [one.name for one in sheets if one.visible == library.SheetVisibleEnum.Visible]
    return shown or [one.name for one in sheets]


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


def _find_sheet(names: list[str], sheet: str) -> str:
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
    """Give all rows the width of the table, unless they have values beyond it.

    The first row may be a title of one cell: what is below it stays in its column. The table is
    as wide as its header, or as several rows are; a value beyond that is for its reader to see.
    """
    first = list(islice(rows, _FIRST_ROWS))
    times = Counter(map(_count_cells, first))
    headers = [_count_cells(row) for row in first if _may_be_names(row)]
    shared = [cells for cells, count in times.items() if count > 1]
    width = max([*map(_count_cells, first[:1]), *headers, *shared], default=0)
    for row in chain(first, rows):
        beyond = [cell for cell in row[width:] if cell not in (None, "")]
        yield [*row[:width], *[None] * (width - len(row)), *beyond]


def _may_be_names(row: list[Any]) -> bool:
    filled = [cell for cell in row if cell not in (None, "")]
    return len(filled) > 1 and all(isinstance(cell, str) for cell in filled)


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
