"""Facts as plain values for `to_dict()` and `--json`, with the sentences that people read."""

from typing import Any

from tamis.facts.comparison_answer import ComparisonFacts
from tamis.facts.extraction_answer import ExtractionFacts, SeparationFacts
from tamis.facts.json_schema import VERSION, Texts, describe_json, to_plain
from tamis.facts.selection_answer import (
    ClippedFacts,
    LimitFacts,
    OverfitFacts,
    PredictionFacts,
    SearchFacts,
    SelectionFacts,
    TakenFacts,
)
from tamis.facts.shared_answer import (
    AnswerFacts,
    LabelFacts,
    MissingFacts,
    RelationFacts,
    RowFacts,
    SummaryFacts,
    SuspiciousColumn,
    UnreadFacts,
)
from tamis.presentation.prose.about_column import taken_text
from tamis.presentation.prose.about_comparison import comparison_sentence
from tamis.presentation.prose.about_extraction import (
    component_words,
    extraction_sentence,
    label_name,
    separation_sentence,
    units_text,
)
from tamis.presentation.prose.about_relations import relation_equation
from tamis.presentation.prose.about_search import search_sentences
from tamis.presentation.prose.about_selection import (
    limit_sentence,
    opinions_sentence,
    order_sentence,
    overfit_advice,
    overfit_effect,
    overfit_sentence,
    prediction_sentence,
    reasons_sentence,
    selection_sentence,
    shrink_sentence,
    spent_sentence,
    whole_sentence,
)
from tamis.presentation.prose.about_table import (
    alike_sentence,
    clipped_sentence,
    labels_sentence,
    missing_sentence,
    row_sentences,
    summary_sentence,
    unread_sentence,
    warning_advice,
    warning_text,
)

__all__ = ["SCHEMAS", "describe_document", "write_document"]


def _measure_text(facts: ExtractionFacts) -> str:
    return component_words(facts.method.id).share


def _thing_text(facts: ExtractionFacts) -> str:
    return component_words(facts.method.id).thing


def _opinion_text(facts: SelectionFacts) -> str:
    return opinions_sentence(facts.opinions)


_TEXTS: Texts = {
    MissingFacts: {"sentence": missing_sentence},
    ClippedFacts: {"sentence": clipped_sentence},
    TakenFacts: {"taken_as": taken_text},
    RowFacts: {"sentences": row_sentences, "alike": alike_sentence},
    UnreadFacts: {"sentence": unread_sentence},
    LabelFacts: {"sentence": labels_sentence},
    PredictionFacts: {"sentence": prediction_sentence},
    SuspiciousColumn: {"text": warning_text, "advice": warning_advice},
    OverfitFacts: {
        "sentence": overfit_sentence,
        "advice": overfit_advice,
        "effect": overfit_effect,
    },
    RelationFacts: {"text": relation_equation},
    LimitFacts: {"sentence": limit_sentence},
    SearchFacts: {"sentences": search_sentences},
    SelectionFacts: {
        "sentence": selection_sentence,
        "order": order_sentence,
        "reasons": reasons_sentence,
        "second_opinion": _opinion_text,
        "shrinkage": shrink_sentence,
        "taken_whole": whole_sentence,
        "spending": spent_sentence,
    },
    SeparationFacts: {"sentence": separation_sentence},
    ExtractionFacts: {
        "sentence": extraction_sentence,
        "measure": _measure_text,
        "thing": _thing_text,
        "units": units_text,
        "label": label_name,
    },
    ComparisonFacts: {"sentence": comparison_sentence},
    SummaryFacts: {"sentence": summary_sentence},
}

# By the name of the file that has the schema: the facts, and what they are about.
SCHEMAS: dict[str, tuple[type, str]] = {
    "selection": (SelectionFacts, "What tamis select --json and tamis score --json print"),
    "extraction": (ExtractionFacts, "What tamis extract --json prints"),
    "comparison": (ComparisonFacts, "What tamis compare --json prints"),
}


def write_document(facts: AnswerFacts | SummaryFacts) -> dict[str, Any]:
    """Give all that is known about a result as plain values, ready for JSON."""
    return {"version": VERSION, **to_plain(facts, _TEXTS)}


def describe_document(name: str) -> dict[str, Any]:
    """Give the JSON schema of one kind of document.

    >>> describe_document("selection")["properties"]["k"]
    {'type': 'integer'}
    """
    kind, title = SCHEMAS[name]
    return describe_json(kind, _TEXTS, title)
