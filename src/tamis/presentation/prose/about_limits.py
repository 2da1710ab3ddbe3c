"""Sentences on limits: what one more column than they allow would add."""

from tamis.errors import spell_name
from tamis.facts.limit_answer import LimitFacts
from tamis.facts.selection_answer import SelectionFacts
from tamis.presentation.prose.numbers import percent

__all__ = ["limit_lines", "limit_sentence", "spent_sentence", "whole_sentence"]

_MAX_LIMITS = 5  # sentences on the costliest


def limit_lines(facts: SelectionFacts) -> list[str]:
    """Say what is taken whole and spent, and for every limit what it keeps out would add."""
    about = [sentence for sentence in (whole_sentence(facts), spent_sentence(facts)) if sentence]
    costly = sorted(facts.limits, key=lambda limit: -limit.gain)
    lines = [*about, *(limit_sentence(limit) for limit in costly[:_MAX_LIMITS])]
    if len(costly) > _MAX_LIMITS:
        rest = costly[_MAX_LIMITS:]
        lines.append(f"{len(rest)} other limits keep out less, {percent(rest[0].gain)} at most.")
    return ["", *lines] if lines else []


def limit_sentence(limit: LimitFacts) -> str:
    """Say what the best column that a limit keeps out would add.

    >>> limit_sentence(LimitFacts("at_most", "A", "a2", 0.012))
    "One more column of 'A' than at_most allows would add 1.2% (a2)."
    >>> limit_sentence(LimitFacts("at_least", "C", "x", 0.012))
    "One column fewer of 'C' than at_least asks for, and x instead, would add 1.2%."
    """
    option, gain = spell_name(limit.option), percent(limit.gain)
    if limit.option == "at_least":
        return (
            f"One column fewer of {limit.group!r} than {option} asks for, and {limit.column} "
            f"instead, would add {gain}."
        )
    if limit.group is not None:
        more = f"One more column of {limit.group!r} than {option} allows"
        return f"{more} would add {gain} ({limit.column})."
    return f"The best column that {option} keeps out would add {gain} ({limit.column})."


def whole_sentence(facts: SelectionFacts) -> str | None:
    """Name the groups that are taken whole, and say that the number to keep counts them.

    None where groups are not taken whole.
    """
    if facts.whole is None:
        return None
    groups = [f"{one.group} ({count_columns(one.columns)})" for one in facts.whole.groups]
    if facts.whole.single:
        groups.append(f"{count_columns(facts.whole.single)} in no group")
    return f"Taken whole: {', '.join(groups)}; {spell_name('k')} counts groups."


def count_columns(count: int) -> str:
    """Write how many columns there are.

    >>> count_columns(1), count_columns(1200)
    ('1 column', '1,200 columns')
    """
    return "1 column" if count == 1 else f"{count:,} columns"


def spent_sentence(facts: SelectionFacts) -> str | None:
    """Say what the kept columns cost, of the budget; None without one."""
    if facts.spent is None:
        return None
    return f"The kept columns cost {facts.spent.cost:g} of {facts.spent.budget:g}."
