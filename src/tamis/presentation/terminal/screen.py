"""Where text is shown: how wide it may be, and how column names are shortened to fit."""

import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Self

from tamis.errors import escape_controls
from tamis.presentation.prose.writing import cut, plain, shorten_name
from tamis.values import dataclass

NO_EDGE = 1_000_000  # of a file or a pipe
_NAME_LETTERS = 28
_MIN_NAME_LETTERS = 16
_FIGURE_LETTERS = 24  # beside the names: the columns of shares
_NO_BREAK = "\N{NO-BREAK SPACE}"
_TERM = r"(([-+] )?\d\.\d+ (x )?|\d+% by )(?=\S)"  # a weight stays in one line with its name
_LEAST_TEXT, _MAX_TEXT = 20, 80  # letters of what a column means
_ROOM = 36  # for what stands behind the shares; with less, it stands below


@dataclass(frozen=True)
class Screen:
    """A terminal of this `width`; names have `room` characters in every table on it.

    `short` has the names that are longer, shortened so that no two are equal.
    """

    width: int = NO_EDGE
    room: int = _NAME_LETTERS
    short: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[str], *, beside: int = 0, width: int | None = None) -> Self:
        """Lay out tables with these names, with so many characters more `beside` the shares."""
        width = screen_width() if width is None else width
        names = list(names)
        most = max(_MIN_NAME_LETTERS, width - 3 - _FIGURE_LETTERS - beside)
        longest = max(map(len, names), default=0) + 4  # numbers stand before the kept ones
        room = min(max(_NAME_LETTERS, longest), most)
        short = shorten_name(names, room - 4) if longest > room else {}
        return cls(width, room, short)

    def name(self, name: str) -> str:
        """Write a name, shortened if it is too long."""
        return self.short.get(name) or plain(name)

    def fit(self, name: str, before: int = 0) -> str:
        """Write a name and fill up the room for it, of which some may stand `before` it."""
        return self.name(name).ljust(self.room - before)

    def rows(self, rows: Iterable[tuple[str, str]]) -> list[str]:
        """Write lines of a table, each with more behind its start, or all below the starts."""
        rows = list(rows)
        room = self.width - 3 - max((len(start) for start, _ in rows), default=0)
        below = room < _ROOM and any(len(more) > room for _, more in rows)
        lines: list[str] = []
        for start, more in rows:
            if below:
                lines += [
                    start.rstrip(),
                    *(wrap_sentence(more, self.width, "      ") if more else []),
                ]
            else:
                first, *rest = wrap_sentence(more, room)
                lines.append(f"{start}   {first}".rstrip())
                lines += [f"{'':<{len(start)}}   {line}" for line in rest]
        return lines


def add_texts(rows: Sequence[str], texts: Sequence[str], width: int) -> list[str]:
    """Write what columns mean behind the lines of a table, where there is room for it.

    >>> add_texts(["  1 q7"], ["I worry"], 40), add_texts(["  1 q7"], ["I worry"], 20)
    (['  1 q7   I worry'], ['  1 q7'])
    """
    room = min(width - 3 - max(map(len, rows), default=0), _MAX_TEXT)
    if room < _LEAST_TEXT or not any(texts):
        return list(rows)
    return [
        f"{row}   {cut(text, room)}" if text else row for row, text in zip(rows, texts, strict=True)
    ]


def join_lines(lines: Iterable[str]) -> str:
    """Put lines together; what is in them of a table cannot steer the terminal."""
    return "\n".join(map(escape_controls, lines))


def screen_width() -> int:
    """Give the width of the terminal; a file or a pipe has none."""
    return shutil.get_terminal_size((NO_EDGE, 24)).columns


def wrap_sentence(text: str, width: int, indent: str = "") -> list[str]:
    """Break a sentence at spaces, or leave it as it is where it fits.

    >>> wrap_sentence("one two three", 9, "  ")
    ['  one two', '  three']
    """
    if len(indent) + len(text) <= width:
        return [indent + text]
    kept = re.sub(_TERM, lambda found: found[0].replace(" ", _NO_BREAK), text)
    lines = textwrap.wrap(
        kept,
        max(width, len(indent) + 1),
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return [line.replace(_NO_BREAK, " ") for line in lines]
