"""A selection as a small version of its page: the answer, the curve, what is kept and lost."""

import html

from tamis.errors import as_term
from tamis.facts.selection_answer import DroppedColumn, SelectionFacts
from tamis.facts.shared_answer import SuspiciousColumn
from tamis.presentation.charts.curve import curve_chart
from tamis.presentation.drawings.curve_drawing import describe_curve
from tamis.presentation.notebook.card import card, chips, note, table
from tamis.presentation.prose.about_prediction import prediction_sentence
from tamis.presentation.prose.about_rows import row_sentences
from tamis.presentation.prose.about_selection import (
    is_by_chance,
    overfit_text,
    selection_sentence,
    shrink_sentence,
)
from tamis.presentation.prose.about_table import (
    clipped_sentence,
    missing_sentence,
    warning_advice,
    warning_text,
)
from tamis.presentation.prose.names import LONGEST, cut
from tamis.presentation.prose.numbers import percent
from tamis.presentation.prose.words import Words, words_of

__all__ = ["selection_html"]

_WORST = 8


def selection_html(facts: SelectionFacts) -> str:
    """Write what a notebook shows of a selection."""
    words = words_of(facts.measure, facts.weights_are)
    parts = [_about(facts), _curve(facts, words), chips(facts.names), _worst(facts, words)]
    parts += [note(overfit_text(facts.overfit))]
    parts += [note(doubt) for doubt in facts.doubts]
    parts += [note(_warn(row)) for row in facts.warnings]
    return card(selection_sentence(facts), *parts)


def _warn(row: SuspiciousColumn) -> str:
    """Say what a column looks like, and the option that changes what is done with it."""
    said = f"{row.column}: {warning_text(row)}"
    return "; ".join(filter(None, (said, warning_advice(row)))) + "."


def _about(facts: SelectionFacts) -> str:
    method = facts.method
    said = f"Method: {method.id}" + (f", {method.why}" if method.why else "") + "."
    clipped = clipped_sentence(facts.clipped) if facts.clipped else ""
    predicted = " ".join(prediction_sentence(one) for one in facts.predictions)
    parts = [said, predicted, missing_sentence(facts.missing), clipped, shrink_sentence(facts)]
    parts += row_sentences(facts.row_notes)
    return note(" ".join(part for part in parts if part))


def _curve(facts: SelectionFacts, words: Words) -> str:
    """Draw the curve, with the lines named under it."""
    if len(facts.curve.retained) < 2:
        return ""
    drawn = curve_chart(describe_curve(facts, chance=False), height=240)
    lines = [("kept", words.figure), ("ceiling", words.ceiling_key)]
    lines += [("held", "on new rows (held out)")] if facts.held_out else []
    keys = "".join(
        f'<span><i class="{kind}"></i>{html.escape(text)}</span>' for kind, text in lines
    )
    return f'{drawn}<p class="tamis-key">{keys}</p>'


def _worst(facts: SelectionFacts, words: Words) -> str:
    """List the dropped columns that are explained least."""
    rows = sorted(facts.dropped, key=lambda row: row.share)[:_WORST]
    if not rows:
        return ""
    few = len(facts.dropped) <= _WORST
    head = ["dropped" if few else "dropped, least explained", "explained", words.terminal_head]
    cells = [[cut(row.column, LONGEST), percent(row.share), _by(row, words, facts)] for row in rows]
    left = facts.columns - facts.used
    skipped = f"{left:,} of {facts.columns:,} columns were not analysed." if left else ""
    return table(head, cells, numbers=[1], bare=True) + note(skipped)


def _by(row: DroppedColumn, words: Words, facts: SelectionFacts) -> str:
    pattern = words.weight.replace(" x ", " \N{MULTIPLICATION SIGN} ")
    pairs = [
        (as_term(cut(name, LONGEST)), weight)
        for name, weight in row.weights.items()
        if abs(weight) >= words.least
    ]
    chance = "no more than chance: " if is_by_chance(row.share, facts) else ""
    return chance + (", ".join(pattern.format(*pair) for pair in pairs) or words.nothing)
