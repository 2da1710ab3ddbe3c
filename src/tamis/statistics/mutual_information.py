"""The information that the columns of a table of any kind share with each other.

Two passes: the first learns the bins of numbers and the levels of categories, the second counts.
Codes of one or two bytes a cell are held between them while they fit a budget; a table too long for
that is read again for each group of pairs.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import memory
from tamis.columns.suspects import looks_like_identifier
from tamis.errors import TamisError, spell_name
from tamis.numerics.types import Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.coded_parts import CodedParts
from tamis.statistics.coding import Coding, learn_coding, usual_bins
from tamis.statistics.joint_counts import (
    MAX_COUNT_BYTES,
    compute_entropies,
    information_matrix,
    level_counts,
    relate_pairs,
)
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import MixedRows, read_mixed_rows
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

    def read() -> Iterator[MixedRows]:
        return read_mixed_rows(source, columns, missing)

    tally = Tally(len(columns))
    parted = source.in_parts()
    parts = None if parted is None else CodedParts(parted, columns, missing)
    if parts is not None:
        met = parts.read_levels(tally).settle()
        coding = met.make_coding(usual_bins(bins, met.n_rows), binning)
        counts = parts.count_levels(coding)
    else:
        first = read_mixed_rows(source, columns, missing, tally)
        coding = learn_coding(first, [source.names[j] for j in columns], missing, bins, binning)
        read_codes = _hold_codes(lambda: map(coding.encode, read()), coding, held)
        counts = level_counts(read_codes(), coding.sizes)
    refused = find_identifiers(coding, bins, insist)
    fit = np.array([j not in refused for j in range(len(columns))], dtype=bool)
    varying = np.flatnonzero((compute_entropies(counts) > 0) & fit)
    if parts is not None:
        found = relate_parts(parts, coding, varying, counts, budget)
    else:
        found = _relate_columns(read_codes, varying, counts, budget)
    there = [counts[j] for j in varying]
    if corrected:
        found = found.corrected(there, np.isin(varying, list(coding.joined)))
    return Summary(
        coding.n_rows, varying, table=found, level_counts=tuple(there), unfit=refused, tally=tally
    )


def information_between(
    read: Callable[[], Iterable[MixedRows]], coding: Coding, columns: Indices, label: str
) -> Information:
    """Relate these columns of a table that has been coded; it is read again."""
    _check_width(len(columns), label)
    read_codes = _hold_codes(lambda: map(coding.encode, read()), coding, _MAX_CODE_BYTES)
    return _relate_columns(
        read_codes, columns, level_counts(read_codes(), coding.sizes), MAX_COUNT_BYTES
    )


def _relate_columns(
    read_codes: Callable[[], Iterable[Any]],
    columns: Indices,
    counts: list[NDArray[np.intp]],
    budget: int,
) -> Information:
    def chosen() -> Iterator[Any]:
        return (codes[:, columns] for codes in read_codes())

    there = [counts[j] for j in columns]
    matrix = information_matrix(chosen, there, budget=budget) if there else np.zeros((0, 0))
    return make_information(matrix, there, int(counts[0].sum()))


def relate_parts(
    parts: CodedParts,
    coding: Coding,
    columns: Indices,
    counts: list[NDArray[np.intp]],
    budget: int = MAX_COUNT_BYTES,
) -> Information:
    """Relate columns with each other where the parts of a table are."""
    there = [counts[j] for j in columns]
    count = partial(parts.count_pairs, coding, columns)
    matrix = np.zeros((0, 0))
    if there:
        matrix = relate_pairs(count, there, budget=budget, tile_budget=_MAX_TILE_BYTES)
    return make_information(matrix, there, int(counts[0].sum()))


def find_identifiers(coding: Coding, bins: int, insist: Collection[int]) -> dict[int, str]:
    """Find texts with fewer than five rows for each value: they seem to predict every column."""
    return {
        j: f"looks like an identifier, {len(levels):,} distinct values in {coding.n_rows:,} rows"
        for j, levels in coding.levels.items()
        if looks_like_identifier(len(levels), coding.n_rows, bins) and j not in insist
    }


def _hold_codes(
    read: Callable[[], Iterable[Any]], coding: Coding, held: int
) -> Callable[[], Iterable[Any]]:
    """Keep the codes in memory if they fit."""
    if coding.n_rows * len(coding.sizes) * coding.dtype.itemsize > held:
        return read
    kept = list(read())
    return lambda: kept


def _check_width(d: int, label: str) -> None:
    if d > _MAX_PAIRED_COLUMNS:
        raise TamisError(
            f"{label} has {d:,} columns, whose pairs would take {8e-9 * d * d:.0f} GB: choose at "
            f"most {_MAX_PAIRED_COLUMNS:,} with {spell_name('columns')}, "
            "or take a linear method such as sfs."
        )
