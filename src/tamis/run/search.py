"""Run a method on a summary: searches that can be run again, and how strongly they shrink.

A search that prefers what explains the rows at hand follows chance where they are few. The
shrinkage of the search is the one of a few whose columns explain most on held-out rows, columns
chosen again in each fold. Where there are many rows for every kept column nothing is shrunk.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from tamis.algorithms.fold import choose_ridge, hold_out_blocks, regress
from tamis.algorithms.greedy import can_join, search_together
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import NO_GOAL, REPRODUCED, Path
from tamis.errors import TamisError, spell, spell_name
from tamis.numerics.threads import one_thread_if_busy, small_products_on_one_thread
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices, Mask
from tamis.progress import track
from tamis.registry import Method
from tamis.rules.search import (
    HEAVY_TAILS,
    LIMITS_COST,
    MANY_ROWS,
    MAX_BY_TAILS,
    NOISE,
    SEARCH_FOLDS,
    SEARCH_SHRINKAGES,
)
from tamis.rules.tolerances import TIE
from tamis.run.candidates import move_positions
from tamis.statistics.row_blocks import Blocks, choose_folds
from tamis.statistics.summary import Summary, as_summary
from tamis.values import dataclass

GREEDY = ("forward", "sfs")  # methods that take the column of the largest gain at each step


@dataclass(frozen=True, eq=False)
class Search:
    """A search that can be run again for other sizes: all that was asked but the size.

    `options` are those of the method, columns by position, `limits` what it has to respect. With a
    `policy` the method only scores the columns, once, and the scores decide. `ridge` is the
    shrinkage of regressions on what it finds, None where each chooses its own. Where groups are
    taken whole, `whole` is how many of them, whatever number of columns is asked for; None for all.
    """

    method: Method
    summary: Summary
    include: tuple[int, ...]
    refine: bool | str
    options: Mapping[str, Any]
    limits: Limits
    policy: Mapping[str, Any] = field(default_factory=dict)
    ridge: float | None = 0.0
    whole: int | None = None

    def __call__(self, size: int | None, share: float = NO_GOAL) -> Path:
        """Find at most `size` columns that reach `share`; without a size the method decides."""
        if self.by_score:
            return self.rank_columns(size, share)
        k = size
        if self.together and not (self.method.decides and size is None):
            k = self.whole or len(self.summary.varying)
        k = None if k is None else max(k, len(self.include))
        statistic: Any = self.summary.statistic
        if self.together and statistic is self.summary.gram:
            # Whole groups differ in size, so that the rows decide what is chance.
            statistic = self.summary
        own = self.method.kernel_options(self.options)
        if self.method.takes_limits is not None:
            own["limits"] = self.limits
        with one_thread_if_busy():
            path: Path = self.method.load_kernel()(
                statistic, k, retain=share, include=self.include, **own
            )
            return self._refine_path(path, share, most=k)

    def on(self, part: Summary) -> "Search":
        """Search some of the rows, for a number of columns only.

        The columns of `part` count among those of this search.
        """
        places = {j: np.flatnonzero(part.varying == j) for j in self.include}
        include = tuple(int(place[0]) for place in places.values() if len(place))
        own = move_positions(self.method, self.options, part.varying)
        options = {n: None if n == "threshold" else v for n, v in own.items()}
        limits = self.limits.of_columns(part.varying).clip()
        return replace(self, summary=part, include=include, options=options, limits=limits)

    def find_best(self, given: Path) -> Path:
        """Find the best columns of the same number as those given, by the search and by swaps."""
        free = replace(self, include=(), refine=self.method.refines)
        found = free(len(given.kept))
        if self.method.refines and not self.limits.asked:
            improved = free._improve(given, None)
            found = improved if improved.share > found.share else found
        # A given list may break limits, so that the best list within them may explain less.
        return found if self.limits.asked or found.share > given.share else given

    @property
    def together(self) -> bool:
        """Whether groups of columns are taken whole."""
        return bool(self.options.get("together"))

    @property
    def is_ruled(self) -> bool:
        """Whether more decides than the gain at each step: limits, prices, columns asked for."""
        own = {n: v for n, v in self.options.items() if n not in ("shrink", "outliers")}
        given = any(value is not None and value is not False for value in own.values())
        greedy = self.method.id in GREEDY and self.refine is False and not self.by_score
        return given or self.limits.asked or bool(self.include) or not greedy

    @property
    def by_score(self) -> bool:
        """Whether more than the method's own rule decides: a policy, or limits among scores."""
        policy = self.policy or {"policy": "best", "redundancy": "keep"}
        if policy["policy"] != "best" or policy["redundancy"] == "drop":
            return True
        return self.method.takes_limits is None and self.limits.asked

    @property
    def smallest(self) -> bool:
        """Whether small scores are best."""
        return self.method.ranks == "smallest"

    @cached_property
    def scored(self) -> Path:
        """What the method says by itself: its scores and, where it decides, its choice.

        Where columns that correlate share their scores and redundant ones are dropped, the method
        runs a second time, on columns that do not explain each other; the others have no score.
        """
        statistic = self.summary.statistic
        path = self._score_columns(statistic, self.include)
        if not (self._drops and self.method.shares_credit):
            return path
        width = len(path.scores)
        apart = self._take(path.scores, width, None).indices
        from tamis.algorithms.ranking import spread_out

        again = self._score_columns(statistic.of_columns(apart), range(len(self.include)))
        return spread_out(again, apart, width)

    def _score_columns(self, statistic: Any, include: Sequence[int]) -> Path:
        """Let the method score the columns, and choose if it decides by itself."""
        kernel = self.method.load_kernel()
        own = self.method.kernel_options(self.options)
        size = None if self.method.decides else max(1, len(include))
        path: Path = kernel(statistic, size, retain=NO_GOAL, include=include, **own)
        return path

    @property
    def _drops(self) -> bool:
        return bool(self.policy.get("redundancy") == "drop")

    def rank_columns(
        self, size: int | None, share: float = NO_GOAL, among: Mask | None = None
    ) -> Path:
        """Take columns by their scores; without a size those `among`, or that the method keeps."""
        scores = self.scored.scores
        if size is None and among is None:
            among = np.zeros(len(scores), dtype=bool)
            among[self.scored.kept] = True
        if among is not None:
            size = int(np.count_nonzero(among | np.isin(np.arange(len(scores)), self.include)))
        limits = self.limits if self.limits.asked else None
        path = self._take(scores, max(size or 1, len(self.include)), limits, share, among)
        return self._refine_path(path, share)

    def _take(
        self,
        scores: Floats,
        k: int,
        limits: Limits | None,
        share: float = NO_GOAL,
        among: Mask | None = None,
    ) -> Path:
        """Take the best scores, redundant columns or not."""
        from tamis.algorithms.ranking import take_scored, take_unexplained

        take: Callable[..., Path] = take_scored
        if self._drops:
            redundant_at, shared = self.policy["redundant_at"], self.method.shares_credit
            take = partial(take_unexplained, redundant_at=redundant_at, shared=shared)
        return take(
            self.summary.statistic,
            scores,
            k,
            retain=share,
            include=self.include,
            smallest=self.smallest,
            among=among,
            limits=limits,
        )

    def _refine_path(self, path: Path, share: float, most: int | None = None) -> Path:
        """Swap columns, or search for the best set, if requested; fewer where they reach `share`.

        There are as many as in `path`; where a search within limits finds more, up to `most`.
        """
        if self.refine is False or len(path.kept) == 0:
            return path
        best = self._improve(path, most if share > 1.0 else None)
        while share < 1.0 and not self.together and len(best.kept) > max(1, len(self.include)):
            fewer = self._improve(_without_last(best, self.include), None)
            if fewer.share < share or not self.limits.is_met(fewer.kept):
                break
            best = fewer
        short = len(best.kept) < len(path.kept) and not self.limits.any
        return replace(best, stopped=REPRODUCED if short else path.stopped)

    def _improve(self, path: Path, most: int | None) -> Path:
        """Search for better columns, only in sets that break no limit; a response is never kept."""
        from tamis.algorithms.refine.exact import best_subset
        from tamis.algorithms.refine.swap import swap_columns, swap_representatives, swap_units

        known: Any = self.summary.statistic
        if self.method.measure == "information":
            limits = self.limits if self.limits.asked else None
            return swap_representatives(known, path, limits, include=self.include)
        explained = as_summary(known.explained)
        ruled = self.limits.asked or self.together or path.importance is not None
        limits, most = (self.limits, most) if ruled else (None, None)
        if self.refine == "exact":
            if not explained.groups.single:
                raise TamisError(
                    f"{spell('refine', 'exact')} is for numbers, and categories are analysed: pass "
                    f"{spell('refine', True)}, or skip them with {spell_name('exclude')}."
                )
            return best_subset(explained.gram, path, limits, include=self.include, most=most)
        wide = None if limits is None else limits.widen(len(explained.groups.sizes))
        if self.together and wide is not None:
            return swap_units(explained, path, wide, include=self.include, most=most)
        return swap_columns(explained, path, wide, include=self.include, most=most)


