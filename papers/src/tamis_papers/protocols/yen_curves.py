"""What the AUC curves of Table 4 of Yen, Chen and Lin come to: PFR and ACA over fold seeds."""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis_papers.laboratory.protocol import Results
from tamis_papers.protocols.auc_curve import TOLERANCES, measure_change, measure_removed
from tamis_papers.protocols.yen_methods import CLUSTERING, UPDATING, VARIABLES, WITHOUT

__all__ = [
    "BESIDE",
    "FIGURES",
    "METHODS",
    "PRINTED",
    "RANDOM",
    "RUN_ON",
    "SEEDS",
    "Curves",
    "curves_of",
    "key_of",
]

METHODS = (WITHOUT, UPDATING, VARIABLES, CLUSTERING)
RANDOM, RUN_ON = "random order", "principal-variables, run on"
# Orders that no method defines, on the table where most of the order is undefined, each with the
# method whose printed figures it is shown beside.
BESIDE = {RANDOM: UPDATING, RUN_ON: VARIABLES}
FIGURES = {"arcene": 5, "gisette": 6, "arrhythmia": 7}
SEEDS = range(6)

# PFR in percent and ACA at each tolerance.
_Row = tuple[tuple[int, int, int, int], tuple[float, float, float, float]]
PRINTED: dict[str, dict[str, _Row]] = {
    "arcene": {
        WITHOUT: ((19, 28, 46, 50), (0.0023, 0.0066, 0.0139, 0.0154)),
        UPDATING: ((60, 75, 79, 84), (0.0028, 0.0046, 0.0057, 0.0074)),
        VARIABLES: ((20, 32, 45, 48), (0.0029, 0.0062, 0.0108, 0.0121)),
        CLUSTERING: ((38, 45, 49, 54), (0.003, 0.005, 0.0067, 0.0092)),
    },
    "gisette": {
        WITHOUT: ((35, 98, 99, 99), (0.0027, 0.0071, 0.0075, 0.0075)),
        UPDATING: ((90, 94, 95, 96), (0.0021, 0.0028, 0.0031, 0.0035)),
        VARIABLES: ((39, 44, 99, 99), (0.0027, 0.0043, 0.0129, 0.0129)),
        CLUSTERING: ((37, 40, 42, 44), (0.0025, 0.0036, 0.0048, 0.0069)),
    },
    "arrhythmia": {
        WITHOUT: ((36, 50, 55, 77), (0.0036, 0.0058, 0.0075, 0.0147)),
        UPDATING: ((49, 70, 76, 79), (0.0021, 0.0063, 0.008, 0.0092)),
        VARIABLES: ((53, 57, 60, 69), (0.0025, 0.0036, 0.0048, 0.0089)),
        CLUSTERING: ((44, 50, 64, 69), (0.0032, 0.0047, 0.0083, 0.0104)),
    },
}


@dataclass(frozen=True)
class Curves:
    """The curves of one method on one table, one for each fold seed, and what they come to.

    `pfr` (percent) and `aca` have a row for each seed and a column for each tolerance.
    """

    removed: Sequence[float]
    auc: Sequence[Sequence[float]]

    @property
    def pfr(self) -> list[list[float]]:
        """Percentage of columns removed within each tolerance."""
        return [[100 * end for end in self._ends(auc)] for auc in self.auc]

    @property
    def aca(self) -> list[list[float]]:
        """Average change of the AUC up to there."""
        return [
            [measure_change(self.removed, auc, end=end) for end in self._ends(auc)]
            for auc in self.auc
        ]

    def _ends(self, auc: Sequence[float]) -> list[float]:
        return [measure_removed(self.removed, auc, tolerance) for tolerance in TOLERANCES]


def key_of(table: str, method: str, seed: int) -> str:
    """Name the cell of one table, method and fold seed."""
    return f"{table}/{method}/{seed}"


def curves_of(
    results: Results, table: str, *, paired: bool = False, methods: Sequence[str] = METHODS
) -> dict[str, Curves]:
    """Gather the curves of every method that has some on this table.

    With `paired` only those of fold seeds that all methods were run with.
    """
    if paired:
        full = [s for s in SEEDS if all(key_of(table, m, s) in results for m in METHODS)]
        keys = {key_of(table, method, seed) for method in METHODS for seed in full}
        results = {key: results[key] for key in keys}
    found = {}
    for method in methods:
        known = [results[k] for s in SEEDS if (k := key_of(table, method, s)) in results]
        if known:
            found[method] = Curves(known[0]["removed"], [one["auc"] for one in known])
    return found
