"""The first lines of an answer on a terminal."""

from tamis.facts.selection_answer import SearchFacts, SelectionFacts
from tamis.facts.shared_answer import AnswerFacts, SuspiciousColumn
from tamis.presentation.prose.about_prediction import prediction_sentence
from tamis.presentation.prose.about_rows import row_sentences
from tamis.presentation.prose.about_search import search_sentences
from tamis.presentation.prose.about_selection import overfit_text, shrink_sentence
from tamis.presentation.prose.about_table import (
    clipped_sentence,
    labels_sentence,
    missing_sentence,
    unread_sentence,
    warning_sentence,
)

__all__ = ["MAX_NOTES", "headline", "list_kept_labels", "split_notes"]

MAX_NOTES = 6  # above the table of kept columns; what is more stands below it

_MIN_NAMES_LETTERS = 30
_SHARE_LETTERS = 20  # in one line with a name: its share


def headline(facts: AnswerFacts, sentence: str, width: int) -> list[str]:
    """Give the sentences, the method if the user named none, missing values and labels.

    A name is shortened only where it does not fit into a line of this width.
    """
    first, later = split_notes(facts, sentence, width)
    return [*first, *later]


def split_notes(facts: AnswerFacts, sentence: str, width: int) -> tuple[list[str], list[str]]:
    """Give the first lines of an answer, and the notes for which there is no room among them."""
    longest = max(_MIN_NAMES_LETTERS, width - _SHARE_LETTERS)
    labels, method = facts.labels, facts.method
    first = [
        sentence,
        *_say_predicted(facts),
        *_say_enough(facts),
        *_say_search(facts),
        f"Method: {method.id}, {method.why}." if method.why else "",
    ]
    notes = [
        *map(warning_sentence, list_kept_labels(facts)),
        missing_sentence(facts.missing, longest),
        *_say_prepared(facts, longest),
        unread_sentence(facts.unread),
        *facts.doubts,
        labels_sentence(labels, longest) if labels else "",
    ]
    notes = [line for line in notes if line]
    return [*(line for line in first if line), *notes[:MAX_NOTES]], notes[MAX_NOTES:]


def list_kept_labels(facts: AnswerFacts) -> list[SuspiciousColumn]:
    """List the kept columns that look like labels: they may be what the others are kept for."""
    if not isinstance(facts, SelectionFacts):
        return []
    labels = [row for row in facts.warnings if row.looks_like in ("label", "response")]
    return [row for row in labels if row.column in {*facts.names}]


def _say_predicted(facts: AnswerFacts) -> list[str]:
    """Say how well each response is predicted, where that was measured."""
    found = facts.predictions if isinstance(facts, SelectionFacts) else ()
    return [prediction_sentence(one) for one in found]


def _say_enough(facts: AnswerFacts) -> list[str]:
    """Say how many columns are enough, where fewer explain more on new rows."""
    return [overfit_text(facts.overfit)] if isinstance(facts, SelectionFacts) else []


def _say_prepared(facts: AnswerFacts, longest: int) -> list[str]:
    """Say which values were limited, and that the search shrinks, if so."""
    if not isinstance(facts, SelectionFacts):
        return []
    clipped = clipped_sentence(facts.clipped, longest) if facts.clipped else ""
    return [clipped, shrink_sentence(facts), *row_sentences(facts.row_notes)]


def _say_search(facts: AnswerFacts) -> list[str]:
    """Say how good the columns are that a search found, if one did."""
    if isinstance(facts, SelectionFacts) and isinstance(facts.evidence, SearchFacts):
        return search_sentences(facts.evidence)[:1]
    return []
