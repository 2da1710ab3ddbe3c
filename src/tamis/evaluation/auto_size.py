"""How many columns to keep: for a share of new rows, or when the table is to say it, `k="auto"`.

For a share (`retain`) it is the smallest number that explains it of held-out rows, columns chosen
again in each fold; where none does, the number that explains most. The rest of this is of "auto".

A kept column always explains itself. It is worth keeping if it also explains something of the
others, on rows not used to choose it: at least three quarters of one column's variance, the bar.
Where that ends, each further column stands for itself alone, as columns of noise do. The number is
the one with the largest sum of such gains less the bar; `benchmarks/auto.py` compares it with other
rules on tables of known size.

The interval is what the rule gives on half the rows, tried on the other half: from the 5% quantile
over 20 half-samples with a bar of one column to the 95% quantile with a bar of half a column. It
also begins no later than with the columns that are needed once all are kept: a mixture that was
taken first adds little beside the columns it is made of.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.held_out import HeldOut, hold_out_rows
from tamis.evaluation.stability import half_choices
from tamis.facts.selection_answer import AutoFacts
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import BAR, FIRST_FOLDS, FIRST_SIZE, LOOSE, SIZE_TAILS, STRICT
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.run.search import Search
from tamis.statistics.row_blocks import choose_folds
from tamis.statistics.summary import Summary

INTERVAL_SPLITS = 10  # of the rows into halves


def find_size(search: Search, retain: float | None) -> AutoFacts | HeldOut | None:
    """Find the number of columns for a share of held-out rows, or by the rule without one."""
    return size_by_rule(search) if retain is None else size_by_share(search, retain)


def size_by_share(search: Search, retain: float) -> HeldOut | None:
    """Give the errors on held-out rows with as many columns as explain `retain`, before any swaps.

    With as many as explain most, where no number reaches it. None where fewer columns are not the
    first of more, and where the rows are too few to hold some back.
    """
    plain, least = replace(search, refine=False), max(1, len(search.include))
    most = max(least, min(search.summary.gram.rank_bound, len(search.summary.varying)))
    path = plain(most, retain)
    if not path.nested:
        return None
    size = len(path.kept)
    while True:
        try:
            folds = _look_ahead(
                plain, size + size // 4 + 4, most, lambda few, _: bool(few.share.max() >= retain)
            )
        except TamisError:  # too few rows to hold some back
            return None
        enough = np.flatnonzero(folds.share >= retain - NEGLIGIBLE) + 1
        size = folds.errors.shape[1]
        if enough.size or size == most:
            k = int(enough[0]) if enough.size else first_best(folds.share) + 1
            return folds.head(max(k, least))


def _look_ahead(
    plain: Search, size: int, most: int, reaches: Callable[[HeldOut, int], bool]
) -> HeldOut:
    """Hold rows back with `size` columns, or twice as many until three folds say it is enough."""
    assert plain.summary.blocks is not None
    choices = choose_folds(plain.summary.blocks)
    size, few = min(most, size), None
    while size < most:
        few = hold_out_rows(plain, size, choices[:FIRST_FOLDS])
        if reaches(few, size):
            break
        size, few = min(most, 2 * size), None
    if few is None or len(choices) - FIRST_FOLDS < 2:  # one fold alone is too few
        return hold_out_rows(plain, size, choices)
    return few.join(hold_out_rows(plain, size, choices[FIRST_FOLDS:]))


def size_by_rule(search: Search) -> AutoFacts:
    """Find the number of columns to keep, before any swaps."""
    summary, plain, least = (
        search.summary,
        replace(search, refine=False),
        max(1, len(search.include)),
    )
    assert summary.blocks is not None
    d, most = len(summary.varying), max(least, summary.gram.rank_bound)
    folds = _look_ahead(
        plain,
        max(FIRST_SIZE, least),
        most,
        lambda few, size: 4 * best_size(few, d, LOOSE) <= 3 * size,
    )
    size = folds.errors.shape[1]
    k = max(least, best_size(folds, d))
    halves = hold_out_rows(
        plain, min(size, k + k // 3 + 10), half_choices(summary.blocks.count, INTERVAL_SPLITS)
    )
    low = _quantile(best_sizes(halves, d, STRICT), SIZE_TAILS[0])
    high = _quantile(best_sizes(halves, d, LOOSE), SIZE_TAILS[1])
    worth = _gains(folds).sum(axis=0) / folds.totals.sum() * d
    low = min(low, k - _count_superseded(summary, plain(k).indices[:k]))
    interval = max(least, min(k, low)), max(k, high)
    return AutoFacts(k, *interval, _reason(k, worth), tuple(worth.tolist()), folds, halves)


def best_size(found: HeldOut, d: int, bar: float = BAR) -> int:
    """Give the number of columns with the largest gain beyond the bar, over all folds."""
    gains = _gains(found).sum(axis=0) - bar * found.totals.sum() / d
    return int(np.cumsum(gains).argmax()) + 1


def best_sizes(found: HeldOut, d: int, bar: float) -> Indices:
    """Give the number of columns with the largest gain beyond the bar in every fold."""
    gains = _gains(found) - bar * found.totals[:, None] / d
    return np.cumsum(gains, axis=1).argmax(axis=1) + 1


def _count_superseded(summary: Summary, kept: Indices) -> int:
    """Count the kept columns that can be dropped, one by one, at a small loss to the others.

    Small is below the bar; what unrelated columns lose by chance is taken off before.
    """
    gram, size = summary.gram, len(kept)
    bar, diagonal = BAR * float(gram.diagonal().mean()), gram.diagonal()
    while len(kept) > 1:
        rows = gram.block(kept)
        inverse = np.linalg.pinv(rows[:, kept], hermitian=True)
        weights = inverse @ rows
        own = 1.0 / np.maximum(np.diagonal(inverse), np.finfo(float).tiny)
        left = float((diagonal - np.einsum("ij,ij->j", rows, weights)).sum())
        losses = own * (np.square(weights).sum(axis=1) - 1) - left / max(summary.n_rows - size, 1)
        least = int(losses.argmin())
        if losses[least] >= bar:
            break
        kept = np.delete(kept, least)
    return size - len(kept)


def _quantile(numbers: Indices, share: float) -> int:
    return int(np.quantile(numbers, share, method="nearest"))


def _gains(found: HeldOut) -> Floats:
    """Give by how much every column lowers the error of the others (folds x k)."""
    before = np.concatenate([found.totals[:, None], found.errors[:, :-1]], axis=1)
    return before - found.errors - found.own


def _reason(k: int, worth: Floats) -> str:
    if k == len(worth):
        return f"{k:,} columns: up to here each explains enough of the others on held-out rows"
    more = max(float(worth[k]), 0.0)
    enough, next_one = (
        ("1 column is", "a second") if k == 1 else (f"{k:,} columns are", "a further")
    )
    return (
        f"{enough} enough: {next_one} one would explain only {more:.2f} of a column's worth of the "
        f"others on held-out rows ({BAR} is required)"
    )
