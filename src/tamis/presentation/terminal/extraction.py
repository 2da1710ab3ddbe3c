"""An extraction as text for a terminal."""

from typing import Any

from tamis.presentation.names import by_reason, headline, listed, signed_sum
from tamis.presentation.numbers import percent, weight_text

_DIRECTIONS = 20
_WIDTH = 16


def extraction_text(facts: dict[str, Any]) -> str:
    """Write what was found: the sentence, the directions with their shares and weights."""
    loadings = facts["loadings"]
    made = "   made of" if loadings else ""
    head = f"  {facts['thing']:<{_WIDTH}}{'share':>13}{'total':>13}{made}"
    lines = [*headline(facts), "", head]
    for i, name in enumerate(facts["names"][:_DIRECTIONS]):
        share, total = percent(facts["shares"][i]), percent(facts["cumulative"][i])
        weights = f"   {_sum(loadings[i]['weights'])}" if i < len(loadings) else ""
        lines.append(f"  {name:<{_WIDTH}}{share:>13}{total:>13}{weights}")
    if facts["k"] > _DIRECTIONS:
        lines.append(f"  ... and {facts['k'] - _DIRECTIONS:,} more")
    return "\n".join([*lines, *_remarks(facts)])


def _sum(weights: dict[str, float]) -> str:
    """Write the columns that weigh most as a sum.

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
        lines.append(f"How it ran: {facts['note']}.")
    if not facts["loadings"]:
        lines.append("There are no weights of columns: the directions are curves in the table.")
    if facts["constant"]:
        lines.append(f"Constant, without part: {listed(facts['constant'])}.")
    reasons = by_reason(facts["left_out"])
    lines += [f"Left out ({why}): {listed(names)}." for why, names in reasons.items()]
    return ["", *lines] if lines else []
