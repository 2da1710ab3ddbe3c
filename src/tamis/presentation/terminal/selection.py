"""A selection as text for a terminal."""

from typing import Any

from tamis.errors import as_term, by_door, printable, spelled
from tamis.presentation.limits import limit_lines
from tamis.presentation.names import signed_sum, skipped
from tamis.presentation.numbers import held_out_figure, percent, signed_percent
from tamis.presentation.terminal.evidence import evidence_lines
from tamis.presentation.terminal.headline import headline
from tamis.presentation.terminal.repeats import repeat_lines
from tamis.presentation.terminal.screen import Screen, wrapped
from tamis.presentation.words import Words, is_by_chance, words_of

TOP = 10
_CHANCE = 0.01
_KEPT = 20
_REMOVED = 5
_REASONS = ("redundant", "irrelevant")


def selection_text(
    facts: dict[str, Any], *, top: int = TOP, everything: bool = False, width: int | None = None
) -> str:
    """Write what was found: the sentence, the kept columns, the `top` costliest losses.

    All kept columns are listed if their number was requested, and `everything` lists all that was
    dropped and skipped as well. The text fits a `width`, by default that of the terminal.
    """
    words = words_of(facts["measure"])
    held_out = _held_out_column(facts)
    names = [*facts["names"], *(row["column"] for row in facts["dropped"])]
    screen = Screen.of(names, beside=len(held_out[0]), width=width)
    lines = [*headline(facts, screen.width), *_kept(facts, screen, held_out, everything)]
    rows = [{**row, "chance": is_by_chance(row["share"], facts)} for row in facts["dropped"]]
    lines += _dropped(rows, words, screen, len(names) if everything else top)
    lines += ["", facts["reasons"]] if facts["reasons"] else []
    lines += limit_lines(facts["limits"])
    if (facts["chance"] or 0.0) >= _CHANCE:
        option = spelled("held_out", True)
        held = f"; {option} measures the share explained on held-out rows"
        more = held if facts["advises"] else ""
        lines += ["", f"By chance alone, {words.chance.format(percent(facts['chance']))}{more}."]
    lines += _better(facts["score"], screen)
    lines += repeat_lines(facts, screen)
    lines += evidence_lines(facts["evidence"], screen)
    lines += _removed(facts["removed"], screen)
    lines += [*skipped(facts, everything=everything), *_warnings(facts["warnings"], screen)]
    return "\n".join(part for line in lines for part in _folded(line, screen.width))


def names_text(facts: dict[str, Any]) -> str:
    """Write the kept names alone, one in each line."""
    return "\n".join(printable(name) for name in facts["names"])


def _folded(line: str, width: int) -> list[str]:
    """Break a sentence that is too long; lines of a table, which start with spaces, stay."""
    return [line] if line.startswith(" ") or not line else wrapped(line, width)


def _kept(
    facts: dict[str, Any], screen: Screen, held_out: list[str], everything: bool
) -> list[str]:
    retained, bound = facts["curve"]["retained"], facts["curve"]["bound"]
    requested = everything or any(name == "k" for name, _ in facts["options"])
    names = facts["names"] if requested else facts["names"][:_KEPT]
    lines = ["", f"  {'kept':<{screen.room}} {'explained':>10}   ceiling{held_out[0]}"]
    lines += [
        f"  {i + 1:>3} {screen.fit(name, 4)} {percent(retained[i]):>10} {percent(bound[i]):>9}"
        f"{held_out[i + 1]}"
        for i, name in enumerate(names)
    ]
    more = facts["k"] - len(names)
    where = by_door("names has them", "--all lists them")
    return [*lines, f"      ... and {more:,} more ({where})"] if more else lines


def _held_out_column(facts: dict[str, Any]) -> list[str]:
    """Write a further column of the table: its head and its rows, empty if there is none."""
    found = facts["held_out"]
    if found is None:
        return [""] * (facts["k"] + 1)
    shares = [held_out_figure(share) for share in found["share"][: facts["k"]]]
    return ["   held out", *(f"{share:>11}" for share in shares)]


