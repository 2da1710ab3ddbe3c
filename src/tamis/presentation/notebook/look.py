"""What each column of a table is, as a card for a notebook."""

from typing import Any

from tamis.presentation.notebook.card import card, note, table
from tamis.presentation.prose.about_look import distinct_text, headline, value_text
from tamis.presentation.prose.numbers import percent

__all__ = ["look_html"]

MAX_ROWS = 200


def look_html(facts: dict[str, Any]) -> str:
    """Write one row for each column, the first ones of many."""
    head = ["column", "kind", "missing", "distinct", "smallest", "largest", "odd", "done", "option"]
    rows = [
        [
            row["column"],
            row["kind"],
            percent(row["missing"] / facts["rows"]) if row["missing"] else "",
            distinct_text(row),
            value_text(row["smallest"]),
            value_text(row["largest"]),
            row["odd"],
            row["done"],
            row["option"],
        ]
        for row in facts["columns"][:MAX_ROWS]
    ]
    left = len(facts["columns"]) - len(rows)
    more = f"{left:,} more columns: see frame" if left > 0 else ""
    notes = [note(doubt) for doubt in facts["doubts"]]
    shown = table(head, rows, numbers={2, 3, 4, 5}, more=more, bare=True)
    return card(headline(facts), *notes, shown)
