import numpy as np
import pytest

import tamis
from tamis.algorithms.backward import condensing
from tamis.algorithms.backward.condensing import condense
from tamis.errors import TamisError

REACH = {"average": np.mean, "complete": np.max, "single": np.min}


def merge_by_hand(R, linkage):
    """Compare all clusters at every step; at each merge the weaker representative goes."""
    angles = np.degrees(np.arccos(np.clip(np.abs(R), 0, 1)))
    squares = R**2
    clusters, order, heights = [([j], j) for j in range(len(R))], [], []
    while len(clusters) > 1:
        height, a, b = min(
            (REACH[linkage](angles[np.ix_(clusters[a][0], clusters[b][0])]), a, b)
            for a in range(len(clusters))
            for b in range(a)
        )
        union = clusters[a][0] + clusters[b][0]
        ends = sorted((clusters[a][1], clusters[b][1]))
        stays = max(ends, key=lambda j: (round(squares[j, union].sum(), 9), squares[j].sum(), -j))
        order.append(sum(ends) - stays)
        heights.append(height)
        clusters = [c for i, c in enumerate(clusters) if i not in (a, b)] + [(union, stays)]
    return order, heights


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
@pytest.mark.parametrize("name", ["iris", "wine", "sonar"])
def test_order_and_heights_equal_merging_by_hand(real, gram_of, matrix_of, name, linkage):
    X = real(name)
    order, heights = merge_by_hand(matrix_of(X), linkage)
    path = condense(gram_of(X), 1, linkage=linkage)
    assert path.removals.columns.tolist() == order
    assert path.scores[order] == pytest.approx(heights)
    assert path.indices.tolist()[1:] == order[::-1]


def test_copies_merge_at_0_degrees_and_orthogonal_columns_at_90(gram_of):
    a, b = np.array([1.0, -1, 1, -1]), np.array([1.0, 1, -1, -1])
    path = condense(gram_of(np.column_stack([a, b, -2 * a])), 1)
    assert path.removals.columns.tolist() == [2, 1]
    assert path.scores[[2, 1]].tolist() == [0.0, pytest.approx(90.0)]
    assert path.removals.weights[0, 0] == pytest.approx(-1.0)
    assert path.removals.errors == pytest.approx([0.0, 1.0])


def test_mirrored_columns_change_nothing(real, gram_of):
    X = real("wine")
    signs = np.where(np.arange(13) % 2, -1.0, 1.0)
    plain, mirrored = condense(gram_of(X), 4), condense(gram_of(X * signs), 4)
    assert plain.indices.tolist() == mirrored.indices.tolist()


def test_clusters_merge_up_to_the_threshold_in_degrees(real, gram_of):
    path = condense(gram_of(real("wine")), 13, threshold=50.0)
    gone = path.removals.columns[: 13 - path.size]
    assert path.scores[gone].max() <= 50.0 < path.scores[path.removals.columns[13 - path.size]]


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_included_columns_stay_in_any_form(correlated, gram_of, form):
    path = condense(gram_of(correlated(30, 50), form), 5, include=[4, 9, 11])
    assert path.indices[:3].tolist() == [4, 9, 11]
    assert not {4, 9, 11} & set(path.removals.columns.tolist())
    assert len(path.indices) == 50
    assert len(path.removals.columns) == 47


def test_too_many_columns_are_refused_with_advice(real, monkeypatch):
    monkeypatch.setattr(condensing, "_MAX_CONDENSED_COLUMNS", 3)
    with pytest.raises(TamisError, match="at most 3 before, for example with 'correlation'"):
        tamis.select(real("iris"), method="condensing")
