"""What is wrong with a table, or was read in a way that may be wrong: a sentence for each."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tamis.errors import TamisError, by_door, spell, spell_name

_MAX_SHOWN_TEXTS = 5
_MAX_ADVISED_NAMES = 10
_MAX_REPEATED_NAMES = 2  # names that may be there twice by mistake; a row of letters repeats more


def check_names(names: Sequence[str], label: str) -> None:
    """Refuse tables without columns and columns without a name of their own.

    >>> check_names(["a", "", "a", "b", " "], "t.csv")
    Traceback (most recent call last):
    tamis.errors.TamisError: t.csv has columns without a name (2, 5) and two or more columns named
    'a': give every column a name of its own in the header.
    """
    if not names:
        raise TamisError(f"{label} has no columns: give a table with at least one.")
    try:  # JSON and Python know halves of letters (surrogates), which no file can hold
        "".join(names).encode()
    except UnicodeEncodeError:
        broken = next(name for name in names if name.encode(errors="ignore").decode() != name)
        raise TamisError(
            f"The name {broken!r} of a column of {label} has a letter that does not exist: rename "
            "the column."
        ) from None
    if len(set(names)) == len(names) and all(map(str.strip, names)):
        return
    nameless = [place for place, name in enumerate(names, start=1) if not name.strip()]
    counts = Counter(name for name in names if name.strip())
    twice = [name for name, count in counts.items() if count > 1]
    hint = ""
    if any(map(_is_float, twice)) or len(twice) > _MAX_REPEATED_NAMES:
        hint = f", or pass {no_header()} if the first line has values"
    if len(nameless) == 1 and not twice:
        raise TamisError(f"Column {nameless[0]} of {label} has no name: name it in the header.")
    if len(twice) == 1 and not nameless:
        count = counts[twice[0]]
        number, which = ("two", "one of them") if count == 2 else (str(count), "all but one")
        raise TamisError(f"{label} has {number} columns named {twice[0]!r}: rename {which}{hint}.")
    what = [f"columns without a name ({_few(list(map(str, nameless)))})"] if nameless else []
    what += [f"two or more columns named {_few(list(map(repr, twice)))}"] if twice else []
    if what:
        raise TamisError(
            f"{label} has {' and '.join(what)}: give every column a name of its own in the header"
            f"{hint}."
        )


def text_sentence(label: str, found: Mapping[str, tuple[str, object]]) -> str:
    """Say which columns have text among their numbers, the first of it and its line.

    >>> text_sentence("t.csv", {"a": ("x", 3), "b": ("?", 9)})[:72]
    "2 columns of t.csv have text where numbers are needed ('a': 'x' in line "
    """
    names = list(found)
    if len(names) == 1:
        cell, line = found[names[0]]
        return (
            f"Column {names[0]!r} of {label} has the text {cell!r} (line {line}) where numbers are "
            f"needed: fix it, or skip the column with {spell('exclude', names)}."
        )
    shown = _few([f"{name!r}: {cell!r} in line {line}" for name, (cell, line) in found.items()])
    advice = spell("exclude", names) if len(names) <= _MAX_ADVISED_NAMES else spell_name("exclude")
    return (
        f"{len(names)} columns of {label} have text where numbers are needed ({shown}): fix it, or "
        f"skip the columns with {advice}."
    )


def ragged_sentence(label: str, expected: int, lines: Sequence[tuple[int, int]]) -> str:
    """Say which lines have too many or too few values; `lines` are their numbers and counts.

    >>> ragged_sentence("t.csv", 3, [(2, 1), (9, 4)])
    '2 lines of t.csv do not have 3 values as the header has (line 2: 1, line 9: 4): fix them.'
    """
    if len(lines) == 1:
        line, count = lines[0]
        values = "value" if count == 1 else "values"
        return (
            f"Line {line} of {label} has {count} {values} where the header has {expected}: "
            "fix that line."
        )
    shown = _few([f"line {line}: {count}" for line, count in lines])
    return (
        f"{len(lines):,} lines of {label} do not have {expected} values as the header has "
        f"({shown}): fix them."
    )


def header_sentence(label: str, names: Sequence[str]) -> str:
    """Say that the first line may be no header.

    >>> header_sentence("t.csv", ["0.31", "1.2"])[:69]
    "The first line of t.csv ('0.31', '1.2') is taken as the names of the "
    """
    return (
        f"The first line of {label} ({_few(list(map(repr, names)))}) is taken as the names of the "
        f"columns, but looks like a row of values: pass {no_header()} if it is one."
    )


def commas_sentence(label: str, names: Sequence[str]) -> str:
    """Say that commas were read as decimal marks and may be thousands.

    >>> commas_sentence("t.tsv", ["people"])[:67]
    "In t.tsv, a value such as '3,117' is read as 3.117 in the column 'p"
    """
    where = "column" if len(names) == 1 else "columns"
    flag = (
        spell("numbers", list(names)) if len(names) <= _MAX_ADVISED_NAMES else spell_name("numbers")
    )
    return (
        f"In {label}, a value such as '3,117' is read as 3.117 in the {where} "
        f"{_few(list(map(repr, names)))}, but its comma may separate thousands: then remove the "
        f"commas, or select with {flag}."
    )


def is_hexadecimal(text: str) -> bool:
    """Whether a text is an integer to the base 16, which Arrow takes for a number: 0x1F."""
    return text.strip().lower().startswith("0x")


def mixed_sentence(label: str, found: Mapping[str, tuple[str, object]]) -> str:
    """Say which columns of numbers are taken as categories, because of which text.

    >>> mixed_sentence("t.csv", {"a": ("x", 3)})[:70]
    "Text among numbers makes categories of a column of t.csv ('a': 'x' in "
    """
    shown = _few([f"{name!r}: {cell!r} in line {line}" for name, (cell, line) in found.items()])
    what = "a column" if len(found) == 1 else f"{len(found)} columns"
    return (
        f"Text among numbers makes categories of {what} of {label} ({shown}): empty such cells, "
        "and the column is read as numbers with missing values."
    )


def no_header() -> str:
    """Say how to read a file whose first line has values."""
    flag = spell("header", False)
    return flag if flag.startswith("-") else f"it as `tamis.TableFile(path, {flag})`"


def _few(texts: list[str], most: int = _MAX_SHOWN_TEXTS) -> str:
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


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
        f"{_where(lines)} of {label} ({_few_cells(cells)}) {_is(lines)} skipped as units or a "
        f"second header, having text over numbers: {_undo()}."
    )


def joined_sentence(label: str, lines: Sequence[int], names: Sequence[str]) -> str:
    """Say that two lines have the names together.

    >>> joined_sentence("t.csv", [1, 2], ["Pump flow", "Pump level"])[:57]
    "Lines 1 to 2 of t.csv are read as the names ('Pump flow',"
    """
    return f"{_where(lines)} of {label} are read as the names ({_few_cells(names)}): {_undo()}."


def completed_sentence(label: str, names: Sequence[str]) -> str:
    """Say that columns got names, having none or that of another.

    >>> completed_sentence("t.csv", ["value.1"])[:55]
    'A column of t.csv has no name of its own and is called '
    """
    one = len(names) == 1
    what = f"A column of {label} has" if one else f"{len(names)} columns of {label} have"
    return (
        f"{what} no name of {'its' if one else 'their'} own and {'is' if one else 'are'} called "
        f"{_few_cells(names)}: name {'it' if one else 'them'} in the header."
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
        f"The first line of {label} ({_few_cells(cells)}) has values, so the columns are called "
        "x0, x1, ...: write a line with names above it to have them."
    )


def blank_rows_sentence(label: str, lines: Sequence[int]) -> str:
    """Say that rows without any value are skipped.

    >>> blank_rows_sentence("t.csv", [4, 9])
    'Rows of t.csv without any value (lines 4, 9) are skipped.'
    """
    shown = list_few(lines, _MAX_CELLS_SHOWN)
    return f"Rows of {label} without any value (line{'s'[: len(lines) > 1]} {shown}) are skipped."


def encoding_sentence(label: str, name: str, example: str) -> str:
    """Say in which encoding a text is read that is not UTF-8."""
    such = f" (such as {_shorten(example)!r})" if example else ""
    return (
        f"{label} is not UTF-8 and is read as {name}{such}: name another with "
        f"{spell_name('encoding')} if letters are wrong."
    )


def _undo() -> str:
    asked = spell("skip_lines", "none")
    return by_door(f"`tamis.TableFile(path, {asked})` reads all", f"{asked} reads all")


def _where(lines: Sequence[int]) -> str:
    return f"Line {lines[0]}" if len(lines) == 1 else f"Lines {lines[0]} to {lines[-1]}"


def _list(lines: Sequence[int]) -> str:
    return f"Line{'s'[: len(lines) > 1]} {_few(list(map(str, lines)), _MAX_CELLS_SHOWN)}"


def _is(lines: Sequence[int]) -> str:
    return "is" if len(lines) == 1 else "are"


def _is_float(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def list_few(values: Sequence[object], most: int) -> str:
    """Write the first of some values, with dots where there are more.

    >>> list_few(["a", "b", "c"], 2)
    "'a', 'b', ..."
    """
    return ", ".join([*map(repr, values[:most]), *["..."][: len(values) > most]])


def _few_cells(cells: Sequence[str]) -> str:
    filled = [cell.strip() for cell in cells if cell.strip()]
    return list_few([*map(_shorten, filled[: _MAX_CELLS_SHOWN + 1])], _MAX_CELLS_SHOWN)


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_LETTERS else text[: _MAX_SHOWN_LETTERS - 3] + "..."
