"""Every column of a table of any kind against the classes of its rows.

Two passes: the first learns the bins of numbers, the levels of categories and the classes, the
second counts. Where all columns are numbers the first pass also makes their Gram matrix. Where text
is analysed, too, the table is read once more to relate the columns with each other.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, xlogy

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.tolerances import TIE
from tamis.sources.source import Source
from tamis.statistics.class_counts import ClassCounts, CountsByClass, PairCounter, Recoding
from tamis.statistics.classes import ClassTally, CountedTarget, RowLabels
from tamis.statistics.coded_rows import TableRows
from tamis.statistics.coding import Coding, Met, usual_bins
from tamis.statistics.gram import Gram
from tamis.statistics.labels import plain_labels
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import MixedRows
from tamis.statistics.mutual_information import find_identifiers, relate_coded
from tamis.statistics.rows import name_labels
from tamis.statistics.shared_information import Information
from tamis.statistics.statistic import Statistic
from tamis.statistics.summary import Summary
from tamis.values import dataclass

# Bins chosen by the classes: neighbouring fine bins of a numeric column are merged.
#
# Both rules work from counts (fine bins by classes), so they stream. Fine bins are quantiles, up
# to 1,024 of them: a column with no more distinct values has a bin for each, which makes the cuts
# exact.
Counts = NDArray[np.int64]
Cut = Callable[[Sequence[Counts], int], list[Indices]]

_MAX_MERGED_CELLS = 1 << 21  # cells that are merged together
_MERGE_LEVEL = 0.05


def mdl_cuts(blocks: Sequence[Counts], bins: int) -> list[Indices]:  # noqa: ARG001 - it decides
    """Cut as long as that shortens the description of the classes (Fayyad & Irani 1993).

    Examples
    --------
    >>> mdl_cuts([np.array([[9, 0], [9, 0], [0, 9], [1, 9]])], 10)
    [array([2])]
    """
    return [_mdl(np.cumsum(block, axis=0)) for block in blocks]


def _mdl(below: Counts) -> Indices:
    """Cut one column, given the classes of the rows up to and including each fine bin."""
    cuts: list[int] = []
    parts = [(0, len(below))]
    while parts:
        first, last = parts.pop()
        cut = _best_cut(below, first, last)
        if cut is not None:
            cuts.append(cut)
            parts += [(first, cut), (cut, last)]
    return np.sort(np.array(cuts, dtype=np.intp))


def _best_cut(below: Counts, first: int, last: int) -> int | None:
    """Find the cut of fine bins first..last-1 with the largest gain, if it pays for itself."""
    if last - first < 2:
        return None
    lower = below[first : last - 1] - (below[first - 1] if first else 0)
    both = lower[-1] + (below[last - 1] - below[last - 2])
    upper = both - lower
    n, n_lower, n_upper = both.sum(), lower.sum(axis=1), upper.sum(axis=1)
    if n < 2:
        return None
    left = (_bits(lower) + _bits(upper)) / n
    best = int(np.flatnonzero(left <= left.min() * (1 + TIE))[0])
    if not n_lower[best] or not n_upper[best]:
        return None
    present = [np.count_nonzero(part) for part in (both, lower[best], upper[best])]
    parts = [(both, n), (lower[best], n_lower[best]), (upper[best], n_upper[best])]
    entropy = [_bits(part[None])[0] / size for part, size in parts]
    own = present[0] * entropy[0] - present[1] * entropy[1] - present[2] * entropy[2]
    ways = np.log2(3.0 ** present[0] - 2) if present[0] < 40 else present[0] * np.log2(3.0)
    price = (np.log2(n - 1) + ways - own) / n
    return first + best + 1 if entropy[0] - left[best] > price else None


def _bits(counts: Counts) -> Floats:
    """Give rows times entropy, in bits, of each line of counts."""
    sizes = counts.sum(axis=-1)
    return np.asarray(xlogy(sizes, sizes) - xlogy(counts, counts).sum(axis=-1)) / np.log(2)


def chimerge_cuts(blocks: Sequence[Counts], bins: int) -> list[Indices]:
    """Merge the neighbours that differ least until all differ at 5% and at most `bins` are left.

    Kerber's ChiMerge (1992), all columns at once: each step merges one pair in each column.

    Examples
    --------
    >>> chimerge_cuts([np.array([[9, 0], [9, 0], [0, 9], [1, 9]])], 10)
    [array([2])]
    """
    found: list[Indices] = []
    start = 0
    while start < len(blocks):
        widest, stop = 0, start
        while stop < len(blocks):
            widest = max(widest, len(blocks[stop]))
            if (
                stop > start
                and widest * (stop + 1 - start) * blocks[0].shape[1] > _MAX_MERGED_CELLS
            ):
                break
            stop += 1
        found += _merge_blocks(blocks[start:stop], bins)
        start = stop
    return found


def _merge_blocks(blocks: Sequence[Counts], bins: int) -> list[Indices]:
    chains = _Chains(blocks)
    limit = chdtri(blocks[0].shape[1] - 1, _MERGE_LEVEL)
    while True:
        first = chains.distance.argmin(axis=1)
        lowest = chains.distance[np.arange(len(first)), first]
        on = np.isfinite(lowest) & ((lowest < limit) | (chains.alive.sum(axis=1) > bins))
        if not on.any():
            return [np.flatnonzero(alive)[1:] for alive in chains.alive]
        columns = np.flatnonzero(on)
        chains.merge(columns, first[columns])


class _Chains:
    """The bins of several columns, each with its neighbours and the distance to the next one."""

    def __init__(self, blocks: Sequence[Counts]) -> None:
        width = max(map(len, blocks))
        self.counts = np.zeros((len(blocks), width, blocks[0].shape[1]))
        for j, block in enumerate(blocks):
            self.counts[j, : len(block)] = block
        self.alive: NDArray[np.bool_] = np.asarray(self.counts.any(axis=2))
        self.width = width
        self.after = _next_alive(self.alive)
        self.before = width - 1 - _next_alive(self.alive[:, ::-1])[:, ::-1]
        self.distance = np.full(self.alive.shape, np.inf)
        self._renew(*np.nonzero(self.alive & (self.after < width)))

    def merge(self, columns: Indices, first: Indices) -> None:
        """Merge in each of these columns one bin with the next."""
        lost = self.after[columns, first]
        self.counts[columns, first] += self.counts[columns, lost]
        self.alive[columns, lost] = False
        self.distance[columns, lost] = self.distance[columns, first] = np.inf
        following = self.after[columns, lost]
        self.after[columns, first] = following
        more = following < self.width
        self.before[columns[more], following[more]] = first[more]
        self._renew(columns[more], first[more])
        prior = self.before[columns, first]
        self._renew(columns[prior >= 0], prior[prior >= 0])

    def _renew(self, columns: Indices, left: Indices) -> None:
        right = self.after[columns, left]
        apart = _difference(self.counts[columns, left], self.counts[columns, right])
        self.distance[columns, left] = apart


def _next_alive(alive: NDArray[np.bool_]) -> Indices:
    """Give for every position the next living one, or the width.

    >>> _next_alive(np.array([[True, False, True]]))
    array([[2, 2, 3]])
    """
    d, width = alive.shape
    places = np.where(alive, np.arange(width), width)
    nearest = np.minimum.accumulate(places[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate([nearest[:, 1:], np.full((d, 1), width)], axis=1)


def _difference(left: Floats, right: Floats) -> Floats:
    """Give the chi-square statistic of pairs of neighbours; a class that neither has adds 0.

    With two lines it is a sum over classes of one squared difference each.
    """
    n_left, n_right = left.sum(axis=1, keepdims=True), right.sum(axis=1, keepdims=True)
    both = left + right
    excess = (left * n_right - right * n_left) ** 2
    parts = np.divide(excess, both * n_left * n_right, out=np.zeros_like(excess), where=both > 0)
    return np.asarray(parts.sum(axis=1))


CUTS: dict[str, Cut] = {
    "mdl": mdl_cuts,
    "chimerge": chimerge_cuts,
}

_LEAST, _FINE = 32, 1024
_FINE_CELLS = 1 << 25
_MOST_CELLS = 1 << 28


@dataclass(frozen=True, eq=False)
class ClassTable(Statistic[Gram | Information]):
    """Rows by level and class for every column that varies.

    `by_labels` marks the columns whose bins were chosen by the classes; `levels` names categories
    and bins, if the labels chose none. What the columns explain of each other is `gram` where all
    are numbers, otherwise `information`, which is computed when it is first asked for. `pairs`
    counts pairs of the same columns, for which the table is read again.
    """

    counts: ClassCounts
    target: CountedTarget
    by_labels: NDArray[np.bool_]
    gram: Gram | None = None
    levels: tuple[tuple[str, ...], ...] = ()
    relate: Callable[[], Information] | None = field(default=None, repr=False)
    pairs: PairCounter | None = field(default=None, repr=False)

    @cached_property
    def information(self) -> Information | None:
        """The mutual information of all pairs of columns, where not all are numbers."""
        return None if self.relate is None else self.relate()

    @property
    def explained(self) -> Gram | Information:
        """What the columns explain of each other, whichever it is."""
        found = self.information if self.gram is None else self.gram
        assert found is not None
        return found

    @property
    def deferred(self) -> bool:
        """Whether the information has to be read first."""
        return self.gram is None and self.relate is not None


def collect_class_table(
    source: Source,
    columns: Sequence[int],
    *,
    labels: Any,
    task: str = "auto",
    missing: MissingPolicy = MissingPolicy.ERROR,
    bins: int = 10,
    binning: str = "depth",
    insist: Collection[int] = (),
) -> Summary:
    """Read the table and count the levels of every column in every class.

    `labels` is the position of a column, or a sequence with one label for each row. Texts that
    hardly ever repeat are refused, unless their position among `columns` is in `insist`.
    """
    given, tally = plain_labels(labels), Tally(len(columns))
    marks = given if isinstance(given, int) else RowLabels.of(given)
    categories = "categorical" in {source.kinds[j] for j in columns}
    numbers = not categories and not missing.codes_numbers
    few = source.n_rows is not None and source.n_rows < len(columns)
    # Labels that are given are here, and rows that are few may come home.
    rows = TableRows(source, columns, missing, marks, here=few or not isinstance(marks, int))
    gram = GramRows(len(columns)) if numbers else None
    first = rows.learn(tally, ClassTally(name_labels(source, labels)), gram)
    assert first.classes is not None
    # What is wrong with labels is said before all else, but that there are none.
    classes = first.classes.settle(task) if first.classes.rows else None
    levels = first.levels.settle()
    assert classes is not None, "without rows there are no levels"
    usual = usual_bins(bins, levels.n_rows)
    supervised = CUTS.get(binning)
    coding = plain = levels.make_coding(usual, binning if supervised is None else "depth")
    if supervised is not None:
        # Many fine bins are merged by the labels, of bounded memory.
        most = _FINE_CELLS // (len(columns) * len(classes.names))
        coding = levels.make_coding(int(np.clip(most, max(bins, _LEAST), _FINE)), "fine")
    _check_cells(coding, classes)
    by_class = CountsByClass(coding.sizes, len(classes.names))
    counted = rows.read_encoded(by_class, Recoding(coding, classes).encode).counts
    counts: ClassCounts = counted[None]
    gram = first.gram
    if gram is not None and first.lacks_rows:
        fill = partial(MixedRows.fill_numbers, values=levels.fill)
        gram = rows.read_encoded(GramRows(len(columns)), fill)
    summary = None if gram is None else gram.summary(True, source.label)
    refused = find_identifiers(plain, bins, insist) if summary is None else summary.refused
    occupied = np.flatnonzero(counts.occupied > 1)
    varying = np.setdiff1d(occupied, list(refused)) if summary is None else summary.varying
    groups: dict[int, Indices] = {}
    if supervised is not None:
        counts, groups = _merge_fine_bins(counts, levels, supervised, bins)
    counts = counts.take(varying)
    table = ClassTable(
        counts,
        classes,
        np.isin(varying, levels.numeric if supervised else ()),
        None if summary is None else summary.gram,
        () if supervised else plain.level_names(varying),
        None if numbers else lambda: relate_coded(rows, plain, varying),
        PairCounter(rows, Recoding(coding, classes, varying, groups), counts),
    )
    return Summary(levels.n_rows, varying, table=table, unfit=refused, tally=tally)


def _check_cells(coding: Coding, classes: CountedTarget) -> None:
    """Refuse more classes than can be counted."""
    cells = sum(coding.sizes) * len(classes.names)
    if cells > _MOST_CELLS:
        raise TamisError(
            f"{classes.what} has {len(classes.names):,} classes, too many to count beside "
            f"{sum(coding.sizes):,} values and bins of the columns ({8e-9 * cells:.0f} GB): merge "
            "rare classes, or skip columns with many values."
        )


def _merge_fine_bins(
    counts: ClassCounts, met: Met, cut: Cut, bins: int
) -> tuple[ClassCounts, dict[int, Indices]]:
    """Merge the fine bins of numeric columns; missing values stay a level of their own.

    Gives the new level of every fine bin, too, by column.
    """
    columns = np.array(met.numeric, dtype=np.intp)
    if not len(columns):
        return counts, {}
    blocks = [counts.block(j) for j in met.numeric]
    ends = [len(block) - int(met.missing[j]) for j, block in zip(columns, blocks, strict=True)]
    found = cut([block[:end] for block, end in zip(blocks, ends, strict=True)], bins)
    cuts = [
        own if end == len(block) else np.append(own, end)
        for own, end, block in zip(found, ends, blocks, strict=True)
    ]
    groups = {
        j: np.searchsorted(own, np.arange(len(block)), side="right").astype(np.intp)
        for j, own, block in zip(met.numeric, cuts, blocks, strict=True)
    }
    return counts.regroup_levels(columns, cuts), groups
