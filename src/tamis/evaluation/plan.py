"""A choice as a plan: measure the kept columns, predict all others from them.

All columns are regressed on the kept ones, with the shrinkage that the search had. A prediction of
a new row is off by its residual and by the error of the weights, which grows with the leverage of
the row: its standard error is `s sqrt(1 + 1/n + leverage)`.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeGuard

import numpy as np

from tamis.algorithms.ridge import choose_ridge
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices
from tamis.statistics.encoding import Encoding
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import GroupedGram, Groups, as_groups
from tamis.statistics.linear import TableSummary
from tamis.statistics.mixed_gram import EncodedSummary

__all__ = ["Plan", "Prediction", "Regression", "has_weights", "make_plan", "regress"]


class Prediction(NamedTuple):
    """Encoded columns of some rows as predicted, and their standard errors (rows x columns)."""

    values: Floats
    errors: Floats


class Regression(NamedTuple):
    """Regressions of all columns of a Gram matrix on some (S), in its own unit.

    `weights` are S x all, `left` is the mean square of what they leave of each column, `inverse` is
    the matrix of the leverage and `freedom` what the regression uses up.
    """

    weights: Floats
    left: Floats
    inverse: Floats
    freedom: float


def regress(gram: Gram, S: Indices, ridge: float, n_rows: int) -> Regression:
    """Regress all columns on some, which may depend on each other.

    With eigenvalues v of `G_SS` the inverse of `G_SS + ridge` has `1 / (v + ridge)`, and the
    weights of n rows have the covariance `s^2 / n` times a matrix with `v / (v + ridge)^2`.
    """
    rows = gram.block(S)
    values, vectors = np.linalg.eigh(rows[:, S])
    useful = values > RANK_TOL * max(float(values[-1]), 0.0)
    values, vectors = values[useful], vectors[:, useful]
    weights = (vectors / (values + ridge)) @ (vectors.T @ rows)
    explained = np.einsum("ij,ij->j", weights, rows)
    fitted = np.einsum("ij,ij->j", weights, rows[:, S] @ weights)
    left = np.maximum(gram.diagonal() - 2 * explained + fitted, 0.0)
    weights[:, S] = np.eye(len(S))
    left[S] = 0.0
    inverse = (vectors * (values / np.square(values + ridge) / n_rows)) @ vectors.T
    return Regression(weights, left, inverse, float((values / (values + ridge)).sum()))


@dataclass(frozen=True, eq=False)
class Plan:
    """What to measure, and how to predict the rest.

    Attributes
    ----------
    encoding
        How the analysed columns are written as numbers; the rest counts these encoded columns.
    kept
        Positions of the kept columns, best first.
    n_rows, freedom
        Rows that the weights were learnt from, and degrees of freedom that they use.
    mean, std
        Of every encoded column; a level that did not vary has the standard deviation 0.
    weights
        Of the encoded columns of the kept ones (in table order) for all, in the unit of the table.
    residual
        Standard deviation of what the weights leave.
    inverse
        The matrix of the leverage, in the unit of the table.
    relation
        Correlation of the kept encoded columns with all.
    relation_spread, kurtosis
        Variance of these correlations times the rows, and kurtosis of every encoded column: how
        far other rows may differ by chance; of normal columns where no more is known.
    importance
        How much of the whole every encoded column is: its variance, as the choice scaled it.
    shares
        Share of every column that the kept ones explain, on held-out rows if `held_out`.
    share
        The same of all columns together.
    drops
        Whether rows with missing values were dropped, and not filled with means.
    missing
        Share of the rows in which each column had no value; None where that is not known.
    """

    encoding: Encoding
    kept: Indices
    n_rows: int
    freedom: float
    mean: Floats = field(repr=False)
    std: Floats = field(repr=False)
    weights: Floats = field(repr=False)
    residual: Floats = field(repr=False)
    inverse: Floats = field(repr=False)
    relation: Floats = field(repr=False)
    relation_spread: Floats = field(repr=False)
    kurtosis: Floats = field(repr=False)
    importance: Floats = field(repr=False)
    shares: Floats = field(repr=False)
    share: float
    held_out: bool = False
    drops: bool = False
    missing: Floats | None = field(default=None, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The analysed columns, in table order."""
        return self.encoding.names

    @property
    def kept_in_order(self) -> Indices:
        """The kept columns in the order of the table."""
        return np.sort(self.kept)

    @property
    def dropped(self) -> Indices:
        """The dropped columns."""
        return np.setdiff1d(np.arange(len(self.names)), self.kept)

    @cached_property
    def groups(self) -> Groups:
        """Which encoded columns stand for each column."""
        return self.encoding.groups

    @cached_property
    def members(self) -> Indices:
        """The encoded columns of the kept ones."""
        return self.groups.members(self.kept_in_order)

    def in_units(self, units: Floats | None) -> "Plan":
        """Give the same for values that are so many times as large, one number for each column."""
        if units is None:
            return self
        every = np.repeat(units, self.groups.sizes)
        own = every[self.members]
        limits = {j: (lo * units[j], hi * units[j]) for j, (lo, hi) in self.encoding.limits.items()}
        return replace(
            self,
            encoding=replace(self.encoding, limits=limits),
            mean=self.mean * every,
            std=self.std * every,
            weights=self.weights * every / own[:, None],
            residual=self.residual * every,
            inverse=self.inverse / np.outer(own, own),
        )

    def predict(self, kept: Floats) -> Prediction:
        """Predict all encoded columns from those of the kept ones, NaN where one is missing.

        A missing or infinite value is taken as the mean; its own variance then adds to that of the
        prediction.
        """
        gone = ~np.isfinite(kept)
        away = np.where(gone, 0.0, kept - self.mean[self.members])
        values = self.mean + away @ self.weights
        leverage = np.einsum("ij,jk,ik->i", away, self.inverse, away)
        square = np.square(self.residual) * (1 + 1 / self.n_rows + leverage)[:, None]
        if gone.any():
            unknown = self.std[self.members, None] * self.weights
            square += gone.astype(np.float64) @ np.square(unknown)
        return Prediction(values, np.sqrt(square))


