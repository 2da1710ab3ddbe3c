"""What `score` returns: a selection that somebody gave, beside what could be had instead."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tamis.presentation.numbers import at_most, on_held_out_rows, percent
from tamis.presentation.order import GIVEN
from tamis.presentation.words import words_of
from tamis.results.overfit_facts import shows_held_out
from tamis.results.plain import by_text
from tamis.results.selection import Selection

_SHOWN = 3


class Swap(NamedTuple):
    """One listed column exchanged for another, and what that changes in the share explained."""

    leaves: str
    joins: str
    change: float


class Addition(NamedTuple):
    """One more column, and what it adds to the share explained."""

    joins: str
    change: float


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
        share = f"{self.retained:.1%} {words_of(self.measure.name).share}"
        return f"<Score of {self.k} columns: {share}; the best found: {self.best.retained:.1%}>"

    @cached_property
    def swaps(self) -> list[Swap]:
        """The exchanges of one column that raise the share most."""
        found = []
        changes = self.measure.swaps(self.path.kept, range(self.k))
        for leaves, change in zip(self.names, changes, strict=True):
            if np.isnan(change).all():
                continue
            joins = int(np.nanargmax(change))
            (name,) = self.names_of(np.array([joins]))
            found.append(Swap(leaves, name, float(change[joins])))
        helpful = [swap for swap in found if swap.change > 0]
        return sorted(helpful, key=lambda swap: -swap.change)

    @cached_property
    def additions(self) -> list[Addition]:
        """The columns that would add most to the listed ones."""
        gains = self.measure.additions(self.path.kept)
        gains[self.path.kept] = 0.0
        order = np.argsort(-gains, kind="stable")[:_SHOWN]
        pairs = zip(self.names_of(order), gains[order].tolist(), strict=True)
        return [Addition(name, gain) for name, gain in pairs if gain > 0]

    @cached_property
    def _by_text(self) -> Selection:
        return by_text(self, best=self.best._by_text)

    def _gathered(self) -> dict[str, Any]:
        facts = super()._gathered()
        score = {
            "best": {"names": self.best.names, "retained": self.best.retained},
            "swaps": [swap._asdict() for swap in self.swaps[:_SHOWN]],
            "additions": [addition._asdict() for addition in self.additions],
        }
        # A given list has no number of columns that could be found instead.
        judged = facts["overfit"] and {**facts["overfit"], "advice": "", "effect": ""}
        return {
            **facts,
            "overfit": judged,
            "sentence": self._sentence(),
            "score": score,
            "order": GIVEN,
        }

    def _sentence(self) -> str:
        k, words, most = self.k, words_of(self.measure.name), at_most(self.bound)
        share, best = f"{percent(self.retained)} {words.share}", percent(self.best.retained)
        one = k == 1
        text = f"The {'listed column explains' if one else f'{k:,} listed columns explain'} {share}"
        if shows_held_out(self):
            text += f", {on_held_out_rows(float(self.held_out[-1]))}"
        if set(self.names) == set(self.best.names):
            found = "tamis finds none better"
        else:
            found = f"the best{'' if one else f' {k:,}'} that tamis finds: {best}"
        bound = f", and no {'column' if one else f'{k:,}'} could explain {most}" if most else ""
        return f"{text}; {found}{bound}."
