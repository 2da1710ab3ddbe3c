"""A comparison of methods as one self-contained HTML page.

The template gives the finished page. The script only highlights the methods that are chosen.
"""

from tamis.facts.comparison_answer import ComparedMethod, ComparisonFacts
from tamis.presentation.page.fill import WIDTHS, fill
from tamis.presentation.prose.about_comparison import below_note, figure_text
from tamis.presentation.scenes.comparison import agreement_map, line_chart, place_chart
from tamis.values import dataclass

__all__ = ["render"]

_MAX_COLOURED_METHODS = 6  # methods that have a colour of their own
_SHADES = 8
_MAX_COLUMNS_COMPARED = 25  # shown of those that some method keeps


@dataclass(frozen=True)
class Cell:
    """A figure as text, and how strongly it is coloured."""

    text: str
    shade: int | None


@dataclass(frozen=True)
class MethodRow:
    """A method and its cells in the table of all figures."""

    method: ComparedMethod
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class PopularRow:
    """A column, the methods that keep it, and the width of its bar."""

    column: str
    methods: tuple[str, ...]
    width: str


def render(facts: ComparisonFacts) -> str:
    """Return the complete HTML page of `facts`."""
    from markupsafe import Markup

    ids = [method.id for method in facts.methods]
    kinds = {one: _kind(place) for place, one in enumerate(ids)}
    return fill(
        "comparison",
        facts,
        {},
        kinds=kinds,
        colours=_MAX_COLOURED_METHODS,
        curves=[
            (c, Markup(svg)) for c in facts.criteria if (svg := line_chart(facts, c.id, kinds))
        ],
        heat=[_row(facts, method) for method in facts.methods],
        places=[Markup(place_chart(facts, kinds, width=width)) for width in WIDTHS]
        if len(facts.sizes) > 1
        else [],
        agree=Markup(agreement_map(ids, facts.agreement.values, "Columns that methods share")),
        popular=_popular(facts),
        hidden=max(len(facts.popular) - _MAX_COLUMNS_COMPARED, 0),
        below=below_note(facts),
        basis=facts.deciding,
    )


def _kind(place: int) -> str:
    """Give the classes of a method's lines: its own, and its colour."""
    return f"m{place} " + (f"c{place}" if place < _MAX_COLOURED_METHODS else "rest")


def _row(facts: ComparisonFacts, method: ComparedMethod) -> MethodRow:
    """Return the cells of one method."""
    cells = []
    for criterion in facts.criteria:
        found = facts.figures[criterion.id][method.id]
        level = found.level
        shade = None if level is None else round(_SHADES * level)
        cells.append(Cell(figure_text(found.mean, criterion.unit), shade))
    return MethodRow(method, tuple(cells))


def _popular(facts: ComparisonFacts) -> list[PopularRow]:
    """Return the columns kept by most methods, with the width of their bars."""
    count = len(facts.methods)
    return [
        PopularRow(row.column, row.methods, f"{100 * len(row.methods) / count:.1f}")
        for row in facts.popular[:_MAX_COLUMNS_COMPARED]
    ]
