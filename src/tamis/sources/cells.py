"""What the cells of a text table hold, and what separates them."""

import re

import pyarrow as pa

__all__ = [
    "NUMBER",
    "all_integers",
    "all_match",
    "decimal_comma",
    "first_text",
    "separator_of",
    "unquote",
]

_NUMBER_PATTERN = r"^\s*-?\d*[.,]?\d+([eE][-+]?\d+)?\s*$"
_INTEGER_PATTERN = r"^ *-?(0|[1-9]\d{0,18}) *$"
_AS_NUMBER = r"(?i)^\s*-?((\d+%s?\d*|%s\d+)(e[-+]?\d+)?|nan|inf(inity)?)\s*$"
NUMBER = r"^ *-?(0|[1-9]\d*)?(\.\d+)?([eE][-+]?\d+)? *$"
_CELLS_LOOKED_AT = 50


def first_text(cells: pa.Array, decimal: str) -> int:
    """Give the position of the first cell that is no number, -1 if there is none."""
    import pyarrow.compute

    numbers = pyarrow.compute.match_substring_regex(cells, _AS_NUMBER % ((re.escape(decimal),) * 2))
    return pyarrow.compute.index(numbers, False).as_py()


def all_match(cells: pa.Array, pattern: str) -> bool:
    """Whether all cells that have a value match a pattern."""
    import pyarrow.compute

    return pyarrow.compute.all(pyarrow.compute.match_substring_regex(cells, pattern)).as_py() in (
        True,
        None,
    )


def all_integers(cells: pa.Array) -> bool:
    """Whether all cells that have a value are integers, written as such."""
    import pyarrow.compute

    try:
        pyarrow.compute.utf8_trim(cells, " ").cast(pa.int64())
    except pa.ArrowInvalid:
        return False
    return all_match(cells, _INTEGER_PATTERN)  # 007 is a name, though it could be read


def decimal_comma(text: str, separator: str) -> bool:
    """Whether numbers between separators other than commas are written 1,5 and never 1.5."""
    if separator == ",":
        return False
    edge = re.escape(separator)
    # Only three digits after one to three others may be thousands: 3.117 says nothing, 0.5 does.
    sure = rf'(?:\d*%s(?!\d{{3}}"?(?:{edge}|$))\d+|(?:0\d*|\d{{4,}}|)%s\d{{3}})'

    def has(mark: str, number: str) -> bool:
        cell = rf'(?:^|{edge})"?-?{number.replace("%s", re.escape(mark))}"?(?:{edge}|$)'
        return re.search(cell, text, re.MULTILINE) is not None

    if not has(",", r"\d*%s\d+") or has(".", sure):
        return False
    return has(",", sure) or not has(".", r"\d*%s\d+")


def separator_of(header: str, below: str) -> str:
    """Take the mark that splits the rows as it splits the header, and leaves most numbers."""
    bare, rows = unquote(header), unquote(below).split("\n")[:_CELLS_LOOKED_AT]
    match = re.compile(_NUMBER_PATTERN).match

    def fit(mark: str) -> tuple[int, int, bool, int]:
        count = bare.count(mark)
        alike = [row.split(mark) for row in rows if row.count(mark) == count]
        numbers = sum(match(cell) is not None for cells in alike for cell in cells)
        return len(alike), numbers, mark == ",", count

    return max([mark for mark in ",;\t|" if mark in bare] or [","], key=fit)


def unquote(text: str) -> str:
    """Take what stands in quotes from a text."""
    return re.sub(r'"[^"]*"', "", text)