def _dropped(rows: list[dict[str, Any]], words: Words, screen: Screen, top: int) -> list[str]:
    if not rows or not top:
        return []
    worst = sorted(rows, key=lambda row: row["share"])
    which = f"{top} least explained"
    if len(rows) > top and any(row["reason"] in _REASONS for row in rows):
        each = [[r for r in worst if r["reason"] == why] for why in _REASONS]
        half = (top + 1) // 2
        which, worst = f"{half} of each reason", [r for part in each for r in part[:half]]
    title = "dropped" if len(rows) <= top else f"dropped, {which}"
    head = f"  {title:<{screen.room}} {'explained':>10}"
    lines = [(head, words.terminal_head)]
    for row in worst[:top]:
        start = f"  {screen.fit(row['column'])} {percent(row['share']):>10}"
        lines.append((start, _mostly_by(row, words, screen)))
    return ["", *screen.rows(lines)]


def _better(score: dict[str, Any] | None, screen: Screen) -> list[str]:
    """Write what would explain more than a given list: another list, swaps, additions."""
    if score is None:
        return []
    best = score["best"]["names"]
    names = ", ".join(screen.name(name) for name in best[:_KEPT])
    more = f" and {len(best) - _KEPT:,} more" if len(best) > _KEPT else ""
    lines = ["", f"The best found: {percent(score['best']['retained'])} by {names}{more}."]
    shown = [
        (f"swap {screen.name(swap['leaves'])} for", swap["joins"], swap["change"])
        for swap in score["swaps"]
    ]
    shown += [("add", more["joins"], more["change"]) for more in score["additions"]]
    lines += [
        f"  {what} {screen.name(joins)}: {signed_percent(change)}" for what, joins, change in shown
    ]
    return lines


def _warnings(rows: list[dict[str, str]], screen: Screen) -> list[str]:
    """Write which columns may not be what they seem, each with the option that changes it."""
    lines = screen.rows(
        (
            f"  {screen.fit(row['column'])}",
            ": ".join(part for part in (row["text"], row["advice"]) if part),
        )
        for row in rows
    )
    return ["", "Please check:", *lines] if lines else []


def _removed(rows: list[dict[str, Any]], screen: Screen) -> list[str]:
    if not rows:
        return []
    title = "removed" if len(rows) <= _REMOVED else f"removed, the first {_REMOVED}"
    head = f"  {title:<{screen.room}} {'error':>10}"
    lines = [(head, "predicted by the columns not yet removed (weights in SD)")]
    for row in rows[:_REMOVED]:
        start = f"  {screen.fit(row['column'])} {row['error']:>10.4f}"
        lines.append((start, signed_sum(row["weights"], short=screen.name)))
    return ["", *screen.rows(lines)]


def _mostly_by(row: dict[str, Any], words: Words, screen: Screen) -> str:
    """Write which kept columns explain a dropped one: with weights, or with shared information.

    >>> from tamis.presentation.words import INFORMATION, VARIANCE
    >>> _mostly_by({"weights": {"weight": 0.981, "height": -0.31}}, VARIANCE, Screen())
    '0.98 x weight, -0.31 x height'
    >>> _mostly_by({"weights": {"weight": 0.431, "height": 0.31}}, INFORMATION, Screen())
    'weight (0.43), height (0.31)'
    >>> _mostly_by({"weights": {"2300": 1.0}}, VARIANCE, Screen())
    '1.00 x "2300"'
    """
    pattern = "{1:.2f} x {0}" if words.signed else "{0} ({1:.2f})"
    reason = f"{row['reason']}: " if row.get("reason") else ""
    reason += "no more than chance: " if row.get("chance") else ""
    named = [
        pattern.format(as_term(screen.name(name)), weight)
        for name, weight in row["weights"].items()
        if abs(weight) >= words.least
    ]
    return reason + (", ".join(named) or words.nothing)
