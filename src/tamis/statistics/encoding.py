"""Categories as columns of 0 and 1, numbers as they are: a table of any kind as numbers.

One pass counts the levels of every category, and meets the extreme values of numbers.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics.category_levels import Levels, choose_asked_levels, pool_levels, refuse
from tamis.statistics.clipping import ClipLimits, Outliers, find_limits, measure_tails
from tamis.statistics.columns_met import ColumnsMet, meet_rows
from tamis.statistics.grouped import Groups
from tamis.statistics.mixed import MixedRows
from tamis.statistics.row_rules import RowRules


@dataclass(frozen=True, eq=False)
class Encoding:
    """How the columns read are written as numbers; `levels` are those of the categories.

    `refused` gives the reason for which a column has none, `absent` the missing values of the
    categories, `limits` the smallest and largest value of numbers whose extremes are drawn in,
    `rare` how many levels are pooled, all by position among the columns read. With `mark_missing` a
    missing category is missing as a number is, unless it is a level of its own. `tails` is how
    heavy those of numbers are, where that was measured, and `spread` are means, variances and
    counts of the numbers, where these are known.
    """

    names: tuple[str, ...]
    levels: dict[int, Levels]
    refused: dict[int, str]
    absent: dict[int, int]
    limits: dict[int, tuple[float, float]] = field(default_factory=dict)
    mark_missing: bool = False
    rare: dict[int, int] = field(default_factory=dict)
    tails: dict[int, float] = field(default_factory=dict)
    spread: tuple[Floats, Floats, Floats] | None = field(default=None, repr=False)

    @property
    def used(self) -> Indices:
        """Positions of the columns that are encoded."""
        return np.array([j for j in range(len(self.names)) if j not in self.refused], np.intp)

    @property
    def groups(self) -> Groups:
        """Which encoded columns stand for each of these."""
        widths = [self.levels[j].width if j in self.levels else 1 for j in self.used.tolist()]
        return Groups(np.array(widths, dtype=np.intp))

    @property
    def encoded_names(self) -> tuple[str, ...]:
        """The name of a category stands for its first level, so that errors name the column."""
        found: list[str] = []
        for j in self.used.tolist():
            own = self.levels[j].names[1 : self.levels[j].width] if j in self.levels else ()
            found += [self.names[j], *(f"{self.names[j]}={level}" for level in own)]
        return tuple(found)

    @property
    def indicators(self) -> NDArray[np.bool_]:
        """Which encoded columns are levels of a category."""
        return np.repeat([j in self.levels for j in self.used.tolist()], self.groups.sizes)

    def of_columns(self, columns: Sequence[int] | Indices) -> "Encoding":
        """Give the same for some of the columns, none of them refused."""
        chosen = [int(j) for j in columns]
        return Encoding(
            tuple(self.names[j] for j in chosen),
            {i: self.levels[j] for i, j in enumerate(chosen) if j in self.levels},
            {},
            {i: self.absent[j] for i, j in enumerate(chosen) if j in self.absent},
            {i: self.limits[j] for i, j in enumerate(chosen) if j in self.limits},
            self.mark_missing,
            {i: self.rare[j] for i, j in enumerate(chosen) if j in self.rare},
        )

    @property
    def is_plain(self) -> bool:
        """Whether the numbers of a row are its values as they are."""
        return not (self.levels or self.refused or self.limits)

    def encode(self, rows: MixedRows) -> Floats:
        """Write rows as numbers, NaN where a number is missing."""
        if not self.levels and not self.refused:
            return self._draw_in(rows.numbers)
        numbers = dict(zip(rows.numeric, rows.numbers.T, strict=True))
        texts = dict(zip(rows.categorical, rows.texts, strict=True))
        parts = [
            self.levels[j].encode(texts[j], mark_missing=self.mark_missing)
            if j in self.levels
            else self._number(j, numbers[j])
            for j in self.used.tolist()
        ]
        return np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 0))

    def _draw_in(self, numbers: Floats) -> Floats:
        """Limit the extreme values of a table of numbers alone."""
        if not self.limits:
            return numbers
        drawn_in = numbers.copy()
        for j in self.limits:
            drawn_in[:, j] = self._clip(j, numbers[:, j])
        return drawn_in

    def _number(self, j: int, values: Floats) -> Floats:
        return (self._clip(j, values) if j in self.limits else values)[:, None]

    def _clip(self, j: int, values: Floats) -> Floats:
        """Limit the extreme values of a column; an infinite one is no value, and stays so."""
        return np.where(np.isfinite(values), np.clip(values, *self.limits[j]), values)

    def outside(self, rows: MixedRows) -> NDArray[np.bool_]:
        """Mark the values that are drawn in (rows x columns read)."""
        found = np.zeros((len(rows), len(self.names)), dtype=bool)
        for j, values in zip(rows.numeric, rows.numbers.T, strict=True):
            if j in self.limits:
                low, high = self.limits[j]
                found[:, j] = ((values < low) | (values > high)) & np.isfinite(values)
        return found


def learn_encoding(
    batches: Iterable[MixedRows],
    names: Sequence[str],
    *,
    insist: Collection[int] = (),
    outliers: Outliers = "keep",
    missing: MissingPolicy = MissingPolicy.ERROR,
    rules: RowRules | None = None,
) -> Encoding:
    """Count the levels of every category in one pass, and pool the rare ones.

    Columns to `insist` on are encoded by a few levels even where they look like identifiers. Of
    numbers with extreme values the limits are learnt, unless these are to be kept. `missing` says
    where a missing value is a level. Rows count as `rules` say.
    """
    met = meet_rows(batches, names, sampled=outliers != "keep", rules=rules)
    return settle_encoding(met, names, insist=insist, outliers=outliers, missing=missing)


def settle_encoding(
    met: ColumnsMet,
    names: Sequence[str],
    *,
    insist: Collection[int] = (),
    outliers: Outliers = "keep",
    missing: MissingPolicy = MissingPolicy.ERROR,
) -> Encoding:
    """Choose levels and limits by what was met in all rows, as `learn_encoding` does."""
    limits, tails = _measure_numbers(met, outliers)
    levels, refused = {}, {}
    for j, counts in met.counts.items():
        gone = met.lost[j] if missing.makes_level(len(counts)) else 0
        pooled = pool_levels(counts, gone, met.n_rows)
        why = refuse(counts, pooled, met.n_rows)
        if why is None:
            levels[j] = pooled
        elif j in insist and len(counts) > 1:
            levels[j] = choose_asked_levels(counts)
        else:
            refused[j] = why
    rare = {j: len(met.counts[j]) - len(one.common) for j, one in levels.items() if one.pooled}
    known, absent = met.sample, dict(met.absent)
    spread = None if known is None else (known.mean, known.variance, known.count)
    return Encoding(tuple(names), levels, refused, absent, limits, True, rare, tails, spread)


def _measure_numbers(
    met: ColumnsMet, outliers: Outliers
) -> tuple[dict[int, tuple[float, float]], dict[int, float]]:
    """Find the limits of numbers, and how heavy the tails within them are."""
    if met.sample is None:
        return {}, {}
    sample = met.sample.repeat_rows()
    found = find_limits(sample, outliers)
    tails = measure_tails(sample, found).tolist()
    return _limits(met.numeric, found), dict(zip(met.numeric, tails, strict=True))


def _limits(numeric: Sequence[int], found: ClipLimits) -> dict[int, tuple[float, float]]:
    pairs = zip(numeric, found.low.tolist(), found.high.tolist(), strict=True)
    return {j: (low, high) for j, low, high in pairs if np.isfinite(low)}
