"""Whether an old plan holds on new rows: which columns drifted, and how, beyond chance.

Every test is of a difference between the old and the new rows over its standard error. The limit
takes all tests together, so that undisturbed rows pass in 99 of 100 cases, and a difference must
also be large enough to matter.
"""

from dataclasses import fields
from typing import Self

import numpy as np
import scipy.stats
from numpy.typing import NDArray

from tamis.evaluation.plan import Plan
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import ROUNDING
from tamis.values import dataclass

_FARTHEST = 1e15  # standard deviations: its fourth power times many rows is a number
_POWERS = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3))  # of a kept column and of any


@dataclass(frozen=True, eq=False)
class Moments4:
    """Mean, variance and kurtosis of columns, in the unit of the old rows and about their mean."""

    mean: Floats
    variance: Floats
    kurtosis: Floats


@dataclass(frozen=True, eq=False)
class DriftSums:
    """Sums of powers of new values, standardised by the old rows, and of what the plan leaves.

    `powers` are sums of the first four powers (4 x columns), `products` those of powers of kept
    columns and of all (6 x kept x columns), `left` and `left4` of the second and fourth power of
    the residuals, `missing` counts missing values.
    """

    count: int
    powers: Floats
    products: Floats
    left: Floats
    left4: Floats
    missing: Floats

    @classmethod
    def from_batch(cls, plan: Plan, encoded: Floats) -> Self:
        """Sum up rows of all encoded columns; a missing value counts as the old mean."""
        gone = np.isnan(encoded)
        kept = encoded[:, plan.members]
        unit = np.where(plan.std > 0, plan.std, 1.0)
        left = np.where(gone, 0.0, encoded - plan.predict(kept).values) / unit
        left[:, plan.members] = 0.0
        left = np.clip(left, -_FARTHEST, _FARTHEST)
        u = np.where(gone, 0.0, (encoded - plan.mean) / unit)
        u = np.clip(u, -_FARTHEST, _FARTHEST)
        x = u[:, plan.members]
        return cls(
            len(u),
            np.array([np.power(u, i).sum(axis=0) for i in range(1, 5)]),
            np.array([np.power(x, i).T @ np.power(u, j) for i, j in _POWERS]),
            np.square(left).sum(axis=0),
            np.power(left, 4).sum(axis=0),
            gone.sum(axis=0).astype(np.float64),
        )

    def merge(self, other: "DriftSums") -> "DriftSums":
        """Add the sums of other rows."""
        return DriftSums(*(vars(self)[f.name] + vars(other)[f.name] for f in fields(self)))

    def moments(self, counts: Floats | None = None) -> Moments4:
        """Give the moments about the mean of the new rows; `counts` says how many each has."""
        m1, m2, m3, m4 = self.powers / (self.count if counts is None else counts)
        variance = m2 - m1**2
        variance = np.where(variance > ROUNDING * m2, variance, 0.0)
        fourth = m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4
        safe = np.where(variance > 0, variance, 1.0)
        return Moments4(m1, variance, np.where(variance > 0, fourth / safe**2, 1.0))

    def correlations(self, members: Indices) -> tuple[Floats, Floats]:
        """Give the correlations of kept columns with all, and their variance times the rows.

        The influence of a row on a correlation r of standardised a and b is `ab - r(a^2 + b^2)/2`.
        """
        every = self.moments()
        own = Moments4(*(vars(every)[f.name][members] for f in fields(every)))
        p11, p21, p12, p22, p31, p13 = self.products / self.count
        x2, x3 = self.powers[1:3, members, None] / self.count
        y2, y3 = self.powers[1:3, None, :] / self.count
        d, e = own.mean[:, None], every.mean
        c11 = p11 - d * e
        c22 = p22 - 2 * e * p21 - 2 * d * p12 + 4 * d * e * p11 + e**2 * x2 + d**2 * y2
        c22 -= 3 * d**2 * e**2
        c31 = p31 - 3 * d * p21 + 3 * d**2 * p11 - e * (x3 - 3 * d * x2 + 2 * d**3) - d**3 * e
        c13 = p13 - 3 * e * p12 + 3 * e**2 * p11 - d * (y3 - 3 * e * y2 + 2 * e**3) - e**3 * d
        sx, sy = np.sqrt(own.variance)[:, None], np.sqrt(every.variance)
        with np.errstate(divide="ignore", invalid="ignore"):
            r = c11 / (sx * sy)
            a2b2, a3b, ab3 = c22 / (sx * sy) ** 2, c31 / (sx**3 * sy), c13 / (sx * sy**3)
            spread = a2b2 - r * (a3b + ab3)
            spread += r**2 / 4 * (own.kurtosis[:, None] + every.kurtosis + 2 * a2b2)
        known = (sx > 0) & (sy > 0)
        return np.where(known, np.clip(r, -1, 1), 0.0), np.where(known, np.maximum(spread, 0), 0.0)