def _without_last(path: Path, include: Sequence[int]) -> Path:
    """Drop the column that adds least, unless it must stay."""
    kept = path.kept
    position = max(i for i, j in enumerate(kept.tolist()) if j not in include)
    shares = path.retained[: len(kept) - 1]
    return Path(np.delete(kept, position), shares, path.scores, importance=path.importance)


Options = Mapping[str, Any]


def settle_shrinkage(search: Search, size: int) -> Search:
    """Replace "auto" by the shrinkage that explains held-out rows best with `size` columns."""
    given = search.options.get("shrink", 0.0)
    if given != "auto":
        return replace(search, ridge=float(given))
    chosen: Options = {"shrink": 0.0}
    blocks = search.summary.blocks
    if blocks is not None and has_few_rows(search.summary, size):
        with small_products_on_one_thread(size * len(search.summary.varying) ** 2):
            chosen = _best_shrinkage(search, blocks, size)
    return replace(search, options={**search.options, **chosen}, ridge=None)


def judge_limits(search: Search, as_is: Search, size: int) -> tuple[float, bool] | None:
    """Say what `size` columns explain of held-out values as they are, and if limits cost too much.

    In each fold one search learns columns and weights with extreme values drawn in, and predicts
    from values that are drawn in; the other has all values as they are. Limits cost too much where
    the other explains more by over a point. None where too little is known of the rows.
    """
    limited, plain = search.summary, as_is.summary
    if plain.cells is None or limited.blocks is None or plain.blocks is None:
        return None
    encoded, others = plain.encoded, limited.encoded
    if encoded is None or others is None or limited.encoding is None:
        return None
    if not np.array_equal(encoded, others):
        return None
    cells = plain.cells[:, encoded]
    drawn_in = np.clip(cells, *limited.encoding.encoded_limits[:, encoded])
    unit = np.sqrt(plain.gram.diagonal()) / plain.std[encoded]
    choices, errors = choose_folds(plain.blocks, SEARCH_FOLDS), []
    parts = zip(limited.blocks.parts(choices), plain.blocks.parts(choices), strict=True)
    for both in track("extreme values", parts, len(choices)):
        marks = np.asarray(both[0].marks)[plain.row_blocks]
        true = cells[marks == 0]
        guesses = [np.nanmean(cells[marks == 1], axis=0)]
        for way, values, part in zip((search, as_is), (drawn_in, cells), both, strict=True):
            guess, kept = _predict_rows(way, part, values[marks == 1], values[marks == 0], size)
            guess[:, kept] = true[:, kept]
            guesses.append(guess)
        errors.append([np.nansum(np.square((true - one) * unit)) for one in guesses])
    totals, with_limits, without = np.array(errors).T
    share, other = (1.0 - float(one.sum() / totals.sum()) for one in (with_limits, without))
    return share, other - share > LIMITS_COST


