"""Sentences on limits: what one more column than they allow would add."""

from collections.abc import Sequence

from tamis.errors import spell_name
from tamis.facts.selection_answer import LimitFacts
from tamis.presentation.prose.numbers import percent

__all__ = ["limit_lines"]


def limit_lines(limits: Sequence[LimitFacts]) -> list[str]:
    """Say for every limit that was reached what the best column it keeps out would add.

    >>> limit_lines([LimitFacts("at_most", "A", "a2", 0.012)])
    ['', "One more column of 'A' than at_most allows would add 1.2% (a2)."]
    """
    lines = []
    for limit in limits:
        option, adds = spell_name(limit.option), f"{percent(limit.gain)} ({limit.column})"
        if limit.group is not None:
            lines.append(
                f"One more column of {limit.group!r} than {option} allows would add {adds}."
            )
        else:
            lines.append(f"The best column that {option} keeps out would add {adds}.")
    return ["", *lines] if lines else []
