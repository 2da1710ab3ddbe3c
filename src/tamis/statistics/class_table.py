"""Every column of a table of any kind against the classes of its rows.

Two passes: the first learns the bins of numbers, the levels of categories and the classes, the
second counts. Where all columns are numbers the first pass also makes their Gram matrix. Where text
is analysed, too, the table is read once more to relate the columns with each other.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.class_counts import ClassCounts
from tamis.statistics.class_parts import ClassParts
from tamis.statistics.classes import Classes, ClassTally, find_labels
from tamis.statistics.coding import Coding, Met, read_levels, usual_bins
from tamis.statistics.gram import Gram
from tamis.statistics.linear import GramRows, TableSummary
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import MixedRows, read_mixed_rows
from tamis.statistics.mutual_information import find_identifiers, information_between
from tamis.statistics.pair_counts import PairCounter, Recoding, RowPairs
from tamis.statistics.rows import name_labels
from tamis.statistics.shared_information import Information
from tamis.statistics.statistic import Statistic
from tamis.statistics.supervised_bins import CUTS, Cut

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
    target: Classes
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


@dataclass(frozen=True, eq=False)
class ClassSummary:
    """All that the filters need to know of a table.

    `varying` are the positions, among the columns read, of those analysed; `refused` gives the
    reason of the others.
    """

    n_rows: int
    varying: Indices
    statistic: ClassTable
    refused: dict[int, str]
    tally: Tally

    @property
    def inputs(self) -> tuple[ClassTable]:
        """What a method of extraction would work on."""
        return (self.statistic,)


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
) -> ClassSummary:
    """Read the table and count the levels of every column in every class.

    `labels` is the position of a column, or a sequence with one label for each row. Texts that
    hardly ever repeat are refused, unless their position among `columns` is in `insist`.
    """
    marks, tally = find_labels(source, labels), Tally(len(columns))
    tallied = ClassTally(name_labels(source, labels))
    categories = "categorical" in {source.kinds[j] for j in columns}
    numbers = not categories and not missing.codes_numbers
    gram = GramRows(len(columns)) if numbers else None
    names = [source.names[j] for j in columns]
    parts = _find_parts(source, columns, marks, missing)
    if parts is not None:
        met = parts.read_levels(tallied, tally).settle()
    else:
        first = read_mixed_rows(source, columns, missing, tally, marks)
        met = read_levels(_first_pass(first, tallied, task, gram), names, missing)
    classes, usual = tallied.classes(task), usual_bins(bins, met.n_rows)
    supervised = CUTS.get(binning)
    coding = plain = met.make_coding(usual, binning if supervised is None else "depth")
    if supervised is not None:
        coding = met.make_coding(_finest(len(columns) * len(classes.names), bins), "fine")

    def read() -> Iterator[MixedRows]:
        return read_mixed_rows(source, columns, missing, None, marks)

    _check_cells(coding, classes)
    summary: TableSummary | None = None
    if parts is not None:
        counts = parts.count_classes(coding, classes)
        summary = parts.summary(met.fill) if numbers else None
    else:
        counts = _count_classes(read, coding, classes)
        if gram is not None and missing.fills and tally.counts.any():
            gram = _read_filled(read, len(columns), met.fill)
        summary = None if gram is None else gram.summary(True, source.label)
    refused = find_identifiers(plain, bins, insist) if summary is None else summary.refused
    occupied = np.flatnonzero(counts.occupied > 1)
    varying = np.setdiff1d(occupied, list(refused)) if summary is None else summary.varying
    groups: dict[int, Indices] = {}
    if supervised is not None:
        counts, groups = _merge_fine_bins(counts, met, supervised, bins)
    counts, recoding = counts.take(varying), Recoding(coding, groups, classes, varying)
    table = ClassTable(
        counts,
        classes,
        np.isin(varying, met.numeric if supervised else ()),
        None if summary is None else summary.gram,
        () if supervised else plain.level_names(varying),
        None if numbers else _relate_later(read, parts, plain, varying, source.label),
        RowPairs(lambda: recoding.encode(read()), counts)
        if parts is None
        else parts.count_pairs(recoding, counts),
    )
    return ClassSummary(met.n_rows, varying, table, refused, tally)


def _find_parts(
    source: Source, columns: Sequence[int], labels: Any, missing: MissingPolicy
) -> ClassParts | None:
    """Give the parts of an engine's table where labels are a column of it, and rows are many."""
    parted = source.in_parts()
    few = source.n_rows is not None and source.n_rows < len(columns)
    if parted is None or not isinstance(labels, int) or few:
        return None
    return ClassParts(parted, columns, labels, missing)


def _relate_later(
    read: Callable[[], Iterator[MixedRows]],
    parts: ClassParts | None,
    coding: Coding,
    columns: Indices,
    label: str,
) -> Callable[[], Information]:
    """Relate the columns with each other once that is asked for."""
    if parts is None:
        return lambda: information_between(read, coding, columns, label)
    return lambda: parts.relate(coding, columns)


def _read_filled(read: Callable[[], Iterator[MixedRows]], width: int, fill: Any) -> GramRows:
    """Read numbers again, with the means in place of missing ones."""
    gram = GramRows(width)
    for rows in read():
        gram.add(np.where(np.isnan(rows.numbers), fill, rows.numbers))
    return gram


def _finest(cells: int, bins: int) -> int:
    """Give the number of fine bins that are merged by the labels: many, but of bounded memory.

    >>> _finest(500 * 3, 10), _finest(20_000 * 30, 10)
    (1024, 55)
    """
    return int(np.clip(_FINE_CELLS // cells, max(bins, _LEAST), _FINE))


def _first_pass(
    batches: Iterator[MixedRows], classes: ClassTally, task: str, gram: GramRows | None
) -> Iterator[MixedRows]:
    """Let the rows pass, counting their classes and adding them to the Gram matrix."""
    for rows in batches:
        if rows.labels is not None:
            classes.add(rows.labels)
        yield rows
        # Whoever takes the rows refuses infinite values first, and missing ones in the end.
        if gram is not None and not np.isnan(rows.numbers).any():
            gram.add(rows.numbers)
    if classes.rows:
        classes.classes(task)


def _check_cells(coding: Coding, classes: Classes) -> None:
    """Refuse more classes than can be counted."""
    cells = sum(coding.sizes) * len(classes.names)
    if cells > _MOST_CELLS:
        raise TamisError(
            f"{classes.what} has {len(classes.names):,} classes, too many to count beside "
            f"{sum(coding.sizes):,} values and bins of the columns ({8e-9 * cells:.0f} GB): merge "
            "rare classes, or skip columns with many values."
        )


def _count_classes(
    read: Callable[[], Iterator[MixedRows]], coding: Coding, classes: Classes
) -> ClassCounts:
    parts = (
        ClassCounts.from_batch(
            coding.encode(rows), classes.codes(rows.labels), coding.sizes, len(classes.names)
        )
        for rows in read()
        if rows.labels is not None
    )
    return reduce(ClassCounts.merge, parts)


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
