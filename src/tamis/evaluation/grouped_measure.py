"""The share of the variance that kept columns explain, where some are groups: categories."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from tamis.algorithms.residual import Residual, condition
from tamis.evaluation.reconstruction import Carriers, Known, Reproduction
from tamis.facts.selection_answer import Measured
from tamis.numerics.tolerances import MINOR, RANK_TOL
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import ENOUGH_OF_SHARE, MAX_CARRIERS
from tamis.statistics.grouped import GroupedGram


@dataclass(frozen=True)
class GroupedVariance:
    """The share of the variance that a regression on the kept groups explains."""

    name: ClassVar[Measured] = "variance"
    signed: ClassVar[bool] = False

    statistic: GroupedGram

    def chance(self, k: int, n_rows: int) -> float | None:
        """Give what a regression on `k` average groups explains of an unrelated one."""
        freedom = np.maximum(self.statistic.groups.sizes - 1, 1).mean()
        return float(min(1.0, k * freedom / max(n_rows - 1, 1)))

    def ceiling(self, k: int) -> Floats:
        """Give the share of as many principal components as the 1..k largest groups have columns.

        No `k` groups can explain more.
        """
        gram, total = self.statistic.gram, float(self.statistic.gram.diagonal().sum())
        ranks = np.maximum(self._ranks, 1)
        most = np.minimum(np.cumsum(np.sort(ranks)[::-1])[:k], len(gram.diagonal()))
        values = gram.eigenvalues(int(most[-1]))
        sums = np.minimum(np.cumsum(values) / total, 1.0)
        shares = sums[np.minimum(most, len(sums)) - 1]
        return np.concatenate([shares, np.ones(max(0, k - len(shares)))])

    @cached_property
    def _ranks(self) -> Indices:
        """How many columns of each group do not follow from its others."""
        groups, gram = self.statistic.groups, self.statistic.gram
        found = np.ones(len(groups.sizes), dtype=np.intp)
        for g in np.flatnonzero(groups.sizes > 1).tolist():
            J = groups.members([g])
            values = np.linalg.eigvalsh(gram.block(J)[:, J])
            found[g] = np.count_nonzero(values > RANK_TOL * values[-1])
        return found

    def reproduction(self, kept: Indices) -> Known:
        """Regress all columns on the kept groups; `links` is what each explains alone."""
        residual = Residual(self.statistic, max(len(kept), 1))
        shares = np.zeros((len(kept), len(residual.start)))
        for step, group in enumerate(kept):
            residual.take(int(group))
            shares[step] = 1.0 - residual.left / residual.start
        return Reproduction(kept, np.clip(shares, 0.0, 1.0), self.alone(kept))

    def alone(self, kept: Indices) -> Floats:
        """Give the share of every column that each kept group explains by itself."""
        groups, gram = self.statistic.groups, self.statistic.gram
        weights = self.statistic.diagonal()
        found = np.zeros((len(kept), len(weights)))
        for row, group in zip(found, kept, strict=True):
            J = groups.members([group])
            G = gram.block(J)
            values, vectors = np.linalg.eigh(G[:, J])
            useful = values > RANK_TOL * max(float(values[-1]), 0.0)
            seen = np.square(vectors[:, useful].T @ G) / values[useful, None]
            row[:] = groups.sum_up(seen.sum(axis=0)) / weights
            row[group] = 1.0
        return np.clip(found, 0.0, 1.0)

    def explain_beyond_chance(self, known: Known) -> Known:
        """Give the regressions as they are: their chance is a level of its own."""
        return known

    def carriers(self, known: Known, step: int, targets: Indices) -> Carriers:
        """Name for each target the few kept columns that explain most of it, each alone."""
        alone = known.links_to(step, targets).T
        places = np.argsort(-alone, axis=1, kind="stable")[:, :MAX_CARRIERS]
        weights = np.take_along_axis(alone, places, axis=1)
        enough = weights[:, :1] >= ENOUGH_OF_SHARE * known.shares_at(step)[targets][:, None]
        named = (weights > MINOR) & (~enough | (np.arange(places.shape[1]) == 0))
        return Carriers(np.where(named, places, -1), np.where(named, weights, 0.0), weights[:, 0])

    def swaps(self, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
        """Give, for some positions in `kept`, what each other column in its place changes."""
        before = condition(self.statistic, kept).retained[-1]
        for position in positions:
            residual = condition(self.statistic, np.delete(kept, position))
            share = residual.retained[-1] if residual.size else 0.0
            change = share + residual.gains() - before
            change[kept] = np.nan
            yield change

    def additions(self, kept: Indices) -> Floats:
        """Give the share of the variance that each column would add."""
        return condition(self.statistic, kept).gains()

    def pairs(self, columns: Indices) -> Floats:
        """Give the similarity of columns: the root of the RV coefficient, signed for numbers."""
        groups, gram = self.statistic.groups, self.statistic.gram
        found = np.eye(len(columns))
        members = [groups.members([int(j)]) for j in columns]
        blocks = [gram.block(J) for J in members]
        sizes = [np.linalg.norm(block[:, J]) for block, J in zip(blocks, members, strict=True)]
        for a in range(len(columns)):
            for b in range(a):
                part = blocks[a][:, members[b]]
                link = np.linalg.norm(part) / np.sqrt(sizes[a] * sizes[b])
                found[a, b] = found[b, a] = np.sign(part[0, 0]) * link if part.size == 1 else link
        return found
