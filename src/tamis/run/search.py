"""Run a registered method on a summary: searches that can be run again for other sizes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from tamis.algorithms.limits import asks_limits, limits_of
from tamis.algorithms.path import NO_GOAL, REPRODUCED, Path
from tamis.algorithms.ranking import spread_out, take_scored, take_unexplained
from tamis.algorithms.refine.exact import best_subset, best_within
from tamis.algorithms.refine.exchange import exchange
from tamis.algorithms.refine.swap_groups import swap_groups
from tamis.algorithms.refine.swap_representatives import swap_representatives
from tamis.algorithms.refine.swap_units import swap_units
from tamis.algorithms.refine.swap_within import swap_within
from tamis.errors import TamisError, spell, spell_name
from tamis.numerics.threads import one_thread_if_busy
from tamis.numerics.types import Floats, Mask
from tamis.registry import Method
from tamis.registry.limits import LIMITS
from tamis.run.column_options import move_positions
from tamis.statistics.grouped import GroupedGram, as_groups
from tamis.statistics.summary import Summary

GREEDY = ("forward", "sfs")  # methods that take the column of the largest gain at each step


def find_path(
    method: Method,
    summary: Summary,
    k: int | None,
    *,
    retain: float = NO_GOAL,
    include: Sequence[int] = (),
    refine: bool | str = False,
    options: Mapping[str, Any],
) -> Path:
    """Find at most `k` columns that reach `retain`, refined by swaps or exactly if requested.

    `k` is None where the method decides.
    """
    kernel = method.load_kernel()
    own = method.kernel_options(options)
    if method.takes_limits is not None:
        own["limits"] = limits_of(options, len(summary.varying))
    size = None if k is None else max(k, len(include))
    statistic = summary.statistic
    if own.get("together") and statistic is summary.gram:
        # Whole groups differ in size, so that the rows decide what is chance: of categories, too.
        statistic = summary.grouped
    with one_thread_if_busy():
        path: Path = kernel(statistic, size, retain=retain, include=include, **own)
        if refine is False:
            return path
        return refine_path(
            path,
            method,
            summary,
            refine,
            retain=retain,
            include=include,
            options=options,
            most=size,
        )


def best_of_size(search: "Search", given: Path) -> Path:
    """Find the best columns of the same number as those given: the search, and swaps of both."""
    limited = asks_limits(search.options)
    free = replace(search, include=(), refine=search.method.refines)
    found = free(len(given.kept))
    if search.method.refines and not limited:
        improved = choose_refinement(search.method, True, search.summary)(given, include=())
        found = improved if improved.share > found.share else found
    # A given list may break limits, so that the best list within them may explain less.
    return found if limited or found.share > given.share else given


@dataclass(frozen=True, eq=False)
class Search:
    """A search that can be run again for other sizes: all that was asked but the size.

    With a `policy` the method only scores the columns, once, and the scores decide. `ridge` is the
    shrinkage of regressions on what it finds, None where each chooses its own. Where groups are
    taken whole, `whole` is how many of them, whatever number of columns is asked for; None for all.
    """

    method: Method
    summary: Summary
    include: tuple[int, ...]
    refine: bool | str
    options: Mapping[str, Any]
    policy: Mapping[str, Any] = field(default_factory=dict)
    ridge: float | None = 0.0
    whole: int | None = None

    def __call__(self, size: int | None, share: float = NO_GOAL) -> Path:
        """Find at most `size` columns that reach `share`."""
        if self.by_score:
            return self.rank_columns(size, share)
        return find_path(
            self.method,
            self.summary,
            self._count_units(size),
            retain=share,
            include=self.include,
            refine=self.refine,
            options=self.options,
        )

    def _count_units(self, size: int | None) -> int | None:
        """Count groups instead of columns where groups are taken whole."""
        if not self.options.get("together"):
            return size
        decides = self.method.decides and size is None
        return None if decides else self.whole or len(self.summary.varying)

    def on(self, part: Summary) -> "Search":
        """Give the same search on some of the rows, for a number of columns only.

        The columns of `part` count among those of this search.
        """
        places = {j: np.flatnonzero(part.varying == j) for j in self.include}
        include = tuple(int(place[0]) for place in places.values() if len(place))
        own = move_positions(self.method, self.options, part.varying)
        options = {n: None if n == "threshold" else v for n, v in own.items()}
        return replace(self, summary=part, include=include, options=options)

    @property
    def is_ruled(self) -> bool:
        """Whether more decides than the gain at each step: limits, prices, columns asked for."""
        own = {n: v for n, v in self.options.items() if n not in ("shrink", "outliers")}
        given = any(value is not None and value is not False for value in own.values())
        greedy = self.method.id in GREEDY and self.refine is False and not self.by_score
        return given or bool(self.include) or not greedy

    @property
    def by_score(self) -> bool:
        """Whether more than the method's own rule decides: a policy, or limits among scores."""
        policy = self.policy or {"policy": "best", "redundancy": "keep"}
        if policy["policy"] != "best" or policy["redundancy"] == "drop":
            return True
        return self.method.takes_limits is None and asks_limits(self.options)

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
        found = self._score_columns(statistic, self.include)
        if not (self._drops and self.method.shares_credit):
            return found
        width = len(found.scores)
        apart = self._take(found.scores, width, {}, include=self.include).indices
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
        most = max(size or 1, len(self.include))
        found = self._take(
            scores, most, self.options, retain=share, include=self.include, among=among
        )
        return refine_path(
            found,
            self.method,
            self.summary,
            self.refine,
            retain=share,
            include=self.include,
            options=self.options,
        )

    def _take(self, scores: Floats, k: int, options: Mapping[str, Any], **given: Any) -> Path:
        """Take the best scores within the limits among the options, redundant columns or not."""
        take = partial(
            take_unexplained,
            redundant_at=self.policy["redundant_at"],
            shared=self.method.shares_credit,
        )
        chosen = take if self._drops else take_scored
        limits = limits_of(options, len(scores)) if asks_limits(options) else None
        return chosen(
            self.summary.statistic, scores, k, smallest=self.smallest, limits=limits, **given
        )


NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})
SWAPPED_WITHIN = ("forbid", "importance", "y_weight", *(option.name for option in LIMITS))


def refine_path(
    path: Path,
    method: Method,
    summary: Summary,
    refine: bool | str,
    *,
    retain: float = NO_GOAL,
    include: Sequence[int] = (),
    options: Mapping[str, Any] | None = None,
    most: int | None = None,
) -> Path:
    """Swap columns, or search for the best set, if requested; fewer where they reach `retain`.

    There are as many as in `path`; where a search within limits finds more, up to `most`.
    """
    if refine is False or len(path.kept) == 0:
        return path
    room = most if retain > 1.0 else None
    improve = choose_refinement(method, refine, summary, options or {}, room)
    best = improve(path, include=include)
    limits = limits_of(options or {}, len(summary.varying))
    whole = bool((options or {}).get("together"))
    while retain < 1.0 and not whole and len(best.kept) > max(1, len(include)):
        fewer = improve(_without_last(best, include), include=include)
        if fewer.share < retain or not limits.is_met(fewer.kept):
            break
        best = fewer
    short = len(best.kept) < len(path.kept) and not limits.any
    return replace(best, stopped=REPRODUCED if short else path.stopped)


def choose_refinement(
    method: Method,
    refine: bool | str,
    summary: Summary,
    options: Mapping[str, Any] = NO_OPTIONS,
    most: int | None = None,
) -> Callable[..., Path]:
    """Choose the search for better columns; it takes a path and the columns that must stay."""
    if method.measure == "information":
        limits = limits_of(options, len(summary.varying))
        return partial(swap_representatives, summary.statistic, may_join=limits.mark_swaps)
    if any(options.get(name) is not None for name in SWAPPED_WITHIN):
        return _within_limits(summary, options, refine, most)
    grouped = as_groups(summary.statistic.explained)
    if refine == "exact":
        _check_numbers(grouped)
        return partial(best_subset, grouped.gram)
    if grouped.groups.single:
        return partial(exchange, grouped.gram)
    return partial(swap_groups, grouped)


def _within_limits(
    summary: Summary, options: Mapping[str, Any], refine: bool | str, most: int | None
) -> Callable[..., Path]:
    """Search only sets that break no limit, by what matters; a response is never kept."""
    grouped = as_groups(summary.statistic.explained)
    limits = limits_of(options, len(summary.varying))
    if refine == "exact":
        _check_numbers(grouped)
        return partial(best_within, grouped.gram, limits, most=most)
    wide = limits.widen(len(grouped.groups.sizes))
    if options.get("together"):
        return partial(swap_units, grouped, wide, most=most)
    return partial(swap_within, grouped, wide, most=most)


def _check_numbers(grouped: GroupedGram) -> None:
    """Refuse an exact search among categories."""
    if not grouped.groups.single:
        raise TamisError(
            f"{spell('refine', 'exact')} is for numbers, and categories are analysed: pass "
            f"{spell('refine', True)}, or skip them with {spell_name('exclude')}."
        )


def _without_last(path: Path, include: Sequence[int]) -> Path:
    """Drop the column that adds least, unless it must stay."""
    fixed = {int(j) for j in include}
    position = max(i for i, j in enumerate(path.indices) if int(j) not in fixed)
    return Path(np.delete(path.indices, position), path.retained[:-1], path.scores)
