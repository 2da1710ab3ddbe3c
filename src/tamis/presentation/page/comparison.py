"""A comparison of methods as one self-contained HTML page.

The template gives the finished page. The script only highlights the methods that are chosen.
"""

from collections.abc import Sequence
from typing import Any

from tamis.presentation.charts.small import agreement_map, line_chart, place_chart
from tamis.presentation.figures import below_note, figure_text
from tamis.presentation.page.fill import WIDTHS, fill

__all__ = ["render"]

Facts = dict[str, Any]

_COLOURS = 6  # methods that have a colour of their own
_SHADES = 8
_COLUMNS = 25  # shown of those that some method keeps


def render(facts: Facts) -> str:
    """Return the complete HTML page of `facts`."""
    from markupsafe import Markup

    ids = [method["id"] for method in facts["methods"]]
    kinds = {one: _kind(place) for place, one in enumerate(ids)}
    return fill(
        "comparison",
        facts,
        {},
        kinds=kinds,
        colours=_COLOURS,
        curves=[(c, Markup(svg)) for c, svg in _curves(facts, ids, kinds) if svg],
        heat=[_row(facts, method) for method in facts["methods"]],
        places=[Markup(svg) for svg in _places(facts, ids, kinds)],
        agree=Markup(
            agreement_map(ids, facts["agreement"]["values"], "Columns that methods share")
        ),
        popular=_popular(facts),
        hidden=max(len(facts["popular"]) - _COLUMNS, 0),
        below=below_note(facts),
        basis=next(c for c in facts["criteria"] if c["id"] == facts["basis"]),
    )


def _kind(place: int) -> str:
    """Give the classes of a method's lines: its own, and its colour."""
    return f"m{place} " + (f"c{place}" if place < _COLOURS else "rest")


def _curves(facts: Facts, ids: Sequence[str], kinds: dict[str, str]) -> list[tuple[Facts, str]]:
    drawn = []
    for criterion in facts["criteria"]:
        figures = facts["figures"][criterion["id"]]
        lines = [(one, kinds[one], figures[one]["values"]) for one in ids]
        label = f"{criterion['name']} of {len(ids)} methods"
        unit = criterion["unit"]
        drawn.append((criterion, line_chart(lines, facts["sizes"], label, unit=unit)))
    return drawn


def _places(facts: Facts, ids: Sequence[str], kinds: dict[str, str]) -> list[str]:
    if len(facts["sizes"]) < 2:
        return []
    lines = [(one, kinds[one], facts["ranks"][one]) for one in ids]
    label = f"Places of {len(ids)} methods for each number of columns"
    return [place_chart(lines, facts["sizes"], label, width=width) for width in WIDTHS]


def _row(facts: Facts, method: Facts) -> Facts:
    """Return the cells of one method: text and shade."""
    cells = []
    for criterion in facts["criteria"]:
        found = facts["figures"][criterion["id"]][method["id"]]
        level = found["level"]
        shade = None if level is None else round(_SHADES * level)
        cells.append({"text": figure_text(found["mean"], criterion["unit"]), "shade": shade})
    return {**method, "cells": cells}


def _popular(facts: Facts) -> list[Facts]:
    """Return the columns kept by most methods, with the width of their bars."""
    count = len(facts["methods"])
    return [
        {**row, "width": f"{100 * len(row['methods']) / count:.1f}"}
        for row in facts["popular"][:_COLUMNS]
    ]
