"""A selection as text for a terminal."""

from collections.abc import Sequence

from tamis.errors import as_term, by_door, spell
from tamis.facts.selection_answer import DroppedColumn, RemovedColumn, ScoreFacts, SelectionFacts
from tamis.facts.shared_answer import SuspiciousColumn
from tamis.presentation.prose.about_limits import limit_lines
from tamis.presentation.prose.about_relations import MAX_RELATIONS, list_made
from tamis.presentation.prose.about_selection import (
    is_by_chance,
    reasons_sentence,
    selection_sentence,
)
from tamis.presentation.prose.about_table import warning_advice, warning_text
from tamis.presentation.prose.names import list_skipped, signed_sum
from tamis.presentation.prose.numbers import held_out_figure, percent, percent_cell, signed_percent
from tamis.presentation.prose.words import Words, words_of
from tamis.presentation.terminal.evidence import evidence_lines
from tamis.presentation.terminal.headline import list_kept_labels, split_notes
from tamis.presentation.terminal.repeats import repeat_lines
from tamis.presentation.terminal.screen import (
    Screen,
    add_texts,
    join_lines,
    screen_width,
    wrap_sentence,
)

TOP = 10
_SHOWN_CHANCE = 0.01
_KEPT = 20
_CEILING = 10  # letters of the column that always has room
_WIDE_LETTERS = 54  # letters in a line, for both the ceiling and the share on new rows
_MAX_REMOVED_SHOWN = 5
_REASONS = ("redundant", "irrelevant")


def selection_text(
    facts: SelectionFacts, *, top: int = TOP, everything: bool = False, width: int | None = None
) -> str:
    """Write what was found: the sentence, the kept columns, the `top` costliest losses.

    All kept columns are listed if their number was requested, and `everything` lists all that was
    dropped and skipped as well. The text fits a `width`, by default that of the terminal.
    """
    words = words_of(facts.measure, facts.weights_are)
    beside = _share_columns(facts, screen_width() if width is None else width)
    names = [*facts.names, *(row.column for row in facts.dropped)]
    screen = Screen.of(names, beside=len(beside[0]) - _CEILING, width=width)
    first, later = split_notes(facts, selection_sentence(facts), screen.width)
    lines = [*first, *_kept(facts, screen, beside, everything)]
    lines += _write_dropped(facts, words, screen, len(names) if everything else top)
    reasons = reasons_sentence(facts)
    lines += ["", reasons] if reasons else []
    lines += _made(facts, screen, everything=everything)
    lines += limit_lines(facts)
    if (facts.chance or 0.0) >= _SHOWN_CHANCE:
        chance = percent(facts.chance or 0.0)
        option = spell("held_out", True)
        held = f"; {option} measures the share explained on held-out rows"
        more = held if facts.advises else ""
        lines += ["", f"By chance alone, {words.chance.format(chance)}{more}."]
    lines += _better(facts.score, screen)
    lines += repeat_lines(facts, screen)
    lines += evidence_lines(facts.evidence, screen)
    lines += _write_removed(facts.removed, screen)
    lines += list_skipped(facts, everything=everything)
    lines += ["", "Notes:", *later] if later else []
    above = list_kept_labels(facts)
    lines += _warnings([row for row in facts.warnings if row not in above], screen)
    return join_lines(part for line in lines for part in _fold_line(line, screen.width))


def names_text(facts: SelectionFacts) -> str:
    """Write the kept names alone, one in each line."""
    return join_lines(facts.names)


def _fold_line(line: str, width: int) -> list[str]:
    """Break a sentence that is too long; lines of a table, which start with spaces, stay."""
    return [line] if line.startswith(" ") or not line else wrap_sentence(line, width)


def _kept(facts: SelectionFacts, screen: Screen, beside: list[str], everything: bool) -> list[str]:
    retained = facts.curve.retained
    requested = everything or any(name == "k" for name, _ in facts.options)
    names = facts.names if requested else facts.names[:_KEPT]
    lines = ["", f"  {'kept':<{screen.room}} {'explained':>10}{beside[0]}"]
    rows = [
        f"  {i + 1:>3} {screen.fit(name, 4)} {percent_cell(retained[i]):>10}{beside[i + 1]}"
        for i, name in enumerate(names)
    ]
    lines += add_texts(rows, [facts.texts.get(name, "") for name in names], screen.width)
    more = facts.k - len(names)
    where = by_door("names has them", "--all lists them")
    return [*lines, f"      ... and {more:,} more ({where})"] if more else lines


def _share_columns(facts: SelectionFacts, width: int) -> list[str]:
    """Write what stands beside the share explained, the head first: its ceiling, and on new rows.

    A narrow terminal has room for one of them: what holds on new rows, if it is known.
    """
    bound, found = [percent_cell(share) for share in facts.curve.bound], facts.held_out
    ceilings = ["   ceiling", *(f"{share:>10}" for share in bound[: facts.k])]
    if found is None:
        return ceilings
    shares = [held_out_figure(share).replace("over ", ">") for share in found.share[: facts.k]]
    if width < _WIDE_LETTERS:
        return ["   new rows", *(f"{share:>11}" for share in shares)]
    held = ["   on new rows", *(f"{share:>14}" for share in shares)]
    return [first + second for first, second in zip(ceilings, held, strict=True)]


