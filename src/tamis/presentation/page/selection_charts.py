"""The drawings of a selection's page, for the chosen number of columns."""

from collections.abc import Iterator

from tamis.facts.explorer import ExplorerFacts
from tamis.facts.selection_answer import SelectionFacts
from tamis.presentation.charts.curve import curve_chart
from tamis.presentation.charts.fate import fate_chart
from tamis.presentation.charts.heat import heat_map
from tamis.presentation.drawings.curve_drawing import CurveDrawing, describe_curve
from tamis.presentation.drawings.fate_drawing import describe_fates
from tamis.presentation.drawings.map_drawing import describe_map
from tamis.presentation.page.fill import WIDTHS
from tamis.presentation.prose.words import Words

__all__ = ["curves", "describe_page_curve", "fates", "maps"]


def describe_page_curve(facts: SelectionFacts, explorer: ExplorerFacts) -> CurveDrawing:
    """Describe the curve of the page: that of the whole path, with its knee."""
    return describe_curve(
        facts, explorer.curve, knee=explorer.knee, chance=facts.measure == "variance"
    )


def curves(drawing: CurveDrawing) -> list[str]:
    """Draw the curve twice: a wide one for screens and paper, a narrow one for phones."""
    heights = (300, 240)
    return [curve_chart(drawing, width=w, height=h) for w, h in zip(WIDTHS, heights, strict=True)]


def fates(explorer: ExplorerFacts, k: int) -> list[str]:
    """Draw every column's share, wide and narrow."""
    drawing = describe_fates(explorer, k)
    return [fate_chart(drawing, width=width) for width in WIDTHS]


def maps(explorer: ExplorerFacts, k: int, words: Words) -> Iterator[tuple[str, str]]:
    """Draw the similarity of the columns before and after, in the same order and size."""
    found = explorer.map
    if not found:
        return
    kept = set(explorer.table.path[:k])
    before = describe_map(found, kept, words.maps.format(len(found.names), "before"))
    yield "before", heat_map(before)
    count = sum(before.marked)
    yield "after", heat_map(before.pick_marked(words.maps.format(count, "after")))
