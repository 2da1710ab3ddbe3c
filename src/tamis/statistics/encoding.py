"""Categories as columns of 0 and 1, numbers as they are: a table of any kind as numbers.

One pass counts the levels of every category, and meets the extreme values of numbers
(`ColumnsSeen`); what it saw settles how all later passes are written (`EncodedSource`).
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from hashlib import blake2b
from typing import Any, Self

import numpy as np
import pyarrow.compute as pc
import scipy.sparse
from numpy.typing import NDArray

from tamis.memory import batch_rows
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.kinds import (
    MAX_ASKED_LEVELS,
    MAX_LEVELS,
    MIN_LEVEL_ROWS,
    MIN_LEVEL_SHARE,
    MISSING_LEVEL,
    OTHER_LEVEL,
)
from tamis.rules.search import MAX_HELD_CELLS
from tamis.sources.read import Accumulator, read
from tamis.sources.source import Source
from tamis.sources.wrapping import WrappingSource
from tamis.statistics.classes import CountedTarget
from tamis.statistics.clipping import (
    HashedSample,
    Outliers,
    find_limits,
    measure_distances,
    measure_tails,
)
from tamis.statistics.column_spread import Weights, count_rows
from tamis.statistics.grouped import Groups
from tamis.statistics.labels import find_codes, mark_codes
from tamis.statistics.mixed import MixedRows, cut_batch, read_mixed_rows, rows_of_batch
from tamis.statistics.row_hash import Hashes, row_hashes
from tamis.statistics.row_patterns import HeavyRows
from tamis.statistics.summary import Clipped
from tamis.values import dataclass

MAX_HELD_HASHES = 1 << 20  # rows whose hashes are held until they are read again
_STRIP_CELLS = 1 << 20  # of a sample on its way from a worker


class ColumnsSeen(Accumulator):
    """Rows, levels and missing values of categories, and a sample of the numbers (`numeric`).

    `absent` are missing values of categories, and `lost` how many rows these count for; `lacks` are
    equal for categories that lack a value in the same rows. `hashes` are those of the numbers of
    all rows, batch by batch; none where they are too many. Of `sparse` numbers nothing is learnt.
    Rows count as the `weights` of all say.
    """

    def __init__(
        self, names: Sequence[str] = (), *, sampled: bool = False, weights: Weights | None = None
    ) -> None:
        self._names, self._sampled, self._weights = names, sampled, weights
        self._read = self.n_rows = 0
        self.counts: dict[int, Counter[str]] = {}
        self.absent: Counter[int] = Counter()
        self.lost: Counter[int] = Counter()
        self.lacks: Counter[int] = Counter()
        self.numeric: tuple[int, ...] = ()
        self.sample: HashedSample | None = None
        self.hashes: list[Hashes] = []
        self.sparse = False

    def add(self, rows: Any) -> None:
        """Take in some rows; an array of sparse numbers is the last."""
        if scipy.sparse.issparse(rows):
            self.sparse = self.done = True
            return
        self._read, first = self._read + len(rows), self._read
        self.see(rows, None if self._weights is None else self._weights[first : self._read])

    def see(self, rows: MixedRows, weights: Weights | None = None) -> Hashes | None:
        """Take in some rows; give the hashes of their numbers where these are made."""
        self.numeric = rows.numeric
        self.add_levels(rows, weights)
        return self._sample(rows, weights) if self._sampled and rows.numeric and len(rows) else None

    def add_levels(self, rows: MixedRows, weights: Weights | None = None) -> None:
        """Count rows, levels and missing values; of too many levels no more are counted."""
        self.n_rows += count_rows(rows.numbers, weights)
        self._note_lacks(rows)
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            self.absent[j] += text.null_count
            known = self.counts.setdefault(j, Counter())
            if weights is None:
                self.lost[j] += text.null_count
            elif text.null_count:
                self.lost[j] += weights[np.asarray(text.is_null())].sum().item()
            if len(known) <= MAX_LEVELS:
                known.update(_count_levels(text, weights))

    def _note_lacks(self, rows: MixedRows) -> None:
        """Add a number for the rows in which each category has no value.

        It follows from the rows and from those of all others, so that sums over batches and parts
        are equal for the same rows only.
        """
        masks = {
            j: np.packbits(np.asarray(text.is_null())).tobytes()
            for j, text in zip(rows.categorical, rows.texts, strict=True)
            if text.null_count
        }
        whole = b"".join(str(j).encode() + mask for j, mask in masks.items())
        seed = blake2b(whole, digest_size=16).digest()
        for j, mask in masks.items():
            self.lacks[j] += int.from_bytes(blake2b(mask, key=seed, digest_size=8).digest())

    def _sample(self, rows: MixedRows, weights: Weights | None) -> Hashes | None:
        own, hashes = [self._names[j] for j in rows.numeric], None
        if weights is None:
            hashes = row_hashes(rows.numbers, own)
            held = [*self.hashes, hashes]
            self.hashes = held if self.n_rows <= MAX_HELD_HASHES else []
        part = HashedSample.from_batch(rows.numbers, own, weights, hashes, self.sample)
        self.sample = part if self.sample is None else self.sample.merge(part)
        return hashes

    def merge(self, other: Self) -> Self:
        """Count the rows, levels and missing values of other rows."""
        self.n_rows += other.n_rows
        self.absent.update(other.absent)  # a sum would forget what is 0
        self.lost.update(other.lost)
        self.lacks.update(other.lacks)
        for j, counts in other.counts.items():
            self.counts.setdefault(j, Counter()).update(counts)
        self.numeric = self.numeric or other.numeric
        self.sparse = self.sparse or other.sparse
        return self

    def split(self) -> dict[Any, Any]:
        """Give each category and some columns of the sample by themselves."""
        rows = ColumnsSeen()
        rows.n_rows, rows.numeric, rows.sparse = self.n_rows, self.numeric, self.sparse
        found: dict[Any, Any] = {("rows", 0): rows}
        for j, counts in self.counts.items():
            one = found["levels", j] = ColumnsSeen()
            one.counts = {j: counts}
            one.absent, one.lost, one.lacks = (
                Counter({j: of[j]}) for of in (self.absent, self.lost, self.lacks)
            )
        if self.sample is not None:
            strips = self.sample.split(max(_STRIP_CELLS // self.sample.most, 1))
            found |= {("sample", i): strip for i, strip in enumerate(strips)}
        return found

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put categories and strips of the sample together."""
        strips = []
        for (kind, _), value in sorted(values.items(), key=lambda one: one[0]):
            if kind == "sample":
                strips.append(value)
            else:
                self.merge(value)
        if strips:
            self.sample = HashedSample.join(strips)


