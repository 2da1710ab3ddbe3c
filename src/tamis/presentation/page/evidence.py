"""What a method found besides the columns to keep, drawn for a page.

The text around a drawing is the template `evidence_<kind>.html.j2`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tamis.facts.selection_answer import EvidenceFacts
from tamis.presentation.charts.blocks import block_map
from tamis.presentation.charts.hierarchy import hierarchy_chart
from tamis.presentation.charts.means import means_chart
from tamis.presentation.charts.ranking import ranking_chart
from tamis.presentation.charts.search_course import search_course
from tamis.presentation.charts.search_tree import search_tree
from tamis.presentation.page.fill import WIDTHS

__all__ = ["evidence_charts"]

Facts = Mapping[str, Any]

_DRAWN: dict[str, Callable[[Facts, int], str]] = {
    "concepts": lambda facts, width: hierarchy_chart(facts["tree"], width),
    "mixture": lambda facts, width: means_chart(
        facts["columns"], facts["means"], facts["sizes"], width
    ),
    "clusters": lambda facts, width: block_map(facts["picture"], width=width),
    "ranking": ranking_chart,
    "search_tree": search_tree,
    "search_course": search_course,
}


def evidence_charts(evidence: EvidenceFacts | None) -> list[Any]:
    """Draw this kind of evidence for screens and for phones; no drawing without one."""
    from markupsafe import Markup

    if evidence is None or evidence.kind not in _DRAWN:
        return []
    return [Markup(_DRAWN[evidence.kind](evidence.values, width)) for width in WIDTHS]