FALSE_ALARMS = 0.01  # of undisturbed tables, over all tests
MIN_SHIFT = 0.1  # standard deviations of a mean
MIN_RATIO = 1.1  # of standard deviations
MIN_CORRELATION = 0.05
MIN_FALL = 0.05  # of the share of a column
MIN_EMPTIED = 0.05  # of the rows, that have no value any more
_FLATTEST = 1.5  # kurtosis: below, the variance says no more than the mean
_TELLING_ROWS = 5  # in which a column differs from its most frequent value, for a correlation
_COPY_CORRELATION = 0.9999  # correlation: beyond, columns stand for one another


@dataclass(frozen=True, eq=False)
class Drift:
    """What changed, by column of the plan.

    `shift` is the change of the mean in old standard deviations, `ratio` that of the standard
    deviation, `relation` the largest change of a correlation with another column, `partner`. The
    masks say which of them are more than chance. `missing_now` is the share of rows without a
    value, and `emptied` columns have fewer values than before: what is there of these is compared.
    `constant` columns no longer vary; `lost` ones are explained less than before; `shares` and
    `share` are those of the new rows by the old weights.
    """

    shift: Floats
    ratio: Floats
    relation: Floats
    partner: NDArray[np.intp]
    mean: NDArray[np.bool_]
    spread: NDArray[np.bool_]
    related: NDArray[np.bool_]
    missing_now: Floats
    emptied: NDArray[np.bool_]
    constant: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    shares: Floats
    share: float


def find_drift(plan: Plan, sums: DriftSums, usable: NDArray[np.bool_]) -> Drift:
    """Compare new rows with a plan; only `usable` columns are there."""
    groups, limit = plan.groups, _limit(plan, sums.count)
    missing_now = sums.missing[groups.starts] / sums.count
    emptied = _find_emptied(plan, sums, missing_now, limit) & usable
    # A value that is missing counts as the old mean, as it did then; many more would hide the rest.
    lacks = np.repeat(emptied, groups.sizes)
    counts = np.maximum(sums.count - np.where(lacks, sums.missing, 0.0), 1.0)
    now = sums.moments(counts)
    there = np.repeat(usable, groups.sizes) & (plan.std > 0)
    there &= counts > 1
    varies = there & (now.variance > 0)
    one_over = 1.0 / counts + 1.0 / plan.n_rows
    indicators = plan.encoding.indicators
    safe = np.where(varies, now.variance, 1.0)
    z_mean = now.mean / np.sqrt(np.maximum(now.variance, 1.0) / counts + 1 / plan.n_rows)
    ratio = np.where(varies, np.sqrt(safe), np.where(there, 0.0, 1.0))
    kurtosis = np.maximum(np.maximum(now.kurtosis, plan.kurtosis), _FLATTEST)
    # One row is no drift: a variance that grew must have done so without the largest value, too.
    rest = np.where(
        safe > 1.0, np.maximum(safe * keep_without_largest(now.kurtosis, sums.count), 1.0), safe
    )
    # Of log v and v - 1 the one nearer to 0 is also nearer to normal where columns are skewed.
    step = np.minimum(np.abs(np.log(rest)), np.abs(rest - 1.0))
    z_spread = step / np.sqrt((kurtosis - 1.0) * one_over)
    shifted = there & (np.abs(z_mean) > limit) & (np.abs(now.mean) > MIN_SHIFT)
    spread = varies & ~indicators & (z_spread > limit)
    spread &= np.maximum(ratio, 1 / np.where(ratio > 0, ratio, 1.0)) > MIN_RATIO
    telling = (
        varies & ~lacks & (sums.count > _TELLING_ROWS * (np.maximum(kurtosis, plan.kurtosis) + 2))
    )
    relation, partner, related = _relations(plan, sums, telling, limit)
    # Of a column with kurtosis K about 1 / (K + 2) of the rows differ from the others, if it is
    # one of two values: so many rows in which all are equal are no chance.
    rare = sums.count / (plan.kurtosis[groups.starts] + 2) < -np.log(_chance(plan))
    constant = (groups.sum_up(varies.astype(float)) == 0) & ~rare
    largest = groups.starts + _largest(plan, np.where(there, np.abs(now.mean), 0.0))
    shares, share, lost = _shares(plan, sums, usable, limit)
    return Drift(
        shift=now.mean[largest],
        ratio=ratio[groups.starts],
        relation=relation,
        partner=partner,
        mean=_any(plan, shifted),
        spread=_any(plan, spread),
        related=related,
        missing_now=missing_now,
        emptied=emptied,
        constant=usable & constant & ~emptied,
        lost=lost,
        shares=shares,
        share=share,
    )


