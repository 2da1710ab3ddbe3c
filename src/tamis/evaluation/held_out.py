"""What the kept columns explain of rows not used to choose them.

Every fold holds back some of the blocks of rows (`statistics.row_blocks`). On the other rows, the
training rows, the columns are chosen anew by the same method and all columns are regressed on them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from tamis.algorithms.fold import Fold, FoldErrors, hold_out_blocks
from tamis.algorithms.path import COPIES, REPRODUCED, Path
from tamis.columns.name_words import number_axis
from tamis.errors import TamisError
from tamis.facts.selection_answer import Fate, OtherRule, weigh_folds
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.types import Floats, Indices, Mask
from tamis.progress import track
from tamis.rules.search import (
    CLEAR,
    FEWEST_CHOSEN,
    LEAST_CARRIERS,
    LITTLE,
    LOST_SHARE,
    ONE_SIDED,
    SAFE_SHARE,
)
from tamis.rules.tolerances import TIE
from tamis.run.search import Search, find_paths
from tamis.statistics.row_blocks import Blocks, Choices, choose_folds
from tamis.statistics.summary import Summary
from tamis.values import dataclass

Find = Callable[[Summary], Path]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Squared errors on held-out rows, by fold."""

    errors: Floats  # sum over all columns of a fold's rows with 1, 2, ... kept columns (folds x k)
    # What each kept column adds by being known itself: its squared error just before (folds x k).
    own: Floats
    totals: Floats  # the same with none: every column predicted by its mean over the training rows
    kept: tuple[Indices, ...]  # in each fold, best first

    @property
    def k(self) -> int:
        """The largest number of kept columns."""
        return self.errors.shape[1]

    @property
    def share(self) -> Floats:
        """Share explained, over all folds: 1 less the sum of the errors over that of the totals."""
        return np.asarray(1.0 - self.errors.sum(axis=0) / self.totals.sum())

    @property
    def std(self) -> Floats:
        """Standard deviation of the folds' shares, each weighted with its total."""
        return average_folds(1.0 - self.errors / self.totals[:, None], self.totals)[1]

    @property
    def standard_error(self) -> Floats:
        """Standard error of the share, for what the kept columns explain of new rows.

        Two of them to either side cover it nine times in ten (`python -m benchmarks.intervals`).
        """
        return np.asarray(self.std * np.sqrt(weigh_folds(len(self.totals))))

    @property
    def peak(self) -> int | None:
        """The number of columns that explains most, where all of them explain clearly less.

        Clearly is by more than two standard errors of the difference. Folds differ more from each
        other than numbers of columns do, so the difference is taken within each fold.
        """
        best = int(self.share.argmax())
        less = (self.errors[:, -1] - self.errors[:, best]) / self.totals
        return best + 1 if is_clearly_positive(less, self.totals) else None

    def head(self, k: int) -> "HeldOut":
        """Keep only the first `k` columns of every fold."""
        kept = tuple(columns[:k] for columns in self.kept)
        return HeldOut(self.errors[:, :k], self.own[:, :k], self.totals, kept)

    def join(self, other: "HeldOut") -> "HeldOut":
        """Put further folds behind these."""
        errors = np.concatenate([self.errors, other.errors])
        own = np.concatenate([self.own, other.own])
        totals = np.concatenate([self.totals, other.totals])
        return HeldOut(errors, own, totals, (*self.kept, *other.kept))


def average_folds(values: Floats, totals: Floats) -> tuple[Floats, Floats]:
    """Give mean and standard deviation over the folds, each of which counts with its total."""
    weights, count = totals / totals.sum(), len(totals)
    mean = weights @ values
    squares = weights @ np.square(values - mean)
    return np.asarray(mean), np.asarray(np.sqrt(squares * count / max(count - 1, 1)))


def is_clearly_positive(differences: Floats, totals: Floats) -> bool:
    """Say whether differences of folds' shares are above 0 by more than two standard errors."""
    mean, std = average_folds(differences, totals)
    return bool(mean > CLEAR * std * np.sqrt(weigh_folds(len(totals))))


def make_finder(search: Search, k: int) -> Find:
    """Give the function that searches for `k` columns on some of the rows."""
    own = {name: value for name, value in search.options.items() if name == "shrink"}
    return lambda part: next(find_paths(search, part, k, [own]))


