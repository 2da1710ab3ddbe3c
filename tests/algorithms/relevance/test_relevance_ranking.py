import numpy as np
import pytest

from tamis.algorithms.relevance import (
    count_leading,
    head_size,
    measure_ranking,
    rank_by_relevance,
)

FORMS = ("dense", "rows", "sparse")


def ranked(gram, relevance, **given):
    settings = {"retain": 1.0, "include": (), "threshold": None, "rule": "ceil", **given}
    return rank_by_relevance(gram, np.asarray(relevance, dtype=float), 4, **settings)


@pytest.mark.parametrize(
    ("name", "floor", "ceil"), [("iris", 1, 2), ("breast_w", 6, 7), ("twonorm", 18, 19)]
)
def test_components_of_the_card_under_both_rules(real, gram_of, name, floor, ceil):
    gram = gram_of(real(name), scale=False)
    assert count_leading(gram, "floor") == floor
    assert count_leading(gram, "ceil") == ceil


def test_a_head_that_hits_the_threshold_exactly_is_enough_and_not_too_much():
    shares = np.array([0.7, 0.2, 0.05, 0.05])
    assert head_size(shares, 0.95, "ceil") == head_size(shares, 0.95, "floor") == 3
    assert head_size(np.array([0.97, 0.03]), 0.95, "floor") == 1
    assert head_size(shares, 1.0, "ceil") == 4


@pytest.mark.parametrize("form", ["rows", "sparse"])
def test_components_are_counted_alike_when_no_kernel_can_be_held(
    correlated, gram_of, form, monkeypatch
):
    X = correlated(60, 90, factors=25)
    expected = count_leading(gram_of(X), "ceil")
    assert 16 < expected < 32
    monkeypatch.setattr("tamis.statistics.gram.row_gram.CORE_ROWS", 10)
    assert count_leading(gram_of(X, form), "ceil") == expected


def test_ranking_falls_ties_go_to_the_first_and_what_must_stay_leads(real, gram_of):
    gram = gram_of(real("iris"))
    path = ranked(gram, [0.2, 0.5 - 1e-13, 0.1, 0.5])
    assert path.indices.tolist() == [1, 3, 0, 2]
    path = ranked(gram, [0.2, 0.4, 0.1, 0.3], include=[2], threshold=0.5)
    assert path.indices.tolist() == [2, 1, 3, 0]
    assert path.kept.tolist() == [2, 1]


def test_squares_decide_the_size_when_asked(real, gram_of):
    gram, weights = gram_of(real("iris")), [0.8, 0.6, 0.0, 0.0]
    assert len(ranked(gram, weights, threshold=0.6).kept) == 2
    assert len(ranked(gram, weights, threshold=0.6, squared=True).kept) == 1


@pytest.mark.parametrize("form", FORMS)
def test_retained_equals_the_projection_for_any_order_with_copies(correlated, gram_of, form):
    X = correlated(25, 40, factors=6)
    X[:, 7] = -3 * X[:, 2]
    Z = X - X.mean(axis=0)
    Z /= np.linalg.norm(Z, axis=0)
    order = np.concatenate([[2, 7], np.setdiff1d(np.arange(40), [2, 7])])
    found = measure_ranking(gram_of(X, form), order)
    for size in (1, 2, 3, 15, 30, 40):
        U, s, _ = np.linalg.svd(Z[:, order[:size]], full_matrices=False)
        basis = U[:, s > 1e-9]
        assert found[size - 1] == pytest.approx(((basis.T @ Z) ** 2).sum() / 40), size


def test_retained_of_a_regular_matrix_equals_the_regressions(real, gram_of, matrix_of):
    X = real("wine")
    R, order = matrix_of(X), np.random.default_rng(0).permutation(13)
    for size, share in enumerate(measure_ranking(gram_of(X), order), start=1):
        head = order[:size]
        fitted = R[:, head] @ np.linalg.solve(R[np.ix_(head, head)], R[head])
        assert share == pytest.approx(np.trace(fitted) / 13)


@pytest.mark.parametrize("form", FORMS)
def test_products_equal_the_matrix_times_the_columns(correlated, gram_of, matrix_of, form):
    X = correlated(20, 30)
    M = np.random.default_rng(0).standard_normal((30, 4))
    np.testing.assert_allclose(gram_of(X, form).dot(M), matrix_of(X) @ M, atol=1e-9)
