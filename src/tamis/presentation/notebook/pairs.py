"""A matrix of pairs as a heat map for a notebook."""

from collections.abc import Sequence

from tamis.presentation.charts.heat import heat_map
from tamis.presentation.drawings.map_drawing import MapDrawing
from tamis.presentation.notebook.card import card, table
from tamis.presentation.prose.names import LONGEST, cut

__all__ = ["pairs_html"]


def pairs_html(
    sentence: str,
    columns: Sequence[str],
    values: Sequence[Sequence[int]],
    closest: Sequence[tuple[str, str, float]],
) -> str:
    """Draw similarities in hundredths, and list the closest pairs."""
    rows = [[cut(a, LONGEST), cut(b, LONGEST), f"{share:.2f}"] for a, b, share in closest]
    pairs = table(["closest pairs", "", "shared"], rows, numbers=[2], bare=True) if rows else ""
    drawing = MapDrawing(tuple(columns), tuple(map(tuple, values)), sentence)
    return card(sentence, heat_map(drawing) if columns else "", pairs)