def _count_levels(text: Any, weights: Weights | None) -> dict[str, Any]:
    if weights is None:
        found = pc.value_counts(text.drop_null())
        values, numbers = found.field(0).to_pylist(), found.field(1).to_pylist()
        return dict(zip(map(str, values), numbers, strict=True))
    coded = text.dictionary_encode()
    names, there = coded.dictionary.to_pylist(), np.asarray(text.is_valid())
    places = np.asarray(coded.indices.fill_null(0))[there]
    sums = np.bincount(places, weights[there], len(names)).astype(weights.dtype).tolist()
    return {str(name): size for name, size in zip(names, sums, strict=True) if size}


def see_columns(
    source: Source, columns: Sequence[int], *, sampled: bool, weights: Weights | None = None
) -> ColumnsSeen:
    """Read a table once; the numbers are sampled if that is wanted. Rows count as `weights` say."""
    names = [source.names[j] for j in columns]
    seen: ColumnsSeen
    (seen,) = read(
        source, columns, ColumnsSeen(names, sampled=sampled, weights=weights), rows=_read_rows
    )
    return seen


def _read_rows(source: Source, columns: Sequence[int]) -> Iterator[Any]:
    """Yield rows of numbers and texts; of numbers alone that are sparse the first as they are."""
    if any(source.kinds[j] == "categorical" for j in columns):
        yield from read_mixed_rows(source, columns, MissingPolicy.ERROR)
        return
    step = batch_rows(len(columns))
    batches = source.batches(columns)
    for batch in track("rows read", batches, source.n_rows, lambda b: b.shape[0], source.meter):
        if scipy.sparse.issparse(batch):
            yield batch
        else:
            yield from cut_batch(batch, tuple(range(len(columns))), step)


