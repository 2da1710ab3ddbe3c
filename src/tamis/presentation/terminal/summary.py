"""A summary as text for a terminal."""

from tamis.facts.shared_answer import SummaryFacts
from tamis.presentation.prose.about_table import missing_sentence, summary_sentence
from tamis.presentation.prose.names import list_reasons
from tamis.presentation.terminal.screen import join_lines


def summary_text(facts: SummaryFacts) -> str:
    """Write what is in a summary, what was done about missing values, and what is not in it."""
    said = (summary_sentence(facts), missing_sentence(facts.missing), *facts.doubts)
    lines = [line for line in said if line]
    return join_lines([*lines, *list_reasons(facts.skipped)])
