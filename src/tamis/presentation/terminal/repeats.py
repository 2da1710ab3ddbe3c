"""What a search repeated on parts of the rows found, as lines for a terminal."""

from tamis.facts.held_out_answer import AutoFacts, Substitute
from tamis.facts.selection_answer import SelectionFacts
from tamis.presentation.prose.about_opinions import opinions_sentence
from tamis.presentation.prose.about_selection import random_sentence
from tamis.presentation.prose.about_stability import agreement_sentence, interchangeable
from tamis.presentation.prose.numbers import WORSE, is_worse, percent, percent_cell, signed_percent
from tamis.presentation.terminal.screen import Screen

_KEPT = 20
_MAX_SETS_SHOWN = 8
_BLOCKS = 20


def repeat_lines(facts: SelectionFacts, screen: Screen) -> list[str]:
    """Write the number found by the rule, the share on held-out rows, and the stability."""
    lines = [*_auto(facts.auto), *_held_out(facts), *_stability(facts, screen)]
    return [*lines, *_opinions(facts, screen), *_blocks(facts.blocks)]


def _opinions(facts: SelectionFacts, screen: Screen) -> list[str]:
    """Write what trees predict of the least explained columns, beside a linear model."""
    if not facts.opinions:
        return []
    lines = [f"  {'dropped':<{screen.room}} {'linear':>10}{'trees':>10}"]
    lines += [
        f"  {screen.fit(one.column)} {percent_cell(one.linear):>10}{percent_cell(one.trees):>10}"
        for one in facts.opinions[:_KEPT]
    ]
    return ["", opinions_sentence(facts.opinions), "", *lines]


def _blocks(count: int | None) -> list[str]:
    if count is None or count >= _BLOCKS:
        return []
    return ["", f"To stay within memory: {count} blocks of rows instead of {_BLOCKS}."]


def _auto(auto: AutoFacts | None) -> list[str]:
    return [] if auto is None else ["", f"Why {auto.k:,}: {auto.reason}."]


def _held_out(facts: SelectionFacts) -> list[str]:
    found = facts.held_out
    if found is None:
        return []
    at = facts.k - 1
    again = "" if facts.score else ", columns selected again in each"
    share, spread = found.share[at], percent(found.std[at])
    said = f"{percent(share)} explained, with a standard deviation of {spread}."
    if is_worse(share):
        said = f"{WORSE} of each column."
    lines = [f"On new rows ({found.folds} folds, each held out in turn{again}): {said}"]
    return ["", *lines, *filter(None, [random_sentence(facts)])]


def _stability(facts: SelectionFacts, screen: Screen) -> list[str]:
    found = facts.stability
    if found is None:
        return []
    head = f"  {'kept':<{screen.room}} {'half-samples':>12}"
    rows = [(head, "could be replaced by (change of explained)")]
    names = sorted(facts.names, key=lambda name: found.frequency.get(name, 0.0))
    for name in names[:_KEPT]:
        often = f"{found.frequency.get(name, 0.0):.0%}"
        share = "included" if name in facts.included else often
        others = ", ".join(_substitute(row, screen) for row in found.substitutes[name][:2])
        rows.append((f"  {screen.fit(name)} {share:>12}", others))
    lines = [
        "",
        f"Stability over {found.samples} half-samples: {found.index:.2f} "
        f"({found.low:.2f} to {found.high:.2f}; 1: always the same columns, 0: chance).",
        *filter(None, [agreement_sentence(facts)]),
        "",
        *screen.rows(rows),
    ]
    if len(names) > _KEPT:
        lines.append(f"      ... and {len(names) - _KEPT:,} more, kept more often")
    return [*lines, *_interchangeable(facts, screen)]


def _interchangeable(facts: SelectionFacts, screen: Screen) -> list[str]:
    """Name the columns of which half-samples keep one or the other."""
    found = list(interchangeable(facts))[:_MAX_SETS_SHOWN]
    lines = [
        f"One of these {len(columns)} is kept in {often:.0%} of the half-samples: "
        + ", ".join(f"{screen.name(name)} ({share})" for name, share in columns)
        for often, columns in found
    ]
    return ["", *lines] if lines else []


def _substitute(row: Substitute, screen: Screen) -> str:
    """Write a column and what the swap changes.

    >>> _substitute(Substitute("y", -0.00123), Screen())
    'y (-0.1%)'
    """
    return f"{screen.name(row.column)} ({signed_percent(row.change)})"
