"""An extraction as text for a terminal."""

from typing import Any

from tamis.presentation.names import headline, signed_sum, skipped
from tamis.presentation.numbers import percent, weight_text

_COMPONENTS = 20
_WIDTH = 16


def extraction_text(facts: dict[str, Any]) -> str:
    """Write what was found: the sentence, the components with their shares and loadings."""
    loadings = facts["loadings"]
    made = "   loadings" if loadings else ""
    head = f"  {facts['thing']:<{_WIDTH}}{'share':>13}{'total':>13}{made}"
    lines = [*headline(facts), "", head]
    for i, name in enumerate(facts["names"][:_COMPONENTS]):
        share, total = percent(facts["shares"][i]), percent(facts["cumulative"][i])
        weights = f"   {_sum(loadings[i]['weights'])}" if i < len(loadings) else ""
        lines.append(f"  {name:<{_WIDTH}}{share:>13}{total:>13}{weights}")
    if facts["k"] > _COMPONENTS:
        lines.append(f"  ... and {facts['k'] - _COMPONENTS:,} more")
    return "\n".join([*lines, *_remarks(facts)])


def _sum(weights: dict[str, float]) -> str:
    """Write the columns with the largest weights as a sum.

    >>> _sum({"petal": 0.86, "sepal": -0.0829})
    '0.86 petal - 0.08 sepal'
    """
    largest = max(map(abs, weights.values()), default=0.0)
    return signed_sum(weights, lambda weight: weight_text(weight, largest))


def _remarks(facts: dict[str, Any]) -> list[str]:
    lines = []
    if facts["separation"]:
        lines.append(facts["separation"]["sentence"])
    if facts["note"]:
        lines.append(f"Note: {facts['note']}.")
    if not facts["loadings"]:
        lines.append("Kernel methods have no column weights (loadings).")
    return [*(["", *lines] if lines else []), *skipped(facts)]
