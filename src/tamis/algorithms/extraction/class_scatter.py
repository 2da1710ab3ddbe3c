"""Centred rows, the space they span, and their scatter between and within classes."""

from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
from numpy.typing import NDArray

from tamis.algorithms.projection import LinearProjection, spread_out
from tamis.errors import TamisError
from tamis.numerics.eigen import fix_signs
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import EPS, RANK_TOL
from tamis.statistics.column_spread import centre_rows, compute_level
from tamis.statistics.labels import refuse_missing
from tamis.values import dataclass

SHRINK = 1e-3  # of the mean eigenvalue: added where the classes have no variance within
_DENSE_BYTES = 1 << 31


@dataclass(frozen=True, eq=False)
class CentredRows:
    """Centred rows without constant columns, divided by `scale`.

    `unit` is the root of the mean variance of these columns: what is compared within the table is
    first divided by it.
    """

    mean: Floats
    scale: Floats
    varying: Indices
    rows: Floats
    unit: float

    @classmethod
    def of(cls, table: Any, scale: bool) -> "CentredRows":
        """Centre a table, dense or sparse, in float64."""
        table = dense_rows(table)
        if len(table) < 2:
            raise TamisError("One row has no variance: at least 2 are needed.")
        rows, mean, std = centre_rows(table)
        varying = np.flatnonzero(std)
        if not len(varying):
            raise TamisError("All columns are constant: there are no components to compute.")
        factor = np.where(std > 0, std, 1.0) if scale else np.ones_like(std)
        rows = rows if len(varying) == len(std) else rows[:, varying]
        if scale:
            rows /= factor[varying]
        return cls(mean, factor, varying, rows, 1.0 if scale else compute_level(std))

    def treat_alike(self, table: Any) -> Floats:
        """Treat new rows the same way."""
        rows = dense_rows(table)[:, self.varying] - self.mean[self.varying]
        return rows / self.scale[self.varying]

    @cached_property
    def basis(self) -> Floats | None:
        """Orthonormal directions (d x r) that hold all rows; None while d <= N, where all do."""
        n, d = self.rows.shape
        if d <= n:
            return None
        _, values, right = scipy.linalg.svd(self.rows, full_matrices=False, check_finite=False)
        return right[: int(np.count_nonzero(values > RANK_TOL * values[0]))].T

    @cached_property
    def reduced(self) -> Floats:
        """The rows over `unit` in the coordinates of `basis`: never more columns than rows."""
        rows = self.rows if self.unit == 1.0 else self.rows / self.unit
        return rows if self.basis is None else rows @ self.basis

    @cached_property
    def rounding(self) -> Floats:
        """Bound what rounding does to the length of each column of `reduced` or of its class means.

        Sums of n values are exact to n eps times the values, which lie about the mean of the table.
        """
        n = len(self.rows)
        far = np.sqrt(n) * np.abs(self.mean[self.varying]) / self.scale[self.varying] / self.unit
        bound = n * EPS * (far + 2.0 * np.linalg.norm(self.rows / self.unit, axis=0))
        return bound if self.basis is None else np.abs(self.basis).T @ bound

    def projection(
        self, directions: Floats, values: Floats, shares: Floats, note: str, *, orthonormal: bool
    ) -> LinearProjection:
        """Turn directions (columns, in the coordinates of `reduced`) into a projection."""
        found = directions if self.basis is None else self.basis @ directions
        found = found if orthonormal else found / self.unit
        components = spread_out(fix_signs(found).T, self.varying, len(self.mean))
        back = components if orthonormal else None
        return LinearProjection(values, shares, note, self.mean, self.scale, components, back)


def dense_rows(table: Any) -> NDArray[Any]:
    """Give the rows as an array of floats; refuse a sparse table that would not fit."""
    if not scipy.sparse.issparse(table):
        array = np.asarray(table)
        return array if array.dtype.kind == "f" else array.astype(np.float64)
    n, d = table.shape
    if 8 * n * d > _DENSE_BYTES:
        raise TamisError(
            f"This method needs all {n:,} x {d:,} values, zeros included, in memory: use 'pca', "
            "'lsa' or 'nmf', which keep a table sparse, or fewer columns."
        )
    return np.asarray(table.toarray(), dtype=np.float64)


def no_direction(advice: str) -> TamisError:
    """Say that the classes do not differ."""
    return TamisError(
        "The class means are equal up to rounding, so no direction separates the classes: use "
        f"other columns, or {advice}."
    )


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Which class each row belongs to, as numbers from 0."""

    codes: Indices
    counts: Indices

    @classmethod
    def of(cls, labels: Any, n_rows: int) -> "ClassRows":
        """Give each class a number; refuse labels that do not fit the rows."""
        labels = np.asarray(labels)
        if labels.shape != (n_rows,):
            raise TamisError(
                f"There are {n_rows} rows and labels of the shape {labels.shape}: give one label "
                "for each row."
            )
        refuse_missing(labels.tolist())
        try:
            names, codes = np.unique(labels, return_inverse=True)
        except TypeError:
            names, codes = np.unique(labels.astype(str), return_inverse=True)
        if len(names) < 2:
            raise TamisError("The labels name 1 class: at least 2 are needed.")
        return cls(codes.astype(np.intp), np.bincount(codes).astype(np.intp))

    @property
    def count(self) -> int:
        """Number of classes."""
        return len(self.counts)

    def means(self, rows: Floats) -> Floats:
        """Average the rows of each class."""
        sums = np.zeros((self.count, rows.shape[1]))
        for code in range(self.count):
            sums[code] = rows[self.codes == code].sum(axis=0)
        return sums / self.counts[:, None]

    def scatter_between(self, rows: Floats) -> Floats:
        """Give `H` (classes x columns) with `H'H` the scatter between classes of centred rows."""
        return np.asarray(self.means(rows) * np.sqrt(self.counts)[:, None])

    def within(self, rows: Floats) -> Floats:
        """Give the rows less the mean of their class."""
        return rows - self.means(rows)[self.codes]
