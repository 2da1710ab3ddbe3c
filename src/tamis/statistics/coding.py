"""How a table of any kind is coded as small integers, learnt in one pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics.discretise import bin_rows, find_bins
from tamis.statistics.missing import RunningMeans, check_values
from tamis.statistics.missing_cells import check_finite
from tamis.statistics.missing_faults import make_missing_error
from tamis.statistics.mixed import MixedRows
from tamis.statistics.quantiles import QuantileSketch

_MOST_LEVELS = 65_000


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

    def level_names(self, columns: Indices) -> tuple[tuple[str, ...], ...]:
        """Name the levels of these columns: categories, or bins by their edges."""
        numbers = (j for j in range(len(self.sizes)) if j not in self.levels)
        edges = dict(zip(numbers, self.edges, strict=True))
        return tuple(self.levels.get(j) or _bin_names(edges[j]) for j in columns.tolist())

    def encode(self, rows: MixedRows) -> NDArray[Any]:
        """Write rows as codes; a missing value has the last code of its column."""
        codes = np.empty((len(rows), len(self.sizes)), dtype=self.dtype, order="F")
        numbers = rows.numbers
        if self.fill is not None and np.isnan(numbers).any():
            numbers = np.where(np.isnan(numbers), self.fill, numbers)
        codes[:, list(rows.numeric)] = bin_rows(numbers, self.edges)
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            found = pc.index_in(text, value_set=pa.array(self.levels[j], text.type))
            codes[:, j] = np.asarray(found.fill_null(len(self.levels[j])))
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
class Met:
    """What one pass over a table met: values of its numbers, levels of its texts.

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


def learn_coding(
    batches: Iterable[MixedRows],
    names: Sequence[str],
    missing: MissingPolicy,
    bins: int,
    binning: str,
) -> Coding:
    """Learn bins and levels; of few rows, fewer bins."""
    met = read_levels(batches, names, missing)
    return met.make_coding(usual_bins(bins, met.n_rows), binning)


def usual_bins(bins: int, n_rows: int) -> int:
    """Give the number of bins for so many rows: at least five in each, if that is possible.

    >>> usual_bins(10, 1000), usual_bins(10, 20)
    (10, 4)
    """
    return max(2, min(bins, n_rows // 5))


def read_levels(batches: Iterable[MixedRows], names: Sequence[str], missing: MissingPolicy) -> Met:
    """Read all rows once; refuse missing values if they are to be errors."""
    read = LevelsRead(names, missing)
    for rows in batches:
        read.add(rows)
    return read.settle()


class LevelsRead:
    """Values and levels met while a table is read, batch by batch or part by part."""

    def __init__(self, names: Sequence[str], missing: MissingPolicy) -> None:
        self.names, self.missing = list(names), missing
        self.sketch: QuantileSketch | None = None
        self.levels: dict[int, dict[Any, None]] = {}
        self.counts: NDArray[np.intp] = np.zeros(len(names), dtype=np.intp)
        self.n_rows = self.complete = 0
        self.means = RunningMeans(1)
        self.numeric: tuple[int, ...] = ()

    def add(self, rows: MixedRows) -> None:
        """Take the values of some rows into account."""
        self.numeric = rows.numeric
        check_finite(rows.numbers, [self.names[j] for j in self.numeric])
        more = QuantileSketch.from_batch if self.sketch is None else self.sketch.follow_by
        self.sketch = more(rows.numbers)
        if self.missing.fills:
            self.means.add(rows.numbers)
        self.n_rows, self.complete = self.n_rows + len(rows), self.complete + int(rows.good.sum())
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            self.counts[j] += text.null_count
            values = pc.unique(text.drop_null()).to_pylist()
            _meet(self.levels.setdefault(j, {}), values, self.names[j])

    def join(self, other: "LevelsRead") -> None:
        """Take the values of other rows into account, read elsewhere."""
        if other.sketch is None:
            return
        self.sketch = other.sketch if self.sketch is None else self.sketch.merge(other.sketch)
        self.numeric = other.numeric
        self.means.join(other.means)
        self.counts = self.counts + other.counts
        self.n_rows, self.complete = self.n_rows + other.n_rows, self.complete + other.complete
        for j, values in other.levels.items():
            _meet(self.levels.setdefault(j, {}), values, self.names[j])

    def settle(self) -> Met:
        """Give what was met; refuse missing values if they are to be errors."""
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
            return Met(n_rows, numeric, self.sketch, known, lacking)
        lacking[list(numeric)] = False
        return Met(n_rows, numeric, self.sketch, known, lacking, self.means.values)


def _meet(known: dict[Any, None], values: Iterable[Any], name: str) -> None:
    """Add the values not met before."""
    known.update(dict.fromkeys(values))
    if len(known) > _MOST_LEVELS:
        raise TamisError(
            f"Column {name!r} has more than {_MOST_LEVELS:,} distinct values: skip it, or "
            "group them."
        )
