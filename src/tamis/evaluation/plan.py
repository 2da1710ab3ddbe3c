"""A choice as a plan: measure the kept columns, predict all others from them.

All columns are regressed on the kept ones, with the shrinkage that the search had. A prediction of
a new row is off by its residual and by the error of the weights, which grows with the leverage of
the row: its standard error is `s sqrt(1 + 1/n + leverage)`.
"""

from dataclasses import field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tamis.algorithms.fold import choose_ridge, regress
from tamis.evaluation.held_out import hold_out_columns
from tamis.numerics.types import Floats, Indices
from tamis.rules.kinds import MISSING_LEVEL
from tamis.statistics.encoding import Encoding, Levels
from tamis.statistics.grouped import Groups
from tamis.statistics.mixed import MixedRows
from tamis.statistics.row_blocks import Blocks
from tamis.statistics.summary import Summary
from tamis.values import dataclass


class Prediction(NamedTuple):
    """Encoded columns of some rows as predicted, and their standard errors (rows x columns)."""

    values: Floats
    errors: Floats


@dataclass(frozen=True, eq=False)
class Plan:
    """What to measure, and how to predict the rest."""

    # How the analysed columns are written as numbers; the rest counts these encoded columns.
    encoding: Encoding
    kept: Indices  # positions, best first
    n_rows: int  # that the weights were learnt from
    freedom: float  # degrees of freedom that they use
    mean: Floats = field(repr=False)  # of every encoded column
    std: Floats = field(repr=False)  # of a level that did not vary it is 0
    # Of the encoded columns of the kept ones (in table order) for all, in the unit of the table.
    weights: Floats = field(repr=False)
    residual: Floats = field(repr=False)  # standard deviation of what the weights leave
    inverse: Floats = field(repr=False)  # the matrix of the leverage, in the unit of the table
    relation: Floats = field(repr=False)  # correlation of the kept encoded columns with all
    # Variance of these correlations times the rows, as of normal columns where no more is known.
    relation_spread: Floats = field(repr=False)
    # Of every encoded column; 3, as of normal columns, where no more is known.
    kurtosis: Floats = field(repr=False)
    # How much of the whole every encoded column is: its variance, as the choice scaled it.
    importance: Floats = field(repr=False)
    # Of every column that the kept ones explain, on held-out rows if `held_out`.
    shares: Floats = field(repr=False)
    share: float  # the same of all columns together
    held_out: bool = False
    drops: bool = False  # whether rows with missing values were dropped, and not filled with means
    # Share of the rows in which each column had no value; None where that is not known.
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
        """Predict values that are so many times as large, one number for each column."""
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


def has_weights(summary: Summary, kind: str) -> bool:
    """Whether columns can be regressed on others: on exact products of values, not of ranks."""
    linear = summary.has_moments and summary.table is None and not summary.responses
    return linear and kind == "pearson" and summary.gram.error is None


def make_plan(
    summary: Summary,
    names: tuple[str, ...],
    kept: Indices,
    *,
    ridge: float | None = 0.0,
    drops: bool = False,
) -> Plan:
    """Make the plan of some kept columns; `names` are those of the analysed ones.

    A `ridge` of None is chosen by generalised cross-validation.
    """
    gram, groups = summary.gram, summary.groups
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
    summary: Summary, names: tuple[str, ...]
) -> tuple[Encoding, Indices, Floats, Floats]:
    """Give the encoding of the analysed columns, which of its columns vary, means and spreads."""
    if summary.encoding is None or summary.encoded is None:
        plain = Encoding(names, {}, {}, {})
        used = summary.varying
        return plain, np.arange(len(names)), summary.mean[used], summary.std[used]
    read = summary.encoding
    places = np.searchsorted(read.used, summary.varying)  # among the columns that are encoded
    taken = read.groups.members(places)
    chosen = read.of_columns(summary.varying)
    columns = np.searchsorted(taken, summary.encoded)
    return chosen, columns, summary.mean[taken], summary.std[taken]


_MIN_FOLDS = 2
_MAX_PARTS, _MIN_PARTS, _PART_ROWS = 20, 4, 20


def with_held_out_shares(
    plan: Plan, blocks: Blocks, ridge: float | None, again: float | None = None
) -> Plan:
    """Give the plan with shares and residuals of held-out rows; as it is where rows are too few.

    The set of columns stays, only the weights are learnt anew in every fold. Columns chosen for
    these very rows fit them better than others: where the held-out residual is the larger, it is
    the one that a new row will show. And the share is flattered by the choice: where it is known
    what columns that are chosen `again` in every fold explain, errors grow by as much.
    """
    found = hold_out_columns(blocks, plan.kept, len(plan.names), ridge=ridge)
    if found.folds < _MIN_FOLDS:
        return plan
    share = float(1.0 - found.left[-1].sum() / found.totals.sum())
    shares = found.share[-1]
    fixed = shares = np.where(np.isnan(shares), plan.shares, shares)
    if again is not None and share < 1.0:
        shares = 1.0 - (1.0 - shares) * (1.0 - again) / (1.0 - share)
        share = again
    # A training set of nine tenths of the rows misses by more: that part is taken off again.
    trained = 0.9 * plan.n_rows
    extra = 1.0 + (1.0 + plan.freedom) / max(trained - 1.0 - plan.freedom, 1.0)
    left = np.repeat(np.maximum(1.0 - fixed, 0.0) / extra, plan.groups.sizes)
    residual = np.where(
        plan.residual > 0, np.maximum(plan.residual, np.sqrt(left) * plan.std), plan.residual
    )
    return replace(plan, shares=shares, share=share, residual=residual, held_out=True)


