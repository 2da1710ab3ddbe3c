"""A selection as text for a terminal."""

from typing import Any

from tamis.presentation.names import LONGEST, cut, fit, headline, signed_sum, skipped
from tamis.presentation.numbers import percent, signed_percent
from tamis.presentation.terminal.evidence import evidence_lines
from tamis.presentation.terminal.repeats import repeat_lines
from tamis.presentation.words import Words, words_of

_CHANCE = 0.01
_KEPT = 20
_DROPPED = 10
_REMOVED = 5


def selection_text(facts: dict[str, Any]) -> str:
    """Write what was found: the sentence, the kept columns, the costliest losses."""
    words = words_of(facts["measure"])
    retained, bound = facts["curve"]["retained"], facts["curve"]["bound"]
    held_out = _held_out_column(facts)
    lines = [*headline(facts), "", f"  {'kept':<28} {'explained':>10}   ceiling{held_out[0]}"]
    lines += [
        f"  {i + 1:>3} {fit(name, 24)} {percent(retained[i]):>10} {percent(bound[i]):>9}"
        f"{held_out[i + 1]}"
        for i, name in enumerate(facts["names"][:_KEPT])
    ]
    if facts["k"] > _KEPT:
        lines.append(f"      ... and {facts['k'] - _KEPT:,} more")
    lines += _dropped(facts["dropped"], words)
    lines += ["", facts["reasons"]] if facts["reasons"] else []
    if (facts["chance"] or 0.0) >= _CHANCE:
        held = "; --held-out measures the share explained on held-out rows"
        more = held if facts["advises"] else ""
        lines += ["", f"By chance alone, {words.chance.format(percent(facts['chance']))}{more}."]
    lines += _better(facts["score"])
    lines += repeat_lines(facts)
    lines += evidence_lines(facts["evidence"])
    lines += _removed(facts["removed"])
    return "\n".join([*lines, *skipped(facts), *_warnings(facts["warnings"])])


def _held_out_column(facts: dict[str, Any]) -> list[str]:
    """Write a further column of the table: its head and its rows, empty if there is none."""
    found = facts["held_out"]
    if found is None:
        return [""] * (facts["k"] + 1)
    return ["   held out", *(f"{percent(share):>11}" for share in found["share"][: facts["k"]])]


def _dropped(rows: list[dict[str, Any]], words: Words) -> list[str]:
    if not rows:
        return []
    worst = sorted(rows, key=lambda row: row["share"])
    which = f"{_DROPPED} least explained"
    if len(rows) > _DROPPED and any(row["reason"] for row in rows):
        each = [[r for r in worst if r["reason"] == why] for why in ("redundant", "irrelevant")]
        which, worst = f"{_DROPPED // 2} of each reason", [r for part in each for r in part[:5]]
    worst = worst[:_DROPPED]
    title = "dropped" if len(rows) <= _DROPPED else f"dropped, {which}"
    shown = [
        (fit(row["column"], 28), percent(row["share"]), _mostly_by(row, words)) for row in worst
    ]
    lines = [f"  {name} {share:>10}   {source}".rstrip() for name, share, source in shown]
    return ["", f"  {title:<28} {'explained':>10}   {words.terminal_head}", *lines]


def _better(score: dict[str, Any] | None) -> list[str]:
    """Write what would explain more than a given list: another list, swaps, additions."""
    if score is None:
        return []
    names = ", ".join(cut(name, LONGEST) for name in score["best"]["names"][:_KEPT])
    lines = ["", f"The best found: {percent(score['best']['retained'])} by {names}."]
    shown = [
        (f"swap {cut(swap['leaves'], LONGEST)} for", swap["joins"], swap["change"])
        for swap in score["swaps"]
    ]
    shown += [("add", more["joins"], more["change"]) for more in score["additions"]]
    lines += [
        f"  {what} {cut(joins, LONGEST)}: {signed_percent(change)}" for what, joins, change in shown
    ]
    return lines


def _warnings(rows: list[dict[str, str]]) -> list[str]:
    """Write which columns may not be what they seem, each with the option that changes it."""
    lines = [f"  {fit(row['column'], 28)} {row['text']}: {row['advice']}" for row in rows]
    return ["", "Please check:", *lines] if lines else []


def _removed(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return []
    title = "removed" if len(rows) <= _REMOVED else f"removed, the first {_REMOVED}"
    return [
        "",
        f"  {title:<28} {'error':>10}   predicted by the columns not yet removed (weights in SD)",
        *(
            f"  {fit(row['column'], 28)} {row['error']:>10.4f}   {signed_sum(row['weights'])}"
            for row in rows[:_REMOVED]
        ),
    ]


def _mostly_by(row: dict[str, Any], words: Words) -> str:
    """Write which kept columns explain a dropped one: with weights, or with shared information.

    >>> from tamis.presentation.words import INFORMATION, VARIANCE
    >>> _mostly_by({"weights": {"weight": 0.981, "height": -0.31}}, VARIANCE)
    '0.98 x weight, -0.31 x height'
    >>> _mostly_by({"weights": {"weight": 0.431, "height": 0.31}}, INFORMATION)
    'weight (0.43), height (0.31)'
    """
    pattern = "{1:.2f} x {0}" if words.signed else "{0} ({1:.2f})"
    reason = f"{row['reason']}: " if row.get("reason") else ""
    named = [
        pattern.format(cut(name, LONGEST), weight)
        for name, weight in row["weights"].items()
        if abs(weight) >= words.least
    ]
    return reason + (", ".join(named) or words.nothing)
