"""A selection as text for a terminal."""

from typing import Any

from tamis.presentation.names import LONGEST, by_reason, cut, fit, headline, listed, signed_sum
from tamis.presentation.numbers import percent
from tamis.presentation.words import Words, words_of

_CHANCE = 0.01
_KEPT = 20
_DROPPED = 10
_REMOVED = 5


def selection_text(facts: dict[str, Any]) -> str:
    """Write what was found: the sentence, the kept columns, the costliest losses."""
    words = words_of(facts["measure"])
    lines = [*headline(facts), "", f"  kept{'':<25}{words.done:>10}   ceiling"]
    retained, bound = facts["curve"]["retained"], facts["curve"]["bound"]
    lines += [
        f"  {i + 1:>3} {fit(name, 24)} {percent(retained[i]):>10} {percent(bound[i]):>9}"
        for i, name in enumerate(facts["names"][:_KEPT])
    ]
    if facts["k"] > _KEPT:
        lines.append(f"      ... and {facts['k'] - _KEPT:,} more")
    lines += _dropped(facts["dropped"], words)
    if (facts["chance"] or 0.0) >= _CHANCE:
        lines += ["", f"By chance alone {words.chance.format(percent(facts['chance']))}."]
    lines += _removed(facts["removed"])
    return "\n".join([*lines, *_without_part(facts)])


def _without_part(facts: dict[str, Any]) -> list[str]:
    reasons = by_reason(facts["left_out"])
    lines = [f"Left out ({why}): {listed(names)}." for why, names in reasons.items()]
    if facts["constant"]:
        lines.insert(0, f"Constant, never kept: {listed(facts['constant'])}.")
    return ["", *lines] if lines else []


def _dropped(rows: list[dict[str, Any]], words: Words) -> list[str]:
    if not rows:
        return []
    worst = sorted(rows, key=lambda row: row["share"])[:_DROPPED]
    title = "dropped" if len(rows) <= _DROPPED else f"dropped, the {_DROPPED} least {words.done}"
    shown = [(percent(row["share"]), fit(row["column"], 24), _from(row, words)) for row in worst]
    lines = [f"  {share:>8} of {name} {source}".rstrip() for share, name, source in shown]
    return ["", f"  {title}", *lines]


def _removed(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return []
    title = "removed" if len(rows) <= _REMOVED else f"removed, the first {_REMOVED}"
    return [
        "",
        f"  {title}, with the error of the equation",
        *(
            f"  {row['error']:>8.4f}    {fit(row['column'], 24)} {formula(row)}".rstrip()
            for row in rows[:_REMOVED]
        ),
    ]


def _from(row: dict[str, Any], words: Words) -> str:
    """Write from which kept columns a dropped one is known: a sum, or a list by what each tells.

    >>> from tamis.presentation.words import INFORMATION
    >>> _from({"weights": {"weight": 0.431, "height": 0.31}}, INFORMATION)
    'told by weight (0.43), height (0.31)'
    """
    if words.signed:
        return formula(row)
    shown = [
        f"{cut(name, LONGEST)} ({weight:.2f})"
        for name, weight in row["weights"].items()
        if weight >= words.least
    ]
    return f"{words.done} by {', '.join(shown)}" if shown else ""


def formula(row: dict[str, Any]) -> str:
    """Write the few columns that carry a dropped one, as a sum.

    >>> formula({"weights": {"weight": 0.981, "height": -0.31}})
    '= 0.98 weight - 0.31 height'
    """
    text = signed_sum(row["weights"])
    return f"= {text}" if text else ""
