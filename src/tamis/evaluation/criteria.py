"""What methods are compared by: one small table of criteria.

A criterion is one function of the common table, a method's trial and a number of columns.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell
from tamis.evaluation.common_ground import N_COMPARED_NEIGHBOURS, Ground
from tamis.evaluation.neighbour_agreement import (
    nearest_first,
    pair_agreement,
    shared_neighbours,
    silhouette_width,
)
from tamis.evaluation.prediction import score_learner
from tamis.evaluation.stability import stability_of
from tamis.evaluation.subsets import redundancy
from tamis.evaluation.trial import N_HALVES, Trial
from tamis.facts.comparison_answer import CriterionFacts, Needs
from tamis.numerics.types import Floats
from tamis.registry import nearest
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class Figure:
    """A value, and where there are folds that of each."""

    value: float
    folds: Floats | None = None

    @property
    def std(self) -> float | None:
        """Standard deviation over the folds."""
        return None if self.folds is None else float(np.std(self.folds, ddof=1))


def refuse_criterion(criterion: CriterionFacts, *, labelled: bool, linear: bool) -> str | None:
    """Say why a table cannot be measured by it; None if it can.

    It may be `labelled`, and `linear` if only numbers are analysed.
    """
    if "labels" in criterion.needs and not labelled:
        return "it needs labels"
    if criterion.needs - {"process"} and not linear:
        return "it needs numbers, and text or categories are analysed"
    return None


def _share(ground: Ground, trial: Trial, k: int) -> Figure:
    kept = trial.list_kept(k)
    return Figure(float(ground.measure.reproduction(kept).shares_at(len(kept)).mean()))


def _measure_held_out(ground: Ground, trial: Trial, k: int) -> Figure:  # noqa: ARG001 - all have the same
    folds = trial.folds(k)
    shares = 1.0 - folds.errors[:, -1] / folds.totals
    return Figure(float(folds.share[-1]), shares)


def _learnt(ground: Ground, trial: Trial, k: int) -> Figure:
    scores = score_learner(ground, trial, k)
    return Figure(float(scores.mean()), scores)


def _neighbours(ground: Ground, trial: Trial, k: int) -> Figure:
    reduced = ground.rows[:, trial.list_kept(k)]
    count = ground.near.shape[1]
    return Figure(shared_neighbours(ground.near, nearest_first(reduced, count), [count])[count])


def _redundancy(ground: Ground, trial: Trial, k: int) -> Figure:
    found: Any = ground.summary
    return Figure(redundancy(found.gram, trial.list_kept(k)).correlation)


def _stability(ground: Ground, trial: Trial, k: int) -> Figure:
    names = [ground.source.names[j] for j in ground.used]
    return Figure(stability_of(trial.sets(k), names).index)


_NEEDS_ROWS: frozenset[Needs] = frozenset({"rows"})
_NEEDS_PARTS: frozenset[Needs] = frozenset({"parts"})

# In the order in which they are measured and shown: under a budget the first ones are there.
CRITERIA: tuple[CriterionFacts, ...] = (
    CriterionFacts(
        "share",
        "share explained",
        "share",
        "what the kept columns explain of all columns, on the rows used to choose them",
        True,
        "share",
        _share,
    ),
    CriterionFacts(
        "prediction",
        "prediction",
        "predict",
        "how well a linear model on the kept columns predicts the labels of held-out rows: AUC "
        "for two classes, accuracy for more, R² for numbers, over 5 folds; supervised methods "
        "select again in every fold",
        True,
        "share",
        _learnt,
        frozenset({"rows", "labels"}),
        5,
    ),
    CriterionFacts(
        "held-out",
        "held-out share",
        "held out",
        "what the kept columns explain on held-out rows, selected again in each of 10 folds",
        True,
        "share",
        _measure_held_out,
        _NEEDS_PARTS,
        10,
    ),
    CriterionFacts(
        "neighbours",
        "neighbours kept",
        "neighb.",
        f"agreement (Jaccard) of the {N_COMPARED_NEIGHBOURS} nearest rows before and after",
        True,
        "share",
        _neighbours,
        _NEEDS_ROWS,
    ),
    CriterionFacts(
        "clusters",
        "cluster agreement",
        "clusters",
        "Rand index of K-means clusters before and after; not adjusted for chance",
        True,
        "share",
        lambda ground, trial, k: Figure(
            pair_agreement(ground.clusters, ground.clusters_of(trial.list_kept(k)))
        ),
        _NEEDS_ROWS,
    ),
    CriterionFacts(
        "silhouette",
        "silhouette",
        "silhou.",
        "mean silhouette width, on all columns, of the clusters found on the kept ones",
        True,
        "number",
        lambda ground, trial, k: Figure(
            silhouette_width(ground.distances, ground.clusters_of(trial.list_kept(k)))
        ),
        _NEEDS_ROWS,
    ),
    CriterionFacts(
        "redundancy",
        "redundancy",
        "redund.",
        "mean absolute correlation of the kept columns",
        False,
        "share",
        _redundancy,
        frozenset({"gram"}),
    ),
    CriterionFacts(
        "stability",
        "stability",
        "stable",
        f"index of Nogueira, Sechidis and Brown over {N_HALVES} half-samples of the rows",
        True,
        "number",
        _stability,
        _NEEDS_PARTS,
        N_HALVES,
    ),
    CriterionFacts(
        "seconds",
        "seconds",
        "seconds",
        "time of the search itself; the table is read once for all methods",
        False,
        "seconds",
        lambda _, trial, k: Figure(trial.seconds[k]),
    ),
    CriterionFacts(
        "memory",
        "memory",
        "MB",
        "largest memory of a process of its own that reads the table and searches, with that of "
        "Python itself, in MB; measured only where it is named",
        False,
        "megabytes",
        lambda _, trial, k: Figure(trial.peak(k)),
        frozenset({"process"}),
        usual=False,
    ),
)


def choose_criteria(asked: str | Iterable[str]) -> tuple[CriterionFacts, ...]:
    """Give the criteria with these ids, in the order of the table.

    >>> [criterion.id for criterion in choose_criteria(["held-out", "share"])]
    ['share', 'held-out']
    """
    if isinstance(asked, str) and asked == "all":
        return tuple(criterion for criterion in CRITERIA if criterion.usual)
    wanted = [asked] if isinstance(asked, str) else list(asked)
    known = [criterion.id for criterion in CRITERIA]
    for name in wanted:
        if name not in known:
            raise TamisError(f"{spell('criteria', [name])}: unknown{nearest(str(name), known)}")
    if not wanted:
        raise TamisError("The list of criteria is empty: name at least one.")
    return tuple(criterion for criterion in CRITERIA if criterion.id in wanted)