def _predict_rows(
    search: Search, part: Summary, learnt: Floats, others: Floats, size: int
) -> tuple[Floats, Indices]:
    """Predict rows by what a search finds in a `part` of the table, the `learnt` rows.

    Gives the kept columns, too; a missing value counts as the mean.
    """
    mean = np.nanmean(learnt, axis=0)
    guess, varying = np.tile(mean, (len(others), 1)), np.asarray(part.encoded)
    known = [{"shrink": search.options.get("shrink", 0.0)}]
    path = next(find_paths(replace(search, refine=False), part, size, known))
    S = part.groups.members(path.indices[:size])
    if not len(S):
        return guess, S
    places = varying[S]
    gram, n_rows = part.gram, part.n_rows
    ridge = choose_ridge(gram, S, n_rows) if search.ridge is None else search.ridge
    std = np.nan_to_num(learnt - mean).std(axis=0)[varying]
    factor = np.sqrt(gram.diagonal()) / std  # the matrix is that of columns so multiplied
    apart = np.nan_to_num(others[:, places] - mean[places]) * factor[S]
    guess[:, varying] += apart @ regress(gram, S, ridge, n_rows).weights / factor
    return guess, places


def has_few_rows(summary: Summary, size: int) -> bool:
    """Whether chance explains a part of the others that matters."""
    sizes = summary.groups.sizes
    return summary.n_rows < MANY_ROWS * size * float(sizes.mean())


