"""Totals that are right in nearly all rows: the others were added up wrongly, or changed later."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from tamis.columns.relation import Relation
from tamis.columns.row_groups import KnownRows
from tamis.columns.sums import find_unexplained, is_telling, pursue_parts, solve_for
from tamis.numerics.types import Floats

__all__ = ["find_broken_sums"]

MIN_RIGHT = 0.97  # of the rows
MAX_BROKEN_COLUMNS = 400  # of which totals are looked for
MAX_LEFT = 2e-2  # share of its variance that wrong rows may leave of a total
_LEVELS = tuple(np.geomspace(MAX_LEFT, 1e-4, 40))  # at which the sum is tried
_REACHED_LEFT = 0.5  # of what all others leave of a column: parts never leave less
_EXACT_LEFT = 1e-5  # what is less is an exact sum, or none
_MINOR_PART = 0.3  # of what parts usually add: wrong rows alone give others a weight


def find_broken_sums(groups: Iterable[KnownRows], names: Sequence[str]) -> list[Relation]:
    """Find columns that are sums or differences of others, but for a few rows.

    Examples
    --------
    >>> from tamis.columns.row_groups import group_by_rows
    >>> items = np.random.default_rng(0).integers(1, 6, (200, 4)).astype(float)
    >>> table = np.column_stack([items, items.sum(axis=1)])
    >>> table[3, 4] += 2
    >>> (found,) = find_broken_sums(group_by_rows(table), ["a", "b", "c", "d", "total"])
    >>> found.column, found.parts, found.exceptions
    ('total', {'a': 1.0, 'b': 1.0, 'c': 1.0, 'd': 1.0}, 1)
    """
    found: dict[int, Relation] = {}
    for group in groups:
        if len(group.columns) > MAX_BROKEN_COLUMNS:
            continue
        for target, parts, weights, constant, wrong in _find_in(group, len(names)):
            members = [int(group.columns[j]) for j in (target, *parts)]
            left, terms, rest = solve_for(members, (-1.0, *weights), constant)
            shown = {names[j]: terms[j] for j in sorted(terms)}
            relation = Relation(names[left], "linear", shown, rest, rows=len(group.rows))
            found.setdefault(left, replace(relation, exceptions=wrong))
    return list(found.values())


def _find_in(
    group: KnownRows, width: int
) -> Iterator[tuple[int, list[int], list[float], float, int]]:
    gram, lengths, _ = group.correlations
    if not lengths.all():
        return
    left = find_unexplained(gram)
    every = np.arange(len(gram))
    searched = [j for j in group.targets.tolist() if _EXACT_LEFT < left[j] <= MAX_LEFT]
    values = group.take_values() if searched else np.zeros((0, 0))
    for target in searched:
        reached = [level for level in _LEVELS if level > _REACHED_LEFT * left[target]]
        for parts in pursue_parts(gram, target, every, reached):
            shares = np.linalg.solve(gram[np.ix_(parts, parts)], gram[parts, target])
            weights = np.asarray(shares * lengths[target] / lengths[parts], dtype=np.float64)
            found = _check_rows(values, target, parts, weights, lengths[parts])
            if found is not None and is_telling(values[:, target], len(found[0]), width):
                yield target, *found
                break


def _check_rows(
    values: Floats, target: int, parts: Sequence[int], weights: Floats, lengths: Floats
) -> tuple[list[int], list[float], float, int] | None:
    """Add up with the nearest weights of 1 and -1, and count the rows in which that is wrong.

    `weights` are those of the parts by least squares, `lengths` how much these vary.
    """
    whole = values[:, target]
    carried = np.abs(weights) * lengths
    found = np.rint(np.where(carried >= _MINOR_PART * np.median(carried), weights, 0.0))
    used = [(j, float(w)) for j, w in zip(parts, found, strict=True) if w]
    if len(used) < 2 or any(abs(w) != 1.0 for _, w in used):
        return None
    columns, signs = [j for j, _ in used], [w for _, w in used]
    rest = whole - values[:, columns] @ np.array(signs)
    constant = float(np.median(rest))
    size = float(np.abs(values[:, [target, *columns]]).max())
    wrong = int(np.count_nonzero(np.abs(rest - constant) > 1e-9 * size * len(columns)))
    if wrong == 0 or wrong > (1 - MIN_RIGHT) * len(whole):
        return None
    return columns, signs, constant, wrong
