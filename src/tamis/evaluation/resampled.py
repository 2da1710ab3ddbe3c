"""A search repeated on parts of the rows: what it explains of other rows, and how stable it is."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tamis.algorithms.forward.row_searches import can_join, search_together
from tamis.algorithms.path import Path
from tamis.evaluation.auto_size import auto_size
from tamis.evaluation.held_out import Find, HeldOut, held_out
from tamis.evaluation.stability import half_choices
from tamis.facts.selection_answer import AutoFacts
from tamis.numerics.types import Indices
from tamis.progress import track
from tamis.run.search import Search
from tamis.statistics.grouped import as_groups
from tamis.statistics.row_blocks import Blocks
from tamis.statistics.summary import Summary


@dataclass(frozen=True, eq=False)
class Resampled:
    """The search for `k` columns on folds and on half-samples of the rows."""

    summary: Summary
    search: Search
    k: int
    auto: AutoFacts | None = None

    @property
    def blocks(self) -> Blocks:
        """The blocks of rows."""
        assert self.summary.blocks is not None
        return self.summary.blocks

    @cached_property
    def folds(self) -> HeldOut:
        """Ten folds, columns selected again in each."""
        if self.auto is not None:
            return self.auto.folds.head(self.k)
        find = make_finder(self.search, self.k)
        return held_out(self.blocks, find, self.k, ridge=self.search.ridge)

    @property
    def curve(self) -> HeldOut:
        """The same, as far as the rule for the number of columns has looked."""
        return self.folds if self.auto is None else self.auto.folds

    @cached_property
    def sets(self) -> list[Indices]:
        """The columns kept in every half-sample; included ones are, whatever varies in it."""
        choices = half_choices(self.blocks.count)
        find = make_finder(self.search, self.k)
        parts = track("half-samples", self.blocks.parts(choices), len(choices))
        varying = (part for part in parts if len(part.varying))
        return [self._list_kept(part.varying[find(part).indices[: self.k]]) for part in varying]

    def _list_kept(self, found: Indices) -> Indices:
        """Give the first `k` columns of a part; an included column that is constant in it stays."""
        must = np.array(self.search.include, dtype=np.intp)
        others = found[~np.isin(found, must)]
        return np.concatenate([must, others])[: self.k]


def make_finder(search: Search, k: int) -> Find:
    """Give the function that searches for `k` columns on some of the rows."""
    shrink = search.options.get("shrink", 0.0)
    ruled = search.is_ruled or isinstance(shrink, str)

    def find(part: Summary) -> Path:
        size = min(k, len(part.varying))
        if ruled or not can_join(part.statistic):
            return search.on(part)(size)
        found = search_together(as_groups(part.statistic).gram, size, [shrink])[0]
        return Path(found, np.full(len(found), np.nan))

    return find


def size_by_rule(search: Search) -> AutoFacts:
    """Find the number of columns to keep by the rule of `auto_size`, before any swaps."""
    plain = replace(search, refine=False)
    least = max(1, len(search.include))
    return auto_size(search.summary, lambda k: make_finder(plain, k), least, search.ridge)
