"""The frame of every card: one scoped style sheet, and tables on it.

Colours follow the theme of JupyterLab where there is one, otherwise what the reader prefers. There
is no script: a notebook that is not trusted shows the same words.
"""

import html
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from importlib.resources import files

__all__ = ["card", "chips", "note", "table"]

_MAX_CARD_CHIPS = 40


def card(sentence: str, *parts: str) -> str:
    """Put parts under the sentence that says what was found."""
    return (
        f'<div class="tamis-card"><style>{_style()}</style>'
        f'<p class="tamis-verdict">{html.escape(sentence)}</p>{"".join(parts)}</div>'
    )


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    more: str = "",
    bare: bool = False,
) -> str:
    """Write a table of texts; columns in `numbers` are set to the right.

    `bare` is for a table within a card, which has the style sheet.
    """

    def line(tag: str, cells: Sequence[str]) -> str:
        marked = (
            f"<{tag}{' class=tamis-number' if i in numbers else ''}>{html.escape(cell)}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "".join(line("td", row) for row in rows)
    text = f"<table><thead>{line('th', head)}</thead><tbody>{body}</tbody></table>{note(more)}"
    return text if bare else f'<div class="tamis-card"><style>{_style()}</style>{text}</div>'


def chips(names: Sequence[str]) -> str:
    """Write names side by side, the first ones of many."""
    shown = "".join(f"<code>{html.escape(name)}</code> " for name in names[:_MAX_CARD_CHIPS])
    more = f"and {len(names) - _MAX_CARD_CHIPS:,} more" if len(names) > _MAX_CARD_CHIPS else ""
    return f'<p class="tamis-chips">{shown}{more}</p>'


def note(text: str) -> str:
    """Write a remark, nothing if there is none."""
    return f'<p class="tamis-note">{html.escape(text.strip())}</p>' if text.strip() else ""


@cache
def _style() -> str:
    return files(__package__).joinpath("card.css").read_text(encoding="utf-8")
