"""Summaries put together: columns matched by name, blocks of rows by number."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from math import gcd
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.errors import TamisError, spell, spell_name
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.kinds import MISSING_LEVEL, OTHER_LEVEL, Kind
from tamis.sources.stored_summary import MomentArrays, StoredCategory, StoredSummary, mark_empty
from tamis.statistics.encoding import ColumnsSeen, Encoding, Levels, pool_levels, refuse
from tamis.statistics.moments import Moments
from tamis.values import dataclass

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
        categories=tuple(
            replace(
                one,
                counts=tuple(x + y for x, y in zip(one.counts, other.counts, strict=True)),
                others=one.others + other.others,
            )
            for one, other in zip(a.categories, b.categories, strict=True)
        ),
        keys=tuple(name for name in a.keys if name in b.keys),
    )


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
            f"{spell('missing', MissingPolicy.filling(takes_text=False))} and all columns named by "
            f"{spell_name('columns')}, and they count as missing there."
        )
    raise TamisError(
        f"The summaries have different columns ({'; '.join(said)}): make them of the same "
        f"columns, with {spell_name('columns')}."
    )


def _list_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(map(repr, names[:_LISTED])) + more


MAX_STORED_LEVELS = 200  # of a column of text, each with a column of its own
_NO_VARIANCE = 1e-6  # of sums of 0 and 1: any other is at least a half


@dataclass(frozen=True)
class KeptLevels(Levels):
    """Levels that all have a column, also where there are two; a missing value is 0 in all."""

    @property
    def width(self) -> int:
        """How many columns stand for it."""
        return len(self.names)

    def encode(self, values: Any, *, mark_missing: bool = False) -> Floats:
        """Mark the level of every value with 1 (rows x width); NaN for missing ones if asked."""
        codes = pc.index_in(values, value_set=pa.array(self.common, values.type))
        codes = np.asarray(codes.fill_null(len(self.common)))
        if values.null_count:
            codes = np.where(np.asarray(values.is_null()), -1, codes)
        encoded = np.asarray(codes[:, None] == np.arange(self.width), dtype=np.float64)
        if mark_missing and values.null_count:
            encoded[np.asarray(values.is_null()), 0] = np.nan
        return encoded


def keep_levels(seen: ColumnsSeen, names: Sequence[str], *, mark_missing: bool) -> Encoding:
    """Give every level a column, the most common where there are too many.

    Refused are keys: of these every value is another.
    """
    levels: dict[int, Levels] = {}
    refused: dict[int, str] = {}
    for j, counts in seen.counts.items():
        many = len(counts) > MAX_STORED_LEVELS
        why = refuse(counts, pool_levels(counts, seen.absent[j], seen.n_rows))
        if not counts or (many and why is not None):
            refused[j] = why or "without any value"
        else:
            common = sorted(counts, key=lambda level: (-counts[level], level))
            levels[j] = KeptLevels(tuple(sorted(common[:MAX_STORED_LEVELS])), pooled=many)
    return Encoding(tuple(names), levels, refused, dict(seen.absent), {}, mark_missing)


def list_categories(encoding: Encoding, seen: ColumnsSeen) -> tuple[StoredCategory, ...]:
    """Give the categories of a table whose levels are kept, with the rows of each level."""
    found = []
    for j, levels in encoding.levels.items():
        counts = [seen.counts[j][level] for level in levels.common]
        others = seen.counts[j].total() - sum(counts)
        category = (encoding.names[j], levels.common, tuple(counts), others, levels.pooled)
        found.append(StoredCategory(*category))
    return tuple(found)


def name_columns(encoding: Encoding, categories: Sequence[StoredCategory]) -> tuple[str, ...]:
    """Give the names under which the columns of an encoding are kept."""
    columns = {one.name: one.columns for one in categories}
    names = [columns.get(name, (name,)) for name in (encoding.names[j] for j in encoding.used)]
    every = tuple(column for own in names for column in own)
    twice = [name for name, count in Counter(every).items() if count > 1]
    if twice:
        raise TamisError(
            f"The summary needs the name {twice[0]!r} for a level of a column of text, and another "
            "column has it: rename that one."
        )
    return every


def align_levels(stored: StoredSummary, other: StoredSummary) -> StoredSummary:
    """Give every level of the other summary a column here, too; no row has it."""
    theirs = {one.name: one for one in other.categories}
    mine = {one.name for one in stored.categories}
    if mine != theirs.keys():
        name = sorted(mine ^ theirs.keys())[0]
        raise TamisError(
            f"Column {name!r} holds text in one of the summaries and numbers in the other: make "
            "both of columns of the same kind."
        )
    categories = tuple(_join_levels(one, theirs[one.name]) for one in stored.categories)
    columns = {one.name: one.columns for one in categories}
    names = tuple(column for name in stored.table for column in columns.get(name, (name,)))
    if names == stored.names:
        return replace(stored, categories=categories)
    place = {name: j for j, name in enumerate(stored.names)}
    at = np.array([place.get(name, -1) for name in names])
    T = np.asarray(at[:, None] == np.arange(len(stored.names)), dtype=np.float64)
    first = {name: places[0] for name, places in stored.table.items()}
    owner = {column: one.name for one in categories for column in one.columns}
    places = np.array([first[owner.get(name, name)] for name in names])
    return _map_columns(stored, names, T, np.zeros(len(names)), places, categories)


def _join_levels(mine: StoredCategory, other: StoredCategory) -> StoredCategory:
    """Give the levels of both, with the rows of these alone."""
    counts = dict(zip(mine.levels, mine.counts, strict=True))
    levels = tuple(sorted({*mine.levels, *other.levels}))
    own = tuple(counts.get(level, 0) for level in levels)
    has_other = mine.has_other or other.has_other
    return StoredCategory(mine.name, levels, own, mine.others, has_other)


def _map_columns(
    stored: StoredSummary,
    names: tuple[str, ...],
    T: Floats,
    constant: Floats,
    places: Any,
    categories: tuple[StoredCategory, ...] = (),
) -> StoredSummary:
    """Give the summary of the columns Tx + constant; `places` have their kind and unit."""
    return replace(
        stored,
        names=names,
        kinds=tuple(stored.kinds[j] for j in places),
        absent=stored.absent[places],
        blocks=tuple(_map_block(block, T, constant, places) for block in stored.blocks),
        categories=categories,
    )


def _map_block(block: MomentArrays, T: Floats, constant: Floats, places: Any) -> MomentArrays:
    """Give the moments of the columns Tx + constant, of which `places` have the unit."""
    scatter = T @ block.scatter @ T.T
    # What is only rounding of sums of 0 and 1 is no variance.
    flat = (np.diagonal(scatter) < _NO_VARIANCE) & (np.count_nonzero(T, axis=1) > 1)
    scatter[flat] = scatter[:, flat] = 0.0
    constant = constant if block.count else np.zeros(len(constant))
    mean = T @ block.mean + constant
    return MomentArrays(block.count, mean, scatter, T @ block.rest, block.unit[places])


def settle_levels(stored: StoredSummary) -> tuple[StoredSummary, Encoding]:
    """Pool the rare levels of a summary as those of a table, once all its rows are in it."""
    table = stored.table
    done = [MissingPolicy(word) for word in stored.missing]
    known = {one.name: one for one in stored.categories}
    levels, refused, absent, rare = {}, {}, {}, {}
    rows: list[Floats] = []
    constant: list[float] = []
    for j, (name, places) in enumerate(table.items()):
        category = known.get(name)
        if category is None:
            rows.append(np.eye(len(stored.names))[places[0]])
            constant.append(0.0)
            continue
        counts = +Counter(dict(zip(category.levels, category.counts, strict=True)))
        absent[j] = int(stored.absent[places[0]])
        kinds = len(counts) + bool(category.others)
        alone = any(one.makes_level(kinds) for one in done)
        pooled = pool_levels(counts, absent[j] if alone else 0, stored.rows, category.others)
        why = refuse(counts, pooled)
        if why is not None:
            refused[j] = why
            continue
        levels[j] = pooled
        if pooled.pooled:
            rare[j] = len(counts) - len(pooled.common)
        fills = bool(absent[j]) and not pooled.missing
        for row, add in _pool_rows(category, pooled, places, len(stored.names), fills=fills):
            rows.append(row)
            constant.append(add)
    encoding = Encoding(tuple(table), levels, refused, absent, {}, True, rare)
    first = np.array([table[encoding.names[j]][0] for j in encoding.used])
    at, names = np.repeat(first, encoding.groups.sizes), encoding.encoded_names
    return _map_columns(stored, names, np.array(rows), np.array(constant), at), encoding


def _pool_rows(
    category: StoredCategory, levels: Levels, places: Sequence[int], width: int, *, fills: bool
) -> list[tuple[Floats, float]]:
    """Say how the columns of the pooled levels follow from those that are kept.

    With `fills` missing values, which are 0 in all of these, become the share of each level.
    """
    counts = dict(zip(category.levels, category.counts, strict=True))
    filled = max(sum(category.counts) + category.others, 1)
    at = dict(zip(category.levels, places, strict=False))
    gone = np.zeros(width)  # 1 less all levels: missing values
    gone[list(places)] = -1.0
    found: list[tuple[Floats, float]] = []
    for level in levels.names[: levels.width]:
        row, add, share = np.zeros(width), 0.0, 0.0
        if level in at and level in levels.common:
            row[at[level]], share = 1.0, counts[level] / filled
        elif level == MISSING_LEVEL:
            row, add = gone, 1.0
        elif level == OTHER_LEVEL:
            row[[j for j in places if j not in {at[one] for one in levels.common}]] = 1.0
            share = 1.0 - sum(counts[one] for one in levels.common) / filled
        if fills:
            row, add = row + share * gone, share
        found.append((row, add))
    return found


def pool_rare(stored: StoredSummary, least: int) -> StoredSummary:
    """Put levels of fewer than so many rows together, until they have as many."""
    if least <= 1 or not stored.categories:
        return stored
    rows = np.rint(sum(block.count * block.mean for block in stored.blocks))
    names: list[str] = []
    groups: list[list[int]] = []
    categories: list[StoredCategory] = []
    known = {one.name: one for one in stored.categories}
    for name, places in stored.table.items():
        if name not in known:
            names, groups = [*names, name], [*groups, list(places)]
            continue
        category, pooled = _pool_category(known[name], places, rows, least)
        categories.append(category)
        kept = [[j] for j in places[: len(known[name].levels)] if j not in pooled]
        names += category.columns
        groups += [*kept, pooled] if category.has_other else kept
    T = np.array([np.isin(np.arange(len(stored.names)), group) for group in groups], dtype=float)
    at = np.array([group[0] for group in groups])
    return _map_columns(stored, tuple(names), T, np.zeros(len(T)), at, tuple(categories))


def _pool_category(
    category: StoredCategory, places: Sequence[int], rows: Any, least: int
) -> tuple[StoredCategory, list[int]]:
    """Give a category without its rare levels, and the columns that are put together."""
    levels = sorted(
        zip(places, category.levels, category.counts, strict=False), key=lambda one: rows[one[0]]
    )
    pooled = list(places[len(category.levels) :])
    while levels and (rows[levels[0][0]] < least or 0 < rows[pooled].sum() < least):
        pooled.append(levels.pop(0)[0])
    left = sorted((level, count) for _, level, count in levels)
    others = category.others + sum(category.counts) - sum(count for _, count in left)
    names, counts = tuple(level for level, _ in left), tuple(count for _, count in left)
    return StoredCategory(category.name, names, counts, others, bool(pooled)), pooled


def shows_levels(stored: StoredSummary, least: int) -> bool:
    """Whether every level has at least so many rows in each block, or none."""
    places = [j for one in stored.categories for j in stored.table[one.name]]
    rows = np.rint([block.count * block.mean[places] for block in stored.blocks])
    return bool(((rows == 0) | (rows >= least)).all())
