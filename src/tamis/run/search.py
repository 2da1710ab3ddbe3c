"""Run a registered method on a summary, and refine its result if requested."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from tamis.algorithms.path import NO_GOAL, REPRODUCED, Path
from tamis.algorithms.refine.exact import best_subset
from tamis.algorithms.refine.exchange import exchange
from tamis.algorithms.refine.swap_representatives import swap_representatives
from tamis.registry import Method
from tamis.statistics.collect import Summary
from tamis.statistics.linear import TableSummary


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
    own = {name: value for name, value in options.items() if name not in method.reads}
    size = None if k is None else max(k, len(include))
    path: Path = kernel(summary.statistic, size, retain=retain, include=include, **own)
    if refine is False or len(path.kept) == 0:
        return path
    improve = _improving(method, refine, summary)
    best = improve(path, include=include)
    while retain < 1.0 and len(best.kept) > max(1, len(include)):
        fewer = improve(_without_last(best, include), include=include)
        if fewer.share < retain:
            break
        best = fewer
    short = len(best.kept) < len(path.kept)
    return replace(best, stopped=REPRODUCED if short else path.stopped)


def best_of_size(search: "Search", given: Path) -> Path:
    """Find the best columns of the same number as those given: the search, and swaps of both."""
    free = replace(search, include=(), refine=search.method.refines)
    found = free(len(given.kept))
    if search.method.refines:
        improved = _improving(search.method, True, search.summary)(given, include=())
        found = improved if improved.share > found.share else found
    return found if found.share > given.share else given


def _improving(method: Method, refine: bool | str, summary: Summary) -> Callable[..., Path]:
    """Choose the search for better columns; it takes a path and the columns that must stay."""
    if method.measure == "information":
        return partial(swap_representatives, summary.statistic)
    gram = getattr(summary.statistic, "gram", summary.statistic)
    return partial(best_subset if refine == "exact" else exchange, gram)


def _without_last(path: Path, include: Sequence[int]) -> Path:
    """Drop the column that adds least, unless it must stay."""
    fixed = {int(j) for j in include}
    position = max(i for i, j in enumerate(path.indices) if int(j) not in fixed)
    return Path(np.delete(path.indices, position), path.retained[:-1], path.scores)


@dataclass(frozen=True, eq=False)
class Search:
    """A search that can be run again for other sizes: all that was asked but the size."""

    method: Method
    summary: Summary
    include: tuple[int, ...]
    refine: bool | str
    options: Mapping[str, Any]

    def __call__(self, size: int | None, share: float = NO_GOAL) -> Path:
        """Find at most `size` columns that reach `share`."""
        return find_path(
            self.method,
            self.summary,
            size,
            retain=share,
            include=self.include,
            refine=self.refine,
            options=self.options,
        )

    def on(self, part: TableSummary) -> "Search":
        """Give the same search on some of the rows, for a number of columns only.

        The columns of `part` count among those of this search.
        """
        places = {j: np.flatnonzero(part.varying == j) for j in self.include}
        include = tuple(int(place[0]) for place in places.values() if len(place))
        options = {n: None if n == "threshold" else v for n, v in self.options.items()}
        return replace(self, summary=part, include=include, options=options)