def held_out(
    blocks: Blocks, find: Find, k: int, choices: Choices | None = None, *, ridge: float | None = 0.0
) -> HeldOut:
    """Hold rows back in turn; `find` chooses up to `k` columns on the training rows.

    `choices` marks the blocks of the training rows, fold by fold. A fold in which nothing varies is
    none. `ridge` is the shrinkage of the regressions, None where each chooses its own.
    """
    choices = choose_folds(blocks) if choices is None else choices
    folds = []
    for fold in track("folds", hold_out_blocks(blocks, choices), len(choices)):
        if not fold.varies:
            continue
        varying = fold.training.varying
        with small_products_on_one_thread(k * len(varying) ** 2):
            path = find(fold.training)
            fold = replace(fold, importance=path.importance)
            if fold.total > 0:
                late, again = _fill_room(fold, path, k)
                kept = np.concatenate([path.indices[:k], again])
                found = _add_late(fold.errors(kept, ridge), fold, late, len(kept) - len(again))
                kept = np.insert(varying[kept], len(kept) - len(again), late)
                folds.append((*_pad_errors(found, k, fold.total), fold.total, kept))
    if len(folds) < 2:
        raise TamisError(
            f"{int(blocks.count.sum())} rows are too few to hold some back: give a table with more "
            "rows that differ."
        )
    errors, own, totals, sets = zip(*folds, strict=True)
    return HeldOut(np.array(errors), np.array(own), np.array(totals), tuple(sets))


def hold_out_rows(search: Search, k: int, choices: Choices | None = None) -> HeldOut:
    """Hold back ten folds of the rows in turn, and search for `k` columns in the others."""
    blocks = search.summary.blocks
    assert blocks is not None
    return held_out(blocks, make_finder(search, k), k, choices, ridge=search.ridge)


def _fill_room(fold: Fold, path: Path, k: int) -> tuple[Indices, Indices]:
    """List columns to keep behind a search that ends because no other column adds anything.

    Those that do not vary in the training rows come first, then those that the kept ones reproduce
    there, each in the order of the table: on the held-out rows both may differ.
    """
    varying, room = fold.training.varying, max(k - len(path.indices), 0)
    count = len(varying)
    all_kept = not path.stopped and len(path.indices) == count
    if path.importance is not None or not (all_kept or path.stopped in (REPRODUCED, COPIES)):
        room = 0
    late = np.setdiff1d(np.arange(len(fold.held.unknown) - fold.training.responses), varying)[:room]
    return late, np.setdiff1d(np.arange(count), path.indices)[: room - len(late)]


def _add_late(found: FoldErrors, fold: Fold, late: Indices, place: int) -> FoldErrors:
    """Count columns that do not vary in the training rows as kept from this place on."""
    own = fold.held.unknown[late]
    before = found.errors[place - 1] if place else fold.total
    errors = np.concatenate([before - np.cumsum(own), found.errors[place:] - own.sum()])
    errors = np.concatenate([found.errors[:place], np.maximum(errors, 0.0)])
    return FoldErrors(errors, np.insert(found.own, place, own))


def _pad_errors(found: FoldErrors, k: int, total: float) -> FoldErrors:
    """Repeat the last error where a fold has fewer columns to keep; with none it is all."""
    short = k - len(found.errors)
    if short == k:
        return FoldErrors(np.full(k, total), np.zeros(k))
    return FoldErrors(np.pad(found.errors, (0, short), mode="edge"), np.pad(found.own, (0, short)))


DRAWS = 20  # in each fold
MAX_WORK = 10_000_000  # multiplications for one draw: what a few thousandths of a second allow
_PASSES = 20  # over all pairs of columns, as a search of a correlation filter goes


def compare_with_others(search: Search, folds: HeldOut, k: int, names: list[str]) -> dict[str, Any]:
    """Give what as many columns explain on held-out rows that are chosen in ways a user would try.

    They are drawn at random (the median of 20 draws in each fold), and chosen by a rule on the
    training rows: the largest variances where columns are not standardised or their names are an
    axis, as wavelengths are, else a filter of correlations; of categories there is none. They are
    regressed on as the kept ones are. The keys are fields of `HeldOutFacts`: none where the table
    is too large for that, or where not all columns could have been chosen.
    """
    summary = search.summary
    if summary.blocks is None or search.include or folds.errors.shape[1] < k:
        return {}
    width = len(summary.varying)
    if k >= width or width * min(width, summary.n_rows) * k > MAX_WORK:
        return {}
    rng = np.random.default_rng(0)
    rule: OtherRule | None = None
    near: float | None = None
    errors: list[tuple[float, float]] = []
    for fold in hold_out_blocks(summary.blocks, choose_folds(summary.blocks)):
        if not fold.varies:
            continue
        count = len(fold.training.varying)
        size = min(k, count)
        sets = [rng.choice(count, size, replace=False) for _ in range(DRAWS)]
        rule = _choose_rule(fold, summary, names)
        if rule == "variance":
            sets.append(np.argsort(-list_variances(fold, summary), kind="stable")[:size])
        elif rule == "correlation":
            from tamis.algorithms.backward.correlation import keep_again

            chosen, near = keep_again(fold.training.gram, size, near)
            sets.append(chosen)
        each = fold.errors_of_sets(sets, search.ridge)
        errors.append((float(np.median(each[:DRAWS])), float(each[-1])))
    if len(errors) != len(folds.totals):
        return {}  # the errors of some fold count for nothing
    shares = 1.0 - np.sum(errors, axis=0) / folds.totals.sum()
    more = (np.array(errors) - folds.errors[:, [k - 1]]) / folds.totals[:, None]
    beaten = [is_clearly_positive(less, folds.totals) for less in more.T]
    found: dict[str, Any] = {"random": float(shares[0]), "beats_random": beaten[0]}
    if rule is not None:
        found |= {"rule": rule, "by_rule": float(shares[1]), "beats_rule": beaten[1]}
    return found


