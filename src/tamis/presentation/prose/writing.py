"""Numbers and column names as text: rounded, shortened, counted when many."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tamis.errors import as_term
from tamis.facts.json_schema import decimals
from tamis.rules.pictures import WORSE

if TYPE_CHECKING:
    from tamis.facts.shared_answer import AnswerFacts, SkippedColumn

_ROUNDING = 5e-4  # a share that is written as 0.0%


def percent(share: float) -> str:
    """Write a share as a percentage that never rounds up to a false 100%.

    >>> percent(0.95342), percent(0.99962), percent(0.9999999), percent(1)
    ('95.3%', '99.96%', 'over 99.99%', '100%')
    """
    points = 100 * share if abs(share) >= _ROUNDING else 0.0
    if points >= 100 - 1e-7:
        return "100%"
    if points >= 99.995:
        return "over 99.99%"
    return f"{points:.2f}%" if points >= 99.95 else f"{points:.1f}%"


def percent_cell(share: float) -> str:
    """Write a percentage where room is short, as in a table of the terminal.

    >>> percent_cell(0.95342), percent_cell(0.9999999)
    ('95.3%', '>99.99%')
    """
    return percent(share).replace("over ", ">")


def held_out_figure(share: float) -> str:
    """Write a share on held-out rows where room is short.

    >>> held_out_figure(0.35), held_out_figure(-0.0001), held_out_figure(-13.84)
    ('35.0%', '0.0%', 'worse')
    """
    return "worse" if is_worse(share) else percent(share)


def share_on_new_rows(share: float) -> str:
    """Write a share on held-out rows in full.

    >>> share_on_new_rows(0.35), share_on_new_rows(-0.2)
    ('35.0%', 'worse than predicting the mean')
    """
    return WORSE if is_worse(share) else percent(share)


def is_worse(share: float) -> bool:
    """Say whether a share on held-out rows is below 0, and not only by rounding.

    >>> is_worse(-0.01), is_worse(-0.0001), is_worse(0.2)
    (True, False, False)
    """
    return share <= -_ROUNDING


def at_most(share: float) -> str:
    """Write a bound that nothing exceeds; nothing where it says nothing.

    >>> at_most(0.953), at_most(0.999999), at_most(1.0)
    ('more than 95.3%', 'all of it', '')
    """
    text = percent(share)
    if text == "100%":
        return ""
    return "all of it" if text.startswith("over ") else f"more than {text}"


def p_value(p: float) -> str:
    """Write a p-value with two digits, and what is too small for a number as such.

    >>> p_value(0.03456), p_value(0.5), p_value(3.21e-7), p_value(0.0)
    ('0.035', '0.50', '3.2e-07', '< 1e-300')
    """
    if p < 1e-300:
        return "< 1e-300"
    return f"{p:.1e}" if p < 1e-3 else f"{p:.{2 if p >= 0.1 else 3}f}"


def signed_percent(change: float) -> str:
    """Write a change of a share with its sign.

    >>> signed_percent(0.0012), signed_percent(-0.00012), signed_percent(-0.2)
    ('+0.1%', '-0.01%', '-20.0%')
    """
    digits = 1 if abs(change) >= 5e-4 else 2
    text = f"{100 * change:+.{digits}f}%"
    return "0%" if float(text[:-1]) == 0 else text


def weight_text(weight: float, largest: float) -> str:
    """Write a weight with as many decimals as the largest of its component needs.

    >>> weight_text(-0.0829, 0.86), weight_text(0.00123, 0.0045), weight_text(3e-9, 5e-9)
    ('\N{MINUS SIGN}0.08', '0.0012', '3.0e-09')
    """
    digits = decimals(largest)
    text = f"{abs(weight):.{digits}f}" if digits <= 6 else f"{abs(weight):.1e}"
    return f"\N{MINUS SIGN}{text}" if weight < 0 else text


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
    inside, longest = width - 2, max(map(len, given), default=0)
    starts = range(1, longest, max(inside // 2, 1)) if inside > 0 else ()
    ways: list[Callable[[str], str]] = [partial(cut, width=width, split=part) for part in _SPLITS]
    ways += [partial(_window, start=start, inside=inside) for start in starts]
    for way in ways:  # the best first: without the middle, then only some of it
        tried = {name: way(name) for name in left}
        count = Counter([*short.values(), *tried.values()])
        short |= {name: text for name, text in tried.items() if count[text] == 1}
        left = [name for name in left if name not in short]
    return {name: short.get(name) or plain(name) for name in given}


def _window(name: str, start: int, inside: int) -> str:
    more = "\N{HORIZONTAL ELLIPSIS}"
    return f"{more}{plain(name)[start : start + inside]}{more}"


def list_names(names: Sequence[str], most: int = _MAX_NAMES_LISTED) -> str:
    """Write the first few names and count the others.

    >>> list_names([f"x{j}" for j in range(9)])
    'x0, x1, x2, x3, x4, x5 and 3 more'
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(map(plain, names[:most])) + more


def count_words(count: int, word: str) -> str:
    """Write a number of things.

    >>> count_words(1, "row"), count_words(2000, "column")
    ('1 row', '2,000 columns')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


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
