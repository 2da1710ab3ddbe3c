"""How a text table is laid out: lines that are no rows, columns without anything, no header.

Judged by its first lines and its last, cell by cell; what is skipped is said with its line.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import pyarrow as pa

from tamis.rules import tables as rules
from tamis.sources.faults import (
    blank_rows_sentence,
    completed_sentence,
    headerless_sentence,
    joined_sentence,
    second_sentence,
    titles_sentence,
)
from tamis.values import dataclass

_COMMENT_STARTS = ("#", "%", "!", "//")
_MOST_SECOND = 3  # lines below it that are no rows


@dataclass(frozen=True)
class Layout:
    """What of a text table is read.

    `left_out` are the numbers of lines, from 1, that are no rows; `blank` the positions of columns
    without a name and a value, `blank_rows` whether there are rows without any; `names` a header
    that replaces the first line, as a comment holds it or as it is completed. `header` is whether
    the first line that is read has the names, `first` the number of that line, `last` that of the
    last one where there are more; `texts` is what the lines below the names say about the columns.
    """

    separator: str | None = None
    left_out: tuple[int, ...] = ()
    blank: tuple[int, ...] = ()
    blank_rows: bool = False
    names: tuple[str, ...] = ()
    header: bool = True
    first: int = 0
    last: int | None = None
    texts: tuple[tuple[str, str], ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the file can be read as it is."""
        lines = self.left_out or self.blank_rows or self.names or self.last is not None
        return not (lines or self.blank or self.separator == BLANKS)

    def saying(self, sentence: str) -> "Layout":
        """Add what is to be said to its reader."""
        return replace(self, doubts=(*self.doubts, sentence))


def find_layout(
    lines: Sequence[str],
    label: str,
    *,
    mark: str | None = None,
    header: bool | None = None,
    headerless: bool = False,
) -> Layout:
    """Find the layout by the first lines, given without their ends.

    `mark` and `header` are what was said of the separator and of the first line; `headerless`
    whether files of this suffix usually begin with values.
    """
    tops = [i for i, line in enumerate(lines[: rules.MOST_TITLES + 1]) if not is_blank(line)]
    if not tops:
        return Layout()
    above = lines[tops[0] - 1].strip(" \r\n\ufeff") if tops[0] else ""
    if above and is_row(split_cells(lines[tops[0]], above[0])):  # names that were forgotten
        return Layout()
    comments, start = _read_comments(lines, tops[0])
    below = list(enumerate(lines[start:], start=start + 1))
    sample = _take_some(join_quoted(below, mark, "\n"))
    separator = mark or _find_separator([text for _, text in sample if not is_blank(text)])
    if separator is None:
        return Layout()
    joined = list(join_quoted(below, separator, "\n"))
    sample = _take_some(joined)
    n_titles = _count_titles([text for _, text in sample], separator) if header is None else 0
    titles = sum(len(_lines_of(row)) for row in joined[:n_titles])
    split = [(_lines_of(row), split_cells(row[1], separator)) for row in sample[n_titles:]]
    split = [(place, cells) for place, cells in split if any(map(str.strip, cells))]
    if not split:
        return Layout()
    places, rows = [place for place, _ in split], [cells for _, cells in split]
    names = comments if comments and len(comments) == len(rows[0]) else ()
    named = bool(names) or _has_names(rows, headerless) if header is None else header
    found = Layout(separator, tuple(range(1, start + titles + 1)), names=tuple(names), header=named)
    skipped = [i for i in found.left_out if i > tops[0] and not is_blank(lines[i - 1])]
    if skipped:
        said = skipped[-1:] if names else skipped  # of several comments the last has the names
        found = found.saying(titles_sentence(label, said, lines[said[0] - 1], names=bool(names)))
    if header is None and not named:
        found = found.saying(headerless_sentence(label, rows[0]))
    filled = [(i, text) for i, text in joined[n_titles:] if text.strip("\ufeff \r\n")]
    # Rows that have separators and no value; Arrow skips empty ones.
    if empty := [i for i, text in filled if is_blank(text, separator)]:
        found = replace(found, blank_rows=True).saying(blank_rows_sentence(label, empty))
    if named and not names:
        # Without a name and a value, but for the first: it may have the names of the rows.
        blank = tuple(
            j
            for j, name in enumerate(rows[0])
            if j and not name.strip() and not any(row[j : j + 1] and row[j].strip() for row in rows)
        )
        found = replace(found, blank=blank, first=start + titles + 1)
    if named and not names and header is None:
        found = _leave_out_second(found, places, rows, label)
        found = _complete_names(found, places[0], rows[0], label)
    return found


