"""The levels of text in summaries: kept when a table is read, aligned, pooled when all is known."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.stored_levels import StoredCategory
from tamis.sources.stored_summary import MomentArrays, StoredSummary
from tamis.statistics.category_levels import MISSING_LEVEL, OTHER, Levels, pool_levels, refuse
from tamis.statistics.columns_met import ColumnsMet
from tamis.statistics.encoding import Encoding

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


def keep_levels(met: ColumnsMet, names: Sequence[str], *, mark_missing: bool) -> Encoding:
    """Give every level a column, the most common where there are too many.

    Refused are keys: of these every value is another.
    """
    levels: dict[int, Levels] = {}
    refused: dict[int, str] = {}
    for j, counts in met.counts.items():
        many = len(counts) > MAX_STORED_LEVELS
        why = refuse(counts, pool_levels(counts, met.absent[j], met.n_rows), met.n_rows)
        if not counts or (many and why is not None):
            refused[j] = why or "without any value"
        else:
            common = sorted(counts, key=lambda level: (-counts[level], level))
            levels[j] = KeptLevels(tuple(sorted(common[:MAX_STORED_LEVELS])), pooled=many)
    return Encoding(tuple(names), levels, refused, dict(met.absent), {}, mark_missing)


def list_categories(encoding: Encoding, met: ColumnsMet) -> tuple[StoredCategory, ...]:
    """Give the categories of a table whose levels are kept, with the rows of each level."""
    found = []
    for j, levels in encoding.levels.items():
        counts = [met.counts[j][level] for level in levels.common]
        others = met.counts[j].total() - sum(counts)
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
    return replace(
        stored,
        names=names,
        kinds=tuple(stored.kinds[j] for j in places),
        absent=stored.absent[places],
        blocks=tuple(_map_block(block, T, np.zeros(len(names)), places) for block in stored.blocks),
        categories=categories,
    )


def _join_levels(mine: StoredCategory, other: StoredCategory) -> StoredCategory:
    """Give the levels of both, with the rows of these alone."""
    counts = dict(zip(mine.levels, mine.counts, strict=True))
    levels = tuple(sorted({*mine.levels, *other.levels}))
    own = tuple(counts.get(level, 0) for level in levels)
    has_other = mine.has_other or other.has_other
    return StoredCategory(mine.name, levels, own, mine.others, has_other)


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
        why = refuse(counts, pooled, stored.rows)
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
    return _map_summary(stored, encoding, np.array(rows), np.array(constant)), encoding


def _map_summary(
    stored: StoredSummary, encoding: Encoding, rows: Floats, constant: Floats
) -> StoredSummary:
    """Give the summary of the encoded columns: `rows` times those stored, and a constant."""
    first = np.array([stored.table[encoding.names[j]][0] for j in encoding.used])
    at = np.repeat(first, encoding.groups.sizes)
    return replace(
        stored,
        names=encoding.encoded_names,
        kinds=tuple(stored.kinds[j] for j in at),
        absent=stored.absent[at],
        blocks=tuple(_map_block(block, rows, constant, at) for block in stored.blocks),
        categories=(),
    )


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
        elif level == OTHER:
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
    rows = _level_rows(stored)
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
    return replace(
        stored,
        names=tuple(names),
        kinds=tuple(stored.kinds[j] for j in at),
        absent=stored.absent[at],
        blocks=tuple(_map_block(block, T, np.zeros(len(T)), at) for block in stored.blocks),
        categories=tuple(categories),
    )


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


def _level_rows(stored: StoredSummary) -> Any:
    """Count the rows of every level that are in use."""
    return np.rint(sum(block.count * block.mean for block in stored.blocks))


def shows_levels(stored: StoredSummary, least: int) -> bool:
    """Whether every level has at least so many rows in each block, or none."""
    places = [j for one in stored.categories for j in stored.table[one.name]]
    rows = np.rint([block.count * block.mean[places] for block in stored.blocks])
    return bool(((rows == 0) | (rows >= least)).all())
