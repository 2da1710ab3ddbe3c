"""What limits did to a selection, as facts."""

import numpy as np

from tamis.evaluation.outcome import Outcome
from tamis.facts.limit_answer import LimitFacts, SpentFacts, WholeFacts, WholeGroup

__all__ = ["limit_facts", "spent_facts", "whole_facts"]


def limit_facts(outcome: Outcome) -> tuple[LimitFacts, ...]:
    """Give the limits that keep out a column, and what the best of these would add."""
    found = outcome.binding
    names = outcome.names_of(np.array([one.column for one in found], dtype=np.intp))
    return tuple(
        LimitFacts(one.option, one.group, str(name), one.gain)
        for one, name in zip(found, names, strict=True)
    )


def spent_facts(outcome: Outcome) -> SpentFacts | None:
    """Give what the kept columns cost, where there is a budget."""
    limits = outcome.limits
    if not np.isfinite(limits.budget):
        return None
    return SpentFacts(limits.spend(outcome.path.kept), limits.budget)


def whole_facts(outcome: Outcome) -> WholeFacts | None:
    """Give the groups that are taken whole, in the order in which they were taken."""
    if not outcome.search_options.get("together"):
        return None
    limits = outcome.limits
    own = limits.group[outcome.path.kept]
    order = list(dict.fromkeys(own[own >= 0].tolist()))
    groups = tuple(WholeGroup(limits.names[i], int((own == i).sum())) for i in order)
    return WholeFacts(groups, int((own < 0).sum()))
