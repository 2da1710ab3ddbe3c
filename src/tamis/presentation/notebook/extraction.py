"""An extraction as a small card: the shares of the components and their largest loadings."""

from tamis.facts.extraction_answer import ExtractionFacts
from tamis.presentation.notebook.card import card, note, table
from tamis.presentation.prose.about_extraction import (
    component_words,
    extraction_sentence,
    separation_sentence,
)
from tamis.presentation.prose.names import signed_sum
from tamis.presentation.prose.numbers import percent

__all__ = ["extraction_html"]

_MAX_CARD_COMPONENTS = 10


def extraction_html(facts: ExtractionFacts) -> str:
    """Write what a notebook shows of an extraction."""
    loadings = facts.loadings
    head = [
        component_words(facts.method.id).thing,
        "share",
        "total",
        *(["largest loadings"] if loadings else []),
    ]
    rows = []
    for i, name in enumerate(facts.names[:_MAX_CARD_COMPONENTS]):
        figures = [name, percent(facts.shares[i]), percent(facts.cumulative[i])]
        rows.append([*figures, *([signed_sum(loadings[i].weights)] if loadings else [])])
    more = (
        f"... and {facts.k - _MAX_CARD_COMPONENTS:,} more" if facts.k > _MAX_CARD_COMPONENTS else ""
    )
    separation = separation_sentence(facts.separation) if facts.separation else ""
    remark = f"Note: {facts.note}." if facts.note else ""
    about = f"Method: {facts.method.name}. {separation} {remark}"
    return card(
        extraction_sentence(facts),
        note(about),
        table(head, rows, numbers=[1, 2], more=more, bare=True),
    )
