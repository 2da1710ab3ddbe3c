"""A table with rows and columns in the order of clusters, small enough to be drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from tamis.numerics.types import Floats, Indices

_ACROSS, _DOWN = 160, 96  # most bins of rows and of columns
_FULL = 2.0  # standard deviations that have the full colour

Part = tuple[Indices, Indices]


@dataclass(frozen=True, eq=False)
class Picture:
    """Mean values of bins of rows (across) and columns (down), and where the clusters lie.

    Attributes
    ----------
    values
        In hundredths of the full colour, -100 to 100.
    rows, columns
        The members of every bin.
    frames
        For every cluster the rectangles it fills, as first and last bin (exclusive) across and
        down.
    """

    values: Indices = field(repr=False)
    rows: list[Indices]
    columns: list[Indices]
    frames: list[list[tuple[int, int, int, int]]]

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Give it as plain values, columns by name."""
        return {
            "values": self.values.tolist(),
            "columns": [_list_names([names[j] for j in members]) for members in self.columns],
            "frames": [[list(frame) for frame in frames] for frames in self.frames],
            "full": _FULL,
            "rows_each": max(map(len, self.rows)),
            "columns_each": max(map(len, self.columns)),
        }


def picture_of(rows: Floats, clusters: Sequence[Part]) -> Picture:
    """Order the rows and the columns by the clusters they belong to, and average them in bins."""
    across = _bins([part[0] for part in clusters], rows.shape[0], _ACROSS)
    down = _bins([part[1] for part in clusters], rows.shape[1], _DOWN)
    spread = np.sqrt(np.square(rows).mean(axis=0))
    means = np.stack([rows[members].mean(axis=0) for members in across]) / spread
    cells = np.stack([means[:, members].mean(axis=1) for members in down])
    values = np.clip(np.rint(100 / _FULL * cells), -100, 100).astype(np.intp)
    frames = [
        [
            (x[0], x[-1] + 1, y[0], y[-1] + 1)
            for y in _runs(_list_member_bins(down, part[1]))
            for x in _runs(_list_member_bins(across, part[0]))
        ]
        for part in clusters
    ]
    return Picture(values, across, down, frames)


def _bins(groups: Sequence[Indices], size: int, most: int) -> list[Indices]:
    """Sort the members by the groups they are in and cut them into bins, none across groups.

    >>> [b.tolist() for b in _bins([np.array([1, 3]), np.array([3, 4])], 6, 9)]
    [[1], [3], [4], [0], [2], [5]]
    """
    member = np.zeros((len(groups), size), dtype=bool)
    for i, group in enumerate(groups):
        member[i, group] = True
    order = _by_membership(member)
    pattern = member[:, order]
    starts = np.flatnonzero(np.r_[True, (pattern[:, 1:] != pattern[:, :-1]).any(axis=0)])
    runs = np.split(order, starts[1:])
    others = runs.pop() if len(groups) and not pattern[:, -1].any() and size > most else None
    room = most if others is None else most - most // 4  # members of no group share the rest
    each = max(1, sum(map(len, runs)) // room)
    while sum(-(-len(run) // each) for run in runs) > max(room, len(runs)):
        each += 1
    bins = [part for run in runs for part in np.array_split(run, -(-len(run) // each))]
    if others is not None:
        share = min(max(most // 4, len(bins)), most - len(bins), len(others))
        bins += np.array_split(others, max(share, 1))
    return bins


def _by_membership(member: Indices) -> Indices:
    """Sort by the first group, then by the others; members of none come last."""
    size = member.shape[1]
    if not len(member):
        return np.arange(size)
    first = np.where(member.any(axis=0), member.argmax(axis=0), len(member))
    return np.lexsort((*member[::-1], first))


def _list_member_bins(bins: Sequence[Indices], members: Indices) -> Indices:
    """List the bins that hold members of a cluster."""
    return np.flatnonzero(np.isin([one[0] for one in bins], members))


def _runs(places: Indices) -> Iterator[list[int]]:
    """Split into runs of neighbours."""
    for _, run in groupby(enumerate(places.tolist()), lambda pair: pair[1] - pair[0]):
        yield [place for _, place in run]


def _list_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} columns"
