"""A selection on other rows and with other columns: what could be had instead, and how sure."""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.binding import BindingLimit, find_binding, find_demanded, mark_barred
from tamis.evaluation.found_path import FoundPath
from tamis.evaluation.random_columns import RandomShare, compare_with_random
from tamis.evaluation.resampled import Resampled
from tamis.evaluation.second_opinion import SecondOpinion, read_opinion
from tamis.evaluation.stability import Stability, stability_of
from tamis.evaluation.stand_ins import compare_halves, name_stand_ins
from tamis.numerics.types import Floats
from tamis.registry import nearest
from tamis.run.search import Search
from tamis.statistics.mixed_gram import MixedSummary
from tamis.statistics.response import as_grouped
from tamis.statistics.row_blocks import BlockedSummary

__all__ = ["Outcome"]


@dataclass(frozen=True, eq=False)
class Outcome(FoundPath):
    """A path on a table, with everything that can be said about it."""

    @cached_property
    def shows_held_out(self) -> bool:
        """Whether shares on held-out rows are shown: if asked for, or where rows are in blocks."""
        asked = self.request.settings.get("held_out")
        if self.auto is not None or asked is not None:
            return self.auto is not None or bool(asked)
        if not isinstance(self.summary, BlockedSummary) or not isinstance(self.longer, Search):
            return False
        try:
            return bool(len(self.resampled.folds.totals))
        except TamisError:  # too few rows to hold some back
            return False

    @property
    def held_out(self) -> Floats:
        """Share of the variance of held-out rows that 1..k columns explain, selected again."""
        return self.resampled.folds.share

    @cached_property
    def held_out_as_is(self) -> float | None:
        """The share on held-out rows where extreme values are not limited; None if not known."""
        summary = self.summary
        known = summary.as_is if isinstance(summary, MixedSummary) else None
        if known is None or not isinstance(self.longer, Search) or not self.shows_held_out:
            return None
        if not np.array_equal(known.varying, summary.varying):
            return None
        try:
            folds = Resampled(known, replace(self.longer, summary=known), self.k).folds
        except TamisError:  # too few rows to hold some back
            return None
        return float(folds.share[-1])

    @property
    def held_out_std(self) -> Floats:
        """Its standard deviation over the folds."""
        return self.resampled.folds.std

    @cached_property
    def random_share(self) -> RandomShare | None:
        """What as many columns drawn at random explain on held-out rows; None if not measured."""
        resampled = self.resampled
        if self.path.importance is not None:
            return None
        search = replace(resampled.search, summary=resampled.summary)
        return compare_with_random(search, resampled.folds, self.k)

    @cached_property
    def stability(self) -> Stability:
        """How often each column is kept over half-samples of the rows."""
        names, sets = self.names_of(np.arange(len(self.used))), self.resampled.sets
        statistic, kept = as_grouped(self.summary.statistic), self.path.kept
        agreed = compare_halves(statistic, kept, sets, self.path.importance)
        return replace(
            stability_of(sets, names),
            explained=float(agreed.explained.mean()),
            stand_ins=name_stand_ins(agreed, kept, len(sets), names),
        )

    @cached_property
    def resampled(self) -> Resampled:
        """The same search on parts of the rows; the table is read again if need be."""
        summary = self.summary
        if not isinstance(summary, BlockedSummary):
            if self.reader is None or not isinstance(self.longer, Search):
                raise TamisError("The table is not known: choose the columns with tamis.select.")
            summary = self.reader.by_block(summary)
        assert isinstance(self.longer, Search)
        return Resampled(summary, self.longer, self.k, self.auto if self.path.nested else None)

    def substitutes(self, column: Any = None, *, n: int | None = 10) -> Any:
        """Give the `n` best dropped columns to replace a kept one, each with what that changes.

        The change is in `retained`: -0.001 is a loss of 0.1%. Without `column` a
        dict of such lists, one for each kept column.
        """
        names = self.names
        wanted = range(self.k) if column is None else [self._find_kept(column)]
        found = {}
        changes = self.measure.swaps(self.path.kept, wanted)
        for position, change in zip(wanted, changes, strict=True):
            change[mark_barred(self.limits, self.path.kept, position)] = np.nan
            order = np.argsort(-change, kind="stable")[: np.count_nonzero(~np.isnan(change))][:n]
            pairs = zip(self.names_of(order), change[order].tolist(), strict=True)
            found[names[position]] = list(pairs)
        return found if column is None else found[names[wanted[0]]]

    def second_opinion(self, n: int = 20) -> list[SecondOpinion]:
        """Let trees predict the `n` least explained dropped columns, beside a linear model.

        Up to 1,000 rows are read again; half of them predict the other half from the kept columns.
        """
        rows = sorted(self.explain(), key=lambda row: row.share)[:n]
        targets = {row.column: self.request.position(row.column) for row in rows}
        return read_opinion(self.reader, self.indices.tolist(), targets)

    @cached_property
    def binding(self) -> list[BindingLimit]:
        """The limits that keep out a column, each with the best of these and what it would add."""
        limits, kept = self.limits, self.path.kept
        whole = self.search_options.get("together")
        if whole or not (limits.any or limits.barred.any()) or not len(kept):
            return []
        found = find_binding(limits, kept, self.measure.additions(kept))
        return found + find_demanded(limits, kept, self._must, partial(self.measure.swaps, kept))

    def _find_kept(self, column: Any) -> int:
        """Find a kept column by its label or its name."""
        texts = [self.request.names[j] for j in self.indices]
        for names in (self.names, texts):
            if column in names:
                return names.index(column)
        hint = nearest(str(column), texts)
        raise TamisError(f"{column!r} is not among the kept columns{hint}")