def _choose_rule(fold: Fold, summary: Summary, names: list[str]) -> OtherRule | None:
    """Say by what rule a user would choose; None where there are categories, or it takes long."""
    if not summary.groups.single:
        return None
    if fold.held.weights is None or number_axis(names) is not None:
        return "variance"
    passes = _PASSES if fold.training.gram.plain_rows is None else summary.n_rows
    return "correlation" if passes * len(summary.varying) ** 2 <= MAX_WORK else None


def list_variances(fold: Fold, summary: Summary) -> Floats:
    """Give the variance of every column in the training rows."""
    if fold.held.weights is None:
        return fold.training.gram.diagonal()
    spread = summary.std[summary.varying][fold.training.varying]  # in all rows
    return np.asarray(fold.held.weights * np.square(spread))


@dataclass(frozen=True, eq=False)
class ColumnErrors:
    """What is left of every column on held-out rows, the kept columns fixed (steps x columns).

    There is a row for each of the `steps`, numbers of the columns in `path` that are kept. `left`
    are squared errors, summed over the folds, `totals` those of the means of the training rows,
    `error` is the standard error of `left`, and `kurtosis` that of each column, from its totals in
    the folds. `optimism` is what the choice flatters at each step: how much more is left where
    columns are chosen again in every fold, the mean over the columns of which little is; `again`
    has the errors of all columns together where that is done.
    """

    path: Indices
    steps: Sequence[int]
    rows: float
    folds: int
    left: Floats
    totals: Floats
    error: Floats
    kurtosis: Floats
    optimism: Floats
    again: HeldOut | None = None

    @cached_property
    def share(self) -> Floats:
        """Share of each column explained on new rows: below 0 where its mean predicts better.

        NaN where no held-out row differs from the mean of the training rows; 1 for a kept column.
        """
        return np.asarray(1.0 - _divide(self.left, self.totals, self._kept))

    @cached_property
    def _kept(self) -> Mask:
        found = np.zeros(self.left.shape, dtype=bool)
        for row, step in zip(found, self.steps, strict=True):
            row[self.path[:step]] = True
        return found

    def limit_below(self, distances: Floats | None = None, within: Floats | None = None) -> Floats:
        """Give the lower limit of each share, such that of those above 95% few are below it.

        What is left of a column, with `optimism`, is off by a factor: its logarithm has the
        standard error of the folds or, if larger, of a normal regression (Fisher). A column of few
        values may yet differ where it did not in these rows: `distances` are the squares of the
        smallest differences between its values, in variances; of two values where that is unknown
        (NaN). A column that few rows carry has no limit above 0. Where extreme values are limited,
        what is beyond the limits is taken to be lost: `within` is the part that is not. Measured by
        `python -m benchmarks.safe`.
        """
        left = 1.0 - self.share
        normal = 2.0 * np.sqrt(np.clip(1.0 - left, 0.0, 1.0) / self.rows)
        more_than_rounding = self.left > TIE * self.totals
        relative = np.divide(
            self.error, self.left, out=np.zeros(left.shape), where=more_than_rounding
        )
        more = left + self.optimism[:, None]
        limit = more * np.exp(ONE_SIDED * np.maximum(normal, relative))
        apart = self.kurtosis + 3.0  # of two values: the square of their difference, in variances
        apart = (apart if distances is None else np.fmin(distances, apart)) / self.rows
        # Errors of so much each come like counts: the quantile of a gamma distribution (Wilson and
        # Hilferty 1931).
        shape = more / apart + 1.0
        cube = 1.0 - 1.0 / (9.0 * shape) + ONE_SIDED / (3.0 * np.sqrt(shape))
        limit = np.maximum(limit, apart * shape * cube**3)
        carried = self.rows >= LEAST_CARRIERS * self.kurtosis
        limit = np.where(carried, limit, np.maximum(limit, 1.0))
        low = 1.0 - limit
        low = low if within is None else np.where(low > 0, within * low, low)
        return np.asarray(np.where(self._kept, 1.0, low))


