"""How the columns of a table were taken: as numbers, by levels, by bins, as ranks or logarithms."""

import numpy as np

from tamis.evaluation.outcome import Outcome
from tamis.facts.taken_answer import TakenFacts, TakenKind
from tamis.statistics.encoding import Encoding
from tamis.statistics.mixed_gram import GroupedSummary
from tamis.statistics.mutual_information import InformationSummary

__all__ = ["taken_facts"]


def taken_facts(outcome: Outcome) -> tuple[TakenFacts, ...]:
    """Say of every analysed column how it was taken, in table order."""
    summary = outcome.summary
    names = list(map(str, outcome.names_of(np.arange(len(outcome.used)))))
    if isinstance(summary, InformationSummary):
        levels = [len(counts) for counts in summary.counts]
        return tuple(TakenFacts(name, "bins", n) for name, n in zip(names, levels, strict=True))
    settings = outcome.request.settings
    number: TakenKind = "rank" if settings.get("kind") == "spearman" else "number"
    if settings.get("scale") == "counts":
        number = "logarithm"
    encoding = summary.encoding if isinstance(summary, GroupedSummary) else None
    plain = [TakenFacts(name, number) for name in names]
    if encoding is None:
        return tuple(plain)
    columns = zip(plain, summary.varying.tolist(), strict=True)
    return tuple(_as_category(one, encoding, j) for one, j in columns)


def _as_category(plain: TakenFacts, encoding: Encoding, j: int) -> TakenFacts:
    """Give a category by its levels, a number as it is."""
    if j not in encoding.levels:
        return plain
    levels = encoding.levels[j]
    # What is pooled may be missing values, of which there are too few for a level.
    rare = encoding.rare.get(j, 0)
    return TakenFacts(plain.column, "category", len(levels.common) + rare, rare, levels.missing)
