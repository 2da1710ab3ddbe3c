"""A concept of a hierarchy in words: what its rows have in common."""

from typing import Any

from tamis.presentation.prose.numbers import percent

__all__ = ["mark_text", "rows_text"]


def mark_text(mark: list[Any]) -> str:
    """Write a column with its mean in standard deviations, or with its commonest value.

    >>> mark_text(["width", -1.26]), mark_text(["cover", ["fur", 0.8]])
    ('width \N{MINUS SIGN}1.3', 'cover fur (80.0%)')
    """
    name, value = mark
    if isinstance(value, list):
        level, share = value
        return f"{name} {level}" + ("" if share >= 1 else f" ({percent(share)})")
    sign = "\N{MINUS SIGN}" if round(value, 1) < 0 else "+"
    return f"{name} {sign}{abs(value):.1f}"


def rows_text(count: int) -> str:
    """Count rows.

    >>> rows_text(1), rows_text(2000)
    ('1 row', '2,000 rows')
    """
    return "1 row" if count == 1 else f"{count:,} rows"
