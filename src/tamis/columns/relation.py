"""What one column is of others: a copy, another unit, a logarithm, ranks, a sum."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Relation", "RelationForm"]

RelationForm = Literal["linear", "log", "log1p", "root", "reciprocal", "order", "rank", "codes"]


@dataclass(frozen=True)
class Relation:
    """One column that others determine.

    `parts` are these with their weights and `constant` what is added: to a "linear" combination, or
    to the function that `form` names of the one part. "order" is a column that rises or falls with
    another, "rank" its ranks, by the sign of the weight, perhaps `within` the rows of equal value
    in a third; "codes" is a category with the same levels under other names. `rounded` says that it
    holds but for the last digit, `nearly` that some ranks differ. `rows` is on how many it was
    seen, `sampled` whether there are others, `exceptions` in how many of them it does not hold.
    """

    column: str
    form: RelationForm
    parts: Mapping[str, float] = field(hash=False)
    constant: float = 0.0
    rounded: bool = False
    nearly: bool = False
    within: str | None = None
    rows: int = 0
    sampled: bool = False
    exceptions: int = 0
