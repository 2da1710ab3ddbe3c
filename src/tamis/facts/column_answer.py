"""What is known about one column of a table."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["ColumnFacts", "ColumnStatus"]

ColumnStatus = Literal["kept", "dropped", "constant", "skipped"]


@dataclass(frozen=True)
class ColumnFacts:
    """What became of a column, as text and numbers; what does not apply is None.

    Of a kept column: its rank, what it adds (`gain`), what all up to it explain (`total`), and
    columns in its place with the change. Of a dropped one: the share explained, and `by` what.
    `text` is what it means.
    """

    column: str
    status: ColumnStatus
    reason: str = ""
    rank: int | None = None
    gain: float | None = None
    total: float | None = None
    share: float | None = None
    by: str = ""
    text: str = ""
    substitutes: tuple[tuple[str, float], ...] = ()
