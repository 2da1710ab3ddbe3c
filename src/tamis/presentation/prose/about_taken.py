"""What is said about how a column was taken."""

from tamis.facts.taken_answer import TakenFacts

__all__ = ["taken_text"]


def taken_text(taken: TakenFacts) -> str:
    """Say how a column was taken.

    >>> taken_text(TakenFacts("price", "number")), taken_text(TakenFacts("genes", "logarithm"))
    ('number', 'count as logarithm')
    >>> taken_text(TakenFacts("colour", "category", 3, 2, True))
    'category of 3 levels (2 rare ones pooled, missing values a level)'
    """
    if taken.kind == "category":
        beside = [f"{taken.rare:,} rare one{'s' * (taken.rare != 1)} pooled"] if taken.rare else []
        beside += ["missing values a level"] if taken.missing_level else []
        said = f"category of {taken.levels or 0:,} level{'s' * (taken.levels != 1)}"
        return f"{said} ({', '.join(beside)})" if beside else said
    if taken.kind == "bins":
        return f"{taken.levels or 0:,} levels or bins"
    return {"logarithm": "count as logarithm", "rank": "rank"}.get(taken.kind, "number")
