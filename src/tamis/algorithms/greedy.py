"""The greedy loop: take the best column, note what it explains of the others, repeat.

One loop, `search`, serves the methods that add columns; `search_together` takes its columns for
several shrinkages of few rows at once. What the taken columns leave is kept by a state: `Residual`
for variances, of groups and with shrinkage, too, `RowResidual` for few rows, `UnsharedInformation`
for mutual information. Which columns may come next is said by `Limits`, and what makes one better
than another by a score, which is all that a method adds.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

import numpy as np

from tamis.algorithms.limits import Limits, no_limits
from tamis.algorithms.path import REPRODUCED, Path
from tamis.algorithms.residual import JointSearches, Residual, RowBasis, Taken
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices, Mask
from tamis.progress import track
from tamis.rules.tolerances import NEGLIGIBLE, RANK_TOL, TIE
from tamis.statistics.gram import Gram
from tamis.statistics.shared_information import Information, answer_by_kind
from tamis.statistics.summary import Summary, as_summary


class State(Protocol):
    """What the taken columns leave of all columns.

    `left` is what is not explained of each, of `start`; `free` those not explained entirely;
    `retained` the share of all columns explained after each step; `work` how many numbers the
    products of one step read.
    """

    start: Floats
    left: Floats
    size: int
    work: int

    @property
    def taken(self) -> Indices:
        """Columns taken so far, in order."""

    @property
    def retained(self) -> Floats:
        """Share explained after each taken column."""

    @property
    def free(self) -> Mask:
        """Columns that the taken ones do not explain already."""

    def take(self, j: int) -> None:
        """Take column `j`."""


S = TypeVar("S", bound=State)
Score = Callable[[S, Mask], Floats]


class UnsharedInformation(Taken):
    """What of each column's information is not shared with the taken column that shares most.

    Examples
    --------
    >>> left = UnsharedInformation(Information(np.array([[1.0, 0.25], [0.25, 1.0]])), 2)
    >>> left.take(0)
    >>> left.left, left.retained
    (array([0.  , 0.75]), array([0.625]))
    """

    def __init__(self, information: Information, k: int) -> None:
        super().__init__(k)
        self._matrix = information.matrix
        self.start = np.ones(len(self._matrix))
        self.left = self.start.copy()
        self.work = len(self._matrix)

    @property
    def free(self) -> Mask:
        """Columns that are no copies of taken ones."""
        return np.asarray(self.left > RANK_TOL)

    def take(self, j: int) -> None:
        """Take column `j`."""
        np.minimum(self.left, 1.0 - self._matrix[j], out=self.left)
        self.left[j] = 0.0
        self._note(j, min(1.0 - self.left.mean(), 1.0))


def start_left(known: Gram | Information, k: int) -> State:
    """Start with no column taken, and room for `k`."""
    variance: Callable[[Gram], State] = partial(Residual, k=k)
    return answer_by_kind(known, variance, partial(UnsharedInformation, k=k))


def by_gain(state: Residual, _: Mask) -> Floats:
    """Score by the share of the variance that each column would add."""
    return state.gains()


def all_usable(state: State) -> Mask:
    """Let every column be taken, even one that is explained already."""
    return np.ones(len(state.start), dtype=bool)


def search(
    state: S,
    k: int,
    score: Score[S],
    limits: Limits | None = None,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    usable: Callable[[S], Mask] | None = None,
    tie: Callable[[S], Floats] | None = None,
) -> Path:
    """Take up to `k` columns, each the one with the highest score for its price at its turn.

    Parameters
    ----------
    state
        What the taken columns leave; at first none is taken.
    k
        Largest number of columns.
    score
        Gives every column a score from what is left. It knows which columns are offered, so that
        one that is found by iteration need be no more exact than the choice among these.
    limits
        Say which columns may come next, and what they cost.
    retain
        Stop once this share is explained and all is taken that must be.
    include
        Columns taken first, whatever their score.
    usable
        Marks the columns that may be taken; those that are not explained already by default.
    tie
        Decides between columns with the same score; without it the first one is taken.
    """
    within = limits or no_limits(len(state.start))
    limited, open_ = within.any, ~within.barred
    scores = np.where(open_, np.nan, 0.0)
    with small_products_on_one_thread(state.work):
        for step in track("columns taken", range(k), k):
            enough = bool(step) and state.retained[-1] >= retain - NEGLIGIBLE
            offered = open_ & (state.free if usable is None else usable(state))
            if limited:
                offered &= within.mark_next(state.taken, 0 if enough else k)
            if step >= len(include) and (
                not offered.any() or (enough and (not limited or within.is_met(state.taken)))
            ):
                break
            found = score(state, offered)
            if within.priced:  # a score below 0 is the worse the more it costs
                found = np.where(found > 0, found / within.price, found * within.price)
            current = np.where(offered, found, -np.inf)
            if step < len(include):
                pick = int(include[step])
            else:
                pick = _pick_best(current, None if tie is None else partial(tie, state))
            np.copyto(scores, current, where=open_)
            state.take(pick)
            open_[pick] = False
    scores[np.isneginf(scores)] = 0.0
    return within.explain(
        Path(state.taken.copy(), state.retained.copy(), scores, stopped=REPRODUCED)
    )


def _pick_best(score: Floats, tie: Callable[[], Floats] | None = None) -> int:
    """Give the position of the highest score; what decides a tie is computed only for one."""
    if tie is not None:
        tied = score >= score.max() - TIE * abs(score.max())
        if np.count_nonzero(tied) > 1:
            score = np.where(tied, tie(), -np.inf)
    return first_best(score)


# Several searches of one table, each with a shrinkage of its own: they share the products with the
# rows, and each chooses as `search` does with the score of the default loop.
_MAX_TRIES = 20  # columns that are tried one by one before all are


def can_join(statistic: Gram | Summary) -> bool:
    """Whether this table is searched by its rows: of single columns, each as important."""
    summary = as_summary(statistic)
    return summary.groups.single and not summary.responses and summary.samples is not None


def search_together(gram: Gram, k: int, shrinkages: Sequence[float | Floats]) -> list[Indices]:
    """Take up to `k` columns of a table held by its rows, with each shrinkage.

    The columns are those that `take_groups` takes.
    """
    samples = gram.samples
    assert samples is not None
    searches = JointSearches(gram, samples, shrinkages)
    # What plain regressions reproduce a basis knows; a plain search has no gains for it.
    bases = [RowBasis(samples, searches.start) if np.any(one) else None for one in shrinkages]
    open_ = np.ones((len(bases), len(searches.start)), dtype=bool)
    taken: list[list[int]] = [[] for _ in bases]
    for _ in range(min(k, gram.rank_bound)):
        picks = list(map(_pick_free, searches.gains(), open_, bases))
        for i, (pick, basis) in enumerate(zip(picks, bases, strict=True)):
            if pick is None:  # this search has ended
                open_[i] = False
                continue
            open_[i, pick] = False
            taken[i].append(pick)
            if basis is not None:
                basis.add(pick)
        if not open_.any():
            break
        # What an ended search is conditioned on does not matter.
        searches.take([pick or 0 for pick in picks])
    return [np.array(own, dtype=np.intp) for own in taken]


def _pick_free(gains: Floats, open_: Mask, basis: RowBasis | None) -> int | None:
    """Pick of the columns that are free as `search` does; None if there are none.

    Whether a column is free is asked of the best ones, one by one; those that are not are closed.
    """
    gains[~open_] = 0.0
    for tries in range(len(gains) + 1):
        if basis is not None and tries == _MAX_TRIES:
            open_ &= basis.find_free()
            gains[~open_] = 0.0
        best = int(gains.argmax())
        if not gains[best] > 0:
            break
        pick = _pick_best(gains)
        # What is equal to the best is known once the best is free.
        explained = [] if basis is None else [j for j in {best, pick} if not basis.leaves(j)]
        if not explained:
            return pick
        open_[explained], gains[explained] = False, 0.0
    return None
