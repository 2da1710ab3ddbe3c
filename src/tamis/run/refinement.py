"""Refine what a method has found: swaps, or an exact search, within the limits that were asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from tamis.algorithms.limits import limits_of
from tamis.algorithms.path import NO_GOAL, REPRODUCED, Path
from tamis.algorithms.refine.exact import best_subset
from tamis.algorithms.refine.exact_within import best_within
from tamis.algorithms.refine.exchange import exchange
from tamis.algorithms.refine.swap_groups import swap_groups
from tamis.algorithms.refine.swap_representatives import swap_representatives
from tamis.algorithms.refine.swap_units import swap_units
from tamis.algorithms.refine.swap_within import swap_within
from tamis.errors import TamisError, spell, spell_name
from tamis.registry import Method
from tamis.registry.limits import LIMITS
from tamis.statistics.grouped import GroupedGram, as_groups
from tamis.statistics.response import ResponseGram, as_grouped
from tamis.statistics.summary_protocol import Summary

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
    known = summary.statistic
    grouped = as_grouped(known if isinstance(known, ResponseGram) else known.explained)
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
