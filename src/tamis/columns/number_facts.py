"""What the counts of a column of numbers say, with or without some of its values."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tamis.columns.number_tally import NumberTally
from tamis.numerics.types import Floats

__all__ = ["NumberFacts"]


@dataclass(frozen=True, eq=False)
class NumberFacts:
    """Values of a column in rising order with their counts: all, or a random sample of them.

    `filled` counts the values of the column, `distinct` the different ones, exact if `whole`.
    """

    values: Floats
    counts: Floats
    whole: bool
    filled: int
    distinct: int
    smallest: float
    largest: float
    zeros: int
    integers: bool

    @classmethod
    def of(cls, tally: NumberTally, without: Collection[float] = ()) -> "NumberFacts":
        """Take the counts of a column, as if some of the values at its ends were missing."""
        known = {**tally.highest, **tally.lowest}
        gone = sum(known.get(value, 0) for value in without)
        values = tally.sketch.values
        order = np.argsort(values)
        values, counts = values[order], tally.sketch.counts[order].astype(float)
        if without:
            there = ~np.isin(values, list(without))
            values, counts = values[there], counts[there]
        low = [value for value in tally.lowest if value not in without]
        high = [value for value in tally.highest if value not in without]
        integers = tally.integers or bool(
            without and tally.sketch.whole and (values == np.rint(values)).all()
        )
        return cls(
            values=values,
            counts=counts,
            whole=tally.sketch.whole,
            filled=tally.filled - gone,
            distinct=max(tally.distinct - len(set(without) & known.keys()), 0),
            smallest=min(low, default=np.nan),
            largest=max(high, default=np.nan),
            zeros=0 if 0.0 in without else tally.zeros,
            integers=integers,
        )

    @property
    def spread(self) -> float:
        """The distance of the largest from the smallest value."""
        return self.largest - self.smallest

    @property
    def all_differ(self) -> bool:
        """Whether no value comes twice, as far as the different values are known."""
        return bool((self.counts == 1).all()) and self.distinct >= 0.97 * self.filled

    @cached_property
    def step(self) -> float:
        """The largest number of which all distances of integers are multiples."""
        if not self.integers or self.spread >= 2.0**53 or self.values.size < 2:
            return 1.0
        return float(np.gcd.reduce(np.diff(self.values).astype(np.int64)))

    def quantile(self, share: float) -> float:
        """Give a quantile of the values, as far as they are known."""
        place = np.searchsorted(np.cumsum(self.counts), share * self.counts.sum())
        return float(self.values[min(place, self.values.size - 1)])

    @property
    def evenly_repeated(self) -> bool:
        """Whether most values come equally often, and none more often: as in a panel."""
        most = self.counts.max(initial=0)
        return bool(self.whole and most >= 2 and (self.counts == most).mean() >= 0.5)
