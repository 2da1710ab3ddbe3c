"""What kept columns explain of all columns: a share of the variance, or of the information."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from tamis.evaluation.grouped_measure import GroupedVariance
from tamis.evaluation.reconstruction import (
    Carriers,
    Known,
    Reproduction,
    bound_by_components,
    pick_carriers,
    relate_to_kept,
)
from tamis.evaluation.substitutes import addition_gains, shared_swap_changes, swap_changes
from tamis.evaluation.weighted_measure import WeightedVariance
from tamis.facts.selection_answer import Measured
from tamis.numerics.tolerances import MINOR, TIE
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.search import MAX_CARRIERS
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import GroupedGram, as_groups
from tamis.statistics.relations import answer_by_kind
from tamis.statistics.shared_information import Information
from tamis.statistics.statistic import Statistic

_MAX_BOUND_STEPS = 64


class Measure(Protocol):
    """How kept columns relate to all columns, and how far they could at most.

    `name` is what the shares are shares of: variance or information; `signed` whether the weights
    of columns that explain others are coefficients, and not shares.
    """

    @property
    def name(self) -> Measured:
        """What the shares are shares of."""

    @property
    def signed(self) -> bool:
        """Whether weights are coefficients."""

    def chance(self, k: int, n_rows: int) -> float | None:
        """Give what unrelated columns would show on average, if that is known."""

    def ceiling(self, k: int) -> Floats:
        """Give what 1..k columns can reach at most."""

    def reproduction(self, kept: Indices) -> Known:
        """Relate all columns to the kept ones, taken in order."""

    def explain_beyond_chance(self, known: Known) -> Known:
        """Give the same with what the kept columns explain beyond chance."""

    def carriers(self, known: Known, step: int, targets: Indices) -> Carriers:
        """Pick for each target the few of the first `step` kept columns that explain it best."""

    def swaps(self, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
        """Give, for some positions in `kept`, what each other column in its place changes."""

    def additions(self, kept: Indices) -> Floats:
        """Give what each column would add to the share explained."""

    def pairs(self, columns: Indices) -> Floats:
        """Give the similarity of these columns, in [-1, 1]."""


def measure_of(
    statistic: Statistic[Gram | GroupedGram | Information],
    importance: Floats | None = None,
) -> Measure:
    """Choose the measure that fits what a method worked on, and what mattered to it."""
    known = statistic.explained
    if not isinstance(known, Information):
        grouped = as_groups(known)
        wanted = grouped.importance if importance is None else importance
        if wanted is not None:
            return WeightedVariance(grouped, wanted, grouped.columns)
        if not grouped.groups.single:
            return GroupedVariance(grouped)
        known = grouped.gram
    variance: Callable[[Gram], Measure] = Variance
    return answer_by_kind(known, variance, SharedInformation)


@dataclass(frozen=True)
class Variance:
    """The share of the variance that a regression on the kept columns reproduces."""

    name: ClassVar[Measured] = "variance"
    signed: ClassVar[bool] = True

    gram: Gram

    def chance(self, k: int, n_rows: int) -> float | None:
        """Give what a regression on `k` columns explains of an unrelated one, on average."""
        return min(1.0, k / max(n_rows - 1, 1))

    def ceiling(self, k: int) -> Floats:
        """Give the share that the first 1..k principal components hold."""
        return bound_by_components(self.gram, k)

    def reproduction(self, kept: Indices) -> Known:
        """Regress all columns on the kept ones."""
        return relate_to_kept(self.gram, kept)

    def explain_beyond_chance(self, known: Known) -> Known:
        """Give the regressions as they are: their chance is a level of its own."""
        return known

    def carriers(self, known: Known, step: int, targets: Indices) -> Carriers:
        """Pick the columns of a short regression."""
        return pick_carriers(known, step, targets)

    def swaps(self, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
        """Regress all columns without the one that leaves and with the one that joins."""
        return swap_changes(self.gram, kept, positions)

    def additions(self, kept: Indices) -> Floats:
        """Give the share of the variance that each column would add."""
        return addition_gains(self.gram, kept)

    def pairs(self, columns: Indices) -> Floats:
        """Give the correlations."""
        size = np.sqrt(self.gram.diagonal())[columns]
        rows = np.array([self.gram.column(int(j))[columns] for j in columns])
        return np.asarray(rows / size / size[:, None])


@dataclass(frozen=True)
class SharedInformation:
    """The mean, over all columns, of the mutual information with the closest kept column."""

    name: ClassVar[Measured] = "information"
    signed: ClassVar[bool] = False

    information: Information

    def chance(self, k: int, n_rows: int) -> float | None:  # noqa: ARG002 - as the protocol says
        """Give what two unrelated columns would share on average."""
        return self.information.chance

    def ceiling(self, k: int) -> Floats:
        """Give a bound on what any 1..k columns can explain.

        Of any set, k further columns add at most the sum of the k largest single gains, because
        what a column adds only shrinks as others join. The smallest such bound over the sets of a
        greedy search holds for every set of k columns.
        """
        M = self.information.matrix
        d = len(M)
        explained, bound = np.zeros(d), np.ones(k)
        for _ in range(min(k, _MAX_BOUND_STEPS)):
            gains = np.array([np.maximum(row - explained, 0.0).sum() for row in M])
            most = np.cumsum(np.sort(gains)[::-1])[:k]
            bound = np.minimum(bound, (explained.sum() + most) / d)
            explained = np.maximum(explained, M[int(gains.argmax())])
        return bound

    def reproduction(self, kept: Indices) -> Reproduction:
        """Give the largest mutual information with the first 1, 2, ... kept columns."""
        links = self.information.matrix[kept]
        return Reproduction(kept, np.maximum.accumulate(links, axis=0), links)

    def explain_beyond_chance(self, known: Known) -> Known:
        """Give the largest mutual information that is above chance for its pair; 0 without one.

        Columns of many values share much with any other by chance.
        """
        every = np.arange(known.width)
        links = known.links_to(len(known.kept), every)
        above = np.where(self._exceeds(links, known.kept, every), links, 0.0)
        return Reproduction(known.kept, np.maximum.accumulate(above, axis=0), links)

    def carriers(self, known: Known, step: int, targets: Indices) -> Carriers:
        """Pick the most informative of the first `step` kept columns, those above chance."""
        links = known.links_to(step, targets)
        above = np.where(self._exceeds(links, known.kept[:step], targets), links, -1.0).T
        places = np.argsort(-above, axis=1, kind="stable")[:, :MAX_CARRIERS]
        weights = np.take_along_axis(above, places, axis=1)
        found = weights >= 0
        weights = np.where(found, weights, 0.0)
        return Carriers(np.where(found, places, -1), weights, weights[:, 0])

    def _exceeds(self, links: Floats, kept: Indices, targets: Indices) -> Mask:
        """Say which pairs share more than unrelated ones do; those that share all always do."""
        limits = np.maximum(self.information.chance_limit(kept, targets), MINOR)
        return np.asarray((links > limits) | (links >= 1 - TIE))

    def swaps(self, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
        """Find the closest of the other kept columns, or of the one that joins."""
        return shared_swap_changes(self.information.matrix, kept, positions)

    def additions(self, kept: Indices) -> Floats:
        """Give what each column would raise the mean by."""
        M = self.information.matrix
        explained = M[kept].max(axis=0)
        return np.array([np.maximum(row - explained, 0.0).mean() for row in M])

    def pairs(self, columns: Indices) -> Floats:
        """Give the normalised mutual information, the mean of both directions if they differ."""
        shares = self.information.matrix[np.ix_(columns, columns)]
        return np.asarray((shares + shares.T) / 2)
