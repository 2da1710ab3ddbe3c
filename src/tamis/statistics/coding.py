"""How a table of any kind is coded as small integers, learnt in one pass.

Quantiles come from a sketch that is built by batches and merged: rows are gathered into chunks of a
fixed size. Four chunks of the same weight are sorted together and every fourth value stands for
them, with four times the weight (Munro & Paterson 1980; Manku, Rajagopalan & Lindsay 1998). Nothing
is random, and where a batch ends does not matter. Up to four chunks nothing is thinned out and the
quantiles are exact; beyond, the rank of a quantile is off by less than a thousandth of the rows.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.kinds import MAX_LEVELS
from tamis.rules.tolerances import EPS, TIE
from tamis.statistics.fills import start_fill
from tamis.statistics.labels import find_codes
from tamis.statistics.missing import check_finite, check_values, make_missing_error
from tamis.statistics.mixed import MixedRows
from tamis.values import dataclass

_THINNING = 4
_MAX_SKETCH_CELLS = 1 << 24
_MIN_CHUNK_ROWS, _MAX_CHUNK_ROWS = 512, 8192
_SORTED_COLUMNS = 16
_HAIR = 1e-13  # of the count: what rounding moves the product of a share with it by


def chunk_rows(n_columns: int) -> int:
    """Give the rows of a chunk: many, as long as they take little memory, and an even number.

    Of an even number of groups of four, a column and its mirror image keep the same values.

    >>> chunk_rows(60), chunk_rows(10_000)
    (8192, 1676)
    """
    return (
        int(np.clip(_MAX_SKETCH_CELLS // max(n_columns, 1), _MIN_CHUNK_ROWS, _MAX_CHUNK_ROWS))
        // 2
        * 2
    )


@dataclass(frozen=True, eq=False)
class QuantileSketch:
    """Values of some columns, thinned out; missing values are counted as larger than any other.

    `levels[i]` holds the chunks of weight 4^i, `rest` the rows that do not fill a chunk yet.
    """

    rest: Floats
    levels: tuple[tuple[Floats, ...], ...] = ()
    missing: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    low: Floats = field(default_factory=lambda: np.zeros(0))
    high: Floats = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def from_batch(cls, rows: Floats) -> Self:
        """Sketch some rows, NaN where a value is missing."""
        d = rows.shape[1]
        start = cls(
            np.empty((0, d)), (), np.zeros(d, np.intp), np.full(d, np.inf), np.full(d, -np.inf)
        )
        return start.follow_by(rows)

    def follow_by(self, rows: Floats) -> Self:
        """Go on with the next rows of the same stream: where a batch ends does not matter."""
        missing = np.isnan(rows)
        counts = np.zeros(rows.shape[1], dtype=np.intp)
        filled, floor = rows, rows
        if missing.any():
            counts = missing.sum(axis=0)
            filled, floor = np.where(missing, np.inf, rows), np.where(missing, -np.inf, rows)
        low, high = filled.min(axis=0, initial=np.inf), floor.max(axis=0, initial=-np.inf)
        part = type(self)(filled, (), counts, low, high)
        return self.merge(part)

    def merge(self, other: "QuantileSketch") -> Self:
        """Join the sketches of two parts of a table, read separately."""
        joined = type(self)(
            self.rest,
            self.levels,
            self.missing + other.missing,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
        )
        return joined._with(other.rest, other.levels)

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.rest) + sum(
            _THINNING**i * sum(map(len, chunks)) for i, chunks in enumerate(self.levels)
        )

    def points(self, column: int) -> tuple[Floats, Floats]:
        """Give the values of a column in rising order, each with the rows it stands for."""
        values = np.sort(
            np.concatenate([rows[:, column] for rows in (self.rest, *_at(self.levels, 0))])
        )
        weights = np.ones(len(values))
        for i, chunks in enumerate(self.levels[1:], 1):
            # What was thinned out is sorted: few runs, which a stable sort merges.
            thinned = [chunk[:, column] for chunk in chunks]
            values = np.concatenate([values, *thinned])
            weights = np.append(weights, np.full(len(values) - len(weights), _THINNING**i))
        if len(self.levels) > 1:
            order = np.argsort(values, kind="stable")
            values, weights = values[order], weights[order]
        if self.missing[column]:
            there = np.isfinite(values)
            values, weights = values[there], weights[there]
        return values, weights

    def _with(self, rows: Floats, levels: tuple[tuple[Floats, ...], ...]) -> Self:
        size = chunk_rows(rows.shape[1])
        fresh, rest = _cut_chunks(self.rest, rows, size)
        depth = max(len(self.levels), len(levels), 1)
        piles = [
            [*_at(self.levels, i), *_at(levels, i), *(fresh if i == 0 else ())]
            for i in range(depth)
        ]
        i = 0
        while i < len(piles):
            while len(piles[i]) >= _THINNING:
                if i + 1 == len(piles):
                    piles.append([])
                piles[i + 1].append(_thin_chunks(piles[i][:_THINNING]))
                del piles[i][:_THINNING]
            i += 1
        # A batch is not held for the sake of some of its rows.
        piles[0] = [chunk if chunk.flags.owndata else chunk.copy() for chunk in piles[0]]
        kept = tuple(tuple(pile) for pile in piles)
        return type(self)(rest, kept, self.missing, self.low, self.high)


def _cut_chunks(rest: Floats, rows: Floats, size: int) -> tuple[list[Floats], Floats]:
    """Cut rows that follow on `rest` into chunks, uncopied but for the first, and a new rest."""
    if len(rest) + len(rows) < size:
        return [], np.concatenate([rest, rows])
    first = -len(rest) % size
    joined = [np.concatenate([rest, rows[:first]])] if first else []
    full = len(rows) - (len(rows) - first) % size
    chunks = [rows[start : start + size] for start in range(first, full, size)]
    return [*joined, *chunks], rows[full:].copy()


def _at(levels: tuple[tuple[Floats, ...], ...], i: int) -> tuple[Floats, ...]:
    """Give the chunks of one weight, none where there is no such level."""
    return levels[i] if i < len(levels) else ()


def _thin_chunks(chunks: list[Floats]) -> Floats:
    """Let every fourth value stand for four: the upper and the lower middle one in turn."""
    width, rows = chunks[0].shape[1], sum(map(len, chunks))
    thinned = np.empty((width, rows // _THINNING))
    room = np.empty((_SORTED_COLUMNS, rows))
    # A few columns at a time, each in one piece of memory: they are sorted in the cache.
    for start in range(0, width, _SORTED_COLUMNS):
        few = slice(start, min(start + _SORTED_COLUMNS, width))
        together = room[: few.stop - start]
        np.concatenate([chunk[:, few].T for chunk in chunks], axis=1, out=together)
        together.sort(axis=1)
        groups = together.reshape(len(together), -1, _THINNING)
        thinned[few, ::2] = groups[:, ::2, _THINNING // 2 - 1]
        thinned[few, 1::2] = groups[:, 1::2, _THINNING // 2]
    return thinned.T


def read_quantiles(values: Floats, weights: Floats, shares: Floats) -> Floats:
    """Read quantiles off sorted weighted values, between two values in proportion.

    With equal weights this is NumPy's default.

    >>> read_quantiles(np.array([0.0, 1.0, 2.0, 5.0]), np.ones(4), np.array([0.5, 1.0]))
    array([1.5, 5. ])
    """
    ends = np.cumsum(weights)
    rank = shares * (ends[-1] - 1)
    # 0.7 * 90 is a hair below 63: a rank that means an integer must be one.
    rank = np.where(np.abs(rank - np.rint(rank)) < _HAIR * ends[-1], np.rint(rank), rank)
    below = np.floor(rank)
    lower, upper = (
        values[np.minimum(np.searchsorted(ends, step, side="right"), len(values) - 1)]
        for step in (below, below + 1)
    )
    return np.asarray(lower + (rank - below) * (upper - lower))


@dataclass(frozen=True, eq=False)
class Coding:
    """The bins of numeric columns, the levels of the others, and how many codes each needs.

    `fill` are the numbers to put in place of missing ones, if these are not a category; `joined`
    are the numbers with more different values than bins.
    """

    n_rows: int
    edges: tuple[Floats, ...]
    levels: dict[int, tuple[Any, ...]]
    sizes: tuple[int, ...]
    fill: Floats | None = None
    joined: frozenset[int] = frozenset()

    @property
    def dtype(self) -> np.dtype[Any]:
        """The smallest type that holds every code."""
        return np.dtype(np.uint8 if max(self.sizes, default=0) <= 256 else np.uint16)

    def count_bytes(self) -> int:
        """Give the memory that the codes of all rows take."""
        return self.n_rows * len(self.sizes) * self.dtype.itemsize

    def level_names(self, columns: Indices) -> tuple[tuple[str, ...], ...]:
        """Name the levels of these columns: categories, or bins by their edges."""
        numbers = (j for j in range(len(self.sizes)) if j not in self.levels)
        edges = dict(zip(numbers, self.edges, strict=True))
        return tuple(self.levels.get(j) or _bin_names(edges[j]) for j in columns.tolist())

    def encode(self, rows: MixedRows) -> NDArray[Any]:
        """Write rows as codes; a missing value has the last code of its column."""
        codes = np.empty((len(rows), len(self.sizes)), dtype=self.dtype, order="F")
        codes[:, list(rows.numeric)] = bin_rows(rows.fill_numbers(self.fill), self.edges)
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            codes[:, j] = find_codes(text, self.levels[j], len(self.levels[j]))
        return codes


def _bin_names(edges: Floats) -> tuple[str, ...]:
    """Name bins by their edges.

    >>> _bin_names(np.array([1.5, 2.0]))
    ('up to 1.5', '1.5 to 2', 'above 2')
    """
    if not len(edges):
        return ("any",)
    texts = [f"{edge:.4g}" for edge in edges]
    inner = (f"{low} to {high}" for low, high in pairwise(texts))
    return (f"up to {texts[0]}", *inner, f"above {texts[-1]}")


@dataclass(frozen=True, eq=False)
class SeenValues:
    """What one pass over a table seen: values of its numbers, levels of its texts.

    `missing` are the columns in which missing values are a level, `fill` the numbers to put in
    place of missing ones elsewhere.
    """

    n_rows: int
    numeric: tuple[int, ...]
    sketch: QuantileSketch
    levels: dict[int, tuple[Any, ...]]
    missing: NDArray[np.bool_]
    fill: Floats | None = None

    def make_coding(self, bins: int, binning: str) -> Coding:
        """Cut the numbers into bins."""
        found = dict(zip(self.numeric, find_bins(self.sketch, bins, binning), strict=True))
        sizes = {j: len(one.edges) + 1 for j, one in found.items()}
        sizes |= {j: len(values) for j, values in self.levels.items()}
        own = tuple(sizes[j] + int(self.missing[j]) for j in range(len(self.missing)))
        joined = frozenset(j for j, one in found.items() if one.joined)
        edges = tuple(one.edges for one in found.values())
        return Coding(self.n_rows, edges, self.levels, own, self.fill, joined)


def usual_bins(bins: int, n_rows: int) -> int:
    """Give the number of bins for so many rows: at least five in each, if that is possible.

    >>> usual_bins(10, 1000), usual_bins(10, 20)
    (10, 4)
    """
    return max(2, min(bins, n_rows // 5))


class LevelsRead:
    """Values and levels seen while a table is read, batch by batch or part by part."""

    def __init__(self, names: Sequence[str], missing: MissingPolicy) -> None:
        self.names, self.missing = list(names), missing
        self.sketch: QuantileSketch | None = None
        self.levels: dict[int, dict[Any, None]] = {}
        self.counts: NDArray[np.intp] = np.zeros(len(names), dtype=np.intp)
        self.n_rows = self.complete = 0
        self.fill = start_fill(missing, 1)
        self.numeric: tuple[int, ...] = ()

    def add(self, rows: MixedRows) -> None:
        """Take the values of some rows into account."""
        self.numeric = rows.numeric
        check_finite(rows.numbers, [self.names[j] for j in self.numeric])
        more = QuantileSketch.from_batch if self.sketch is None else self.sketch.follow_by
        self.sketch = more(rows.numbers)
        if self.missing.fills:
            self.fill.add(rows.numbers)
        self.n_rows, self.complete = self.n_rows + len(rows), self.complete + int(rows.good.sum())
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            self.counts[j] += text.null_count
            values = pc.unique(text.drop_null()).to_pylist()
            _meet(self.levels.setdefault(j, {}), values, self.names[j])

    def merge(self, other: "LevelsRead") -> "LevelsRead":
        """Take the values of other rows into account, read elsewhere."""
        if other.sketch is None:
            return self
        self.sketch = other.sketch if self.sketch is None else self.sketch.merge(other.sketch)
        self.numeric = other.numeric
        self.fill.merge(other.fill)
        self.counts = self.counts + other.counts
        self.n_rows, self.complete = self.n_rows + other.n_rows, self.complete + other.complete
        for j, values in other.levels.items():
            _meet(self.levels.setdefault(j, {}), values, self.names[j])
        return self

    def settle(self) -> SeenValues:
        """Give what was seen; refuse missing values if they are to be errors."""
        names, n_rows, numeric, missing = self.names, self.n_rows, self.numeric, self.missing
        if self.sketch is None or n_rows == 0:
            raise TamisError("The table has no rows to work with: at least 2 are needed.")
        counts = self.counts.copy()
        counts[list(numeric)] = self.sketch.missing
        if missing.fills:
            check_values(counts, n_rows, names)
        if counts.any() and missing.refuses:
            fill = MissingPolicy.filling(takes_text=True)
            raise make_missing_error(counts, n_rows, names, fill=fill, complete=self.complete)
        known = {j: tuple(sorted(values)) for j, values in self.levels.items()}
        lacking = counts > 0
        if not missing.fills:
            return SeenValues(n_rows, numeric, self.sketch, known, lacking)
        lacking[list(numeric)] = False
        return SeenValues(n_rows, numeric, self.sketch, known, lacking, self.fill.values)


def _meet(known: dict[Any, None], values: Iterable[Any], name: str) -> None:
    known.update(dict.fromkeys(values))
    if len(known) > MAX_LEVELS:
        raise TamisError(
            f"Column {name!r} has more than {MAX_LEVELS:,} distinct values: skip it, or group them."
        )


# Columns as small integers: categories as they are, numbers in bins.
#
# Numbers go into bins of equal depth (quantiles), equal width, or by k-means of one column. Edges
# are learnt from a `QuantileSketch`; the outer bins are open. No edge is left on a value: the side
# that the value goes to is the same for a column and its mirror image, so signs do not matter. A
# numeric column with no more different values than bins keeps them.
Codes = NDArray[np.uint16]

_MAX_KMEANS_STEPS = 100
_COMPARED = 24
_CACHED_COLUMNS = 16


class Bins(NamedTuple):
    """The inner edges of the bins of a number, and whether values are put together in them."""

    edges: Floats
    joined: bool


def find_bins(sketch: QuantileSketch, bins: int, binning: str) -> list[Bins]:
    """Find the bins of every column.

    >>> x = np.column_stack([np.arange(8.0), np.arange(8) % 2])
    >>> [found.joined for found in find_bins(QuantileSketch.from_batch(x), 2, "depth")]
    [True, False]
    """
    cut = _CUTS[binning]
    found = []
    for column in range(sketch.rest.shape[1]):
        values, weights = sketch.points(column)
        # The sketch may have thinned the ends out.
        ends = [] if len(values) == 0 else [sketch.low[column], sketch.high[column]]
        few = np.count_nonzero(values[1:] != values[:-1]) < bins
        different = np.unique(np.concatenate([values, ends])) if few else values
        if few and len(different) <= bins:
            found.append(Bins(_find_midpoints(different, np.arange(1, len(different))), False))
        else:
            values[0], values[-1] = ends
            found.append(Bins(cut(values, weights, bins), True))
    return found


def equal_depth(values: Floats, weights: Floats, bins: int) -> Floats:
    """Cut at the quantiles; heavy ties give fewer bins.

    >>> equal_depth(np.array([0.0, 0.0, 0.0, 1.0]), np.ones(4), 2)
    array([0.5])
    """
    shares = np.arange(1, bins) / bins
    edges = off_values(read_quantiles(values, weights, shares), values, weights, shares)
    cuts = np.unique(np.searchsorted(values, edges, side="right"))
    return _find_midpoints(values, cuts[(cuts > 0) & (cuts < len(values))])


def cut_fine(values: Floats, weights: Floats, bins: int) -> Floats:
    """Cut at many quantiles, for bins to be merged later.

    >>> cut_fine(np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4), 2)
    array([1.5])
    """
    edges = read_quantiles(values, weights, np.arange(1, bins) / bins)
    cuts = np.unique(np.searchsorted(values, edges, side="right"))
    return _find_midpoints(values, cuts[(cuts > 0) & (cuts < len(values))])


def equal_width(values: Floats, weights: Floats, bins: int) -> Floats:
    """Cut the range into equal parts.

    >>> equal_width(np.array([0.0, 1.0, 8.0]), np.ones(3), 4)
    array([2., 4., 6.])
    """
    return off_values(np.linspace(values[0], values[-1], bins + 1)[1:-1], values, weights)


def by_means(values: Floats, weights: Floats, bins: int) -> Floats:
    """Cut half-way between the centres of k-means, started from bins of equal depth.

    >>> by_means(np.array([0.0, 1.0, 10.0, 11.0, 12.0, 30.0]), np.ones(6), 3)
    array([ 5.75, 20.5 ])
    """
    edges = equal_depth(values, weights, bins)
    for _ in range(_MAX_KMEANS_STEPS):
        position = np.searchsorted(edges, values, side="left")
        mass = np.bincount(position, weights)
        there = mass > 0
        centres = np.bincount(position, weights * values)[there] / mass[there]
        fresh = off_values((centres[1:] + centres[:-1]) / 2, values, weights)
        settled = np.array_equal(np.searchsorted(values, fresh), np.searchsorted(values, edges))
        edges = fresh
        if settled or len(edges) >= bins:
            break
    return edges


def off_values(
    edges: Floats, values: Floats, weights: Floats, shares: Floats | None = None
) -> Floats:
    """Move each edge that lies on a value to one side of it.

    With `shares` to the side where the share below comes nearer to that of the edge; otherwise, or
    of two as near, so that the value joins its nearer neighbour, or the side with fewer rows. What
    is left is in the very middle of the column and has a bin of its own.

    >>> off_values(np.array([1.0]), np.array([0.0, 1.0, 1.0, 5.0]), np.ones(4))
    array([3.])
    """
    # Edges are means of values or of sums of them: exact to the rounding of such a sum.
    hair = len(values) * EPS * max(abs(values[0]), abs(values[-1]))
    first = np.searchsorted(values, edges - hair, side="left")
    last = np.searchsorted(values, edges + hair, side="right")
    mass = np.concatenate([[0.0], np.cumsum(weights)])
    cuts: list[int] = []
    for i in np.flatnonzero(first < last).tolist():
        goal = None if shares is None else float(shares[i] * mass[-1])
        cuts += _sides(int(first[i]), int(last[i]), values, mass, goal, hair)
    moved = _find_midpoints(values, np.array(cuts, dtype=np.intp))
    return np.unique(np.concatenate([edges[first == last], moved]))


def _sides(
    first: int, last: int, values: Floats, mass: Floats, goal: float | None, hair: float
) -> list[int]:
    """Say before which positions to cut so that `values[first:last]` is on one side."""
    if first == 0 or last == len(values):
        return [cut for cut in (first, last) if 0 < cut < len(values)]
    # What is lost by a cut above the value less what is lost by one below: negative cuts above.
    balances = [
        (values[first] - values[first - 1]) - (values[last] - values[last - 1]),
        mass[first] - (mass[-1] - mass[last]),
    ]
    margins = [4 * hair, TIE * mass[-1]]
    if goal is not None:
        balances.insert(0, abs(mass[last] - goal) - abs(mass[first] - goal))
        margins.insert(0, TIE * mass[-1])
    for balance, margin in zip(balances, margins, strict=True):
        if abs(balance) > margin:
            return [last if balance < 0 else first]
    return [first, last]


def _find_midpoints(values: Floats, cuts: NDArray[np.intp]) -> Floats:
    """Give the middle between the values before and after each cut, never the value after it."""
    low, high = values[cuts - 1], values[cuts]
    middle = low / 2 + high / 2
    return np.where(middle < high, middle, low)


_CUTS: dict[str, Callable[[Floats, Floats, int], Floats]] = {
    "depth": equal_depth,
    "width": equal_width,
    "kmeans": by_means,
    "fine": cut_fine,
}


def bin_rows(rows: Floats, edges: Sequence[Floats]) -> Codes:
    """Give the bin of every value; missing ones get one bin more than there are.

    >>> bin_rows(np.array([[1.0], [3.5], [9.0], [np.nan]]), [np.array([3.5])]).ravel()
    array([0, 0, 1, 2], dtype=uint16)
    """
    codes = np.empty(rows.shape, dtype=np.uint16, order="F")
    room = np.empty((_CACHED_COLUMNS, len(rows)))
    for start in range(0, len(edges), _CACHED_COLUMNS):
        few = room[: len(edges) - start]
        few[:] = rows[:, start : start + _CACHED_COLUMNS].T
        missing = np.isnan(few).any()
        for j, column in enumerate(few, start):
            codes[:, j] = _count_edges_below(edges[j], column)
            if missing:
                codes[np.isnan(column), j] = len(edges[j]) + 1
    return codes


def _count_edges_below(edges: Floats, column: Floats) -> NDArray[Any]:
    """Count the edges below each value: of few edges, comparing with each is several times faster.

    >>> _count_edges_below(np.array([1.0, 2.0]), np.array([1.0, 1.5, 9.0]))
    array([0, 1, 2], dtype=uint8)
    """
    if len(edges) > _COMPARED:
        return np.searchsorted(edges, column, side="left")
    places = np.zeros(len(column), dtype=np.uint8)
    for edge in edges:
        places += column > edge
    return places
