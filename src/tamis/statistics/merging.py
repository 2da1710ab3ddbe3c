"""Summaries put together: columns matched by name, blocks of rows by number."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from math import gcd
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell, spell_name
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.info import Kind
from tamis.sources.stored_levels import StoredCategory
from tamis.sources.stored_summary import MomentArrays, StoredSummary, mark_empty
from tamis.statistics.level_columns import align_levels, pool_rare, shows_levels
from tamis.statistics.moments import Moments

_LISTED = 5
_MAX_SUMMARY_ROWS = 2**62  # a file with more of them is refused


def as_arrays(moments: Moments) -> MomentArrays:
    """Give moments as plain arrays, every vector in full length."""
    d = len(moments.mean)
    rest, unit = (np.broadcast_to(one, d).copy() for one in (moments.rest, moments.unit))
    return MomentArrays(int(moments.count), moments.mean, moments.scatter, rest, unit)


def as_moments(arrays: MomentArrays) -> Moments:
    """Give plain arrays as moments."""
    return Moments(arrays.count, arrays.mean, arrays.scatter, arrays.rest, arrays.unit)


def choose_columns(stored: StoredSummary, columns: Sequence[int]) -> StoredSummary:
    """Give the summary of these columns of the table only, in this order."""
    table = list(stored.table.items())
    if list(columns) == list(range(len(table))):
        return stored
    chosen = [table[j] for j in columns]
    at = np.array([place for _, places in chosen for place in places], dtype=np.intp)
    known = {one.name: one for one in stored.categories}
    blocks = (
        MomentArrays(b.count, b.mean[at], b.scatter[np.ix_(at, at)], b.rest[at], b.unit[at])
        for b in stored.blocks
    )
    return replace(
        stored,
        names=tuple(stored.names[j] for j in at),
        kinds=tuple(stored.kinds[j] for j in at),
        absent=stored.absent[at],
        blocks=tuple(blocks),
        categories=tuple(known[name] for name, _ in chosen if name in known),
        keys=tuple(name for name, _ in chosen if name in stored.keys),
    )


def add_blocks(stored: StoredSummary) -> Moments:
    """Give the moments of all rows."""
    return reduce(Moments.merge, map(as_moments, stored.blocks))


def merge_summaries(a: StoredSummary, b: StoredSummary) -> StoredSummary:
    """Give the summary of the rows of both, which have the same columns, matched by name."""
    position = {name: j for j, name in enumerate(b.table)}
    b = choose_columns(b, [position[name] for name in a.table])
    a, b = align_levels(a, b), align_levels(b, a)
    if max(a.rows + b.rows, a.parts + b.parts) >= _MAX_SUMMARY_ROWS:
        raise TamisError("The summaries have too many rows to be counted: one of them is wrong.")
    n_blocks = gcd(len(a.blocks), len(b.blocks))
    mine, theirs = (
        fold_blocks(one, n_blocks).blocks for one in (_fill_empty(a, b), _fill_empty(b, a))
    )
    return StoredSummary(
        a.names,
        tuple(map(_common_kind, a.kinds, b.kinds, mark_empty(a), mark_empty(b))),
        a.named and b.named,
        a.rows + b.rows,
        a.absent + b.absent,
        tuple(sorted({*a.missing, *b.missing})),
        tuple(
            as_arrays(as_moments(x).merge(as_moments(y))) for x, y in zip(mine, theirs, strict=True)
        ),
        a.parts + b.parts,
        inputs=tuple(sorted({*a.inputs, *b.inputs})),
        least=max(a.least, b.least),
        categories=tuple(map(_add_counts, a.categories, b.categories)),
        keys=tuple(name for name in a.keys if name in b.keys),
    )


def _add_counts(a: StoredCategory, b: StoredCategory) -> StoredCategory:
    """Give a category with the rows of both, of which the levels are the same."""
    counts = tuple(mine + other for mine, other in zip(a.counts, b.counts, strict=True))
    return replace(a, counts=counts, others=a.others + b.others)


def _common_kind(mine: Kind, other: Kind, mine_empty: bool, other_empty: bool) -> Kind:
    if mine_empty or other_empty:
        return other if mine_empty else mine
    return mine if mine == other else "numeric"


def _fill_empty(stored: StoredSummary, other: StoredSummary) -> StoredSummary:
    """Fill columns that have no value in these rows with the means of the other rows.

    So they move neither the mean nor the scatter of what is known.
    """
    empty = mark_empty(stored)
    if not empty.any():
        return stored
    known = as_arrays(add_blocks(other))
    blocks = (
        replace(
            block,
            mean=np.where(empty, known.mean, block.mean),
            rest=np.where(empty, known.rest, block.rest),
            unit=np.where(empty, known.unit, block.unit),
        )
        for block in stored.blocks
    )
    return replace(stored, blocks=tuple(blocks))


def add_empty(stored: StoredSummary, names: Sequence[str]) -> StoredSummary:
    """Give the summary of these columns; those that it does not have had no value in any row."""
    at = [j for j, name in enumerate(names) if name in set(stored.names)]
    kinds: list[Kind] = ["numeric"] * len(names)
    for j, kind in zip(at, stored.kinds, strict=True):
        kinds[j] = kind
    absent = np.full(len(names), stored.rows, dtype=np.int64)
    absent[at] = stored.absent
    blocks = (_widen(block, len(names), at) for block in stored.blocks)
    return replace(
        stored, names=tuple(names), kinds=tuple(kinds), absent=absent, blocks=tuple(blocks)
    )


def _widen(block: MomentArrays, width: int, at: Sequence[int]) -> MomentArrays:
    mean, rest, unit = np.zeros(width), np.zeros(width), np.ones(width)
    mean[at], rest[at], unit[at] = block.mean, block.rest, block.unit
    scatter = np.zeros((width, width))
    scatter[np.ix_(at, at)] = block.scatter
    return MomentArrays(block.count, mean, scatter, rest, unit)


def fold_blocks(stored: StoredSummary, n_blocks: int) -> StoredSummary:
    """Put blocks together until so many are left, a divisor of their number.

    The block of a row is a hash modulo their number, so it is then the hash modulo the new one.
    """
    if n_blocks == len(stored.blocks):
        return stored
    parts = (map(as_moments, stored.blocks[i::n_blocks]) for i in range(n_blocks))
    return replace(stored, blocks=tuple(as_arrays(reduce(Moments.merge, part)) for part in parts))


def limit_blocks(stored: StoredSummary, least: int) -> StoredSummary:
    """Put blocks together until each has at least so many rows, or none.

    Where missing values were filled, so many values of every column must be in it: as it is not
    known which block lacks them, all could be of one block.
    """
    least = max(least, stored.least)
    stored = pool_rare(stored, least)
    filled = int(stored.absent.max(initial=0)) if _was_filled(stored) else 0
    count = len(stored.blocks)
    for n_blocks in (n for n in range(count, 1, -1) if count % n == 0):
        rows = np.array([sum(b.count for b in stored.blocks[i::n_blocks]) for i in range(n_blocks)])
        if (rows[rows > 0] - (filled if least > 1 else 0) >= least).all():
            folded = replace(fold_blocks(stored, n_blocks), least=least)
            if shows_levels(folded, least):
                return folded
    return replace(fold_blocks(stored, 1), least=least)


def _was_filled(stored: StoredSummary) -> bool:
    """Whether missing values were filled in any of the tables that went into it."""
    return any(MissingPolicy(word).fills for word in stored.missing)


def fewest_values(stored: StoredSummary) -> tuple[str, int]:
    """Give the column with the fewest values in the rows that count, and their number.

    A column without any value gives nothing away.
    """
    absent = np.where(mark_empty(stored), 0, stored.absent)
    filled = absent if _was_filled(stored) else np.zeros_like(absent)
    column = int(filled.argmax())
    name = next(name for name, places in stored.table.items() if column in places)
    return name, max(stored.used - int(filled[column]), 0)


def check_rows_shown(stored: StoredSummary, min_rows: int) -> None:
    """Refuse a summary that shows fewer rows than that, or fewer values of a column."""
    asked = f"{spell('min_rows', min_rows)} asks for more"
    why = "because few rows can be guessed from it"
    if stored.used < min_rows:
        raise TamisError(
            f"The summary is of {stored.used:,} rows and {asked}: nothing is written, {why}."
        )
    column, values = fewest_values(stored)
    if values < min_rows:
        raise TamisError(
            f"The summary is of {values:,} values of column {column!r}, the others are missing, "
            f"and {asked}: skip the column with {spell('exclude', [column])}, {why}."
        )


def check_values_shown(batches: Iterable[Any], names: Sequence[str], min_rows: int) -> None:
    """Refuse a column in which fewer rows than that differ from the value of more than half.

    Its sums with the others are sums of those rows: of one row, they are the row. How many differ
    only grows from row to row, so most columns are settled by the first batch.
    """
    seen: dict[int, Counter[float]] = {j: Counter() for j in range(len(names))}
    for batch in batches:
        for j in list(seen):
            column = batch[:, [j]].toarray() if hasattr(batch, "toarray") else batch[:, [j]]
            values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
            seen[j].update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
            if _count_others(seen[j]) >= min_rows:
                del seen[j]
        if not seen:
            return
    # A constant column gives nothing away; of few values, `check_rows_shown` says more.
    shown = {j: found for j, found in seen.items() if found.total() >= min_rows}
    others = {j: _count_others(found) for j, found in shown.items()}
    few = {j: count for j, count in others.items() if 0 < 2 * count < shown[j].total()}
    if few:
        j, count = next(iter(few.items()))
        raise TamisError(
            f"Column {names[j]!r} has one value in all rows but {count:,}, which could be read off "
            f"the summary, and {spell('min_rows', min_rows)} asks for more: skip it with "
            f"{spell('exclude', [names[j] for j in few])}."
        )


def _count_others(found: Counter[float]) -> int:
    return found.total() - max(found.values(), default=0)


def check_same_columns(
    mine: Sequence[str],
    other: Sequence[str],
    labels: Sequence[str] = ("the first", "the second"),
    empty: Collection[str] = (),
) -> None:
    """Refuse to merge summaries of different columns, and list what only one of them has.

    `empty` are columns that are missing because they had no value.
    """
    known = (set(mine), set(other))
    lost = ([n for n in mine if n not in known[1]], [n for n in other if n not in known[0]])
    said = [
        f"only {x} has {_list_names(names)}" for x, names in zip(labels, lost, strict=True) if names
    ]
    if not said:
        return
    dead = [name for names in lost for name in names if name in empty]
    if dead:
        raise TamisError(
            f"The summaries have different columns ({'; '.join(said)}), as {_list_names(dead)} had "
            "no value at all in one of them: summarise that one with "
            f"{spell('missing', MissingPolicy.MEAN)} and all columns named by "
            f"{spell_name('columns')}, and they count as missing there."
        )
    raise TamisError(
        f"The summaries have different columns ({'; '.join(said)}): make them of the same "
        f"columns, with {spell_name('columns')}."
    )


def _list_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(map(repr, names[:_LISTED])) + more