def _write_dropped(facts: SelectionFacts, words: Words, screen: Screen, top: int) -> list[str]:
    rows = facts.dropped
    if not rows or not top:
        return []
    worst = sorted(rows, key=lambda row: row.share)
    which = f"{top} least explained"
    if len(rows) > top and any(row.reason in _REASONS for row in rows):
        each = [[r for r in worst if r.reason == why] for why in _REASONS]
        half = (top + 1) // 2
        which, worst = f"{half} of each reason", [r for part in each for r in part[:half]]
    title = "dropped" if len(rows) <= top else f"dropped, {which}"
    head = f"  {title:<{screen.room}} {'explained':>10}"
    lines = [(head, words.terminal_head)]
    for row in worst[:top]:
        start = f"  {screen.fit(row.column)} {percent_cell(row.share):>10}"
        chance = is_by_chance(row.share, facts)
        lines.append((start, _mostly_by(row, words, screen, chance=chance)))
    return ["", *screen.rows(lines)]


def _made(facts: SelectionFacts, screen: Screen, *, everything: bool) -> list[str]:
    """Write which columns others determine exactly, kept or dropped."""
    most = len(facts.relations) if everything else MAX_RELATIONS
    found = list_made(facts.relations, screen.name, most)
    rows = [part for line in found for part in wrap_sentence(line, screen.width, "  ")]
    return ["", "Determined by other columns:", *rows] if rows else []


def _better(score: ScoreFacts | None, screen: Screen) -> list[str]:
    """Write what would explain more than a given list: another list, swaps, additions."""
    if score is None:
        return []
    best = score.best.names
    names = ", ".join(screen.name(name) for name in best[:_KEPT])
    more = f" and {len(best) - _KEPT:,} more" if len(best) > _KEPT else ""
    lines = ["", f"The best found: {percent(score.best.retained)} by {names}{more}."]
    shown = [
        (f"swap {screen.name(swap.leaves)} for", swap.joins, swap.change) for swap in score.swaps
    ]
    shown += [("add", more.joins, more.change) for more in score.additions]
    lines += [
        f"  {what} {screen.name(joins)}: {signed_percent(change)}" for what, joins, change in shown
    ]
    return lines


def _warnings(rows: Sequence[SuspiciousColumn], screen: Screen) -> list[str]:
    """Write which columns may not be what they seem, each with the option that changes it."""
    lines = screen.rows(
        (
            f"  {screen.fit(row.column)}",
            ": ".join(part for part in (warning_text(row), warning_advice(row)) if part),
        )
        for row in rows
    )
    return ["", "Please check:", *lines] if lines else []


def _write_removed(rows: Sequence[RemovedColumn], screen: Screen) -> list[str]:
    if not rows:
        return []
    title = (
        "removed" if len(rows) <= _MAX_REMOVED_SHOWN else f"removed, the first {_MAX_REMOVED_SHOWN}"
    )
    head = f"  {title:<{screen.room}} {'error':>10}"
    lines = [(head, "predicted by the columns not yet removed (weights in SD)")]
    for row in rows[:_MAX_REMOVED_SHOWN]:
        start = f"  {screen.fit(row.column)} {row.error:>10.4f}"
        lines.append((start, signed_sum(row.weights, short=screen.name)))
    return ["", *screen.rows(lines)]


def _mostly_by(row: DroppedColumn, words: Words, screen: Screen, *, chance: bool = False) -> str:
    """Write which kept columns explain a dropped one: with weights, or with shared information.

    >>> from tamis.presentation.prose.words import GROUPED_VARIANCE, INFORMATION, VARIANCE
    >>> row = DroppedColumn("bmi", 0.9, {"weight": 0.981, "height": -0.31}, 0.9, "")
    >>> _mostly_by(row, VARIANCE, Screen())
    '0.98 x weight, -0.31 x height'
    >>> _mostly_by(row, INFORMATION, Screen(), chance=True)
    'no more than chance: weight (0.98), height (-0.31)'
    >>> _mostly_by(row, GROUPED_VARIANCE, Screen())
    '98% by weight, -31% by height'
    >>> _mostly_by(DroppedColumn("x", 1.0, {"2300": 1.0}, 1.0, ""), VARIANCE, Screen())
    '1.00 x "2300"'
    """
    reason = f"{row.reason}: " if row.reason else ""
    reason += "no more than chance: " if chance else ""
    named = [
        words.weight.format(as_term(screen.name(name)), weight)
        for name, weight in row.weights.items()
        if abs(weight) >= words.least
    ]
    return reason + (", ".join(named) or words.nothing)
