"""What the kept columns explain of rows not used to choose them.

Every fold holds back some of the blocks of rows (`statistics.blocks`). On the other rows, the
training rows, the columns are chosen anew by the same method and all columns are regressed on them.
"""

from collections.abc import Callable

import numpy as np

from tamis.algorithms.path import Path
from tamis.algorithms.ridge import GroupErrors, predict_held_out
from tamis.errors import TamisError
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.row_blocks import Blocks, Choices, HeldOutRows, choose_folds
from tamis.statistics.summary import Summary
from tamis.values import dataclass

CLEAR = 2.0  # standard errors beyond which a difference is more than noise

Find = Callable[[Summary], Path]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Squared errors on held-out rows, by fold.

    Attributes
    ----------
    errors
        Sum over all columns of a fold's rows with 1, 2, ... kept columns (folds x k).
    own
        What each kept column adds by being known itself: its squared error just before (folds x k).
    totals
        The same with none: every column predicted by its mean over the training rows.
    kept
        The columns kept in each fold, best first.
    """

    errors: Floats
    own: Floats
    totals: Floats
    kept: tuple[Indices, ...]

    @property
    def share(self) -> Floats:
        """Share explained, over all folds: 1 less the sum of the errors over that of the totals."""
        return np.asarray(1.0 - self.errors.sum(axis=0) / self.totals.sum())

    @property
    def std(self) -> Floats:
        """Standard deviation of the folds' shares, each weighted with its total."""
        count, weights = len(self.totals), self.totals / self.totals.sum()
        shares = 1.0 - self.errors / self.totals[:, None]
        squares = np.square(shares - weights @ shares)
        return np.sqrt(weights @ squares * count / max(count - 1, 1))

    @property
    def standard_error(self) -> Floats:
        """Standard error of the share: its standard deviation over the root of the folds."""
        return np.asarray(self.std / np.sqrt(len(self.totals)))

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
        """Give the same for the first `k` columns of every fold."""
        kept = tuple(columns[:k] for columns in self.kept)
        return HeldOut(self.errors[:, :k], self.own[:, :k], self.totals, kept)

    def join(self, other: "HeldOut") -> "HeldOut":
        """Put further folds behind these."""
        errors = np.concatenate([self.errors, other.errors])
        own = np.concatenate([self.own, other.own])
        totals = np.concatenate([self.totals, other.totals])
        return HeldOut(errors, own, totals, (*self.kept, *other.kept))


def is_clearly_positive(differences: Floats, totals: Floats) -> bool:
    """Say whether differences of folds' shares are above 0 by more than two standard errors.

    Every fold counts with its total.
    """
    weights = totals / totals.sum()
    mean = weights @ differences
    count = len(totals)
    error = np.sqrt(weights @ np.square(differences - mean) / max(count - 1, 1))
    return bool(mean > CLEAR * error)


def held_out(
    blocks: Blocks,
    find: Find,
    k: int,
    choices: Choices | None = None,
    *,
    shrink: float | None = 0.0,
) -> HeldOut:
    """Hold rows back in turn; `find` chooses up to `k` columns on the training rows.

    `choices` marks the blocks of the training rows, fold by fold. A fold in which nothing varies is
    none. `shrink` is that of the regressions, None where each chooses its own.
    """
    choices = choose_folds(blocks) if choices is None else choices
    folds = []
    for known, held_rows in track("folds", blocks.splits(choices), len(choices)):
        if held_rows.squares().sum() + held_rows.unknown.sum() > 0 and len(known.varying):
            with small_products_on_one_thread(k * len(known.varying) ** 2):
                folds.append(_hold_out(known, held_rows, find, k, shrink))
    folds = [fold for fold in folds if fold is not None]
    if len(folds) < 2:
        raise TamisError(
            f"{int(blocks.count.sum())} rows are too few to hold some back: give a table with more "
            "rows that differ."
        )
    errors, own, totals, sets = zip(*folds, strict=True)
    return HeldOut(np.array(errors), np.array(own), np.array(totals), tuple(sets))


def _hold_out(
    known: Summary, held_rows: HeldOutRows, find: Find, k: int, shrink: float | None
) -> tuple[Floats, Floats, float, Indices] | None:
    """Give the errors of one fold, their total and the columns kept; None if nothing varies."""
    path, statistic = find(known), known.grouped
    kept, importance = path.indices[:k], path.importance
    squares, unknown = held_rows.squares(), np.zeros(len(kept) + 1)
    if importance is None:  # of columns without any variance it is not known
        unknown = held_rows.left_unknown(known.varying[kept])
    else:
        squares = importance[statistic.groups.owner] * squares
    total = float(squares.sum() + unknown[0])
    if not total > 0:
        return None
    found = predict_held_out(
        statistic,
        held_rows,
        kept,
        n_rows=known.n_rows,
        shrink=shrink,
        importance=importance,
    )
    found = GroupErrors(found.errors + unknown[1:], found.own - np.diff(unknown))
    return *_pad_errors(found, k, total), total, known.varying[kept]


def _pad_errors(found: GroupErrors, k: int, total: float) -> tuple[Floats, Floats]:
    """Repeat the last error where a fold has fewer columns to keep; with none it is all."""
    errors, own = found
    short = k - len(errors)
    if short == k:
        return np.full(k, total), np.zeros(k)
    return np.pad(errors, (0, short), mode="edge"), np.pad(own, (0, short))
