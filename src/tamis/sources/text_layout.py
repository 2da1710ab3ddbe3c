"""How a text table is laid out: lines that are no rows, columns without anything, no header.

Judged by its first lines and its last; what is skipped is said with its line.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from tamis.errors import by_door, spell, spell_name
from tamis.sources.text_lines import (
    BLANKS,
    is_blank,
    is_missing,
    is_number,
    is_row,
    join_quoted,
    separator_of,
    split_cells,
    unquote,
)
from tamis.values import dataclass

__all__ = [
    "Layout",
    "blank_rows_sentence",
    "complete",
    "completed_sentence",
    "encoding_sentence",
    "find_layout",
    "headerless_sentence",
    "join_names",
    "joined_sentence",
    "joins_names",
    "repeated_sentence",
    "second_sentence",
    "subtotals_sentence",
    "titles_sentence",
    "totals_sentence",
]

_SEPARATORS = ",;\t|"
_COMMENT_STARTS = ("#", "%", "!", "//")
_SAMPLE_ROWS = 50
_SAMPLE_LETTERS = 100_000
_LEAST_ROWS = 6
_MOST_TITLES = 20  # lines above the header
_MOST_SECOND = 3  # lines below it that are no rows
_ALIKE = 0.8  # of the columns, or rows, that a rule must hold for


@dataclass(frozen=True)
class Layout:
    """What of a text table is read.

    `left_out` are the numbers of lines, from 1, that are no rows; `blank` the positions of columns
    without a name and a value, `blank_rows` whether there are rows without any; `names` a header
    that replaces the first line, as a comment holds it or as it is completed. `header` is whether
    the first line that is read has the names, `first` the number of that line; `texts` what the
    lines below them say about the columns.
    """

    separator: str | None = None
    left_out: tuple[int, ...] = ()
    blank: tuple[int, ...] = ()
    blank_rows: bool = False
    names: tuple[str, ...] = ()
    header: bool = True
    first: int = 0
    texts: tuple[tuple[str, str], ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the file can be read as it is."""
        lines = self.left_out or self.blank_rows or self.names
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
    tops = [i for i, line in enumerate(lines[: _MOST_TITLES + 1]) if not is_blank(line)]
    if not tops or _is_blank_header(lines, tops[0]):
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
    split = [_Row(_lines_of(row), split_cells(row[1], separator)) for row in sample[n_titles:]]
    rows = [row for row in split if any(map(str.strip, row.cells))]
    if not rows:
        return Layout()
    names = comments if comments and len(comments) == len(rows[0].cells) else ()
    named = bool(names) or _has_names(rows, headerless) if header is None else header
    found = Layout(separator, tuple(range(1, start + titles + 1)), names=tuple(names), header=named)
    above = [i for i in found.left_out if i > tops[0] and not is_blank(lines[i - 1])]
    if above:
        said = above[-1:] if names else above  # of several comments the last has the names
        found = found.saying(titles_sentence(label, said, lines[said[0] - 1], names=bool(names)))
    if header is None and not named:
        found = found.saying(headerless_sentence(label, rows[0].cells))
    if empty := _blank_rows(joined[n_titles:], separator):
        found = replace(found, blank_rows=True).saying(blank_rows_sentence(label, empty))
    if named and not names:
        found = replace(found, blank=_blank_columns(rows), first=start + titles + 1)
    if named and not names and header is None:
        found = _leave_out_second(found, rows, label)
        found = _complete_names(found, rows[0], label)
    return found


