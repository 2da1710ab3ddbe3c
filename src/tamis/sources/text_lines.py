"""Single lines of a text table: their cells, and whether they have numbers, totals or nothing."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

__all__ = [
    "BLANKS",
    "NUMBER",
    "all_integers",
    "all_match",
    "decimal_comma",
    "find_totals",
    "first_text",
    "is_blank",
    "is_missing",
    "is_number",
    "is_row",
    "join_quoted",
    "separator_of",
    "split_cells",
    "unquote",
]

BLANKS = " "  # any number of blanks between two values
_LONGEST_NUMBER = 40  # letters
_LONGEST_ROW = 1 << 26  # letters; beyond, a quote was never closed
_WRITTEN_NUMBER = re.compile(r"[-+]?(\d[\d.,' ]*|[.,]\d+)([eE][-+]?\d+)?%?")
_CLOSING = re.compile(r'[^"]*(?:""[^"]*)*"(?!")')
_NO_VALUE = re.compile(r"|[.?*-]+|n/?a|null|none|nan|missing|#n/a", re.IGNORECASE)
_TOTAL = re.compile(
    r"(grand |over)?(all|totals?|sum|mean|average|avg|summe|gesamt|insgesamt|mittelwert|somme|"
    r"moyenne) ?:?",
    re.IGNORECASE,
)
# Beside a mean these are statistics of the rows; alone SD is a state, and Max a person.
_STATISTIC = re.compile(
    r"(sd|s\.d\.|std\.?( ?dev\.?)?|stdev|standard deviation|sem|cv ?%?|rsd ?%?|median|min|max|"
    r"minimum|maximum|n|count|standardabweichung) ?:?",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(sources?|notes?|quelle|footnotes?|last updated|data from)\b|[*\u00a9]", re.IGNORECASE
)


def split_cells(line: str, separator: str) -> list[str]:
    """Split a line, at any number of blanks if these separate values.

    >>> split_cells(' 1   "a b" 2', " "), split_cells("1,2", ",")
    (['1', 'a b', '2'], ['1', '2'])
    """
    if separator == BLANKS:
        line = " ".join(line.split()) if '"' not in line else re.sub(r"[ \t]+", " ", line.strip())
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:  # a cell beyond what the library takes unasked
        csv.field_size_limit(max(csv.field_size_limit(), len(line)))
        return next(csv.reader([line], delimiter=separator), [])


def join_quoted(
    lines: Iterable[tuple[int, str]], separator: str | None, end: str = ""
) -> Iterator[tuple[int, str]]:
    r"""Join numbered lines to rows, each with its first number: a line end in quotes is no end.

    A quote opens a cell at its start only. Where the separator is not known, all usual ones count;
    `end` is what the lines lack.

    >>> list(join_quoted([(1, 'a,"b'), (2, 'c",d'), (3, "5\" pipe,1")], ",", "\n"))
    [(1, 'a,"b\nc",d'), (3, '5" pipe,1')]
    """
    marks = " \t" if separator == BLANKS else separator or ",;\t|"
    mark, cell = f"[{re.escape(marks)}]", rf'(?:"[^"]*(?:""[^"]*)*"|[^"{re.escape(marks)}]*)'
    opening, closed = re.compile(f'(?:^|{mark})"'), re.compile(rf"{cell}(?:{mark}{cell})*\s*")
    inside, start, size, parts = False, 0, 0, list[str]()
    for number, line in lines:
        # Most lines need no second look: that takes a step for each cell.
        if inside or ('"' in line and not closed.fullmatch(line)):
            inside = _ends_in_quotes(line, opening, inside)
        if not parts:
            if not inside:
                yield number, line
                continue
            start, size = number, 0
        parts.append(line)
        size += len(line)
        if not inside or size > _LONGEST_ROW:
            yield start, end.join(parts)
            parts.clear()
    if parts:
        yield start, end.join(parts)


def _ends_in_quotes(line: str, opening: re.Pattern[str], inside: bool) -> bool:
    """Whether a line ends within quotes, if it begins `inside` them; doubled ones are letters."""
    place = 0
    while True:
        found = _CLOSING.match(line, place) if inside else opening.search(line, place)
        if found is None:
            return inside
        inside, place = not inside, found.end()


def is_blank(line: str, separator: str | None = None) -> bool:
    """Whether a line, or a row in several, has separators at most; all usual ones if not known.

    >>> is_blank(',"",'), is_blank(";,|", ","), is_blank('"' * 4, ",")
    (True, False, False)
    """
    if line.strip(' \t,;|"\r\n\ufeff') or line.count('"') % 2:
        return False
    return separator is None or not any(map(str.strip, split_cells(line, separator)))


def is_number(cell: str) -> bool:
    """Whether a cell has digits, marks and a sign only, or a share.

    >>> is_number(" -1.234,5 "), is_number("12%"), is_number("1st"), is_number("")
    (True, True, False, False)
    """
    cell = cell.strip()
    return len(cell) <= _LONGEST_NUMBER and _WRITTEN_NUMBER.fullmatch(cell) is not None


def is_missing(cell: str) -> bool:
    """Whether a cell has nothing, or what is often written for that.

    >>> is_missing(" . "), is_missing("N/A"), is_missing("0")
    (True, True, False)
    """
    cell = cell.strip()
    return len(cell) <= _LONGEST_NUMBER and _NO_VALUE.fullmatch(cell) is not None


def is_row(cells: Sequence[str]) -> bool:
    """Whether most cells are numbers, as in a row of values."""
    filled = [cell for cell in cells if cell.strip()]
    return sum(map(is_number, filled)) > len(filled) / 2


def find_totals(lines: Sequence[str], separator: str, width: int) -> int:
    """Count the lines at the end that are sums of the rows, or notes below the table.

    >>> find_totals(["a,1,2", "b,3,4", "Total,4,6", "Source: us"], ",", 3)
    2
    """
    kinds: tuple[re.Pattern[str], ...] = (_TOTAL, _STATISTIC)
    count, totals = _count_last(lines, separator, width, kinds)
    if not any(_is_total(split_cells(line, separator)) for line in lines[len(lines) - count :]):
        kinds = (_TOTAL,)
        count, totals = _count_last(lines, separator, width, kinds)
    above = lines[: len(lines) - count]
    # Where rows above have such a name as well, it is one of their categories.
    if totals and any(_is_total(split_cells(line, separator), kinds) for line in above):
        return 0
    return count if above else 0


def _count_last(
    lines: Sequence[str], separator: str, width: int, kinds: Sequence[re.Pattern[str]]
) -> tuple[int, int]:
    """Count the last lines that are no rows, and how many of them are of these kinds."""
    count, totals = 0, 0
    for line in reversed(lines):
        cells = [] if is_blank(line, separator) else split_cells(line, separator)
        total = len(cells) == width and _is_total(cells, kinds)
        if cells and not total and not _is_note(cells, width):
            break
        count, totals = count + 1, totals + total
    return count, totals


def _is_total(cells: Sequence[str], kinds: Sequence[re.Pattern[str]] = (_TOTAL,)) -> bool:
    starts = [cell.strip() for cell in cells[:2] if len(cell.strip()) <= _LONGEST_NUMBER]
    return any(kind.fullmatch(cell) for kind in kinds for cell in starts)


def _is_note(cells: Sequence[str], width: int) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    if width < 3 or len(filled) != 1 or not cells[0].strip() or is_number(filled[0]):
        return False
    return _NOTE.match(filled[0]) is not None or (len(cells) == 1 and " " in filled[0])


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