def has_weights(summary: object, kind: str) -> TypeGuard[TableSummary]:
    """Whether columns can be regressed on others: on exact products of values, not of ranks."""
    if not isinstance(summary, TableSummary) or kind != "pearson":
        return False
    known = summary.statistic
    linear = known is summary.gram or isinstance(known, GroupedGram)
    return linear and known.error is None


def make_plan(
    summary: TableSummary,
    names: tuple[str, ...],
    kept: Indices,
    *,
    ridge: float | None = 0.0,
    drops: bool = False,
) -> Plan:
    """Make the plan of some kept columns; `names` are those of the analysed ones.

    A `ridge` of None is chosen by generalised cross-validation.
    """
    statistic = as_groups(summary.statistic.explained)
    gram, groups = statistic.gram, statistic.groups
    encoding, columns, mean, std = _collect_encoding(summary, names)
    S = groups.members(np.sort(kept))
    if ridge is None:
        ridge = choose_ridge(gram, S, summary.n_rows)
    found = regress(gram, S, ridge, summary.n_rows)
    diagonal = gram.diagonal()
    unit = np.sqrt(diagonal) / std[columns]  # what a column of the table was multiplied with
    free = max(summary.n_rows - 1 - found.freedom, 1.0)
    place = encoding.groups.members(np.sort(kept))
    wide = np.zeros((len(place), len(mean)))
    residual, importance, relation = np.zeros(len(mean)), np.zeros(len(mean)), wide.copy()
    rows = np.searchsorted(place, columns[S])  # a level of a kept column may not vary
    residual[columns] = np.sqrt(found.left * summary.n_rows / free) / unit
    importance[columns] = diagonal
    wide[np.ix_(rows, columns)] = found.weights * unit[S, None] / unit
    relation[np.ix_(rows, columns)] = gram.block(S) / np.sqrt(np.outer(diagonal[S], diagonal))
    inverse = np.zeros((len(place), len(place)))
    inverse[np.ix_(rows, rows)] = found.inverse * np.outer(unit[S], unit[S])
    left, whole = groups.sum_up(found.left), groups.sum_up(diagonal)
    missing = np.asarray(summary.tally.counts)[summary.varying] / max(summary.tally.rows, 1)
    return Plan(
        *(encoding, np.asarray(kept), summary.n_rows, found.freedom, mean, std, wide, residual),
        *(inverse, relation, np.square(1.0 - np.square(relation)), np.full(len(mean), 3.0)),
        *(importance, 1.0 - left / whole),
        float(1.0 - left.sum() / whole.sum()),
        drops=drops,
        missing=missing,
    )


def _collect_encoding(
    summary: TableSummary, names: tuple[str, ...]
) -> tuple[Encoding, Indices, Floats, Floats]:
    """Give the encoding of the analysed columns, which of its columns vary, means and spreads."""
    if not isinstance(summary, EncodedSummary):
        plain = Encoding(names, {}, {}, {})
        used = summary.varying
        return plain, np.arange(len(names)), summary.mean[used], summary.std[used]
    read = summary.encoding
    places = np.searchsorted(read.used, summary.varying)  # among the columns that are encoded
    taken = read.groups.members(places)
    chosen = read.of_columns(summary.varying)
    columns = np.searchsorted(taken, summary.encoded)
    return chosen, columns, summary.mean[taken], summary.std[taken]
