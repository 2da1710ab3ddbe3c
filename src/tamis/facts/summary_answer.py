"""What is known about a summary of a table."""

from dataclasses import dataclass

from tamis.facts.shared_answer import MissingFacts, SkippedColumn

__all__ = ["SummaryFacts"]


@dataclass(frozen=True, kw_only=True)
class SummaryFacts:
    """What is in a summary: rows, columns (some constant), the parts and blocks it was made of."""

    rows: int
    names: tuple[str, ...]
    constant: int
    parts: int
    blocks: int
    missing: MissingFacts
    doubts: tuple[str, ...]
    skipped: tuple[SkippedColumn, ...]
