"""What is said about the columns of a table before any choice."""

from typing import Any

__all__ = ["distinct_text", "headline", "value_text"]

_PLURALS = {"share": "shares", "category": "categories", "free text": "free text", "key": "keys"}


def headline(facts: dict[str, Any]) -> str:
    """Say how many rows there are, and columns of every kind."""
    kinds = [
        f"{count:,} {kind if count == 1 else _PLURALS.get(kind, f'{kind}s')}"
        for kind, count in sorted(facts["kinds"].items(), key=lambda pair: -pair[1])
        if kind not in ("constant", "empty", "other")
    ]
    kinds += [
        f"{facts['kinds'][k]:,} {k}" for k in ("constant", "empty", "other") if k in facts["kinds"]
    ]
    columns = len(facts["columns"])
    return f"{facts['title']}: {facts['rows']:,} rows, {columns:,} columns: {', '.join(kinds)}."


def value_text(value: Any) -> str:
    """Write the smallest or largest value in few characters."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else f"{value:.6g}"
    return text if len(text) <= 11 else f"{text[:10]}…"


def distinct_text(row: dict[str, Any]) -> str:
    """Write how many different values there are, and whether that is an estimate."""
    if not row["distinct"] and not row["distinct_exact"]:  # dates are not counted
        return ""
    return f"{'' if row['distinct_exact'] else '~'}{row['distinct']:,}"
