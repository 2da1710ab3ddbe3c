"""What is wrong with a table, all of it in one sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tamis.errors import TamisError, spell, spell_name

__all__ = [
    "check_names",
    "commas_sentence",
    "header_sentence",
    "is_hexadecimal",
    "mixed_sentence",
    "no_header",
    "ragged_sentence",
    "text_sentence",
]

_MAX_SHOWN_TEXTS = 5
_MAX_ADVISED_NAMES = 10
_MAX_REPEATED_NAMES = 2  # names that may be there twice by mistake; a row of letters repeats more


def _check_letters(names: Sequence[str], label: str) -> None:
    """Refuse names that no file can hold: JSON and Python know halves of letters (surrogates)."""
    try:
        "".join(names).encode()
    except UnicodeEncodeError:
        broken = next(name for name in names if name.encode(errors="ignore").decode() != name)
        raise TamisError(
            f"The name {broken!r} of a column of {label} has a letter that does not exist: rename "
            "the column."
        ) from None


def check_names(names: Sequence[str], label: str) -> None:
    """Refuse tables without columns and columns without a name of their own.

    >>> check_names(["a", "", "a", "b", " "], "t.csv")
    Traceback (most recent call last):
    tamis.errors.TamisError: t.csv has columns without a name (2, 5) and two or more columns named
    'a': give every column a name of its own in the header.
    """
    if not names:
        raise TamisError(f"{label} has no columns: give a table with at least one.")
    _check_letters(names, label)
    if len(set(names)) == len(names) and all(map(str.strip, names)):
        return
    nameless = [place for place, name in enumerate(names, start=1) if not name.strip()]
    counts = Counter(name for name in names if name.strip())
    twice = [name for name, count in counts.items() if count > 1]
    hint = ""
    if any(map(_is_number, twice)) or len(twice) > _MAX_REPEATED_NAMES:
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


def _few(texts: list[str]) -> str:
    more = f" and {len(texts) - _MAX_SHOWN_TEXTS:,} more" if len(texts) > _MAX_SHOWN_TEXTS else ""
    return ", ".join(texts[:_MAX_SHOWN_TEXTS]) + more


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
