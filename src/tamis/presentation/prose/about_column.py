"""What is said about one column."""

from tamis.facts.selection_answer import ColumnFacts, TakenFacts
from tamis.presentation.prose.names import plain
from tamis.presentation.prose.numbers import percent, signed_percent

__all__ = ["column_text", "taken_text"]


def column_text(column: ColumnFacts) -> str:
    """Say what is known about one column.

    >>> column_text(ColumnFacts("id", "skipped", "text"))
    'id: skipped (text)'
    >>> column_text(ColumnFacts("q7", "constant", text="I worry"))
    'q7 ("I worry"): constant'
    """
    meaning = f' ("{plain(column.text)}")' if column.text else ""
    name, status = f"{plain(column.column)}{meaning}", column.status
    if status == "kept":
        rank, gain, total = column.rank or 0, column.gain or 0.0, column.total or 0.0
        said = f"{name}: kept, number {rank:,}; adds {percent(gain)}"
        said += f", {percent(total)} with those before it" if rank > 1 else ""
        others = [f"{other} ({signed_percent(by)})" for other, by in column.substitutes[:3]]
        return f"{said}; instead of it: {', '.join(others)}" if others else said
    if status == "dropped":
        why = f"{column.reason}, " if column.reason else ""
        mostly = f", mostly {column.by}" if column.by else ""
        return f"{name}: dropped, {why}{percent(column.share or 0.0)} explained{mostly}"
    why = f" ({column.reason})" if column.reason else ""
    return f"{name}: {status}{why}"


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