# The levels of a category: which have a column of their own, and which are pooled.
#
# Rare levels are pooled, since a level of a few rows explains others by chance only. Missing
# values are missing: as a level of their own, those in the same rows of two columns would count as
# explanation. Of a box that is ticked or not, which has no other level, they are the other answer.


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
        return (*self.common, *[OTHER_LEVEL] * self.pooled, *[MISSING_LEVEL] * self.missing)

    @property
    def width(self) -> int:
        """How many columns stand for it."""
        return 1 if len(self.names) == 2 else len(self.names)

    def encode(self, values: Any, *, mark_missing: bool = False) -> Floats:
        """Mark the level of every value with 1 (rows x width); NaN for missing ones if asked.

        Missing values that are a level are not marked.
        """
        last = len(self.names) - 1
        other = len(self.common) if self.pooled else last
        codes = find_codes(values, self.common, other)
        if values.null_count:
            codes = np.where(np.asarray(values.is_null()), last if self.missing else other, codes)
        encoded = mark_codes(codes, self.width)
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


def refuse(counts: Counter[str], levels: Levels) -> str | None:
    """Say why a column is not analysed, if so."""
    distinct = len(counts)
    if len(levels.names) < 2 and distinct < 2:
        return "constant"
    filled = sum(counts.values())
    if len(levels.names) < 2 or (not levels.common and 2 * distinct > filled):
        more = "more than " if distinct > MAX_LEVELS else ""
        distinct = min(distinct, MAX_LEVELS)  # how many more were counted is up to the batches
        return f"few rows for each value, {more}{distinct:,} distinct values in {filled:,} rows"
    return None


