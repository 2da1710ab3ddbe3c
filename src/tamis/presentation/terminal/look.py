"""What each column of a table is, as text for a terminal."""

from typing import Any

from tamis.errors import by_door
from tamis.presentation.prose.about_look import distinct_text, headline, value_text
from tamis.presentation.prose.names import cut
from tamis.presentation.prose.numbers import percent
from tamis.presentation.terminal.screen import Screen, join_lines, wrap_sentence

__all__ = ["look_text"]

MAX_MEANING_LETTERS = 60  # letters of what a column means
MAX_LOOKED_AT = 100  # columns, beyond which only those with something to say are listed

_LOOK_TITLES = (
    f"{'kind':<13}{'missing':>8}{'distinct':>10}  {'smallest':>12}{'largest':>12}{'zeros':>7}"
)


def look_text(facts: dict[str, Any], *, everything: bool = False) -> str:
    """Write the table: a line for each column, or for those with something odd of a wide one."""
    rows = facts["columns"]
    shown = rows
    if len(rows) > MAX_LOOKED_AT and not everything:
        shown = [row for row in rows if row["odd"] or row["done"].startswith("skipped")][
            :MAX_LOOKED_AT
        ]
    screen = Screen.of([row["column"] for row in shown], beside=len(_LOOK_TITLES) - 24)
    lines = wrap_sentence(headline(facts), screen.width)
    lines += [part for doubt in facts["doubts"] for part in wrap_sentence(doubt, screen.width)]
    lines += [
        "",
        f"  {'column':<{screen.room}}{_LOOK_TITLES}   odd; what is done (what changes it)",
    ]
    lines += screen.rows(
        (f"  {screen.fit(row['column'])}{_figures(row, facts['rows'])}", _said(row))
        for row in shown
    )
    if len(shown) < len(rows):
        every = by_door("frame", "--all or --json")
        lines.append(f"  ... {len(rows) - len(shown):,} more columns: see {every}")
    return join_lines(lines)


def _figures(row: dict[str, Any], rows: int) -> str:
    missing = percent(row["missing"] / rows) if row["missing"] and rows else ""
    zeros = percent(row["zeros"] / rows) if row["zeros"] and rows else ""
    ends = f"{value_text(row['smallest']):>12}{value_text(row['largest']):>12}"
    return f"{row['kind']:<13}{missing:>8}{distinct_text(row):>10}  {ends}{zeros:>7}"


def _said(row: dict[str, Any]) -> str:
    done = f"{row['done']} ({row['option']})" if row["option"] else row["done"]
    text = f'"{cut(row["text"], MAX_MEANING_LETTERS)}"' if row["text"] else ""
    return "; ".join(part for part in (text, row["odd"], done) if part)