def tails_of(summary: Summary) -> Floats:
    """Give how heavy the tails of every column are, 1 for a normal distribution and categories.

    Empty where it is not known.
    """
    if summary.encoding is None or summary.responses or not summary.encoding.tails:
        return np.zeros(0)
    known = summary.encoding.tails
    return np.array([known.get(int(j), 1.0) for j in summary.varying])


def list_choices(search: Search, summary: Summary) -> list[Options]:
    """List the shrinkages to try, the weakest first: for all columns alike, and by their tails.

    A column of heavy tails explains others by a few of the rows, as if it were measured with more
    noise than the others.
    """
    tails = tails_of(summary)
    choices: list[Options] = [{"shrink": 0.0}]
    by_tails = (
        len(tails) > 0 and float(tails.mean()) > HEAVY_TAILS and not search.options.get("noise")
    )
    noise = dict(enumerate(tails.tolist()))
    for shrink in SEARCH_SHRINKAGES[1:]:
        choices.append({"shrink": shrink})
        if by_tails and shrink <= MAX_BY_TAILS:
            choices.append({"shrink": shrink, "noise": noise})
    return choices


def _best_shrinkage(search: Search, blocks: Blocks, size: int) -> Options:
    tried = list_choices(search, search.summary)
    choices = choose_folds(blocks, SEARCH_FOLDS)
    errors = []
    for fold in track("shrinkage", hold_out_blocks(blocks, choices), len(choices)):
        if fold.varies:
            paths = list(find_paths(replace(search, refine=False), fold.training, size, tried))
            weighed = replace(fold, importance=paths[0].importance)
            sets = [path.indices for path in paths]
            errors.append(weighed.errors_of_sets(sets, None) / fold.total)
    return tried[least_within_noise(np.array(errors))] if errors else tried[0]


def find_paths(
    search: Search, part: Summary, size: int, tried: Sequence[Options]
) -> Iterator[Path]:
    """Search some rows with each of these options, together where they are few and unruled."""
    size = min(size, len(part.varying))
    undecided = any(isinstance(chosen.get("shrink"), str) for chosen in tried)
    if search.is_ruled or undecided or not can_join(part.statistic):
        for chosen in tried:
            yield replace(search, options={**search.options, **chosen}).on(part)(size)
        return
    shrinkages = [_spread_shrinkage(chosen, part.varying) for chosen in tried]
    for indices in search_together(part.gram, size, shrinkages):
        yield Path(indices, np.full(len(indices), np.nan))


def _spread_shrinkage(chosen: Options, varying: Indices) -> float | Floats:
    """Give the shrinkage of all columns, or of each one by its noise, which is 1 if unknown."""
    noise = chosen.get("noise")
    if noise is None:
        return float(chosen.get("shrink", 0.0))
    return np.array([chosen["shrink"] * noise.get(j, 1.0) for j in varying.tolist()])


def least_within_noise(errors: Floats) -> int:
    """Give the first choice that is not clearly worse than the best, by folds (folds x choices).

    Clearly is by more than half a standard error of the difference, taken within each fold.

    Examples
    --------
    >>> least_within_noise(np.array([[0.9, 0.5, 0.4], [0.8, 0.4, 0.5]]))
    1
    """
    best = first_best(-errors.mean(axis=0))
    more = errors - errors[:, [best]]
    noise = (
        more.std(axis=0, ddof=1) / np.sqrt(len(more)) if len(more) > 1 else np.zeros(more.shape[1])
    )
    return int(np.argmax(more.mean(axis=0) <= NOISE * noise + TIE))
