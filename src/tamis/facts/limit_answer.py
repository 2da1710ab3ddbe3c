"""Facts on limits: which of them keep out a column, what is spent, which groups are taken whole."""

from dataclasses import dataclass

__all__ = ["LimitFacts", "SpentFacts", "WholeFacts", "WholeGroup"]


@dataclass(frozen=True)
class LimitFacts:
    """A limit that keeps out a column: the option, its group, and what the best would add."""

    option: str
    group: str | None
    column: str
    gain: float


@dataclass(frozen=True)
class SpentFacts:
    """What the kept columns cost together, and the budget."""

    cost: float
    budget: float


@dataclass(frozen=True)
class WholeGroup:
    """A group that is taken whole, and how many columns it has."""

    group: str
    columns: int


@dataclass(frozen=True)
class WholeFacts:
    """The groups that are taken whole, and how many columns are taken that are in none."""

    groups: tuple[WholeGroup, ...]
    single: int
