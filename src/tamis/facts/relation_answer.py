"""What is known about a column that others determine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["RelationFacts"]


@dataclass(frozen=True)
class RelationFacts:
    """One column that others determine.

    `parts` are these with their weights and `constant` what is added: to a linear combination, or
    to the function that `form` names of the one part. "order" is a column that rises or falls with
    another, "rank" its ranks (falling where the weight is negative), perhaps `within` the rows of
    equal value in a third, "codes" the same categories under other names. `rounded` says that it
    holds but for the last digit, `nearly` that some ranks differ; `rows` is on how many it was
    seen, `sampled` whether there are others, `exceptions` in how many of them it does not hold.
    """

    column: str
    form: Literal["linear", "log", "log1p", "root", "reciprocal", "order", "rank", "codes"]
    parts: Mapping[str, float] = field(hash=False)
    constant: float = 0.0
    rounded: bool = False
    nearly: bool = False
    within: str | None = None
    rows: int = 0
    sampled: bool = False
    exceptions: int = 0

    @property
    def is_copy(self) -> bool:
        """Whether the column has the values of another."""
        plain = self.form == "linear" and not self.constant and not self.rounded
        return plain and list(self.parts.values()) == [1.0]
