"""How strongly to shrink where rows are few: what explains held-out rows best.

A search that prefers what explains the rows at hand follows chance where they are few. The
shrinkage of the search is the one of a few whose columns explain most on held-out rows, columns
chosen again in each fold. Where there are many rows for every kept column nothing is shrunk.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tamis.algorithms.fold import hold_out_blocks
from tamis.algorithms.greedy import can_join, search_together
from tamis.algorithms.path import Path
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.search import (
    HEAVY_TAILS,
    MANY_ROWS,
    MAX_BY_TAILS,
    NOISE,
    SEARCH_FOLDS,
    SEARCH_SHRINKAGES,
)
from tamis.rules.tolerances import TIE
from tamis.run.search import Search
from tamis.statistics.row_blocks import Blocks, choose_folds
from tamis.statistics.summary import Summary

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
    for indices in search_together(part.grouped.gram, size, shrinkages):
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