def _find_emptied(
    plan: Plan, sums: DriftSums, missing_now: Floats, limit: float
) -> NDArray[np.bool_]:
    if plan.missing is None or plan.drops:
        return np.zeros(len(plan.names), dtype=bool)
    both = (missing_now * sums.count + plan.missing * plan.n_rows) / (sums.count + plan.n_rows)
    error = np.sqrt(both * (1.0 - both) * (1.0 / sums.count + 1.0 / plan.n_rows))
    more = missing_now - plan.missing
    return np.asarray((more > MIN_EMPTIED) & (more > limit * error))


def keep_without_largest(kurtosis: Floats, count: int) -> Floats:
    """Give the share of a mean of squares that is left, at least, without the largest square.

    The largest of `n` squares is at most the root of the sum of their squares, which is
    `sqrt(n K)` times their mean for the kurtosis K.

    Examples
    --------
    Of 100 rows the first column has one value that differs, the second is normal.

    >>> keep_without_largest(np.array([99.0, 3.0]), 100).round(2)
    array([0.01, 0.84])
    """
    left = (count - np.sqrt(count * np.maximum(kurtosis, 1.0))) / max(count - 1, 1)
    return np.asarray(np.clip(left, 0.0, 1.0))


def _limit(plan: Plan, count: int) -> float:
    return float(scipy.stats.t.isf(_chance(plan) / 2, max(count - 1, 1)))


def _chance(plan: Plan) -> float:
    """Give the chance of a false alarm that one of all tests may have."""
    width, kept = len(plan.std), len(plan.members)
    return FALSE_ALARMS / (2 * width + kept * width + len(plan.dropped))


