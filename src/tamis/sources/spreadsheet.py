"""Workbooks (.xlsx, .xls, .ods): a sheet becomes a text table, read as every other."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tamis.errors import TamisError, Unreadable, spell, spell_name
from tamis.memory import get_budget
from tamis.registry import nearest
from tamis.sources.apart import run_apart
from tamis.sources.files import explain_unreadable
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.sheet_rows import WrittenSheet

__all__ = ["SheetText", "sheet_as_text"]

_SHOWN_SHEETS = 5


@dataclass(frozen=True)
class SheetText:
    """A text table made of a sheet, and what is to be said to its reader."""

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
        with explain_unreadable(path):
            doubts = _convert(path, sheet, text)
        # A pass that resumes in another process knows the text by the time of the workbook.
        os.utime(text, ns=(found.st_atime_ns, found.st_mtime_ns))
        _done[key] = SheetText(text, doubts)
    return _done[key]


def _convert(path: Path, sheet: str | int | None, text: Path) -> tuple[str, ...]:
    _check_library()
    given = [str(path.absolute()), None if sheet is None else str(sheet), str(text)]
    with with_room():
        found = WrittenSheet(**run_apart("tamis.sources.sheet_rows", given, get_budget()))
    if not found.names:
        raise TamisError(f"{path.name} has no sheet: give a workbook with a table in it.")
    if not found.chosen:
        near = nearest(str(sheet), found.names)
        raise TamisError(f"{path.name} has no sheet {str(sheet)!r}{near}")
    others = [name for name in found.names if name != found.chosen]
    # A sheet of one row beside others is a note; alone it is a header without rows.
    if found.rows < 2 and (others or not found.rows):
        advice = f"choose another with {spell('sheet', others[0])}" if others else "fill it"
        raise Unreadable(f"Sheet {found.chosen!r} of {path.name} has no rows: {advice}.", str(path))
    if sheet is not None or not others:
        return ()
    return (_sheets_sentence(path.name, found.chosen, others),)


def _sheets_sentence(label: str, chosen: str, others: Sequence[str]) -> str:
    """Say which sheet is read where there are others.

    >>> _sheets_sentence("b.xlsx", "Data", ["2023"])
    "b.xlsx has 2 sheets, and 'Data' is read: sheet takes another ('2023')."
    """
    shown = ", ".join(map(repr, others[:_SHOWN_SHEETS]))
    more = " ..." if len(others) > _SHOWN_SHEETS else ""
    return (
        f"{label} has {len(others) + 1} sheets, and {chosen!r} is read: "
        f"{spell_name('sheet')} takes another ({shown}{more})."
    )


def _check_library() -> None:
    try:
        import python_calamine  # noqa: F401
    except ImportError as error:
        raise TamisError(
            "Workbooks (.xlsx, .xls, .ods) need python-calamine: pip install 'tamis[excel]'."
        ) from error
