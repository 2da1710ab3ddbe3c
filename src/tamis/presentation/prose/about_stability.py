"""What halves of the rows agree on, in sentences: the same said by others, one of several kept."""

from collections.abc import Iterator

from tamis.facts.selection_answer import SelectionFacts
from tamis.presentation.prose.numbers import percent

__all__ = ["agreement_sentence", "interchangeable"]

MIN_HALF_SAMPLES = 0.1  # of the half-samples, for a column to be named as one of several
ALMOST_ALWAYS = 0.9  # of the half-samples: such a column is not one of several
MAX_STAND_INS = 6


def agreement_sentence(facts: SelectionFacts) -> str:
    """Say how much of what the kept columns explain the columns of a half explain."""
    found = facts.stability
    if found is None or found.explained is None:
        return ""
    own = "this column explains" if facts.k == 1 else f"these {facts.k:,} explain"
    return (
        f"The columns found on half of the rows explain {percent(found.explained)} of what {own}."
    )


def interchangeable(facts: SelectionFacts) -> Iterator[tuple[float, list[tuple[str, str]]]]:
    """Give the sets of columns of which halves keep one: how often, and each with its share.

    Only columns that halves often keep another one for; in the order of the kept columns.
    """
    found = facts.stability
    for column, others in (found.stand_ins if found else {}).items():
        named = {name: often for name, often in others.items() if often >= MIN_HALF_SAMPLES}
        if others.get(column, 0.0) < ALMOST_ALWAYS and len(named) > 1 and column in named:
            shown = list(named.items())[:MAX_STAND_INS]
            yield sum(often for _, often in shown), [(n, f"{often:.0%}") for n, often in shown]
