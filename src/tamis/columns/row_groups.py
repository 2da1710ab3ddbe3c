"""Columns that are known in the same rows, with their correlations: among these sums are sought."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tamis.numerics.types import Floats, Indices

__all__ = ["GroupCorrelations", "KnownRows", "group_by_rows"]

MAX_PRODUCTS = 2_000_000_000  # multiplications spent on the correlations of columns


class GroupCorrelations(NamedTuple):
    """GroupCorrelations of columns, how much these vary, and how large they are, as lengths."""

    gram: Floats
    lengths: Floats
    sizes: Floats


@dataclass(frozen=True, eq=False)
class KnownRows:
    """Rows of a table, the columns that are known in all of them, and among these the targets.

    Targets are missing in all other rows.
    """

    table: Floats
    rows: Indices
    columns: Indices
    targets: Indices

    def take_values(self) -> Floats:
        """Take the rows and columns; a table without missing values is not copied."""
        if len(self.columns) == self.table.shape[1]:
            whole = len(self.rows) == len(self.table)
            return self.table if whole else self.table.take(self.rows, axis=0)
        return self.table[np.ix_(self.rows, self.columns)]

    @cached_property
    def correlations(self) -> GroupCorrelations:
        """The correlations, 0 where a column is constant; found once for all who ask."""
        values = self.take_values()
        sizes = np.abs(values).max(axis=0) * np.sqrt(len(values))
        centred = values - values.mean(axis=0)
        lengths = np.sqrt(np.einsum("ij,ij->j", centred, centred))
        centred /= np.where(lengths > 0.0, lengths, 1.0)
        return GroupCorrelations(centred.T @ centred, lengths, sizes)


def group_by_rows(values: Floats) -> Iterator[KnownRows]:
    """Yield the groups, those with many targets first, until the work is too much.

    >>> table = np.ones((9, 4))
    >>> table[:2, 3] = np.nan
    >>> [(one.rows.tolist()[0], one.targets.tolist()) for one in group_by_rows(table)]
    [(0, [0, 1, 2]), (2, [3])]
    """
    known = np.isfinite(values)
    groups: dict[bytes, list[int]] = {}
    for j, packed in enumerate(np.packbits(known.T, axis=1)):
        groups.setdefault(packed.tobytes(), []).append(j)
    spent = 0
    for group in sorted(groups.values(), key=lambda one: (-len(one), one[0])):
        rows = np.flatnonzero(known[:, group[0]])
        columns = np.flatnonzero(known[rows].all(axis=0)) if len(rows) else rows
        if len(columns) < 3 or len(rows) <= len(columns):
            continue
        spent += len(rows) * len(columns) ** 2
        if spent > MAX_PRODUCTS:
            return
        yield KnownRows(values, rows, columns, np.flatnonzero(np.isin(columns, group)))
