"""What `score` returns: a selection that somebody gave, beside what could be had instead."""

from dataclasses import field, replace
from functools import cached_property

import numpy as np

from tamis.evaluation.outcome import mark_barred
from tamis.facts.selection_answer import (
    AdditionFacts,
    BestFacts,
    ScoreFacts,
    SelectionFacts,
    SwapFacts,
)
from tamis.results.selection import Selection
from tamis.results.shown import by_text
from tamis.values import dataclass

_N_ADDITIONS = 3


@dataclass(frozen=True, eq=False)
class Score(Selection):
    """A given list of columns, judged as a selection.

    All that a `Selection` has, for exactly the given columns, in their order, and:

    Attributes
    ----------
    best
        The selection of as many columns that tamis finds.
    swaps
        The exchanges of one column that raise the share most, one for each listed column, best
        first; empty if none does.
    additions
        The columns that would add most, best first.
    """

    best: Selection = field(kw_only=True, repr=False)

    def __repr__(self) -> str:
        from tamis.presentation.prose.words import words_of

        share = f"{self.retained:.1%} {words_of(self.measure.name).share}"
        return f"<Score of {self.k} columns: {share}; the best found: {self.best.retained:.1%}>"

    @cached_property
    def swaps(self) -> list[SwapFacts]:
        """The exchanges of one column that raise the share most."""
        found = []
        changes = self.measure.swaps(self.path.kept, range(self.k))
        for place, (leaves, change) in enumerate(zip(self.names, changes, strict=True)):
            change[mark_barred(self.limits, self.path.kept, place)] = np.nan
            if np.isnan(change).all():
                continue
            joins = int(np.nanargmax(change))
            (name,) = self.names_of(np.array([joins]))
            found.append(SwapFacts(leaves, name, float(change[joins])))
        helpful = [swap for swap in found if swap.change > 0]
        return sorted(helpful, key=lambda swap: -swap.change)

    @cached_property
    def additions(self) -> list[AdditionFacts]:
        """The columns that would add most to the listed ones."""
        gains = self.measure.additions(self.path.kept)
        gains[self.path.kept] = 0.0
        gains[~self.limits.mark_usable(self.path.kept, self.k + 1)] = 0.0
        order = np.argsort(-gains, kind="stable")[:_N_ADDITIONS]
        pairs = zip(self.names_of(order), gains[order].tolist(), strict=True)
        return [AdditionFacts(name, gain) for name, gain in pairs if gain > 0]

    @cached_property
    def _by_text(self) -> Selection:
        return by_text(self, best=self.best._by_text)

    def _gather_facts(self) -> SelectionFacts:
        facts = super()._gather_facts()
        score = ScoreFacts(
            BestFacts(tuple(self.best.names), self.best.retained),
            tuple(self.swaps[:_N_ADDITIONS]),
            tuple(self.additions),
        )
        # A given list has no number of columns that could be found instead.
        judged = facts.overfit and replace(facts.overfit, remedy=None)
        told = facts.labels
        labels = told and replace(told, used=told.used or bool(self.predictions))
        return replace(facts, overfit=judged, score=score, labels=labels)
