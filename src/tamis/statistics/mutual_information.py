"""The information that the columns of a table of any kind share with each other.

Two passes: the first learns the bins of numbers and the levels of categories, the second counts.
Codes of one or two bytes a cell are held between them while they fit a budget; a table too long for
that is read again for each group of pairs.
"""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from tamis import memory
from tamis.columns.texts import has_few_rows
from tamis.errors import TamisError, spell_name
from tamis.numerics.types import Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.coded_rows import CodedRows, LevelCounts, TableRows, TileCounts
from tamis.statistics.coding import Coding, usual_bins
from tamis.statistics.joint_counts import (
    MAX_COUNT_BYTES,
    JointCounts,
    Tile,
    compute_entropies,
    relate_pairs,
)
from tamis.statistics.missing import Tally
from tamis.statistics.shared_information import Information, make_information
from tamis.statistics.summary import Summary

_MAX_CODE_BYTES = 1 << 30
_MAX_TILE_BYTES = 1 << 25  # of counts with their logarithms, for tiles that workers send
_MAX_PAIRED_COLUMNS = 20_000


def collect_information(
    source: Source,
    columns: Sequence[int],
    *,
    missing: MissingPolicy = MissingPolicy.ERROR,
    bins: int = 10,
    binning: str = "depth",
    corrected: bool = False,
    insist: Collection[int] = (),
    held: int | None = None,
    budget: int | None = None,
) -> Summary:
    """Read the table and relate every column to every other, `corrected` for chance or not.

    Texts that hardly ever repeat are refused, unless their position among `columns` is in `insist`.
    `held` and `budget` are bytes for codes and for counts: a share of the memory for reading.
    """
    held = min(_MAX_CODE_BYTES, memory.get_budget() // 2) if held is None else held
    budget = min(MAX_COUNT_BYTES, memory.get_budget() // 4) if budget is None else budget
    _check_width(len(columns), source.label)

    tally, table = Tally(len(columns)), TableRows(source, columns, missing)
    levels = table.learn(tally).levels.settle()
    coding = levels.make_coding(usual_bins(bins, levels.n_rows), binning)
    rows = CodedRows(table, coding.encode, fits=coding.count_bytes() <= held)
    counts = rows.count(LevelCounts(coding.sizes)).counts
    refused = find_identifiers(coding, bins, insist)
    fit = np.array([j not in refused for j in range(len(columns))], dtype=bool)
    varying = np.flatnonzero((compute_entropies(counts) > 0) & fit)
    found = _relate_columns(rows, varying, counts, budget, in_parts=table.in_parts)
    there = [counts[j] for j in varying]
    if corrected:
        found = found.corrected(there, np.isin(varying, list(coding.joined)))
    return Summary(
        coding.n_rows, varying, table=found, level_counts=tuple(there), unfit=refused, tally=tally
    )


def relate_coded(table: TableRows, coding: Coding, columns: Indices) -> Information:
    """Relate these columns of a table that has been coded; it is read again."""
    _check_width(len(columns), table.source.label)
    rows = CodedRows(table, coding.encode, fits=coding.count_bytes() <= _MAX_CODE_BYTES)
    counts = rows.count(LevelCounts(coding.sizes)).counts
    return _relate_columns(rows, columns, counts, MAX_COUNT_BYTES, in_parts=table.in_parts)


def _relate_columns(
    rows: CodedRows,
    columns: Indices,
    counts: list[NDArray[np.intp]],
    budget: int,
    *,
    in_parts: bool,
) -> Information:
    """Relate columns with each other; tiles that workers send are small."""

    def count(tiles: Sequence[Tile]) -> list[JointCounts]:
        (found,) = rows.count(TileCounts(tiles, columns)).counts
        return list(found)

    there, matrix = [counts[j] for j in columns], np.zeros((0, 0))
    if there:
        tile_budget = _MAX_TILE_BYTES if in_parts else None
        matrix = relate_pairs(count, there, budget=budget, tile_budget=tile_budget)
    return make_information(matrix, there, int(counts[0].sum()))


def find_identifiers(coding: Coding, bins: int, insist: Collection[int]) -> dict[int, str]:
    """Find texts with fewer than five rows for each value: they seem to predict every column."""
    return {
        j: f"few rows for each value, {len(levels):,} distinct values in {coding.n_rows:,} rows"
        for j, levels in coding.levels.items()
        if has_few_rows(len(levels), coding.n_rows, bins) and j not in insist
    }


def _check_width(d: int, label: str) -> None:
    if d > _MAX_PAIRED_COLUMNS:
        raise TamisError(
            f"{label} has {d:,} columns, whose pairs would take {8e-9 * d * d:.0f} GB: choose at "
            f"most {_MAX_PAIRED_COLUMNS:,} with {spell_name('columns')}, "
            "or take a linear method such as sfs."
        )
