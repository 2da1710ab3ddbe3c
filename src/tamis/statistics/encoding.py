"""Categories as columns of 0 and 1, numbers as they are: a table of any kind as numbers.

One pass counts the levels of every category. Rare levels are pooled, since a level of a few rows
explains others by chance only; missing values are a level of their own where they are many.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.clipping import ClipLimits, HashedSample, Outliers, find_limits
from tamis.statistics.encoded_pass import EncodedPass
from tamis.statistics.grouped import Groups
from tamis.statistics.mixed import MixedRows, read_mixed_rows
from tamis.statistics.moments import Weights, count_rows
from tamis.statistics.row_rules import RowRules, RulesInOrder

MIN_LEVEL_ROWS = 5
MIN_LEVEL_SHARE = 0.01
MAX_DISTINCT = 65_000  # of a category whose levels are counted
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
        """Mark the level of every value with 1 (rows x width); NaN for missing ones if asked."""
        codes = pc.index_in(values, value_set=pa.array(self.common, values.type))
        last = len(self.names) - 1
        other = len(self.common) if self.pooled else last
        codes = np.asarray(codes.fill_null(other))
        if values.null_count:
            codes = np.where(np.asarray(values.is_null()), last if self.missing else other, codes)
        encoded = np.asarray(codes[:, None] == np.arange(self.width), dtype=np.float64)
        if mark_missing and values.null_count:
            encoded[np.asarray(values.is_null()), 0] = np.nan
        return encoded


@dataclass(frozen=True, eq=False)
class Encoding:
    """How the columns read are written as numbers; `levels` are those of the categories.

    `refused` gives the reason for which a column has none, `absent` the missing values of the
    categories, `limits` the smallest and largest value of numbers whose extremes are drawn in, all
    by position among the columns read. With `mark_missing` a missing category is no level, but
    missing as a number is. `spread` are means, variances and counts of the numbers, where
    these are known.
    """

    names: tuple[str, ...]
    levels: dict[int, Levels]
    refused: dict[int, str]
    absent: dict[int, int]
    limits: dict[int, tuple[float, float]] = field(default_factory=dict)
    mark_missing: bool = False
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
        )

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
    mark_missing: bool = False,
    rules: RowRules | None = None,
) -> Encoding:
    """Count the levels of every category in one pass, and pool the rare ones.

    Columns to `insist` on are encoded by a few levels even where they look like identifiers. Of
    numbers with extreme values the limits are learnt, unless these are to be kept. `mark_missing`
    takes missing categories as missing, not as a level. Rows count as `rules` say.
    """
    met, ahead = _LevelsMet(), RulesInOrder(rules)
    for rows in batches:
        weights = ahead.take(len(rows)).weights
        met.add_levels(rows, weights)
        if outliers != "keep" and rows.numeric and len(rows):
            met.add_numbers(rows, names, weights)
    limits = {}
    if met.sample is not None:
        limits = _limits(met.numeric, find_limits(met.sample.repeat_rows(), outliers))
    levels, refused = {}, {}
    for j, counts in met.counts.items():
        pooled = pool_levels(counts, 0 if mark_missing else met.lost[j], met.n_rows)
        why = _refuse(counts, pooled, met.n_rows)
        if why is None:
            levels[j] = pooled
        elif j in insist and len(counts) > 1:
            levels[j] = _asked_levels(counts)
        else:
            refused[j] = why
    known = met.sample
    spread = None if known is None else (known.mean, known.variance, known.count)
    return Encoding(tuple(names), levels, refused, dict(met.absent), limits, mark_missing, spread)


class _LevelsMet:
    """What a pass over a table has met: levels of categories, and a sample of the numbers.

    `absent` are missing values of categories, and `lost` how many rows these count for.
    """

    def __init__(self) -> None:
        self.n_rows = 0
        self.counts: dict[int, Counter[str]] = {}
        self.absent: Counter[int] = Counter()
        self.lost: Counter[int] = Counter()
        self.numeric: tuple[int, ...] = ()
        self.sample: HashedSample | None = None

    def add_levels(self, rows: MixedRows, weights: Weights | None = None) -> None:
        """Count rows, levels and missing values; of too many levels no more are counted."""
        self.n_rows += count_rows(rows.numbers, weights)
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            self.absent[j] += text.null_count
            known = self.counts.setdefault(j, Counter())
            if weights is None:
                self.lost[j] += text.null_count
            elif text.null_count:
                self.lost[j] += weights[np.asarray(text.is_null())].sum().item()
            if len(known) <= MAX_DISTINCT:
                known.update(_count_levels(text, weights))

    def add_numbers(
        self, rows: MixedRows, names: Sequence[str], weights: Weights | None = None
    ) -> None:
        """Take the numbers of some rows into the sample."""
        self.numeric = rows.numeric
        part = HashedSample.from_batch(rows.numbers, [names[j] for j in rows.numeric], weights)
        self.sample = part if self.sample is None else self.sample.merge(part)


def _count_levels(text: Any, weights: Weights | None) -> dict[str, Any]:
    """Count the rows of every level, each as often as its weight says."""
    if weights is None:
        found = pc.value_counts(text.drop_null())
        values, numbers = found.field(0).to_pylist(), found.field(1).to_pylist()
        return dict(zip(map(str, values), numbers, strict=True))
    coded = text.dictionary_encode()
    names, there = coded.dictionary.to_pylist(), np.asarray(text.is_valid())
    places = np.asarray(coded.indices.fill_null(0))[there]
    sums = np.bincount(places, weights[there], len(names)).astype(weights.dtype).tolist()
    return {str(name): size for name, size in zip(names, sums, strict=True) if size}


def _limits(numeric: Sequence[int], found: ClipLimits) -> dict[int, tuple[float, float]]:
    pairs = zip(numeric, found.low.tolist(), found.high.tolist(), strict=True)
    return {j: (low, high) for j, low, high in pairs if np.isfinite(low)}


def pool_levels(counts: Counter[str], absent: int, n_rows: int) -> Levels:
    """Choose the levels that have a column of their own: those in 5 rows and 1% of the rows.

    Examples
    --------
    >>> pool_levels(Counter(a=40, b=30, c=3, d=4), 0, 77)
    Levels(common=('a', 'b'), pooled=True, missing=False)
    >>> pool_levels(Counter(yes=2, no=98), 0, 100)
    Levels(common=('no', 'yes'), pooled=False, missing=False)
    """
    least = max(MIN_LEVEL_ROWS, MIN_LEVEL_SHARE * n_rows)
    if len(counts) <= 2 and not absent:
        return Levels(tuple(sorted(counts)))
    common = sorted(level for level, count in counts.items() if count >= least)
    missing = absent >= least
    rest = sum(count for level, count in counts.items() if level not in set(common))
    rest += 0 if missing else absent
    # What is pooled may be rare itself: the rarest of the common levels then joins it.
    if 0 < rest < least and len(common) + missing > 2:
        common.remove(min(common, key=lambda level: (counts[level], level)))
    return Levels(tuple(common), rest > 0, missing)


def _asked_levels(counts: Counter[str]) -> Levels:
    """Choose a few levels of a column whose levels are all rare."""
    common = sorted(counts, key=lambda level: (-counts[level], level))
    return Levels(tuple(sorted(common[:MAX_ASKED_LEVELS])), pooled=True)


def _refuse(counts: Counter[str], levels: Levels, n_rows: int) -> str | None:
    """Say why a column is not analysed, if so."""
    distinct = len(counts)
    if len(levels.names) < 2 and distinct < 2:
        return "constant"
    filled = sum(counts.values())
    if len(levels.names) < 2 or (not levels.common and 2 * distinct > filled):
        more = "more than " if distinct > MAX_DISTINCT else ""
        return f"looks like an identifier ({more}{distinct:,} distinct values in {n_rows:,} rows)"
    return None


class EncodedSource(Source):
    """A table read as the numbers of its encoding; `met` is what the last pass that ended met."""

    def __init__(
        self,
        inner: Source,
        columns: Sequence[int],
        encoding: Encoding,
        *,
        weighs_rows: bool = False,
    ) -> None:
        self._inner, self._columns, self._encoding = inner, list(columns), encoding
        self._weighs_rows = weighs_rows
        self.met = EncodedPass(encoding)
        names = encoding.encoded_names
        self.info = replace(
            inner.info,
            names=names,
            kinds=tuple("numeric" for _ in names),
            labels=None,
            blank=frozenset(),
        )

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        every = list(columns) == list(range(len(self.names)))
        met = EncodedPass(self._encoding, weighs_rows=self._weighs_rows)
        for rows in read_mixed_rows(self._inner, self._columns, MissingPolicy.ERROR):
            met.add(rows)
            encoded = self._encoding.encode(rows)
            yield encoded if every else encoded[:, list(columns)]
        self.met = met

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the columns of the table that these stand for."""
        owner = self._encoding.used[self._encoding.groups.owner[list(columns)]]
        return self._inner.pick([self._columns[j] for j in dict.fromkeys(owner.tolist())])

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables."""
        del mark_missing  # numbers have no text for a missing value
        names = [self.names[j] for j in columns]
        for batch in self.batches(columns):
            yield pa.table(dict(zip(names, map(pa.array, batch.T), strict=True)))
