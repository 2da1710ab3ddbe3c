"""An extraction as text for a terminal."""

from collections.abc import Mapping

from tamis.facts.extraction_answer import ExtractionFacts
from tamis.presentation.prose.about_extraction import (
    component_words,
    extraction_sentence,
    separation_sentence,
)
from tamis.presentation.prose.names import signed_sum, skipped
from tamis.presentation.prose.numbers import percent, weight_text
from tamis.presentation.terminal.headline import headline
from tamis.presentation.terminal.screen import Screen, wrapped

_COMPONENTS = 20
_WIDTH = 16


def extraction_text(facts: ExtractionFacts, *, width: int | None = None) -> str:
    """Write what was found: the sentence, the components with their shares and loadings."""
    loadings = facts.loadings
    named = [name for row in loadings[:_COMPONENTS] for name in row.weights]
    screen = Screen.of(named, width=width)
    head = f"  {component_words(facts.method.id).thing:<{_WIDTH}}{'share':>13}{'total':>13}"
    lines = [
        part
        for line in headline(facts, extraction_sentence(facts), screen.width)
        for part in wrapped(line, screen.width)
    ]
    rows = [(head, "loadings" if loadings else "")]
    for i, name in enumerate(facts.names[:_COMPONENTS]):
        share, total = percent(facts.shares[i]), percent(facts.cumulative[i])
        weights = _sum(loadings[i].weights, screen) if i < len(loadings) else ""
        rows.append((f"  {name:<{_WIDTH}}{share:>13}{total:>13}", weights))
    lines += ["", *screen.rows(rows)]
    if facts.k > _COMPONENTS:
        lines.append(f"  ... and {facts.k - _COMPONENTS:,} more")
    lines += [part for line in _remarks(facts) for part in wrapped(line, screen.width)]
    return "\n".join(lines)


def _sum(weights: Mapping[str, float], screen: Screen) -> str:
    """Write the columns with the largest weights as a sum.

    >>> _sum({"petal": 0.86, "sepal": -0.0829}, Screen())
    '0.86 petal - 0.08 sepal'
    """
    largest = max(map(abs, weights.values()), default=0.0)
    return signed_sum(weights, lambda weight: weight_text(weight, largest), screen.name)


def _remarks(facts: ExtractionFacts) -> list[str]:
    lines = []
    if facts.separation:
        lines.append(separation_sentence(facts.separation))
    if facts.note:
        lines.append(f"Note: {facts.note}.")
    if not facts.loadings:
        lines.append("Kernel methods have no column weights (loadings).")
    return [*(["", *lines] if lines else []), *skipped(facts)]
