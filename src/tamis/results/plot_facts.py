"""What the pictures of a result show, as plain values."""

from typing import TYPE_CHECKING, Any

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.outcome import Outcome
from tamis.facts.explorer import MapFacts, RowsPlotFacts, ScoredRows
from tamis.numerics.types import Floats, Indices
from tamis.registry import nearest

if TYPE_CHECKING:
    from tamis.results.extraction import Extraction


def check_kind(kind: Any, kinds: tuple[str, ...]) -> str:
    """Refuse a kind of picture that there is not."""
    if kind not in kinds:
        raise TamisError(f"There is no plot {kind!r}{nearest(str(kind), kinds)}")
    return str(kind)


def list_means(outcome: Outcome) -> tuple[float, ...]:
    """Give the mean of every analysed column, as it was analysed; none where that is unknown."""
    summary = outcome.summary
    if not summary.has_moments:
        return ()
    means = summary.mean[summary.varying]
    known = len(means) == len(outcome.used) and bool(np.isfinite(means).all())
    return tuple(float(f"{mean:.5g}") for mean in means.tolist()) if known else ()


def similarity_facts(outcome: Outcome) -> MapFacts:
    """Give the similarities in hundredths, in the order of their clusters."""
    found = map_facts(outcome, outcome.path.indices)
    if found is None:
        raise TamisError("A map needs at least 2 columns that were analysed: there is one.")
    return found


def score_plot_facts(found: "Extraction") -> RowsPlotFacts:
    """Give the scores of rows on the first two components, by label."""
    if found.k < 2:
        raise TamisError("Scores need 2 components to be drawn: there is one; plot the loadings.")
    sample = found.sample
    labels = sample.labels or ("",) * len(sample.scores)
    groups = []
    for label in sorted(set(labels)):
        rows = [place for place, other in enumerate(labels) if other == label]
        xs, ys = sample.scores[rows, 0].tolist(), sample.scores[rows, 1].tolist()
        groups.append(ScoredRows(label, tuple(xs), tuple(ys)))
    first, second = zip(found.names[:2], found.shares[:2].tolist(), strict=True)
    return RowsPlotFacts(tuple(groups), (first, second))


_MAP = 160
_PATH = 100


def map_facts(outcome: Outcome, path: Indices) -> MapFacts | None:
    """Give the similarity of up to 160 columns in hundredths, in the order of their clusters.

    The first of the path are always among them, the others are evenly spaced.
    """
    used = len(outcome.used)
    if used < 2:
        return None
    columns = _choose_map_columns(used, path)
    values = np.nan_to_num(np.clip(outcome.measure.pairs(columns), -1, 1))
    order, merges = cluster_order(values)
    hundredths = np.rint(100 * values[np.ix_(order, order)]).astype(int)
    return MapFacts(
        columns=tuple(columns[order].tolist()),
        names=tuple(outcome.names_of(columns[order])),
        values=tuple(map(tuple, hundredths.tolist())),
        merges=tuple(merges),
        complete=len(columns) == used,
    )


def _choose_map_columns(used: int, path: Indices) -> Indices:
    if used <= _MAP:
        return np.arange(used)
    first = path[:_PATH]
    others = np.setdiff1d(np.arange(used), first)
    spaced = np.linspace(0, len(others) - 1, _MAP - len(first)).astype(np.intp)
    return np.sort(np.concatenate([first, others[spaced]]))


def cluster_order(values: Floats) -> tuple[Indices, list[tuple[int, int, float]]]:
    """Join the most similar groups first (average linkage on the size of the similarity).

    Gives the columns from top to bottom and the joins: both parts, counted as in SciPy but with
    leaves by their place from the top, and the similarity at which they join.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    apart = 1 - np.abs((values + values.T) / 2)
    np.fill_diagonal(apart, 0.0)
    distances = squareform(np.maximum(apart, 0.0), checks=False)
    tree = optimal_leaf_ordering(linkage(distances, "average"), distances)
    order = leaves_list(tree).astype(np.intp)
    n = len(values)
    place = np.concatenate([np.argsort(order), np.arange(n, 2 * n)])
    merges = [
        (int(place[int(a)]), int(place[int(b)]), round(1 - float(height), 3))
        for a, b, height, _ in tree
    ]
    return order, merges
