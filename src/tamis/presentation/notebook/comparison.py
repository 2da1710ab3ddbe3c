"""A comparison as a small card: the recommendation and the figures of every method."""

from tamis.facts.comparison_answer import ComparedMethod, ComparisonFacts
from tamis.presentation.notebook.card import card, note, table
from tamis.presentation.prose.about_comparison import below_note, comparison_sentence, figure_text
from tamis.presentation.prose.about_table import missing_sentence

__all__ = ["comparison_html"]


def comparison_html(facts: ComparisonFacts) -> str:
    """Write what a notebook shows of a comparison."""
    criteria = facts.criteria
    head = ["method", *(criterion.head for criterion in criteria)]
    rows = [
        [
            _mark_method(method),
            *(figure_text(facts.figures[one.id][method.id].mean, one.unit) for one in criteria),
        ]
        for method in facts.methods
    ]
    sizes = ", ".join(map(str, facts.sizes))
    about = f"Means over k = {sizes}." if len(facts.sizes) > 1 else f"k = {sizes}."
    noise = " =: within noise of the first." if facts.within_noise else ""
    notes = [below_note(facts), *facts.notes]
    figures = table(head, rows, numbers=range(1, len(head)), bare=True)
    notes = [missing_sentence(facts.missing), *notes]
    shown = (note(text) for text in notes if text)
    return card(comparison_sentence(facts), figures, note(about + noise), *shown)


def _mark_method(method: ComparedMethod) -> str:
    mark = " *" if method.best else " =" if method.within_noise else ""
    return f"{method.id}{mark}"
