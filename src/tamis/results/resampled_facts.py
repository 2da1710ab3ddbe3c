"""What parts of the rows say of a selection: shares on held-out rows, stability, trees."""

from dataclasses import replace

from tamis.evaluation.outcome import Outcome
from tamis.evaluation.second_opinion import FAR_MORE
from tamis.facts.held_out_answer import (
    AutoFacts,
    HeldOutFacts,
    StabilityFacts,
    Substitute,
)
from tamis.facts.opinion_answer import OpinionFacts
from tamis.facts.taken_answer import HeavyRowFacts, RowFacts
from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics.row_blocks import BlockedSummary


def count_row_blocks(outcome: Outcome) -> int | None:
    """Count the blocks of rows; with very many columns memory allows for fewer than usual."""
    summary = outcome.summary
    return len(summary.blocks.count) if isinstance(summary, BlockedSummary) else None


def row_facts(outcome: Outcome) -> RowFacts:
    """Give what is known of the rows."""
    notes = outcome.notes
    if not outcome.shows_held_out:  # what makes the share on new rows too good says nothing
        notes = replace(notes, successive=None, similar=None)
    return RowFacts(
        groups=notes.groups,
        ordered=notes.ordered,
        weighted=notes.weighted,
        counted=notes.counted,
        successive=notes.successive,
        key=None if notes.similar is None else notes.similar.key,
        similarity=None if notes.similar is None else notes.similar.similarity,
        heavy=tuple(HeavyRowFacts(one.row, one.share) for one in notes.heavy),
    )


def held_out_facts(outcome: Outcome) -> HeldOutFacts | None:
    """Give the curve on held-out rows; for `k="auto"` as far as the rule has looked."""
    if not outcome.shows_held_out:
        return None
    folds, drawn = outcome.resampled.curve, outcome.random_share
    return HeldOutFacts(
        tuple(folds.share.tolist()),
        tuple(folds.std.tolist()),
        len(folds.totals),
        None if drawn is None else drawn.share,
        None if drawn is None else drawn.beaten,
    )


def auto_facts(outcome: Outcome) -> AutoFacts | None:
    """Give the number of columns that `k="auto"` has found, and why."""
    auto = outcome.auto
    if auto is None:
        return None
    return AutoFacts(auto.k, auto.low, auto.high, auto.reason, tuple(auto.worth.tolist()))


def stability_facts(outcome: Outcome) -> StabilityFacts | None:
    """Give how often columns are kept, and for every kept one what could replace it."""
    if not outcome.request.settings.get("stability"):
        return None
    found, others = outcome.stability, outcome.substitutes(n=3)
    return StabilityFacts(
        index=found.index,
        low=found.low,
        high=found.high,
        samples=found.samples,
        frequency={name: share for name, share in found.frequency.items() if share},
        substitutes={
            name: tuple(Substitute(other, change) for other, change in pairs)
            for name, pairs in others.items()
        },
        explained=found.explained,
        stand_ins=found.stand_ins,
    )


def opinion_facts(outcome: Outcome) -> tuple[OpinionFacts, ...]:
    """Give what trees predict of the least explained columns, if asked."""
    if not outcome.request.settings.get("second_opinion"):
        return ()
    return tuple(
        OpinionFacts(str(one.column), one.linear, one.trees, one.trees - one.linear >= FAR_MORE)
        for one in outcome.second_opinion()
    )


def can_hold_out(outcome: Outcome) -> bool:
    """Whether the search can be repeated on parts of the rows: some ways keep no rows.

    A summary has none either: what it did about missing values was decided before.
    """
    keeps_rows = not MissingPolicy(outcome.request.settings["missing"]).pairs
    has_rows = outcome.summary.tally.done is None
    return outcome.request.method.resamples and keeps_rows and has_rows