def _any(plan: Plan, marks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return plan.groups.sum_up(marks.astype(float)) > 0


def _largest(plan: Plan, values: Floats) -> NDArray[np.intp]:
    spans = zip(plan.groups.starts, plan.groups.sizes, strict=True)
    return np.array([values[s : s + n].argmax() for s, n in spans], dtype=np.intp)


def _relations(
    plan: Plan, sums: DriftSums, varies: NDArray[np.bool_], limit: float
) -> tuple[Floats, NDArray[np.intp], NDArray[np.bool_]]:
    """Find the columns whose correlations changed beyond chance, and with which partner most."""
    owner, members = plan.groups.owner, plan.members
    r, variance = sums.correlations(members)
    # Fisher's transform has the same variance for all correlations of normal columns, 1 over n - 3;
    # for others it is that of the correlation over (1 - r^2)^2, each with its own r. Of few rows it
    # is itself uncertain: ten of them, or half, pay for that.
    relative = np.maximum(variance / _free(r), plan.relation_spread / _free(plan.relation))
    relative = np.maximum(relative, 1.0)
    error = np.sqrt(relative * (1 / max(sums.count - 10, sums.count / 2) + 1 / plan.n_rows))
    change = np.abs(r - plan.relation)
    step = np.abs(_fisher(r) - _fisher(plan.relation))
    there = varies[members][:, None] & varies & (owner[members][:, None] != owner)
    z = np.where(there & (change > MIN_CORRELATION), step / error, 0.0)
    rows, columns = np.nonzero(z > limit)
    first, second = owner[members][rows], owner[columns]
    # A pair of two kept columns is there in both orders: one of them counts.
    kept = np.isin(np.arange(len(plan.names)), plan.kept)
    once = ~(kept[first] & kept[second]) | (first < second)
    rows, columns = rows[once], columns[once]
    pairs = np.stack([first[once], second[once]])
    return _blame(pairs, z[rows, columns] ** 2, change[rows, columns], len(plan.names))


def _free(r: Floats) -> Floats:
    return np.square(1 - np.square(np.clip(r, -_COPY_CORRELATION, _COPY_CORRELATION)))


def _fisher(r: Floats) -> Floats:
    return np.asarray(np.arctanh(np.clip(r, -_COPY_CORRELATION, _COPY_CORRELATION)))


def _blame(
    pairs: Indices, weights: Floats, changes: Floats, count: int
) -> tuple[Floats, Indices, NDArray[np.bool_]]:
    """Give few columns that account for all pairs (2 x pairs) that changed.

    A column that was shuffled changes its correlations with many others, each of which has one
    that changed: the column with most is taken first, and its pairs are then accounted for.
    """
    found, size = np.zeros(count, dtype=bool), np.zeros(count)
    partner = np.zeros(count, dtype=np.intp)
    while len(weights):
        total = sum(np.bincount(side, weights, count) for side in pairs)
        worst = int(np.argmax(total))
        own = (pairs == worst).any(axis=0)
        best = int(np.flatnonzero(own)[changes[own].argmax()])
        found[worst], size[worst] = True, changes[best]
        partner[worst] = pairs[:, best].sum() - worst
        pairs, weights, changes = pairs[:, ~own], weights[~own], changes[~own]
    return size, partner, found


def _shares(
    plan: Plan, sums: DriftSums, usable: NDArray[np.bool_], limit: float
) -> tuple[Floats, float, NDArray[np.bool_]]:
    """Give shares by the old weights, of columns and of all, and which fell beyond chance."""
    groups, square = plan.groups, sums.powers[1]
    there = np.repeat(usable, groups.sizes) & (plan.std > 0)
    weight = np.where(there, plan.importance, 0.0)
    left, total = groups.sum_up(weight * sums.left), groups.sum_up(weight * square)
    shares = np.where(total > 0, 1.0 - left / np.where(total > 0, total, 1.0), np.nan)
    share = float(1.0 - left.sum() / total.sum()) if total.sum() > 0 else float("nan")
    expected = np.square(plan.residual / np.where(plan.std > 0, plan.std, 1.0))
    expected = expected * (1 + (1 + plan.freedom) / plan.n_rows)
    mean = sums.left / sums.count
    safe = np.where(mean > 0, mean, 1.0)
    kurtosis = np.maximum(sums.left4 / sums.count / safe**2, 3.0)
    error = np.sqrt((kurtosis - 1) * (1 / sums.count + 1 / plan.n_rows))
    rest = np.maximum(safe * keep_without_largest(kurtosis, sums.count), 1e-12)
    z = np.log(rest / np.where(expected > 0, expected, 1e-12)) / error
    grew = there & (mean > 0) & (z > limit)
    fell = np.nan_to_num(plan.shares - shares) > MIN_FALL
    dropped = np.isin(np.arange(len(plan.names)), plan.dropped)
    return shares, share, _any(plan, grew) & fell & dropped & usable