def with_block_spreads(plan: Plan, blocks: Blocks) -> Plan:
    """Give the plan with what parts of the rows say of variances and correlations.

    Over parts of n rows a variance has the relative variance `(K - 1) / n` for a kurtosis K, and a
    correlation that of its influence over n, whatever the columns are like.
    """
    count = min(_MAX_PARTS, plan.n_rows // _PART_ROWS)
    if count < _MIN_PARTS:
        return plan
    choices = np.arange(len(blocks.count)) % count == np.arange(count)[:, None]
    columns = np.flatnonzero(plan.std > 0)
    rows = np.flatnonzero(plan.std[plan.members] > 0)
    S = np.searchsorted(columns, plan.members[rows])
    relation = plan.relation[np.ix_(rows, columns)]
    sizes, variances, off = [], [], np.zeros_like(relation)
    for part in blocks.plain_parts(choices[choices @ blocks.count > 1]):
        sizes.append(part.n_rows)
        variances.append(np.square(part.std))
        off += part.n_rows * np.square(_correlate(part, S, len(columns)) - relation)
    weight, spread = np.array(sizes, dtype=np.float64), np.array(variances)
    ratio = spread / (weight @ spread / weight.sum())
    kurtosis, wide = plan.kurtosis.copy(), plan.relation_spread.copy()
    kurtosis[columns] = 1.0 + weight @ np.square(ratio - 1.0) / (len(weight) - 1)
    wide[np.ix_(rows, columns)] = off / (len(weight) - 1)
    return replace(plan, kurtosis=kurtosis, relation_spread=wide)


def _correlate(part: Summary, S: Indices, width: int) -> Floats:
    """Correlate some columns with all in a part of the rows; 0 where one does not vary."""
    found = np.zeros((len(S), width))
    at = np.full(width, -1)
    at[part.varying] = np.arange(len(part.varying))
    there = np.flatnonzero(at[S] >= 0)
    diagonal = part.gram.diagonal()
    own = at[S[there]]
    block = part.gram.block(own) / np.sqrt(np.outer(diagonal[own], diagonal))
    found[np.ix_(there, part.varying)] = block
    return found


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """One column of some rows, predicted.

    `values` are numbers or names of levels (None for a missing one), `errors` standard errors or,
    for a category, the probability of the level.
    """

    values: Any
    errors: Floats


def rebuild(plan: Plan, rows: MixedRows) -> tuple[dict[int, Rebuilt], int]:
    """Predict the dropped columns from rows of the kept ones, in table order.

    Also counts the rows with a missing or infinite value, which was taken as the mean.
    """
    encoded = plan.encoding.of_columns(plan.kept_in_order).encode(rows)
    found = plan.predict(encoded)
    made = {}
    for j in plan.dropped.tolist():
        start = plan.groups.starts[j]
        if j in plan.encoding.levels:
            own = found.values[:, start : start + plan.groups.sizes[j]]
            made[j] = likely_levels(plan.encoding.levels[j], own)
        else:
            made[j] = Rebuilt(found.values[:, start], found.errors[:, start])
    return made, int((~np.isfinite(encoded)).any(axis=1).sum())


def likely_levels(levels: Levels, indicators: Floats) -> Rebuilt:
    """Give the most likely level of each row and its probability, from predicted indicators.

    Predictions below 0 count as 0, and all are divided by their sum.

    Examples
    --------
    >>> made = likely_levels(Levels(("a", "b", "c")), np.array([[0.6, 0.2, -0.1]]))
    >>> made.values, made.errors
    (['a'], array([0.75]))
    """
    if levels.width == 1:
        indicators = np.column_stack([indicators[:, 0], 1.0 - indicators[:, 0]])
    chances = np.clip(indicators, 0.0, 1.0)
    sums = chances.sum(axis=1, keepdims=True)
    chances = np.where(sums > 0, chances / np.where(sums > 0, sums, 1.0), 1.0 / chances.shape[1])
    best = chances.argmax(axis=1)
    names = [None if name == MISSING_LEVEL else name for name in levels.names]
    return Rebuilt([names[i] for i in best], chances[np.arange(len(best)), best])
