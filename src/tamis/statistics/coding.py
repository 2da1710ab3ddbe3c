"""How a table of any kind is coded as small integers, learnt in one pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.statistics.discretise import binned, edges_of
from tamis.statistics.missing import RunningMeans, check_finite, check_values, missing_error
from tamis.statistics.mixed import MixedRows
from tamis.statistics.quantiles import QuantileSketch

_MOST_LEVELS = 65_000


@dataclass(frozen=True, eq=False)
class Coding:
    """The bins of numeric columns, the levels of the others, and how many codes each needs.

    `fill` are the numbers to put in place of missing ones, if these are not a category.
    """

    n_rows: int
    edges: tuple[Floats, ...]
    levels: dict[int, tuple[Any, ...]]
    sizes: tuple[int, ...]
    fill: Floats | None = None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The smallest type that holds every code."""
        return np.dtype(np.uint8 if max(self.sizes, default=0) <= 256 else np.uint16)

    def encode(self, rows: MixedRows) -> NDArray[Any]:
        """Write rows as codes; a missing value has the last code of its column."""
        codes = np.empty((len(rows), len(self.sizes)), dtype=self.dtype, order="F")
        numbers = rows.numbers
        if self.fill is not None and np.isnan(numbers).any():
            numbers = np.where(np.isnan(numbers), self.fill, numbers)
        codes[:, list(rows.numeric)] = binned(numbers, self.edges)
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            found = pc.index_in(text, value_set=pa.array(self.levels[j], text.type))
            codes[:, j] = np.asarray(found.fill_null(len(self.levels[j])))
        return codes


def learn_coding(
    batches: Iterable[MixedRows], names: Sequence[str], missing: str, bins: int, binning: str
) -> Coding:
    """Learn bins and levels; of few rows, fewer bins."""
    sketch: QuantileSketch | None = None
    levels: dict[int, dict[Any, None]] = {}
    counts, n_rows = np.zeros(len(names), dtype=np.intp), 0
    means = RunningMeans(1)
    numeric: tuple[int, ...] = ()
    for rows in batches:
        numeric = rows.numeric
        check_finite(rows.numbers, [names[j] for j in numeric])
        more = QuantileSketch.from_batch if sketch is None else sketch.followed_by
        sketch = more(rows.numbers)
        if missing == "auto":
            means.add(rows.numbers)
        n_rows += len(rows)
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            counts[j] += text.null_count
            _meet(levels.setdefault(j, {}), text, names[j])
    if sketch is None or n_rows == 0:
        raise TamisError("The table has no rows to work with: at least 2 are needed.")
    counts[list(numeric)] = sketch.missing
    if missing == "auto":
        check_values(counts, n_rows, names)
    if counts.any() and missing == "error":
        raise missing_error(counts, n_rows, names, fill="category")
    edges = edges_of(sketch, max(2, min(bins, n_rows // 5)), binning)
    known = {j: tuple(values) for j, values in levels.items()}
    sizes = {j: len(inner) + 1 for j, inner in zip(numeric, edges, strict=True)}
    sizes |= {j: len(values) for j, values in known.items()}
    filled = set(numeric) if missing == "auto" else set()
    own = [sizes[j] + int(counts[j] > 0 and j not in filled) for j in range(len(names))]
    fill = means.values if missing == "auto" else None
    return Coding(n_rows, tuple(edges), known, tuple(own), fill)


def _meet(known: dict[Any, None], text: Any, name: str) -> None:
    """Add the values not met before, in the order they come."""
    known.update(dict.fromkeys(pc.unique(text.drop_null()).to_pylist()))
    if len(known) > _MOST_LEVELS:
        raise TamisError(
            f"Column {name!r} has more than {_MOST_LEVELS:,} distinct values: skip it, or "
            "group them."
        )
