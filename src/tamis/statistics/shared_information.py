"""Normalised mutual information of all pairs of columns, and what chance gives each pair."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.special import gammaln

from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.statistics.gram import Gram
from tamis.statistics.gram.protocol import Relations, Statistic
from tamis.statistics.joint_counts import (
    compute_entropies,
)
from tamis.values import dataclass

_REDUNDANT_INFORMATION = 0.5


@dataclass(frozen=True, eq=False)
class Information(Statistic["Information"], Relations):
    """Normalised mutual information of all pairs of columns, in [0, 1], 1 on the diagonal.

    `chance` is about what two unrelated columns of the table would show on average, for its rows
    and levels; `levels` are the distinct values or bins of every column and `entropies` its
    entropy, over so many `rows`. Where `expected`, which is what each pair shows by chance (nats),
    has been taken off, a row of the matrix is what one column explains of every other; `joined`
    are then the numbers with more different values than bins.
    """

    matrix: Floats
    chance: float = 0.0
    levels: NDArray[np.intp] | None = None
    entropies: Floats | None = None
    rows: int = 0
    expected: Floats | None = None
    joined: NDArray[np.bool_] | None = None

    @property
    def explained(self) -> "Information":
        """What the columns explain of each other: information, by this matrix."""
        return self

    @property
    def rank_bound(self) -> int:
        """All columns can be taken."""
        return len(self.matrix)

    @property
    def redundant_at(self) -> float:
        """The share of its information from which on a column is redundant."""
        return _REDUNDANT_INFORMATION

    def pooled(self, values: Floats) -> Floats:
        """Give every column the sum of these values of all columns, as far as it explains them."""
        return np.asarray(self.matrix @ values)

    @property
    def samples(self) -> None:
        """No rows are held for it."""
        return None

    @property
    def error(self) -> None:
        """Its shares are exact."""
        return None

    def chance_limit(self, columns: Indices, others: Indices) -> Floats:
        """Give what each pair of unrelated columns would hardly ever exceed.

        Twice the rows times the mutual information of such a pair follows, with many rows, a
        chi-squared distribution with (levels - 1)(levels' - 1) degrees of freedom: the limit is
        three standard deviations above its mean, 0 where the levels are not known.
        """
        if self.levels is None or self.entropies is None:
            return np.zeros((len(columns), len(others)))
        ours, theirs, rows = self.levels[columns, None] + 0.0, self.levels[others] + 0.0, self.rows
        freedom = (ours - 1) * (theirs - 1)
        beyond = 3.0 * np.sqrt(2.0 * freedom) / (2.0 * rows)
        if self.expected is not None and self.joined is not None:
            room = self.entropies[others] - self.expected[np.ix_(columns, others)]
            return np.where(room > 0, explained_share(beyond, room, self.joined[others]), 1.0)
        size = _roots(self.entropies[columns], self.entropies[others])
        mean = information_by_chance(ours, theirs, rows)
        return np.asarray((mean + beyond) / size)

    def corrected(self, counts: list[NDArray[np.intp]], joined: NDArray[np.bool_]) -> "Information":
        """Take off what chance gives each pair, for the rows of every level of every column.

        What is explained of a column is then as `explained_share` says, for any number of levels.
        """
        expected = expected_information(counts, self.rows)
        shared, room = self.matrix * self._sizes - expected, np.asarray(self.entropies) - expected
        shares = np.clip(explained_share(shared, room, joined), 0.0, 1.0)
        shares[shares > 1.0 - NEGLIGIBLE] = 1.0
        np.fill_diagonal(shares, np.diagonal(self.matrix))
        return replace(self, matrix=shares, chance=0.0, expected=expected, joined=joined)

    def corrected_pairs(self, counts: list[NDArray[np.intp]]) -> Floats:
        """Give information for both columns of a pair alike: (I - E) / (sqrt(H H') - E)."""
        expected = expected_information(counts, self.rows)
        found = _divide(self.matrix * self._sizes - expected, self._sizes - expected)
        np.fill_diagonal(found, np.diagonal(self.matrix))
        return found

    @property
    def _sizes(self) -> Floats:
        return _roots(self.entropies, self.entropies)


def explained_share(shared: Floats, whole: Floats, joined: NDArray[np.bool_]) -> Floats:
    """Give what is explained of the columns, from information (nats) of which chance is taken off.

    Of a category it is the share of its entropy. A number in bins has the entropy of its bins,
    which is what their number makes it: of that the share falls with every finer cut though nothing
    is less explained. Of the numbers `joined` in bins it is therefore 1 - exp(-2 I), the squared
    correlation of normal values that share as much (Linfoot 1957), over what a copy would have.

    >>> half, whole = np.full(2, 0.3), np.full(2, 0.6)
    >>> explained_share(half, whole, np.array([False, True])).round(3)
    array([0.5  , 0.646])
    """
    part, all_of_it = np.maximum(shared, 0.0), np.maximum(whole, 0.0)
    as_number = joined & np.ones_like(part, dtype=bool)
    return _divide(
        np.where(as_number, -np.expm1(-2.0 * part), shared),
        np.where(as_number, -np.expm1(-2.0 * all_of_it), whole),
    )


def _divide(part: Floats, whole: Floats) -> Floats:
    """Divide; of what is no more than chance there is no share."""
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > NEGLIGIBLE)


def _roots(ours: Any, theirs: Any) -> Floats:
    return np.asarray(np.sqrt(np.multiply.outer(ours, theirs)))


def measure_shared(information: Information, order: Indices) -> Floats:
    """Give the mean over all columns of what they share with the first 1, 2, ... of some columns.

    >>> M = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> measure_shared(Information(M), np.array([1, 0]))
    array([0.75, 1.  ])
    """
    most = np.maximum.accumulate(information.matrix[order], axis=0)
    return np.minimum(most.mean(axis=1), 1.0)


def make_information(matrix: Floats, counts: list[NDArray[np.intp]], rows: int) -> Information:
    """Put the matrix together with what chance alone would give, for the rows of every level."""
    levels = np.array([np.count_nonzero(column) for column in counts], dtype=np.intp)
    alone = compute_entropies(counts)
    return Information(matrix, _chance(levels, alone, rows), levels, alone, rows)


def _chance(levels: NDArray[np.intp], alone: Floats, rows: int) -> float:
    """Estimate the mean of unrelated pairs: (levels - 1)(levels' - 1) / 2N over the entropies."""
    if len(levels) < 2:
        return 0.0
    parts = (levels - 1) / np.sqrt(alone)
    pairs = len(levels) * (len(levels) - 1)
    summed = float(parts.sum() ** 2 - parts @ parts)
    return min(summed / pairs / (2 * rows), 1.0)


# The mutual information that two columns show by chance, for their levels and their rows.
#
# It grows with the number of levels: 900 random codes seem to say much of any other column. Taken
# is the mean over all orders of the rows of one column (Vinh, Epps & Bailey, 2010). The rows with
# level i of one column and l of the other are then c, hypergeometric about m = a b / n, and the
# mean information is the sum over all pairs of levels of E(c log c) - m log m, over n. That excess
# depends on the counts a and b only, so it is computed once for every two counts that occur. Rare
# levels need no pooling: what a level of one row shows, it shows in any order.
MAX_EXACT_MEAN = 30.0  # rows expected in a cell; from there on the expansion is off by 1e-4
MAX_EXACT_ROWS = 120  # of such a cell, in all cases that matter
MAX_COUNTS = 1_000  # different ones; more are rounded to 1%
_TERMS_AT_A_TIME = 1 << 20


def expected_information(counts: list[NDArray[np.intp]], rows: int) -> Floats:
    """Give the mean mutual information (nats) by chance, of every two columns.

    `counts` are the rows of every level of every column.

    >>> expected_information([np.array([50, 50]), np.array([50, 50])], 100)[0, 1].round(5)
    np.float64(0.00508)
    """
    filled = [column[column > 0] for column in counts]
    owner = np.repeat(np.arange(len(filled)), [len(column) for column in filled])
    sizes, place = _different(np.concatenate([*filled, np.zeros(0, np.intp)]))
    excess = np.zeros((len(sizes), len(sizes)))
    step = max(_TERMS_AT_A_TIME // max(len(sizes), 1), 1)
    for start in range(0, len(sizes), step):
        excess[start : start + step] = excess_by_chance(
            sizes[start : start + step, None], sizes[None, :], rows
        )
    shape = (len(filled), len(sizes))
    levels = scipy.sparse.csr_array((np.ones(len(owner)), (owner, place)), shape=shape)
    found = np.asarray(levels @ (levels @ excess).T)
    return (found + found.T) / (2 * rows)


def _different(counts: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
    """List the different counts, and where each is among them; very many are rounded."""
    sizes, place = np.unique(counts, return_inverse=True)
    if len(sizes) <= MAX_COUNTS:
        return sizes.astype(np.float64), place
    rounded = np.rint(np.exp(np.rint(np.log(counts) * 100) / 100))
    sizes, place = np.unique(np.minimum(rounded, counts.max()), return_inverse=True)
    return sizes.astype(np.float64), place


def excess_by_chance(a: Any, b: Any, rows: int) -> Floats:
    """Give E(c log c) - m log m of a cell whose levels have `a` and `b` of all rows."""
    a, b = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    mean = a * b / rows
    # About the mean: variance, third and fourth moment of the hypergeometric distribution.
    spread = (1 - a / rows) * (1 - b / rows) * rows / max(rows - 1, 1)
    skew = (1 - 2 * a / rows) * (1 - 2 * b / rows)
    found = spread / 2 - spread * skew / (6 * mean) + spread**2 / (4 * mean)
    small = mean < MAX_EXACT_MEAN
    found[small] = _exact_excess(a[small], b[small], rows)
    return found


def _exact_excess(a: Floats, b: Floats, rows: int) -> Floats:
    """Sum c log c over the distribution itself."""
    fixed = gammaln(a + 1) + gammaln(rows - a + 1) + gammaln(b + 1) + gammaln(rows - b + 1)
    fixed -= gammaln(rows + 1)
    least, most = np.maximum(a + b - rows, 0), np.minimum(a, b)
    total = np.zeros(len(a))
    top = int(min(most.max(initial=0), MAX_EXACT_ROWS))
    for c in range(2, top + 1):
        there = np.flatnonzero((least <= c) & (c <= most))
        x, y = a[there], b[there]
        free = gammaln(x - c + 1) + gammaln(y - c + 1) + gammaln(rows - x - y + c + 1)
        total[there] += c * np.log(c) * np.exp(fixed[there] - gammaln(c + 1) - free)
    mean = a * b / rows
    return total - mean * np.log(mean)


def information_by_chance(ours: Any, theirs: Any, rows: int) -> Floats:
    """Give about the mean mutual information (nats) of unrelated columns with so many levels.

    That of the chi-squared distribution with (levels - 1)(levels' - 1) degrees of freedom, over
    twice the rows. With more cells than rows that is far too large. For any number of rows N, the
    mean is at most log(((N - levels)(N - levels') / (N - 1) + levels levels') / N): the bound of
    Vinh, Epps and Bailey (2010) on expected mutual information, by Jensen's inequality.

    >>> information_by_chance(3, 2, 100)
    array(0.01)
    """
    cells = (rows - ours) * (rows - theirs) / max(rows - 1, 1)
    bound = np.log((cells + ours * theirs) / rows)
    return np.asarray(np.minimum((ours - 1) * (theirs - 1) / (2.0 * rows), bound))


T = TypeVar("T")


def answer_by_kind(
    known: Gram | Information,
    variance: Callable[[Gram], T],
    information: Callable[[Information], T],
) -> T:
    """Give the answer of the function for variance, or of the one for information."""
    return information(known) if isinstance(known, Information) else variance(known)
