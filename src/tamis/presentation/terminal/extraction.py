"""An extraction as text for a terminal."""

from collections.abc import Mapping

from tamis.facts.extraction_answer import ExtractionFacts
from tamis.presentation.prose.about_extraction import (
    component_words,
    extraction_sentence,
    separation_sentence,
)
from tamis.presentation.prose.names import list_skipped, signed_sum
from tamis.presentation.prose.numbers import percent, weight_text
from tamis.presentation.terminal.screen import Screen, join_lines, wrap_sentence
from tamis.presentation.terminal.selection import headline

_MAX_LISTED_COMPONENTS = 20
_COMPONENT_BAR_LETTERS = 16


def extraction_text(facts: ExtractionFacts, *, width: int | None = None) -> str:
    """Write what was found: the sentence, the components with their shares and loadings."""
    loadings = facts.loadings
    named = [name for row in loadings[:_MAX_LISTED_COMPONENTS] for name in row.weights]
    screen = Screen.of(named, width=width)
    thing = component_words(facts.method.id).thing
    head = f"  {thing:<{_COMPONENT_BAR_LETTERS}}{'share':>13}{'total':>13}"
    lines = [
        part
        for line in headline(facts, extraction_sentence(facts), screen.width)
        for part in wrap_sentence(line, screen.width)
    ]
    rows = [(head, "loadings" if loadings else "")]
    for i, name in enumerate(facts.names[:_MAX_LISTED_COMPONENTS]):
        share, total = percent(facts.shares[i]), percent(facts.cumulative[i])
        weights = _sum(loadings[i].weights, screen) if i < len(loadings) else ""
        rows.append((f"  {name:<{_COMPONENT_BAR_LETTERS}}{share:>13}{total:>13}", weights))
    lines += ["", *screen.rows(rows)]
    if facts.k > _MAX_LISTED_COMPONENTS:
        lines.append(f"  ... and {facts.k - _MAX_LISTED_COMPONENTS:,} more")
    lines += [part for line in _remarks(facts) for part in wrap_sentence(line, screen.width)]
    return join_lines(lines)


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
    return [*(["", *lines] if lines else []), *list_skipped(facts)]
