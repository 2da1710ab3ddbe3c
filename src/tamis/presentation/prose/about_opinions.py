"""What is said about columns that trees predict, and a linear model does not."""

from collections.abc import Sequence

from tamis.facts.opinion_answer import OpinionFacts
from tamis.presentation.prose.names import list_names
from tamis.presentation.prose.numbers import percent

__all__ = ["opinions_sentence"]


def opinions_sentence(opinions: Sequence[OpinionFacts]) -> str:
    """Say whether trees find what a linear model does not; nothing where nobody asked.

    >>> opinions_sentence([OpinionFacts("x", 0.12, 0.97, True), OpinionFacts("y", 0.1, 0.1, False)])
    'Second opinion: trees predict x (97.0%, linear 12.0%) far better ...'
    >>> opinions_sentence([OpinionFacts("y", 0.88, 0.97, False)])
    'Second opinion: trees predict the dropped column little or no better than a linear model does.'
    """
    if not opinions:
        return ""
    better = sorted((one for one in opinions if one.clearly), key=lambda one: -one.trees)
    if not better:
        columns = f"{len(opinions):,} least explained columns"
        columns = "dropped column" if len(opinions) == 1 else columns
        than = "little or no better than a linear model does"
        return f"Second opinion: trees predict the {columns} {than}."
    said = [f"{one.column} ({percent(one.trees)}, linear {percent(one.linear)})" for one in better]
    return (
        f"Second opinion: trees predict {list_names(said, 4)} far better than a linear model, on "
        "rows that neither has seen: the kept columns say more of them than the shares above show."
    )
