"""The levels of a category: which have a column of their own, and which are pooled.

Rare levels are pooled, since a level of a few rows explains others by chance only. Missing values
are missing: as a level of their own, those in the same rows of two columns would count as
explanation. Of a box that is ticked or not, which has no other level, they are the other answer.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.numerics.types import Floats
from tamis.statistics.columns_met import MAX_DISTINCT

MIN_LEVEL_ROWS = 5
MIN_LEVEL_SHARE = 0.01
MAX_ASKED_LEVELS = 20  # of a column whose levels are all rare, if it is asked for
OTHER, MISSING_LEVEL = "(other)", "(missing)"


@dataclass(frozen=True)
class Levels:
    """The levels of a category: names of the common ones, and where all other values go.

    `common` have a column each, in this order, then the pooled ones (`pooled`) and the missing ones
    (`missing`), if these flags are set. Of two levels the first has a column and no other has.
    """

    common: tuple[str, ...]
    pooled: bool = False
    missing: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all levels."""
        return (*self.common, *[OTHER] * self.pooled, *[MISSING_LEVEL] * self.missing)

    @property
    def width(self) -> int:
        """How many columns stand for it."""
        return 1 if len(self.names) == 2 else len(self.names)

    def encode(self, values: Any, *, mark_missing: bool = False) -> Floats:
        """Mark the level of every value with 1 (rows x width); NaN for missing ones if asked.

        Missing values that are a level are not marked.
        """
        codes = pc.index_in(values, value_set=pa.array(self.common, values.type))
        last = len(self.names) - 1
        other = len(self.common) if self.pooled else last
        codes = np.asarray(codes.fill_null(other))
        if values.null_count:
            codes = np.where(np.asarray(values.is_null()), last if self.missing else other, codes)
        encoded = np.asarray(codes[:, None] == np.arange(self.width), dtype=np.float64)
        if mark_missing and not self.missing and values.null_count:
            encoded[np.asarray(values.is_null())] = np.nan
        return encoded


def pool_levels(counts: Counter[str], absent: int, n_rows: int, others: int = 0) -> Levels:
    """Choose the levels that have a column of their own: those in 5 rows and 1% of the rows.

    So many `others` have levels that are pooled already.

    Examples
    --------
    >>> pool_levels(Counter(a=40, b=30, c=3, d=4), 0, 77)
    Levels(common=('a', 'b'), pooled=True, missing=False)
    >>> pool_levels(Counter(yes=2, no=98), 0, 100)
    Levels(common=('no', 'yes'), pooled=False, missing=False)
    """
    least = max(MIN_LEVEL_ROWS, MIN_LEVEL_SHARE * n_rows)
    if len(counts) <= 2 and not absent and not others:
        return Levels(tuple(sorted(counts)))
    common = sorted(level for level, count in counts.items() if count >= least)
    missing = absent >= least
    rest = sum(count for level, count in counts.items() if level not in set(common))
    rest += others + (0 if missing else absent)
    # What is pooled may be rare itself: the rarest of the common levels then joins it.
    if 0 < rest < least and len(common) + missing > 2:
        common.remove(min(common, key=lambda level: (counts[level], level)))
    return Levels(tuple(common), rest > 0, missing)


def choose_asked_levels(counts: Counter[str]) -> Levels:
    """Choose a few levels of a column whose levels are all rare."""
    common = sorted(counts, key=lambda level: (-counts[level], level))
    return Levels(tuple(sorted(common[:MAX_ASKED_LEVELS])), pooled=True)


def refuse(counts: Counter[str], levels: Levels, n_rows: int) -> str | None:
    """Say why a column is not analysed, if so."""
    distinct = len(counts)
    if len(levels.names) < 2 and distinct < 2:
        return "constant"
    filled = sum(counts.values())
    if len(levels.names) < 2 or (not levels.common and 2 * distinct > filled):
        more = "more than " if distinct > MAX_DISTINCT else ""
        distinct = min(distinct, MAX_DISTINCT)  # how many more were counted is up to the batches
        return f"looks like an identifier, {more}{distinct:,} distinct values in {n_rows:,} rows"
    return None