@dataclass(frozen=True, eq=False)
class Encoding:
    """How the columns read are written as numbers; `levels` are those of the categories.

    `refused` gives the reason for which a column has none, `absent` the missing values of the
    categories, `limits` the smallest and largest value of numbers whose extremes are drawn in,
    `rare` how many levels are pooled, all by position among the columns read. With `mark_missing` a
    missing category is missing as a number is, unless it is a level of its own. `tails` is how
    heavy those of numbers are and `distances` the smallest between values, where these were
    measured, and `spread` are means, variances and counts of the numbers, where these are known.
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
    distances: dict[int, float] = field(default_factory=dict, repr=False)

    @property
    def used(self) -> Indices:
        """Positions of the columns that are encoded."""
        return np.array([j for j in range(len(self.names)) if j not in self.refused], np.intp)

    @property
    def numeric(self) -> list[int]:
        """Positions of the numbers among the columns read, those of `spread`."""
        return [j for j in self.used.tolist() if j not in self.levels]

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

    @property
    def encoded_limits(self) -> Floats:
        """The smallest and the largest value of every encoded column (2 x columns)."""
        ends = np.tile([[-np.inf], [np.inf]], int(self.groups.sizes.sum()))
        for start, j in zip(self.groups.starts, self.used.tolist(), strict=True):
            if j in self.limits:
                ends[:, start] = self.limits[j]
        return ends

    def of_columns(self, columns: Sequence[int] | Indices) -> "Encoding":
        """Keep some of the columns only, none of them refused."""
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
        numbers = rows.numbers.copy() if self.limits else rows.numbers
        for place, j in enumerate(rows.numeric if self.limits else ()):
            if j in self.limits:  # an infinite value is none, and stays so
                column = numbers[:, place]
                drawn_in = np.clip(column, *self.limits[j])
                numbers[:, place] = np.where(np.isfinite(column), drawn_in, column)
        if not self.levels and not self.refused:
            return numbers
        columns = dict(zip(rows.numeric, numbers.T, strict=True))
        texts = dict(zip(rows.categorical, rows.texts, strict=True))
        parts = [
            self.levels[j].encode(texts[j], mark_missing=self.mark_missing)
            if j in self.levels
            else columns[j][:, None]
            for j in self.used.tolist()
        ]
        return np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 0))

    def outside(self, rows: MixedRows) -> NDArray[np.bool_]:
        """Mark the values that are drawn in (rows x columns read)."""
        found = np.zeros((len(rows), len(self.names)), dtype=bool)
        for j, values in zip(rows.numeric, rows.numbers.T, strict=True):
            if j in self.limits:
                low, high = self.limits[j]
                found[:, j] = ((values < low) | (values > high)) & np.isfinite(values)
        return found


def settle_encoding(
    seen: ColumnsSeen,
    names: Sequence[str],
    *,
    insist: Collection[int] = (),
    outliers: Outliers = "keep",
    missing: MissingPolicy = MissingPolicy.ERROR,
) -> Encoding:
    """Choose levels and limits by what was seen in all rows, and pool the rare levels.

    Columns to `insist` on are encoded by a few levels even where they look like identifiers. Of
    numbers with extreme values there are limits, unless these are to be kept. `missing` says where
    a missing value is a level.
    """
    limits, tails, distances = _measure_numbers(seen, outliers)
    levels, refused = {}, {}
    for j, counts in seen.counts.items():
        gone = seen.lost[j] if missing.makes_level(len(counts)) else 0
        pooled = pool_levels(counts, gone, seen.n_rows)
        why = refuse(counts, pooled)
        if why is None:
            levels[j] = pooled
        elif j in insist and len(counts) > 1:
            common = sorted(counts, key=lambda level: (-counts[level], level))[:MAX_ASKED_LEVELS]
            levels[j] = Levels(tuple(sorted(common)), pooled=True)
        else:
            refused[j] = why
    rare = {j: len(seen.counts[j]) - len(one.common) for j, one in levels.items() if one.pooled}
    known, absent = seen.sample, dict(seen.absent)
    spread = None if known is None else (known.mean, known.variance, known.count)
    known_of_numbers = (tails, spread, distances)
    return Encoding(tuple(names), levels, refused, absent, limits, True, rare, *known_of_numbers)


def _measure_numbers(
    seen: ColumnsSeen, outliers: Outliers
) -> tuple[dict[int, tuple[float, float]], dict[int, float], dict[int, float]]:
    """Find the limits of numbers, how heavy the tails within them are, and how near values are."""
    if seen.sample is None:
        return {}, {}, {}
    sample = seen.sample.repeat_rows()
    low, high = find_limits(sample, outliers)
    tails = measure_tails(sample, low, high).tolist()
    pairs = zip(seen.numeric, low.tolist(), high.tolist(), strict=True)
    limits = {j: (least, most) for j, least, most in pairs if np.isfinite(least)}
    distances = measure_distances(sample).tolist()
    apart = dict(zip(seen.numeric, distances, strict=True))
    return limits, dict(zip(seen.numeric, tails, strict=True)), apart


class EncodedSource(WrappingSource):
    """A table read as the numbers of its encoding, and behind them those of its responses.

    The last pass that ended says which extreme values were drawn in (`counts`), which rows carry
    most, if these are looked for (`heavy`), and how a small table is encoded with its extreme
    values (`rows_as_is`). `n_rows` are its rows where they have been counted, `labels` the columns
    of the responses and `targets` what is learnt of each.
    The hash of a row with text is that of the row as it was: how levels are pooled is not in it.
    """

    def __init__(
        self,
        inner: Source,
        columns: Sequence[int],
        encoding: Encoding,
        *,
        n_rows: int | None = None,
        weighs_rows: bool = False,
        hashes: Sequence[Hashes] = (),
        labels: Sequence[int] = (),
        targets: Sequence[CountedTarget] = (),
    ) -> None:
        self._inner, self._columns, self._encoding = inner, list(columns), encoding
        self._weighs_rows, self._labels, self._targets = weighs_rows, labels, targets
        self.heavy: HeavyRows | None = None
        self.rows_as_is: Floats | None = None
        more = (f"y{i}" for i in range(sum(target.width for target in targets)))
        names = (*encoding.encoded_names, *more)
        self.info = inner.info.as_numbers(names, inner.n_rows if n_rows is None else n_rows)
        # Those of the first pass are of the values as they are, by name. Columns without one are
        # called by their places, which others have once some columns are left out.
        same = self.named or names == tuple(f"x{j}" for j in range(len(names)))
        usable = bool(hashes) and same and encoding.is_plain
        self._hashes = np.concatenate(hashes) if usable else None

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        every = list(columns) == list(range(len(self.names)))
        encoded = (
            self._read_responses() if self._targets else map(self._encoding.encode, self._read())
        )
        return (rows if every else rows[:, list(columns)] for rows in encoded)

    def hashed_batches(self, columns: Sequence[int]) -> Iterator[tuple[Any, Any]]:
        """Yield the numbers of these columns, with a hash of each row if these are all."""
        if self._targets or list(columns) != list(range(len(self.names))):
            yield from super().hashed_batches(columns)
            return
        read = 0
        for rows in self._read():
            encoded, before, read = self._encoding.encode(rows), read, read + len(rows)
            if rows.texts:
                yield encoded, rows.hashes(self._encoding.names)
            elif self._hashes is not None and read <= len(self._hashes):
                yield encoded, self._hashes[before:read]
            else:
                yield encoded, row_hashes(encoded, self.names if self.named else None)

    def _read(self) -> Iterator[MixedRows]:
        """Read rows, and note what is seen in them.

        Passes may overlap: one that fills missing values begins within another. So each counts for
        itself.
        """
        encoding, as_is = self._encoding, replace(self._encoding, limits={})
        weighed = encoding.spread if self._weighs_rows else None
        heavy = None if weighed is None else HeavyRows(*weighed)
        clipped, clipped_rows = np.zeros(len(encoding.names), dtype=np.intp), 0
        held: list[Floats] = []
        cells = 0
        for rows in read_mixed_rows(self._inner, self._columns, MissingPolicy.ERROR):
            if heavy is not None:
                heavy.add(rows.numbers)
            if encoding.limits:
                outside = encoding.outside(rows)
                clipped += outside.sum(axis=0)
                clipped_rows += int(outside.any(axis=1).sum())
                cells += len(rows) * len(encoding.names)
                held = [*held, as_is.encode(rows)] if cells <= MAX_HELD_CELLS else []
            yield rows
        values = {int(j): int(clipped[j]) for j in np.flatnonzero(clipped)}
        self.heavy, self.counts = heavy, Clipped(values, clipped_rows) if values else None
        self.rows_as_is = np.concatenate(held) if held else None

    def _read_responses(self) -> Iterator[Floats]:
        """Read encoded rows and behind them the numbers of their labels."""
        kinds = [self._inner.kinds[j] for j in self._columns]
        texts = tuple(i for i, kind in enumerate(kinds) if kind == "categorical")
        numbers = tuple(i for i, kind in enumerate(kinds) if kind != "categorical")
        step = batch_rows(len(self.names))
        for table in self._inner.tables([*self._columns, *self._labels], mark_missing=True):
            for batch in table.combine_chunks().to_batches(max_chunksize=step):
                labels = batch.columns[len(self._columns) :]
                pairs = zip(self._targets, labels, strict=True)
                beside = [target.encode(column) for target, column in pairs]
                own = self._encoding.encode(rows_of_batch(batch, numbers, texts))
                yield np.concatenate([own, *beside], axis=1)

    def needed_columns(self, columns: Sequence[int]) -> list[int]:
        """Give all columns that were read to learn the encoding, and those of the labels."""
        del columns  # rows are encoded as a whole
        return [*self._columns, *self._labels]
