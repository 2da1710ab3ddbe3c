"""What a second model predicts of a dropped column."""

from dataclasses import dataclass

__all__ = ["OpinionFacts"]


@dataclass(frozen=True)
class OpinionFacts:
    """A dropped column: the share of it predicted by a linear model and by trees.

    Both on rows that they have not seen. `clearly` is whether trees predict far more.
    """

    column: str
    linear: float
    trees: float
    clearly: bool
