"""Sums over new rows by which an old plan is judged; their size does not depend on the rows."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from tamis.evaluation.plan import Plan
from tamis.numerics.tolerances import ROUNDING
from tamis.numerics.types import Floats, Indices

__all__ = ["DriftSums", "Moments4"]

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
