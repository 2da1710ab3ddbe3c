"""How strongly to shrink where rows are few: what explains held-out rows best.

A search that prefers what explains the rows at hand follows chance where they are few. The
shrinkage of the search is the one of a few whose columns explain most on held-out rows, columns
chosen again in each fold. Where there are many rows for every kept column nothing is shrunk.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tamis.algorithms.forward.row_searches import can_join, search_together
from tamis.algorithms.path import Path
from tamis.algorithms.ridge import predict_with_all
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.run.search import Search
from tamis.statistics.collect import Summary
from tamis.statistics.response import grouped_of
from tamis.statistics.row_blocks import BlockedSummary, fold_choices

SEARCH_SHRINKAGES = (0.0, 0.1, 0.3, 1.0, 3.0, 10.0)  # of a column's variance
MANY_ROWS = 50  # for each column kept: chance then explains less than 2% of another one
SEARCH_FOLDS = 5
NOISE = 0.5  # standard errors by which a choice may be worse than the best


def settle_shrinkage(search: Search, size: int) -> Search:
    """Replace "auto" by the shrinkage that explains held-out rows best with `size` columns."""
    given = search.options.get("shrink", 0.0)
    if given != "auto":
        return replace(search, ridge=float(given))
    chosen = 0.0
    if isinstance(search.summary, BlockedSummary) and has_few_rows(search.summary, size):
        chosen = _best_shrinkage(search, search.summary, size)
    options = {**search.options, "shrink": chosen}
    return replace(search, options=options, ridge=None)


def has_few_rows(summary: Summary, size: int) -> bool:
    """Whether chance explains a part of the others that matters."""
    sizes = grouped_of(summary.statistic).groups.sizes
    return summary.n_rows < MANY_ROWS * size * float(sizes.mean())


def _best_shrinkage(search: Search, summary: BlockedSummary, size: int) -> float:
    choices = fold_choices(summary.blocks.count, SEARCH_FOLDS)
    folds = []
    for known, held_rows in track("shrinkage", summary.blocks.splits(choices), len(choices)):
        total = held_rows.diagonal().sum()
        if not total > 0:
            continue
        errors = np.zeros(len(SEARCH_SHRINKAGES))
        statistic = grouped_of(known.statistic)
        part = replace(search, refine=False).on(known)
        for i, path in enumerate(_find_paths(part, min(size, len(known.varying)))):
            errors[i] = predict_with_all(
                statistic,
                held_rows,
                path.indices,
                n_rows=known.n_rows,
                importance=path.importance,
            )
        folds.append(errors / total)
    return SEARCH_SHRINKAGES[least_within_noise(np.array(folds))] if folds else 0.0


def _find_paths(search: Search, size: int) -> Iterator[Path]:
    """Search with every shrinkage, together where the table has few rows and nothing else rules."""
    statistic = grouped_of(search.summary.statistic)
    if search.is_ruled or not can_join(search.summary.statistic):
        for shrink in SEARCH_SHRINKAGES:
            yield replace(search, options={**search.options, "shrink": shrink})(size)
        return
    for indices in search_together(statistic.gram, size, SEARCH_SHRINKAGES):
        yield Path(indices, np.full(len(indices), np.nan))


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
