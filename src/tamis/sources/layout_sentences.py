"""What is said about lines of a text table that are no rows."""

from collections.abc import Sequence

from tamis.errors import by_door, spell, spell_name

__all__ = [
    "blank_rows_sentence",
    "completed_sentence",
    "encoding_sentence",
    "headerless_sentence",
    "joined_sentence",
    "repeated_sentence",
    "second_sentence",
    "subtotals_sentence",
    "titles_sentence",
    "totals_sentence",
]

_MAX_CELLS_SHOWN = 4
_MAX_SHOWN_LETTERS = 30  # letters of a cell that is shown


def titles_sentence(label: str, lines: Sequence[int], first: str, *, names: bool) -> str:
    """Say that lines stand above the table, or hold its names as a comment.

    >>> titles_sentence("t.csv", [1, 2], "Sales of 2023,,", names=False)[:51]
    "Lines 1 to 2 of t.csv ('Sales of 2023') are skipped"
    """
    shown = _shorten(first.strip(' \t,;|\ufeff"\r\n'))
    if names:
        return f"{_where(lines)} of {label} ({shown!r}) {_is(lines)} read as the names."
    return (
        f"{_where(lines)} of {label} ({shown!r}) {_is(lines)} skipped as a title above the table: "
        f"{_undo()}."
    )


def second_sentence(label: str, lines: Sequence[int], cells: Sequence[str]) -> str:
    """Say that lines below the header are no rows.

    >>> second_sentence("t.csv", [2], ["mm", "kg"])[:39]
    "Line 2 of t.csv ('mm', 'kg') is skipped"
    """
    return (
        f"{_where(lines)} of {label} ({_few(cells)}) {_is(lines)} skipped as units or a second "
        f"header, having text over numbers: {_undo()}."
    )


def joined_sentence(label: str, lines: Sequence[int], names: Sequence[str]) -> str:
    """Say that two lines have the names together.

    >>> joined_sentence("t.csv", [1, 2], ["Pump flow", "Pump level"])[:57]
    "Lines 1 to 2 of t.csv are read as the names ('Pump flow',"
    """
    return f"{_where(lines)} of {label} are read as the names ({_few(names)}): {_undo()}."


def completed_sentence(label: str, names: Sequence[str]) -> str:
    """Say that columns got names, having none or that of another.

    >>> completed_sentence("t.csv", ["value.1"])[:55]
    'A column of t.csv has no name of its own and is called '
    """
    one = len(names) == 1
    what = f"A column of {label} has" if one else f"{len(names)} columns of {label} have"
    return (
        f"{what} no name of {'its' if one else 'their'} own and {'is' if one else 'are'} called "
        f"{_few(names)}: name {'it' if one else 'them'} in the header."
    )


def repeated_sentence(label: str, lines: Sequence[int]) -> str:
    """Say that the header stands within the table again.

    >>> repeated_sentence("t.csv", [52])[:51]
    'Line 52 of t.csv repeats the header and is skipped:'
    """
    verb = "repeats the header and is" if len(lines) == 1 else "repeat the header and are"
    return f"{_list(lines)} of {label} {verb} skipped: {_undo()}."


def subtotals_sentence(label: str, lines: Sequence[int]) -> str:
    """Say that lines within the table sum up rows.

    >>> subtotals_sentence("t.csv", [22, 43])[:46]
    'Lines 22, 43 of t.csv are skipped as subtotals'
    """
    return f"{_list(lines)} of {label} are skipped as subtotals: {_undo()}."


def totals_sentence(label: str, lines: Sequence[int], first: str) -> str:
    """Say that lines at the end are no rows.

    >>> totals_sentence("t.csv", [9], "Total,3,4")[:40]
    "Line 9 of t.csv ('Total,3,4') is skipped"
    """
    return (
        f"{_where(lines)} of {label} ({_shorten(first.strip())!r}) {_is(lines)} skipped as totals "
        f"or a note below the table: {_undo()}."
    )


def headerless_sentence(label: str, cells: Sequence[str]) -> str:
    """Say that the first line is taken as values."""
    return (
        f"The first line of {label} ({_few(cells)}) has values, so the columns are called x0, x1, "
        "...: write a line with names above it to have them."
    )


def blank_rows_sentence(label: str, lines: Sequence[int]) -> str:
    """Say that rows without any value are skipped.

    >>> blank_rows_sentence("t.csv", [4, 9])
    'Rows of t.csv without any value (lines 4, 9) are skipped.'
    """
    shown = ", ".join(map(str, lines[:_MAX_CELLS_SHOWN])) + (
        ", ..." if len(lines) > _MAX_CELLS_SHOWN else ""
    )
    return f"Rows of {label} without any value (line{'s'[: len(lines) > 1]} {shown}) are skipped."


def encoding_sentence(label: str, name: str, example: str) -> str:
    """Say in which encoding a text is read that is not UTF-8."""
    such = f" (such as {_shorten(example)!r})" if example else ""
    return (
        f"{label} is not UTF-8 and is read as {name}{such}: name another with "
        f"{spell_name('encoding')} if letters are wrong."
    )


def _undo() -> str:
    """Say how to read lines that are skipped."""
    asked = spell("skip_lines", "none")
    return by_door(f"`tamis.TableFile(path, {asked})` reads all", f"{asked} reads all")


def _where(lines: Sequence[int]) -> str:
    return f"Line {lines[0]}" if len(lines) == 1 else f"Lines {lines[0]} to {lines[-1]}"


def _list(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:_MAX_CELLS_SHOWN]))
    more = f" and {len(lines) - _MAX_CELLS_SHOWN:,} more" if len(lines) > _MAX_CELLS_SHOWN else ""
    return f"Line{'s'[: len(lines) > 1]} {shown}{more}"


def _is(lines: Sequence[int]) -> str:
    return "is" if len(lines) == 1 else "are"


def _few(cells: Sequence[str]) -> str:
    filled = [cell.strip() for cell in cells if cell.strip()]
    more = ", ..." if len(filled) > _MAX_CELLS_SHOWN else ""
    return ", ".join(repr(_shorten(cell)) for cell in filled[:_MAX_CELLS_SHOWN]) + more


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_LETTERS else text[: _MAX_SHOWN_LETTERS - 3] + "..."
