"""The share of what matters that kept columns explain: a response, or columns by importance."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from tamis.algorithms.residual import Residual, condition
from tamis.evaluation.grouped_measure import GroupedVariance
from tamis.evaluation.reconstruction import (
    Carriers,
    Known,
    Reproduction,
    pick_carriers,
    relate_to_kept,
)
from tamis.facts.selection_answer import Measured
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices
from tamis.statistics.grouped import GroupedGram
from tamis.values import dataclass

MAX_SOLVED = 1_000  # columns of a regression on all: more would take longer than the search


@dataclass(frozen=True, eq=False)
class WeightedVariance:
    """What kept columns explain by importance, of all groups of a statistic.

    Only the first `width` groups are columns to choose from: a response follows them. Relations of
    the columns with each other are those of their variances.
    """

    statistic: GroupedGram
    importance: Floats
    width: int

    @property
    def name(self) -> Measured:
        """What the shares are shares of: a response alone, or columns by importance."""
        alone = self.width < len(self.importance) and not self.importance[: self.width].any()
        return "response" if alone else "importance"

    @property
    def signed(self) -> bool:
        """Whether the weights of columns that explain others are coefficients."""
        return self._single

    @property
    def _single(self) -> bool:
        return bool((self.statistic.groups.sizes[: self.width] == 1).all())

    @cached_property
    def _plain(self) -> GroupedVariance:
        return GroupedVariance(self.statistic)

    def chance(self, k: int, n_rows: int) -> float | None:
        """Give what a regression on `k` average groups explains of an unrelated column."""
        return self._plain.chance(k, n_rows)

    def ceiling(self, k: int) -> Floats:
        """Give what all columns explain together: no set of them explains more.

        It is 1 where that would take long, and where columns themselves matter, which explain
        themselves.
        """
        return np.full(k, self._by_all)

    @cached_property
    def _by_all(self) -> float:
        inner = int(self.statistic.groups.starts[self.width : self.width + 1].sum())
        if self.importance[: self.width].any() or not 0 < inner <= MAX_SOLVED:
            return 1.0
        rows = self.statistic.gram.block(np.arange(inner))
        values, vectors = np.linalg.eigh(rows[:, :inner])
        useful = values > RANK_TOL * max(float(values[-1]), 0.0)
        seen = np.square(vectors[:, useful].T @ rows[:, inner:]).sum(axis=1)
        total = self.statistic.gram.diagonal()[inner:].sum()
        return float(min(1.0, (seen / values[useful]).sum() / total))

    def reproduction(self, kept: Indices) -> Known:
        """Relate all columns to the kept ones, taken in order; what follows them is no column."""
        single = self._single
        known = (
            relate_to_kept(self.statistic.gram, kept) if single else self._plain.reproduction(kept)
        )
        if not isinstance(known, Reproduction):
            return known
        return Reproduction(known.kept, known.shares[:, : self.width], known.links[:, : self.width])

    def explain_beyond_chance(self, known: Known) -> Known:
        """Give the regressions as they are."""
        return known

    def carriers(self, known: Known, step: int, targets: Indices) -> Carriers:
        """Name for each target the few kept columns that explain most of it."""
        name_few = pick_carriers if self._single else self._plain.carriers
        return name_few(known, step, targets)

    def swaps(self, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
        """Give, for some positions in `kept`, what each other column in its place changes."""
        before = self._condition(kept).retained[-1]
        for position in positions:
            residual = self._condition(np.delete(kept, position))
            share = residual.retained[-1] if residual.size else 0.0
            change = (share + residual.gains() - before)[: self.width]
            change[kept] = np.nan
            yield change

    def additions(self, kept: Indices) -> Floats:
        """Give what each column would add to the share explained."""
        return self._condition(kept).gains()[: self.width]

    def pairs(self, columns: Indices) -> Floats:
        """Give the similarity of columns."""
        return self._plain.pairs(columns)

    def _condition(self, kept: Indices) -> Residual:
        return condition(self.statistic, kept, importance=self.importance)