def fate_of(share: float, low: float, chance: float | None) -> Fate:
    """Say what becomes of a dropped column, from its share on new rows and the lower limit.

    >>> fate_of(0.97, 0.951, 0.02), fate_of(0.97, 0.93, 0.02), fate_of(0.5, 0.4, 0.6)
    ('safe', 'partly lost', 'lost')
    """
    if low >= SAFE_SHARE:
        return "safe"
    return "lost" if share < max(LOST_SHARE, chance or 0.0) else "partly lost"


def hold_out_columns(
    blocks: Blocks,
    path: Indices,
    width: int,
    choices: Choices | None = None,
    *,
    ridge: float | None = 0.0,
    steps: Sequence[int] = (),
    k: int | None = None,
    chosen: Sequence[Indices] = (),
) -> ColumnErrors:
    """Measure what the `path` leaves of `width` columns on held-out rows, at its end or at `steps`.

    The columns of the path stay what they are, and the regressions on them are fitted on the other
    rows of each fold; `held_out` instead chooses anew in each, and `chosen` are these columns. A
    `ridge` of None is chosen by each regression, for `k` columns by that on these alone.
    """
    choices = choose_folds(blocks) if choices is None else choices
    steps, k = steps or [len(path)], len(path) if k is None else k
    errors, squares, products = np.zeros((3, len(steps), width))
    again, known, often = np.zeros((3, len(steps), width))
    totals, spread, folds = np.zeros(width), np.zeros(width), 0
    for fold in hold_out_blocks(blocks, choices):
        if not fold.varies:
            continue
        total = fold.column_totals(width)
        found = _leave(fold, path, steps, k, ridge, total)
        errors += found
        squares += np.square(found)
        products += found * total
        totals += total
        spread += np.square(total)
        if folds < len(chosen):
            own, fixed = (part[: steps[-1]] for part in (chosen[folds], path))
            own, fixed = (own, fixed) if len(steps) > 1 else (np.sort(own), np.sort(fixed))
            if not np.array_equal(own, fixed):  # with many rows they mostly are the same
                found = _leave(fold, chosen[folds], steps, k, ridge, total)
            for row, step in enumerate(steps):
                dropped = np.ones(width, dtype=bool)
                dropped[chosen[folds][:step]] = False
                again[row] += np.where(dropped, found[row], 0.0)
                known[row] += np.where(dropped, total, 0.0)
                often[row] += dropped
        folds += 1
    count = max(folds, 2)
    left = _divide(errors, totals)
    apart = squares - 2.0 * left * products + np.square(left) * spread
    error = np.sqrt(weigh_folds(count) * count**2 / (count - 1) * np.maximum(apart, 0.0))
    varied = count * _divide(spread, np.square(totals)) - 1.0
    rows = float(blocks.count.sum())
    kurtosis = 1.0 + rows / (count - 1) * np.maximum(varied, 0.0)
    near = left <= LITTLE
    for row, step in zip(near, steps, strict=True):
        row[path[:step]] = False
    more = np.where(near & (often >= FEWEST_CHOSEN), _divide(again, known) - left, 0.0)
    optimism = np.maximum(more.sum(axis=1) / np.maximum(near.sum(axis=1), 1), 0.0)
    return ColumnErrors(path, steps, rows, folds, errors, totals, error, kurtosis, optimism)


def _leave(
    fold: Fold, path: Indices, steps: Sequence[int], k: int, ridge: float | None, total: Floats
) -> Floats:
    """Give what is left of every column in a fold with so many columns of the path."""
    place = np.searchsorted(fold.training.varying, path)
    there = np.isin(path, fold.training.varying)
    counts = np.concatenate([[0], np.cumsum(there)])
    own = [int(counts[min(k, len(path))])]
    some = [int(counts[min(step, len(path))]) for step in steps]
    found = fold.column_errors(place[there], ridge, len(total), some, own)
    for row, step in zip(found, steps, strict=True):
        row[path[:step]] = 0.0
    return found


def _divide(errors: Floats, totals: Floats, known: Mask | None = None) -> Floats:
    """Divide errors by totals: NaN where there are none, and 0 for what is known."""
    unknown = np.full(errors.shape, np.nan)
    found = np.divide(errors, totals, out=unknown, where=totals > 0)
    return found if known is None else np.where(known, 0.0, found)
