"""Cheng and Church's biclusters: values that are a row effect plus a column effect.

Start from the full table; drop rows and columns of large residue until the mean squared residue is
small enough; add back those that fit.
"""

import numpy as np

from tamis.algorithms.local.residue import Part, mean_residue
from tamis.numerics.ties import last_best
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices

_ALPHA = 1.2  # Cheng and Church: drop at once what exceeds the mean residue by this factor
_MANY_LINES = 100  # as long as there are more rows, or columns, than this
_MIN_BICLUSTER_SIDE = 2  # rows and columns: less has no residue


def shrink_and_grow(values: Floats, limit: float) -> tuple[Indices, Indices]:
    """Find rows and columns of mean squared residue at most `limit`.

    Examples
    --------
    >>> table = np.random.default_rng(0).standard_normal((30, 8))
    >>> table[:12, :4] = np.add.outer(np.arange(12.0), [0, 3, 1, 2]) / 4
    >>> rows, columns = shrink_and_grow(table, 1e-9)
    >>> columns, len(rows)
    (array([0, 1, 2, 3]), 12)
    """
    return add_nodes(values, *delete_nodes(values, limit))


def delete_nodes(values: Floats, limit: float) -> tuple[Indices, Indices]:
    """Drop rows and columns, several at once while there are many, then the worst one by one."""
    n, d = values.shape
    part = Part(values, np.arange(n), np.arange(d))
    while part.mean_residue > limit and _drop_many(part):
        pass
    while part.mean_residue > limit:
        worst = [_worst(part, axis) for axis in (0, 1)]
        scores = [score for score, _ in worst]
        axis = int(scores[1] > scores[0] * (1 + TIE))
        if scores[axis] < 0:
            break
        part.remove(axis, worst[axis][1])
    return part.sides[0].members, part.sides[1].members


def _worst(part: Part, axis: int) -> tuple[float, int]:
    """Give the row or column of largest residue; none where no more can leave."""
    scores = part.scores(axis)
    if scores.size <= _MIN_BICLUSTER_SIDE:
        return -1.0, 0
    place = last_best(scores)
    return float(scores[place]), place


def _drop_many(part: Part) -> bool:
    """Drop all rows, then all columns, far above the mean residue; say whether any was."""
    dropped = False
    for axis in (0, 1):
        if part.sides[axis].members.size <= _MANY_LINES:
            continue
        stays = part.scores(axis) <= _ALPHA * part.mean_residue * (1 + TIE)
        if not stays.all() and stays.sum() >= _MIN_BICLUSTER_SIDE:
            members = [side.members for side in part.sides]
            members[axis] = members[axis][stays]
            part.restrict(*members)
            dropped = True
    return dropped


def add_nodes(values: Floats, rows: Indices, columns: Indices) -> tuple[Indices, Indices]:
    """Add columns, then rows, that fit at least as well as the part does, until none is left."""
    while True:
        size = rows.size + columns.size
        columns = _join_columns(values, rows, columns)
        rows = _join_columns(values.T, columns, rows)
        if rows.size + columns.size == size:
            return rows, columns


def _join_columns(values: Floats, rows: Indices, columns: Indices) -> Indices:
    """Give the columns with those whose residue in these rows is at most the mean residue."""
    strip = values[rows]
    inside = strip[:, columns]
    effect = inside.mean(axis=1, keepdims=True) - inside.mean()
    errors = np.square(strip - strip.mean(axis=0) - effect).mean(axis=0)
    fits = errors <= mean_residue(inside) * (1 + TIE)
    fits[columns] = True
    return np.flatnonzero(fits)
