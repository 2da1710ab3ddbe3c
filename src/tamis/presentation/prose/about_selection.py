"""What is said about a selection, or about a list of columns that was given."""

from collections import Counter

from tamis.errors import spelled
from tamis.facts.selection_answer import OverfitFacts, ScoreFacts, SelectionFacts
from tamis.presentation.prose.numbers import at_most, is_worse, on_held_out_rows, percent
from tamis.presentation.prose.words import words_of
from tamis.registry import get

__all__ = [
    "FIND_NUMBER",
    "is_by_chance",
    "order_sentence",
    "overfit_advice",
    "overfit_effect",
    "overfit_sentence",
    "overfit_text",
    "reasons_sentence",
    "selection_sentence",
]

FIND_NUMBER = "finds a number that the rows support"  # what k="auto" does
_CREDIT_IS_SHARED = (
    "Columns that correlate share their importance in a learner: a dropped column that the kept "
    "ones explain is redundant, not necessarily unrelated to the labels."
)


def selection_sentence(facts: SelectionFacts) -> str:
    """Say in one sentence what was found; in another that the shares are estimates, if so."""
    if facts.score is not None:
        return _score_sentence(facts, facts.score)
    text = _say_kept(facts)
    if facts.error is None:
        return text
    about = percent(facts.error)
    return f"{text} These shares are estimated from a sketch of the rows, to within {about}."


def _say_kept(facts: SelectionFacts) -> str:
    k, auto = facts.k, facts.auto
    sets = "single column" if k == 1 else f"{k:,} columns"
    they = "it explains" if k == 1 else "they explain"
    number = f"{k:,}" if auto is None else f"{k:,} ({auto.low:,}-{auto.high:,})"
    share = f"{percent(facts.retained)} {words_of(facts.measure).share}"
    text = f"Keep {number} of {facts.used:,} columns: {they} {share}"
    if not facts.beats_chance:
        text += ", but nothing of the dropped ones above chance"
    text += _say_held_out(facts)
    if facts.shortfall is not None:
        return f"{text}. {facts.shortfall}"
    if facts.optimal:
        return f"{text}, and no {sets} could explain more (proven)."
    most = at_most(facts.bound)
    if percent(facts.retained) == "100%" or not most:
        return f"{text}."
    return f"{text}; no {sets} could explain {most}."


def _score_sentence(facts: SelectionFacts, score: ScoreFacts) -> str:
    k, most, one = facts.k, at_most(facts.bound), facts.k == 1
    share = f"{percent(facts.retained)} {words_of(facts.measure).share}"
    text = f"The {'listed column explains' if one else f'{k:,} listed columns explain'} {share}"
    text += _say_held_out(facts)
    if set(facts.names) == set(score.best.names):
        found = "tamis finds none better"
    else:
        best = percent(score.best.retained)
        found = f"the best{'' if one else f' {k:,}'} that tamis finds: {best}"
    bound = f", and no {'column' if one else f'{k:,}'} could explain {most}" if most else ""
    return f"{text}; {found}{bound}."


def _say_held_out(facts: SelectionFacts) -> str:
    """Say what the kept columns explain on held-out rows, nothing where that is not known."""
    held = facts.held_out
    return "" if held is None else f", {on_held_out_rows(held.share[facts.k - 1])}"


def order_sentence(facts: SelectionFacts) -> str:
    """Say in which order the kept columns are named; some may have been included by the user."""
    if facts.score is not None:
        return "In the order given."
    names, included, count = facts.names, facts.included, len(facts.included)
    if count and set(names[:count]) == set(included):
        others = ", then best first." if facts.best_first else ", then in the order of the method."
        return "The columns you included" + (others if count < len(names) else ".")
    if count:
        return "In the order of the method; columns you included are among them."
    return "Best first." if facts.best_first else "In the order they were selected."


def reasons_sentence(facts: SelectionFacts) -> str:
    """Count the reasons of dropped columns, or warn where a low score can have two."""
    rows = facts.dropped
    counts = Counter(row.reason for row in rows if row.reason)
    redundant, irrelevant = counts["redundant"], counts["irrelevant"]
    if not redundant + irrelevant:
        return _CREDIT_IS_SHARED if rows and get(facts.method.id).shares_credit else ""
    of = f"Of {len(rows):,} dropped columns" if len(rows) > 1 else "Of 1 dropped column"
    verb = "is" if redundant == 1 else "are"
    return (
        f"{of}, {redundant:,} {verb} redundant (explained by kept ones) and {irrelevant:,} "
        "irrelevant (low score)."
    )


def overfit_sentence(judged: OverfitFacts) -> str:
    """Say that a choice is overfitted, and which number of columns explains most.

    >>> from tamis.facts.selection_answer import PeakFacts
    >>> overfit_sentence(OverfitFacts(8, 0.9, 0.2, True, 0.1, PeakFacts(3, 0.4), None))
    'Overfitted: 90.0% here, 20.0% on held-out rows. There 3 columns explain most: 40.0%.'
    >>> overfit_sentence(OverfitFacts(8, 0.9, 0.88, False, 0.1, PeakFacts(3, 0.89), None))
    'On held-out rows 3 columns explain more than 8: 89.0% against 88.0%.'
    """
    peak = judged.peak
    said = f"Overfitted: {percent(judged.retained)} here, {on_held_out_rows(judged.share)}."
    if peak is None:
        return said if judged.overfitted else ""
    many = "1 column explains" if peak.k == 1 else f"{peak.k:,} columns explain"
    best = percent(peak.share)
    if judged.overfitted:
        return f"{said} There {many} most: {best}."
    if is_worse(judged.share):
        return f"On held-out rows {many} most: {best}."
    return (
        f"On held-out rows {many} more than {judged.k:,}: {best} against {percent(judged.share)}."
    )


def overfit_advice(judged: OverfitFacts) -> str:
    """Write the option that helps, if there is one."""
    return "" if judged.remedy is None else spelled("k", judged.remedy)


def overfit_effect(judged: OverfitFacts) -> str:
    """Say what that option does."""
    return "" if judged.remedy is None else FIND_NUMBER


def overfit_text(judged: OverfitFacts | None) -> str:
    """Write the sentence and what helps; nothing where there is nothing to say."""
    if judged is None or not overfit_sentence(judged):
        return ""
    advice = f" {overfit_advice(judged)} {overfit_effect(judged)}." if judged.remedy else ""
    return f"{overfit_sentence(judged)}{advice}"


def is_by_chance(share: float, facts: SelectionFacts) -> bool:
    """Say whether a regression explains no more of a column than of an unrelated one.

    Shared information that is not above chance is dropped before it comes here.
    """
    return facts.measure == "variance" and 0 < share <= (facts.chance or 0.0)
