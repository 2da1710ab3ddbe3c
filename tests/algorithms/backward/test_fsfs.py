import numpy as np
import pytest

import tamis
from tamis.algorithms.backward import fsfs
from tamis.algorithms.backward.fsfs import keep_tight_neighbourhoods
from tamis.statistics.gram import DenseGram


def compression(C):
    """Give the smaller eigenvalue of every 2 x 2 covariance."""
    d = len(C)
    D = np.zeros((d, d))
    for i in range(d):
        for j in range(d):
            if i != j:
                D[i, j] = np.linalg.eigvalsh(C[np.ix_([i, j], [i, j])])[0]
    return D


def follow_the_paper(C, k):
    """Run the loop of the paper word by word (and on at k = 1); ties as in ours."""
    D, left, tolerance = compression(C), list(range(len(C))), None

    def radius(i):
        return sorted(D[i, j] for j in left if j != i)[k - 1]

    while True:
        k = min(k, len(left) - 1)
        while tolerance is not None and k >= 1 and min(map(radius, left)) > tolerance + 1e-12:
            k -= 1
        if k < 1:
            return sorted(left)
        rule = {
            i: (round(radius(i), 10), -round(C[i, i], 9), round(D[i].sum(), 9), i) for i in left
        }
        best = min(left, key=rule.get)
        tolerance = radius(best) if tolerance is None else tolerance
        near = sorted((j for j in left if j != best), key=lambda j: (D[best, j], j))[:k]
        left = [j for j in left if j not in near]


def test_known_index_of_two_columns(gram_of):
    X = np.column_stack([[1.0, 2, 3, 4], [1.0, 3, 2, 5]])
    path = keep_tight_neighbourhoods(gram_of(X, scale=False), 2, neighbours=1)
    assert path.scores * X.var(axis=0).mean() == pytest.approx([0.2660451, 0.2660451])
    assert path.kept.tolist() == [1]


@pytest.mark.parametrize(("neighbours", "kept"), [(1, {0, 1, 2}), (2, {1, 3}), (3, {2}), (9, {2})])
def test_known_answers_on_raw_iris(real, gram_of, neighbours, kept):
    X = real("iris")
    gram = gram_of(X, scale=False)
    path = keep_tight_neighbourhoods(gram, 4, neighbours=neighbours)
    assert set(path.kept.tolist()) == kept
    if neighbours == 1:
        assert path.removals.columns.tolist() == [3]
        index = path.scores[3] * X.var(axis=0).mean()  # variances are relative to their mean
        assert index == pytest.approx(0.0358058, abs=1e-7)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("name", ["wine", "sonar", "breast_w"])
def test_what_is_left_equals_following_the_paper(real, gram_of, matrix_of, name, scale):
    X = real(name)
    C = matrix_of(X / X.std(axis=0) if scale else X, scale=False) / len(X)
    for k in (1, 2, 3, 5, 8, 20):
        path = keep_tight_neighbourhoods(gram_of(X, scale=scale), len(C), neighbours=k)
        assert sorted(path.indices.tolist()) == follow_the_paper(C, min(k, len(C) - 1))


@pytest.mark.parametrize("stored", [0, 64])
@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_stored_and_recomputed_pairs_give_the_same(
    correlated, gram_of, matrix_of, monkeypatch, form, stored
):
    monkeypatch.setattr(fsfs, "_STORED", stored)
    X = correlated(25, 60, factors=6)
    for k in (1, 4, 15, 40):
        path = keep_tight_neighbourhoods(gram_of(X, form), 60, neighbours=k)
        assert sorted(path.indices.tolist()) == follow_the_paper(matrix_of(X), k)


def test_asking_for_k_gives_k_of_what_a_number_of_neighbours_leaves(real, gram_of):
    gram = gram_of(real("digits"))
    runs = [
        set(keep_tight_neighbourhoods(gram, 64, neighbours=n).indices.tolist())
        for n in range(1, 61)
    ]
    for k in (1, 4, 11, 30):
        kept = set(keep_tight_neighbourhoods(gram, k).kept.tolist())
        assert len(kept) == k
        assert any(kept <= run for run in runs)


def test_the_number_of_neighbours_leaves_the_goal_to_k_and_retain(real, gram_of):
    gram = gram_of(real("wine"))
    whole = keep_tight_neighbourhoods(gram, 13, neighbours=2)
    cut = keep_tight_neighbourhoods(gram, 3, neighbours=2)
    assert cut.kept.tolist() == whole.kept[:3].tolist()
    short = keep_tight_neighbourhoods(gram, 13, retain=0.5, neighbours=2)
    assert short.share >= 0.5 > whole.retained[short.size - 2]


def test_included_columns_are_never_dropped(real, gram_of):
    gram = gram_of(real("wine"))
    for neighbours in (1, 5, 12):
        path = keep_tight_neighbourhoods(gram, 13, include=[6, 5], neighbours=neighbours)
        assert path.indices[:2].tolist() == [6, 5]
    assert keep_tight_neighbourhoods(gram, 2, include=[6, 5]).kept.tolist() == [6, 5]


def test_only_copies_go_when_all_columns_are_asked_for():
    R = np.array([[1, 0.3, 1, -1], [0.3, 1, 0.3, -0.3], [1, 0.3, 1, -1], [-1, -0.3, -1, 1]])
    assert sorted(keep_tight_neighbourhoods(DenseGram(R), 4).kept.tolist()) == [0, 1]


def test_neighbours_that_leave_too_few_columns_are_named_as_the_reason():
    X = np.random.default_rng(0).standard_normal((20, 60))
    found = tamis.select(X, 59, method="fsfs", options={"neighbours": 2})
    assert 19 < found.k < 59
    assert found.shortfall == (
        f"Kept {found.k} of the 59 columns requested: neighbours=2 leaves no more."
    )
