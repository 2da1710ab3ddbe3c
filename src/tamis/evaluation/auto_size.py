"""How many columns to keep when the table is to say it, `k="auto"`.

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

from dataclasses import replace

import numpy as np

from tamis.evaluation.held_out import HeldOut, held_out, make_finder
from tamis.evaluation.stability import half_choices
from tamis.facts.selection_answer import AutoFacts
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import BAR, FIRST_FOLDS, FIRST_SIZE, LOOSE, SIZE_TAILS, STRICT
from tamis.run.search import Search
from tamis.statistics.row_blocks import Choices, choose_folds
from tamis.statistics.summary import Summary

INTERVAL_SPLITS = 10  # of the rows into halves


def size_by_rule(search: Search) -> AutoFacts:
    """Find the number of columns to keep, before any swaps."""
    summary, plain, least = (
        search.summary,
        replace(search, refine=False),
        max(1, len(search.include)),
    )
    assert summary.blocks is not None
    blocks = summary.blocks
    d, most = len(summary.varying), max(least, summary.gram.rank_bound)
    choices = choose_folds(blocks)

    def tried(size: int, choices: Choices) -> HeldOut:
        return held_out(blocks, make_finder(plain, size), size, choices, ridge=search.ridge)

    size = min(most, max(FIRST_SIZE, least))
    few = None  # three folds show how far to search
    while size < most:
        few = tried(size, choices[:FIRST_FOLDS])
        if 4 * best_size(few, d, LOOSE) <= 3 * size:
            break
        size, few = min(most, 2 * size), None
    known = few is not None and len(choices) - FIRST_FOLDS > 1  # one fold alone is too few
    folds = tried(size, choices[FIRST_FOLDS:] if known else choices)
    folds = few.join(folds) if few is not None and known else folds
    k = max(least, best_size(folds, d))
    halves = tried(min(size, k + k // 3 + 10), half_choices(blocks.count, INTERVAL_SPLITS))
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
