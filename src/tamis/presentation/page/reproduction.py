"""The experiments of the papers as one self-contained HTML page."""

from collections.abc import Sequence
from typing import Any

from tamis.presentation.charts.dendrogram import dendrogram
from tamis.presentation.charts.hierarchy import hierarchy_chart
from tamis.presentation.charts.overlay import legend, overlay_chart
from tamis.presentation.charts.search_tree import search_tree
from tamis.presentation.page.fill import WIDTHS, fill
from tamis.presentation.reproduction import (
    VERDICTS,
    counted,
    difference_text,
    ours_text,
    printed_text,
)

__all__ = ["render"]

Facts = dict[str, Any]

# What the shared template shows of a table; here there is no single one.
_NO_TABLE: Facts = {
    "labels": None,
    "missing": {"sentence": ""},
    "unread": {"sentence": ""},
    "doubts": [],
    "warnings": [],
    "left_out": [],
    "constant": [],
    "options": [],
}
_LONG = 30  # figures; a longer table is folded
_SEVERAL = 3  # drawings of curves; as many stand beside each other, small


def render(facts: Facts) -> str:
    """Return the complete HTML page of `facts`."""
    shown = {name: facts[name] for name in ("title", "sentence", "repeat")}
    return fill(
        "reproduction",
        {**_NO_TABLE, **shown},
        {},
        styles=("trees", "reproduction"),
        r=facts,
        papers=_papers(facts),
        protocols=[_protocol(one) for one in facts["protocols"]],
        verdicts=VERDICTS,
        long=_LONG,
    )


def _papers(facts: Facts) -> list[Facts]:
    """Group the claims by paper, in the order of the papers."""
    names = dict.fromkeys(one["paper"] for one in facts["protocols"])
    return [
        {
            "name": name,
            "claims": [
                {**claim, "protocol": one["id"]}
                for one in facts["protocols"]
                if one["paper"] == name
                for claim in one["claims"]
            ],
        }
        for name in names
    ]


def _protocol(protocol: Facts) -> Facts:
    figures = [
        {
            **one,
            "ours": ours_text(one),
            "printed": printed_text(one["paper"]),
            "difference": difference_text(one),
            "within": printed_text(one["tolerance"]),
        }
        for one in protocol["figures"]
    ]
    several = sum(one["kind"] == "curves" for one in protocol["drawings"]) >= _SEVERAL
    drawn = [_drawn(one, WIDTHS[several:]) for one in protocol["drawings"]]
    return {
        **protocol,
        "counted": counted(protocol),
        "rows": figures,
        "drawn": [one for one in drawn if one["charts"]],
        "several": several,
    }


def _drawn(drawing: Facts, widths: Sequence[int]) -> Facts:
    """Draw for screens and for phones, or in one width for both, with what the lines mean."""
    from markupsafe import Markup

    curves = drawing["kind"] == "curves"
    charts = [overlay_chart(drawing, w) if curves else _tree(drawing["tree"], w) for w in widths]
    return {
        "title": drawing["title"],
        "charts": [Markup(chart) for chart in charts if chart],
        "legend": [(name, Markup(swatch)) for name, swatch in legend(drawing)] if curves else [],
        "paper": any(one["paper"] for one in drawing["series"]),
        "spread": any(any(one["spread"]) for one in drawing["series"]),
    }


def _tree(tree: Facts | None, width: int) -> str:
    """Draw a tree by what it holds: levels of a search, leaves with depths, or nested concepts."""
    if not tree:
        return ""
    if "levels" in tree:
        return search_tree(tree, width)
    if "order" in tree:
        return dendrogram(tree["order"], tree["depth"], tree["path"], tree["k"]).draw(width=width)
    return hierarchy_chart(tree, width)
