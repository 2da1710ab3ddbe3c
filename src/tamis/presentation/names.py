"""Column names in a terminal: free of control characters, cut to a width, counted when many."""

from collections.abc import Callable
from typing import Any

LONGEST = 32
_NAMES = 6
_TERMS = 4


def plain(name: str) -> str:
    """Keep control characters off the terminal.

    >>> plain("a" + chr(27) + "b")
    'a?b'
    """
    return "".join(c if c.isprintable() else "?" for c in name)


def cut(name: str, width: int) -> str:
    """Shorten to a width.

    >>> cut("a long name", 7), cut("short", 7)
    ('a long\u2026', 'short')
    """
    name = plain(name)
    return name if len(name) <= width else name[: width - 1] + "\N{HORIZONTAL ELLIPSIS}"


def fit(name: str, width: int) -> str:
    """Fill up or cut to a width."""
    return cut(name, width).ljust(width)


def listed(names: list[str]) -> str:
    """Write the first few names and count the others.

    >>> listed([f"x{j}" for j in range(9)])
    'x0, x1, x2, x3, x4, x5 and 3 more'
    """
    more = f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else ""
    return ", ".join(map(plain, names[:_NAMES])) + more


def headline(facts: dict[str, Any]) -> list[str]:
    """Give the first lines of an answer: the sentences, the method if the user named none, ..."""
    labels, method = facts.get("labels") or {"sentence": ""}, facts["method"]
    found = (facts.get("evidence") or {}).get("sentences", [])[:1]
    chosen = f"Method: {method['id']}, {method['why']}." if method["why"] else ""
    parts = (facts["missing"], facts["unread"], labels)
    lines = (facts["sentence"], *found, chosen, *(part["sentence"] for part in parts))
    return [line for line in lines if line]


def by_reason(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Group the skipped columns by the reason.

    >>> by_reason([{"column": "a", "why": "excluded"}, {"column": "b", "why": "excluded"}])
    {'excluded': ['a', 'b']}
    """
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row["why"], []).append(row["column"])
    return groups


def skipped(facts: dict[str, Any]) -> list[str]:
    """Write which columns were not analysed and why, after an empty line; nothing if all were."""
    lines = [f"Skipped (constant): {listed(facts['constant'])}."] if facts["constant"] else []
    reasons = by_reason(facts["left_out"])
    lines += [f"Skipped ({why}): {listed(names)}." for why, names in reasons.items()]
    return ["", *lines] if lines else []


def signed_sum(weights: dict[str, float], as_text: Callable[[float], str] = "{:.2f}".format) -> str:
    """Write the first few weighted columns as a sum; `as_text` writes a weight without its sign.

    >>> signed_sum({"weight": -0.981, "height": -0.31})
    '-0.98 weight - 0.31 height'
    """
    text = ""
    for name, weight in list(weights.items())[:_TERMS]:
        text += f" {'-' if weight < 0 else '+'} {as_text(abs(weight))} {cut(name, LONGEST)}"
    text = f"-{text[3:]}" if text.startswith(" - ") else text[3:]
    return f"{text} + ..." if len(weights) > _TERMS else text
