"""What is said about one column."""

from tamis.facts.column_answer import ColumnFacts
from tamis.presentation.prose.names import plain
from tamis.presentation.prose.numbers import percent, signed_percent

__all__ = ["column_text"]


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
