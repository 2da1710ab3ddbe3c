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
from tamis.presentation.prose import (
    about_comparison,
    about_extraction,
    about_search,
    about_selection,
    about_table,
)
from tamis.presentation.prose.about_column import taken_text
from tamis.presentation.prose.about_relations import relation_equation


def _measure_text(facts: ExtractionFacts) -> str:
    return about_extraction.component_share(facts.method.id)


def _thing_text(facts: ExtractionFacts) -> str:
    return about_extraction.component_name(facts.method.id)


def _opinion_text(facts: SelectionFacts) -> str:
    return about_selection.opinions_sentence(facts.opinions)


_TEXTS: Texts = {
    MissingFacts: {"sentence": about_table.missing_sentence},
    ClippedFacts: {"sentence": about_table.clipped_sentence},
    TakenFacts: {"taken_as": taken_text},
    RowFacts: {"sentences": about_table.row_sentences, "alike": about_table.alike_sentence},
    UnreadFacts: {"sentence": about_table.unread_sentence},
    LabelFacts: {"sentence": about_table.labels_sentence},
    PredictionFacts: {"sentence": about_selection.prediction_sentence},
    SuspiciousColumn: {"text": about_table.warning_text, "advice": about_table.warning_advice},
    OverfitFacts: {
        "sentence": about_selection.overfit_sentence,
        "advice": about_selection.overfit_advice,
        "effect": about_selection.overfit_effect,
    },
    RelationFacts: {"text": relation_equation},
    LimitFacts: {"sentence": about_selection.limit_sentence},
    SearchFacts: {"sentences": about_search.search_sentences},
    SelectionFacts: {
        "sentence": about_selection.selection_sentence,
        "baselines": about_selection.baselines_sentence,
        "order": about_selection.order_sentence,
        "reasons": about_selection.reasons_sentence,
        "second_opinion": _opinion_text,
        "levels": about_selection.levels_sentence,
        "shrinkage": about_selection.shrink_sentence,
        "taken_whole": about_selection.whole_sentence,
        "spending": about_selection.spent_sentence,
    },
    SeparationFacts: {"sentence": about_extraction.separation_sentence},
    ExtractionFacts: {
        "sentence": about_extraction.extraction_sentence,
        "measure": _measure_text,
        "thing": _thing_text,
        "units": about_extraction.units_text,
        "label": about_extraction.label_name,
    },
    ComparisonFacts: {"sentence": about_comparison.comparison_sentence},
    SummaryFacts: {"sentence": about_table.summary_sentence},
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
