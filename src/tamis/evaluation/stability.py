"""How much the choice of columns depends on the rows: the same search on half-samples.

The index is that of Nogueira, Sechidis and Brown (On the stability of feature selection algorithms,
2018): 1 when all half-samples give the same columns, 0 on average for columns drawn at random.
"""

from collections.abc import Sequence

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.held_out import make_finder
from tamis.facts.selection_answer import StabilityFacts
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import RANK_TOL
from tamis.run.search import Search
from tamis.statistics.gram import Gram
from tamis.statistics.row_blocks import Choices
from tamis.statistics.summary import Summary

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


def find_in_halves(search: Search, k: int) -> list[Indices]:
    """Give the columns kept in every half-sample; included ones are, whatever varies in it."""
    blocks, must = search.summary.blocks, np.array(search.include, dtype=np.intp)
    assert blocks is not None
    choices, find, sets = half_choices(blocks.count), make_finder(search, k), []
    for part in track("half-samples", blocks.parts(choices), len(choices)):
        if len(part.varying):
            found = part.varying[find(part).indices[:k]]
            # An included column that is constant in this half stays.
            sets.append(np.concatenate([must, found[~np.isin(found, must)]])[:k])
    return sets


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


# What half-samples agree on where columns stand in for one another.
#
# Names differ between halves of the rows although they say the same. Two things matter: how much
# of what the kept columns explain is explained by the set that a half gives, and which columns the
# halves keep in the place of each kept one.
MIN_SIMILARITY = 0.25  # squared correlation with a kept column, of one that stands in for it


def compare_halves(
    statistic: Summary, kept: Indices, sets: Sequence[Indices], importance: Floats | None = None
) -> tuple[Floats, Indices]:
    """Compare the columns of half-samples with the kept ones, by the matrix of all rows.

    Gives for every half-sample the share, of what the kept columns explain, that its set explains;
    and in how many half-samples each column stands for a kept one, that column itself among them
    (kept x columns).

    With an orthonormal basis Q of the kept columns they explain `QQ'X` of the columns X, and a set
    with the basis P explains `PP'QQ'X` of that. `importance` is how much each group counts.

    Examples
    --------
    The second column is a copy of the first, and stands for it in the second half.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.summary import as_summary
    >>> gram = as_summary(DenseGram(np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])))
    >>> compare_halves(gram, np.array([0]), [np.array([0]), np.array([1]), np.array([2])])
    (array([1., 1., 0.]), array([[1, 1, 0]]))
    """
    groups = statistic.groups
    S = groups.members(kept)
    rows = statistic.gram.block(S)
    T = _orthonormal(rows[:, S])
    W = T.T @ rows  # Q'X
    if importance is not None:
        W = W * np.sqrt(importance[groups.owner])
    M = W @ W.T
    explained = np.ones(len(sets))
    for i, columns in enumerate(sets):
        H = groups.members(columns)
        P = _orthonormal(_part(statistic.gram, H))
        C = P.T @ rows[:, H].T @ T  # P'Q
        explained[i] = np.einsum("ij,ji->", C @ M, C.T)
    total = float(np.trace(M))
    explained = np.clip(explained / total, 0.0, 1.0) if total > 0 else np.ones(len(sets))
    return explained, _count_stand_ins(statistic, kept, rows, sets)


def name_stand_ins(
    counts: Indices, kept: Indices, samples: int, names: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Give for every kept column those that stand for it, and how often, the most often first."""
    found = {}
    for j, row in zip(kept.tolist(), counts, strict=True):
        order = np.argsort(-row, kind="stable")[: np.count_nonzero(row)]
        found[names[j]] = {names[i]: float(row[i]) / samples for i in order.tolist()}
    return found


def _orthonormal(G: Floats) -> Floats:
    """Give T so that `X T` is an orthonormal basis of the columns X with the Gram matrix `G`."""
    values, vectors = np.linalg.eigh(G)
    useful = values > RANK_TOL * max(float(values[-1]), 0.0) if len(values) else values > 0
    return np.asarray(vectors[:, useful] / np.sqrt(values[useful]))


def _part(gram: Gram, columns: Indices) -> Floats:
    return gram.block(columns)[:, columns]


def _count_stand_ins(
    statistic: Summary, kept: Indices, rows: Floats, sets: Sequence[Indices]
) -> Indices:
    """Pair the columns of every set with kept ones, the most similar first; count the pairs."""
    counts = np.zeros((len(kept), len(statistic.groups.sizes)), dtype=np.intp)
    seen = np.unique(np.concatenate([kept, *sets])).astype(np.intp)
    similar = _similarities(statistic, kept, rows, seen)
    for columns in sets:
        places = np.searchsorted(seen, columns)
        part = similar[:, places]
        for _ in range(min(part.shape)):
            row, place = divmod(int(part.argmax()), part.shape[1])
            if part[row, place] < MIN_SIMILARITY:
                break
            counts[row, columns[place]] += 1
            part[row], part[:, place] = -1.0, -1.0
    return counts


def _similarities(statistic: Summary, kept: Indices, rows: Floats, seen: Indices) -> Floats:
    """Give squared correlations of kept columns with those seen; for groups RV coefficients."""
    groups = statistic.groups
    squares = groups.sum_up(np.square(rows))
    ends = np.cumsum(groups.sizes[kept])
    shared = np.add.reduceat(squares, ends - groups.sizes[kept], axis=0)[:, seen]
    own = statistic.diagonal()
    for j in seen[groups.sizes[seen] > 1].tolist():
        own[j] = np.linalg.norm(_part(statistic.gram, groups.members([j])))
    similar = shared / np.maximum(own[kept][:, None] * own[seen], np.finfo(float).tiny)
    similar[kept[:, None] == seen] = 2.0  # a column stands for itself before any other does
    return np.asarray(similar)
