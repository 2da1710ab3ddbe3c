"""Column names in a terminal: free of control characters, shortened, counted when many."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tamis.errors import as_term

if TYPE_CHECKING:
    from tamis.facts.shared_answer import AnswerFacts, SkippedColumn

LONGEST = 60
_MAX_NAMES_LISTED = 6
_TERMS = 4
_SPLITS = (0.5, 0.75, 0.25, 1.0, 0.0)  # how much of a name to show before the ellipsis


def plain(name: str) -> str:
    """Keep control characters off the terminal.

    >>> plain("a" + chr(27) + "b")
    'a?b'
    """
    return "".join(c if c.isprintable() else "?" for c in name)


def cut(name: str, width: int, split: float = 0.5) -> str:
    """Shorten to a width, without the middle; `split` says how much of the rest is the start.

    >>> cut("a long name", 7), cut("short", 7)
    ('a l\u2026ame', 'short')
    """
    name = plain(name)
    if len(name) <= width:
        return name
    start = round(split * (width - 1))
    return f"{name[:start]}\N{HORIZONTAL ELLIPSIS}{name[len(name) - (width - 1 - start) :]}"


def shorten_name(names: Iterable[str], width: int) -> dict[str, str]:
    """Shorten names to a width so that no two become equal; a name that must be longer stays long.

    >>> shorten_name(["left ear, inner", "left eye, inner", "nose"], 9)
    {'left ear, inner': 'left ear\u2026', 'left eye, inner': 'left eye\u2026', 'nose': 'nose'}
    """
    given = dict.fromkeys(names)
    left, short = list(given), dict[str, str]()
    for way in _ways(width, max(map(len, given), default=0)):
        tried = {name: way(name) for name in left}
        count = Counter([*short.values(), *tried.values()])
        short |= {name: text for name, text in tried.items() if count[text] == 1}
        left = [name for name in left if name not in short]
    return {name: short.get(name) or plain(name) for name in given}


def _ways(width: int, longest: int) -> Iterator[Callable[[str], str]]:
    """Yield ways to shorten a name, the best first: without the middle, then only some of it."""
    for split in _SPLITS:
        yield partial(cut, width=width, split=split)
    inside = width - 2
    for start in range(1, longest, max(inside // 2, 1)) if inside > 0 else ():
        yield partial(_window, start=start, inside=inside)


def _window(name: str, start: int, inside: int) -> str:
    more = "\N{HORIZONTAL ELLIPSIS}"
    return f"{more}{plain(name)[start : start + inside]}{more}"


def list_names(names: list[str], most: int = _MAX_NAMES_LISTED) -> str:
    """Write the first few names and count the others.

    >>> list_names([f"x{j}" for j in range(9)])
    'x0, x1, x2, x3, x4, x5 and 3 more'
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(map(plain, names[:most])) + more


def by_reason(rows: "Iterable[SkippedColumn]") -> dict[str, list[str]]:
    """Group the skipped columns by the reason.

    >>> from tamis.facts.shared_answer import SkippedColumn
    >>> by_reason([SkippedColumn("a", "excluded"), SkippedColumn("b", "excluded")])
    {'excluded': ['a', 'b']}
    """
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row.why, []).append(row.column)
    return groups


def list_skipped(facts: "AnswerFacts", *, everything: bool = False) -> list[str]:
    """Write which columns were not analysed and why, after an empty line; nothing if all were."""
    return list_reasons(facts.skipped, facts.constant, everything=everything)


def list_reasons(
    rows: "Iterable[SkippedColumn]", constant: Sequence[str] = (), *, everything: bool = False
) -> list[str]:
    """Write the reasons, each with the first columns that have it, or with `everything` all."""
    reasons = {"constant": list(constant)} if constant else {}
    reasons |= by_reason(rows)
    lines = [
        f"Skipped ({why}): {list_names(names, len(names) if everything else _MAX_NAMES_LISTED)}."
        for why, names in reasons.items()
    ]
    return ["", *lines] if lines else []


def signed_sum(
    weights: Mapping[str, float],
    as_text: Callable[[float], str] = "{:.2f}".format,
    short: Callable[[str], str] = plain,
) -> str:
    """Write the first few weighted columns as a sum; `as_text` writes a weight without its sign.

    >>> signed_sum({"weight": -0.981, "height": -0.31})
    '-0.98 weight - 0.31 height'
    """
    text = ""
    for name, weight in list(weights.items())[:_TERMS]:
        text += f" {'-' if weight < 0 else '+'} {as_text(abs(weight))} {as_term(short(name))}"
    text = f"-{text[3:]}" if text.startswith(" - ") else text[3:]
    return f"{text} + ..." if len(weights) > _TERMS else text