def _take_some(rows: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Give as many of the first rows as are judged quickly; some of even the longest."""
    some: list[tuple[int, str]] = []
    room = 0
    for row in islice(rows, rules.LAYOUT_ROWS):
        some.append(row)
        room += len(row[1])
        if room > rules.LAYOUT_LETTERS and len(some) >= rules.LEAST_ROWS:
            break
    return some


def _lines_of(row: tuple[int, str]) -> range:
    return range(row[0], row[0] + row[1].count("\n") + 1)


def _find_separator(lines: Sequence[str]) -> str | None:
    """Find what separates most lines alike; None where nothing does."""
    sample = [unquote(line) for line in lines[: rules.LAYOUT_ROWS]]
    usual = separator_of(lines[0], "\n".join(lines[1:]))
    best = max(
        [usual, *rules.SEPARATORS.replace(usual, "")], key=lambda mark: _share_alike(sample, mark)
    )
    if _share_alike(sample, best) > 1 - rules.ALIKE:
        return best
    widths = Counter(len(line.split()) for line in sample)
    width, count = widths.most_common(1)[0]
    spaced = width > 1 and count >= rules.ALIKE * len(sample)
    return BLANKS if spaced and not any(mark in line for mark in ",;|" for line in sample) else None


def _share_alike(lines: Sequence[str], mark: str) -> float:
    """Give the share of the lines that have this mark as often as most."""
    counts = Counter(line.count(mark) for line in lines if mark in line)
    return counts.most_common(1)[0][1] / len(lines) if counts else 0.0


def _read_comments(lines: Sequence[str], first: int) -> tuple[list[str], int]:
    """Give the cells of the last comment line at the top, which may have names, and its end."""
    end = first
    while end < len(lines) and lines[end].lstrip("\ufeff ").startswith(_COMMENT_STARTS):
        end += 1
    if end == first or end == len(lines):
        return [], first
    text = lines[end - 1].lstrip("\ufeff #%!/")
    below = lines[end]
    mark = next((m for m in rules.SEPARATORS if m in text and m in below), BLANKS)
    cells = [cell.strip() for cell in split_cells(text.strip(), mark)]
    # A header that begins with # itself (#chrom) is one; a remark has other words than columns.
    names = cells if not any(map(is_number, cells)) else []
    return names, end


def _count_titles(lines: Sequence[str], separator: str) -> int:
    """Count the lines above the header: they have fewer values than the lines below."""
    if separator == BLANKS:
        return 0
    filled = [
        sum(bool(cell.strip()) for cell in split_cells(line, separator))
        for line in lines[: rules.LAYOUT_ROWS]
    ]
    widths = Counter(n for n in filled[1:] if n)
    usual = max((n for n, count in widths.items() if count > 1), default=0)
    if usual < 3 or not filled or filled[0] > usual / 2:
        return 0
    for i, count in enumerate(filled[: rules.MOST_TITLES]):
        if count > usual / 2:
            return 0 if is_row(split_cells(lines[i], separator)) else i
    return 0


def _has_names(rows: Sequence[list[str]], headerless: bool) -> bool:
    """Whether the first row has the names of the columns.

    A name stands over a column once. Numbers that repeat are values; so are, in files that usually
    have no header, numbers over numbers and texts that come again below.
    """
    first, below = rows[0], rows[1:]
    cells = [cell.strip() for cell in first if cell.strip()]
    numbers = [cell for cell in cells if is_number(cell)]
    if len(numbers) > len(cells) / 2 and len(set(numbers)) < len(numbers):
        return False
    if not headerless:
        return True
    if numbers and len(numbers) >= len(cells) / 2:
        return False
    seen = [
        any(j < len(row) and row[j].strip() == cell.strip() for row in below)
        for j, cell in enumerate(first)
        if not is_number(cell)
    ]
    return not numbers and sum(seen) <= len(seen) / 2


def _leave_out_second(
    found: Layout, places: Sequence[range], rows: Sequence[list[str]], label: str
) -> Layout:
    """Skip the lines below the header that have units or a second header over numbers."""
    names, count = rows[0], 0
    while count < _MOST_SECOND and _is_second(rows, count + 1):
        count += 1
    if not count:
        return found
    lines = tuple(line for place in places[1 : count + 1] for line in place)
    below = [[*row, *[""] * len(names)] for row in rows[1 : count + 1]]
    found = replace(found, left_out=(*found.left_out, *lines))
    if joins_names(names, below[0]):
        joined = join_names(names, below[0])
        found = replace(found, names=joined, left_out=(*found.left_out, *places[0]))
        return found.saying(joined_sentence(label, [places[0][0], lines[0]], joined))
    texts = [
        (name.strip(), " ".join(said))
        for j, name in enumerate(names)
        if any(said := [cells[j].strip() for cells in below])
    ]
    return replace(found, texts=tuple(texts)).saying(second_sentence(label, lines, rows[1]))


def _complete_names(found: Layout, lines: range, first: list[str], label: str) -> Layout:
    """Give columns names of their own, where a few have none or the same."""
    there = [j for j in range(len(first)) if j not in found.blank]
    changed = complete([first[j] for j in there])
    if found.names or not changed:
        return found
    names = [cell.strip() for cell in first]
    for i, name in changed.items():
        names[there[i]] = name
    found = replace(found, names=tuple(names), left_out=(*found.left_out, *lines))
    return found.saying(completed_sentence(label, list(changed.values())))


def _is_second(rows: Sequence[list[str]], place: int) -> bool:
    """Whether a row has text in columns that have numbers below it."""
    below = rows[place + 1 :]
    if len(below) < 2 or is_row(rows[place]):
        return False
    numeric = []
    for j in range(len(rows[0])):
        filled = [row[j] for row in below if j < len(row) and not is_missing(row[j])]
        if len(filled) > 1 and sum(map(is_number, filled)) >= rules.ALIKE * len(filled):
            numeric.append(j)
    cells = [rows[place][j] for j in numeric if j < len(rows[place])]
    texts = [c for c in cells if not is_missing(c) and not is_number(c)]
    numbers = [cell for cell in cells if is_number(cell) and not is_missing(cell)]
    few_numbers = len(numbers) <= (1 - rules.ALIKE) * len(numeric)
    return len(texts) >= max(2, len(numeric) / 2) and few_numbers


MAX_COMPLETED = 2  # names that may be missing, or there again; of more, the line may have values


def joins_names(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two lines have the names together: those of the first repeat, as over merged cells.

    >>> joins_names(["", "Pump", "Pump"], ["s", "flow", "level"]), joins_names(["a"], ["m"])
    (True, False)
    """
    alone = [name.strip() for name in first if name.strip()]
    both = join_names(first, second)
    return len(set(alone)) < len(alone) and len(set(both)) == len(both) and all(both)


def join_names(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """Put the names of two lines together.

    >>> join_names(["", "Pump", "Pump"], ["time", "flow", "level"])
    ('time', 'Pump flow', 'Pump level')
    """
    pairs = zip(first, second, strict=False)
    return tuple(" ".join(part.strip() for part in pair if part.strip()) for pair in pairs)


def complete(names: Sequence[str]) -> dict[int, str]:
    """Give names to the few columns that have none, or that of another; nothing if they are many.

    The first column may be without: it has the names of the rows. Numbers may be values.

    >>> complete(["id", "value", "", "value"]), complete(["", "a"]), complete(["1", "1", "2"])
    ({2: 'column 3', 3: 'value.1'}, {}, {})
    """
    bare = [name.strip() for name in names]
    blank = [j for j, name in enumerate(bare) if j and not name]
    counts = Counter(name for name in bare if name)
    twice = [name for name, count in counts.items() if count > 1]
    if max(len(blank), len(twice)) > MAX_COMPLETED or any(map(is_number, bare)):
        return {}
    found = {j: _find_free(f"column {j + 1}", counts, "column {}", j + 2) for j in blank}
    for name in twice:
        places = [j for j, one in enumerate(bare) if one == name][1:]
        for i, j in enumerate(places, start=1):
            found[j] = _find_free(f"{name}.{i}", counts, f"{name}.{{}}", i + 1)
            counts[found[j]] += 1
    return dict(sorted(found.items()))


def _find_free(name: str, taken: Counter[str], pattern: str, start: int) -> str:
    while name in taken:
        name, start = pattern.format(start), start + 1
    return name


BLANKS = " "  # any number of blanks between two values
_LONGEST_ROW = 1 << 26  # letters; beyond, a quote was never closed
_WRITTEN_NUMBER = re.compile(r"[-+]?(\d[\d.,' ]*|[.,]\d+)([eE][-+]?\d+)?%?")
_CLOSING = re.compile(r'[^"]*(?:""[^"]*)*"(?!")')
_NO_VALUE = re.compile(rules.NO_VALUE, re.IGNORECASE)
_TOTAL = re.compile(rules.TOTAL, re.IGNORECASE)
_STATISTIC = re.compile(rules.STATISTIC, re.IGNORECASE)
_NOTE = re.compile(rf"({rules.NOTE_WORDS})\b|[*\u00a9]", re.IGNORECASE)


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
    return len(cell) <= rules.LONGEST_NUMBER and _WRITTEN_NUMBER.fullmatch(cell) is not None


def is_missing(cell: str) -> bool:
    """Whether a cell has nothing, or what is often written for that.

    >>> is_missing(" . "), is_missing("N/A"), is_missing("0")
    (True, True, False)
    """
    cell = cell.strip()
    return len(cell) <= rules.LONGEST_NUMBER and _NO_VALUE.fullmatch(cell) is not None


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
    starts = [
        cell.strip()
        for cell in cells[: rules.FIRST_CELLS]
        if len(cell.strip()) <= rules.LONGEST_NUMBER
    ]
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


def first_text(cells: pa.Array, decimal: str) -> int:
    """Give the position of the first cell that is no number, -1 if there is none."""
    import pyarrow.compute

    numbers = pyarrow.compute.match_substring_regex(cells, _AS_NUMBER % ((re.escape(decimal),) * 2))
    return pyarrow.compute.index(numbers, False).as_py()


def all_match(cells: pa.Array, pattern: str) -> bool:
    """Whether all cells that have a value match a pattern."""
    import pyarrow.compute

    matches = pyarrow.compute.match_substring_regex(cells, pattern)
    return pyarrow.compute.all(matches).as_py() is not False


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
    bare, rows = unquote(header), unquote(below).split("\n")[: rules.CELLS_LOOKED_AT]
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
