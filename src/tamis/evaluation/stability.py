"""How much the choice of columns depends on the rows: the same search on half-samples.

The index is that of Nogueira, Sechidis and Brown (On the stability of feature selection algorithms,
2018): 1 when all half-samples give the same columns, 0 on average for columns drawn at random.
"""

from collections.abc import Sequence

import numpy as np

from tamis.errors import TamisError
from tamis.facts.selection_answer import StabilityFacts
from tamis.numerics.types import Floats, Indices
from tamis.statistics.row_blocks import Choices

N_SPLITS = 25
_QUANTILE_975 = 1.959963984540054  # 97.5% quantile


def half_choices(count: Indices, n_splits: int = N_SPLITS) -> Choices:
    """Mark the blocks of half-samples, drawn in pairs: one half of the blocks, then the other.

    The draws are always the same. Blocks without rows are not drawn.
    """
    filled = np.flatnonzero(count)
    if len(filled) < 4:
        raise TamisError(
            f"{int(count.sum())} rows are too few for half-samples: give a table with more rows "
            "that differ."
        )
    rng = np.random.default_rng(0)
    choices = np.zeros((2 * n_splits, len(count)), dtype=bool)
    for split in range(n_splits):
        drawn = rng.permutation(filled)
        half = len(filled) // 2
        choices[2 * split, drawn[:half]] = True
        choices[2 * split + 1, drawn[half:]] = True
    return choices


def stability_of(sets: Sequence[Indices], names: Sequence[str]) -> StabilityFacts:
    """Compare the columns kept in several samples.

    Examples
    --------
    >>> stability_of([np.array([0, 1]), np.array([0, 2])], ["a", "b", "c", "d"]).frequency
    {'a': 1.0, 'b': 0.5, 'c': 0.5, 'd': 0.0}
    """
    kept = np.zeros((len(sets), len(names)))
    for row, columns in zip(kept, sets, strict=True):
        row[columns] = 1.0
    index, width = _index(kept)
    shares = kept.mean(axis=0).tolist()
    low, high = index - width, min(1.0, index + width)
    return StabilityFacts(index, low, high, len(sets), dict(zip(names, shares, strict=True)))


def _index(kept: Floats) -> tuple[float, float]:
    """Give the index and half the width of its interval, from a 0/1 row for every sample."""
    m, d = kept.shape
    sizes, frequency = kept.sum(axis=1), kept.mean(axis=0)
    mean = sizes.mean()
    chance = mean / d * (1 - mean / d)
    if chance <= 0:
        return 1.0, 0.0  # nothing to choose: all columns are kept, or none
    variance = m / (m - 1) * (frequency * (1 - frequency)).mean()
    index = 1 - variance / chance
    each = kept @ frequency / d - sizes * mean / d**2
    each += index / 2 * (2 * mean * sizes / d**2 - sizes / d - mean / d + 1)
    each /= chance
    spread = 2 / m * np.sqrt(np.square(each - each.mean()).sum())
    return float(index), float(_QUANTILE_975 * spread)