def _take_some(rows: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Give as many of the first rows as are judged quickly; some of even the longest."""
    some: list[tuple[int, str]] = []
    room = 0
    for row in islice(rows, _SAMPLE_ROWS):
        some.append(row)
        room += len(row[1])
        if room > _SAMPLE_LETTERS and len(some) >= _LEAST_ROWS:
            break
    return some


@dataclass(frozen=True)
class _Row:
    lines: range  # their numbers, from 1
    cells: list[str]


def _lines_of(row: tuple[int, str]) -> range:
    """Give the numbers of the lines of a row."""
    return range(row[0], row[0] + row[1].count("\n") + 1)


def _find_separator(lines: Sequence[str]) -> str | None:
    """Find what separates most lines alike; None where nothing does."""
    sample = [unquote(line) for line in lines[:_SAMPLE_ROWS]]
    usual = separator_of(lines[0], "\n".join(lines[1:]))
    best = max(
        [usual, *_SEPARATORS.replace(usual, "")], key=lambda mark: _share_alike(sample, mark)
    )
    if _share_alike(sample, best) > 1 - _ALIKE:
        return best
    widths = Counter(len(line.split()) for line in sample)
    width, count = widths.most_common(1)[0]
    spaced = width > 1 and count >= _ALIKE * len(sample)
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
    mark = next((m for m in _SEPARATORS if m in text and m in below), BLANKS)
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
        for line in lines[:_SAMPLE_ROWS]
    ]
    widths = Counter(n for n in filled[1:] if n)
    usual = max((n for n, count in widths.items() if count > 1), default=0)
    if usual < 3 or not filled or filled[0] > usual / 2:
        return 0
    for i, count in enumerate(filled[:_MOST_TITLES]):
        if count > usual / 2:
            return 0 if is_row(split_cells(lines[i], separator)) else i
    return 0


def _is_blank_header(lines: Sequence[str], first: int) -> bool:
    """Whether the line above the first values has separators only: names that were forgotten."""
    above = lines[first - 1].strip(" \r\n\ufeff") if first else ""
    return bool(above) and is_row(split_cells(lines[first], above[0]))


def _has_names(rows: Sequence[_Row], headerless: bool) -> bool:
    """Whether the first row has the names of the columns.

    A name stands over a column once. Numbers that repeat are values; so are, in files that usually
    have no header, numbers over numbers and texts that come again below.
    """
    first, below = rows[0].cells, [row.cells for row in rows[1:]]
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


def _leave_out_second(found: Layout, rows: Sequence[_Row], label: str) -> Layout:
    """Skip the lines below the header that have units or a second header over numbers."""
    names, count = rows[0].cells, 0
    while count < _MOST_SECOND and _is_second(rows, count + 1):
        count += 1
    if not count:
        return found
    lines = tuple(line for row in rows[1 : count + 1] for line in row.lines)
    below = [[*row.cells, *[""] * len(names)] for row in rows[1 : count + 1]]
    found = replace(found, left_out=(*found.left_out, *lines))
    if joins_names(names, below[0]):
        joined = join_names(names, below[0])
        found = replace(found, names=joined, left_out=(*found.left_out, *rows[0].lines))
        return found.saying(joined_sentence(label, [rows[0].lines[0], lines[0]], joined))
    texts = [
        (name.strip(), " ".join(said))
        for j, name in enumerate(names)
        if any(said := [cells[j].strip() for cells in below])
    ]
    return replace(found, texts=tuple(texts)).saying(second_sentence(label, lines, rows[1].cells))


def _complete_names(found: Layout, first: _Row, label: str) -> Layout:
    """Give columns names of their own, where a few have none or the same."""
    there = [j for j in range(len(first.cells)) if j not in found.blank]
    changed = complete([first.cells[j] for j in there])
    if found.names or not changed:
        return found
    names = [cell.strip() for cell in first.cells]
    for i, name in changed.items():
        names[there[i]] = name
    found = replace(found, names=tuple(names), left_out=(*found.left_out, *first.lines))
    return found.saying(completed_sentence(label, list(changed.values())))


def _is_second(rows: Sequence[_Row], place: int) -> bool:
    """Whether a row has text in columns that have numbers below it."""
    below = [row.cells for row in rows[place + 1 :]]
    if len(below) < 2 or is_row(rows[place].cells):
        return False
    numeric = [j for j in range(len(rows[0].cells)) if _is_numeric([r[j : j + 1] for r in below])]
    cells = [rows[place].cells[j] for j in numeric if j < len(rows[place].cells)]
    texts = [c for c in cells if not is_missing(c) and not is_number(c)]
    numbers = [cell for cell in cells if is_number(cell) and not is_missing(cell)]
    return len(texts) >= max(2, len(numeric) / 2) and len(numbers) <= (1 - _ALIKE) * len(numeric)


def _is_numeric(cells: Sequence[list[str]]) -> bool:
    filled = [cell[0] for cell in cells if cell and not is_missing(cell[0])]
    return len(filled) > 1 and sum(map(is_number, filled)) >= _ALIKE * len(filled)


def _blank_columns(rows: Sequence[_Row]) -> tuple[int, ...]:
    """Give the columns without a name that have no value in the first rows, but the first one."""
    names, below = rows[0].cells, [row.cells for row in rows[1:]]
    return tuple(
        j
        for j, name in enumerate(names)
        if j and not name.strip() and not any(j < len(row) and row[j].strip() for row in below)
    )


def _blank_rows(rows: Sequence[tuple[int, str]], separator: str) -> list[int]:
    """Give the first lines of rows that have separators and no value; Arrow skips empty ones."""
    return [i for i, text in rows if text.strip("\ufeff \r\n") and is_blank(text, separator)]


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
    """Give a name that no column has."""
    while name in taken:
        name, start = pattern.format(start), start + 1
    return name


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
