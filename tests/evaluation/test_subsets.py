import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from tamis.errors import TamisError
from tamis.evaluation.measure import relate_to_kept
from tamis.evaluation.subsets import (
    gcd,
    mccabe_m1,
    mccabe_m2,
    mccabe_m3,
    mccabe_m4,
    rm,
    rv,
)
from tamis.statistics.gram import DenseGram, RowGram, SparseGram

MCCABE = (mccabe_m1, mccabe_m2, mccabe_m3, mccabe_m4)
EVERY = (*MCCABE, rm, rv, gcd)


def by_definition(X, S):
    """Write every criterion out, with pseudo-inverses and the rows themselves."""
    Z = X - X.mean(axis=0)
    G = Z.T @ Z
    S = list(S)
    U = [j for j in range(len(G)) if j not in S]
    SS, UU, US = G[np.ix_(S, S)], G[np.ix_(U, U)], G[np.ix_(U, S)]
    inverse = np.linalg.pinv(SS, rcond=1e-10, hermitian=True)
    P = UU - US @ inverse @ US.T
    other = np.linalg.pinv(UU, rcond=1e-10, hermitian=True)
    hat = Z[:, S] @ inverse @ Z[:, S].T
    fitted = hat @ Z
    K, F = Z @ Z.T, fitted @ fitted.T
    q = np.linalg.matrix_rank(SS, hermitian=True, rtol=1e-10)
    scores = np.linalg.svd(Z)[0][:, :q]
    return {
        mccabe_m1: np.linalg.det(P),
        mccabe_m2: np.trace(P),
        mccabe_m3: (P**2).sum(),
        mccabe_m4: np.trace(other @ US @ inverse @ US.T),
        rm: np.sqrt(np.trace(F) / np.trace(K)),
        rv: np.trace(K @ F) / np.sqrt(np.trace(K @ K) * np.trace(F @ F)),
        gcd: np.trace(hat @ scores @ scores.T) / q,
    }


def table(seed, n=40, d=7):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 4)) @ rng.standard_normal((4, d)) + rng.standard_normal((n, d))


@pytest.fixture(params=["dense", "rows", "sparse"])
def gram_of(request):
    def make(X):  # the criteria are on the scale of the matrix: as the table has it
        mean = X.mean(axis=0)
        if request.param == "dense":
            return DenseGram((X - mean).T @ (X - mean))
        return SparseGram(X, mean) if request.param == "sparse" else RowGram(X - mean)

    return make


@pytest.mark.parametrize(
    ("S", "expected"),
    [
        ([2], (0.00810961, 1.12937459, 0.86572830, 0.96801177)),
        ([2, 1], (0.00993290, 0.23007483, 0.03306862, 1.12698275)),
        ([2, 1, 0], (0.06214973, 0.06214973, 0.00386259, 0.93785027)),
    ],
)
def test_known_answers_on_iris(S, expected):
    gram = DenseGram(np.corrcoef(load_iris().data, rowvar=False))
    assert [criterion(gram, S) for criterion in MCCABE] == pytest.approx(expected, abs=1e-8)
    assert rm(gram, S) ** 2 == pytest.approx(1 - expected[1] / 4, abs=1e-8)


@pytest.mark.parametrize("criterion", EVERY)
@pytest.mark.parametrize("S", [[0], [5, 2], [6, 0, 3], [0, 1, 2, 3, 4, 5]])
def test_every_criterion_equals_its_definition_in_every_form(gram_of, criterion, S):
    X = table(0)
    assert criterion(gram_of(X), S) == pytest.approx(by_definition(X, S)[criterion], rel=1e-9)


@settings(derandomize=True, deadline=None)
@given(st.integers(0, 10**6), st.sets(st.integers(0, 6), min_size=1, max_size=6))
def test_every_criterion_equals_its_definition_on_random_tables(seed, S):
    X = table(seed)
    Z = X - X.mean(axis=0)
    gram, expected = DenseGram(Z.T @ Z), by_definition(X, S)
    for criterion in EVERY:
        assert criterion(gram, list(S)) == pytest.approx(expected[criterion], rel=1e-6), criterion


@pytest.mark.parametrize("criterion", [mccabe_m2, mccabe_m3, mccabe_m4, rm, rv, gcd])
@pytest.mark.parametrize("S", [[0, 7], [7, 0, 2], [0, 1, 7, 8]])
def test_a_copy_or_a_sum_inside_the_set_is_handled_by_pseudo_inverse(gram_of, criterion, S):
    X = table(1)
    X = np.column_stack([X, -3 * X[:, 0] + 1, X[:, 0] + X[:, 1]])
    assert criterion(gram_of(X), S) == pytest.approx(by_definition(X, S)[criterion], rel=1e-9)


@pytest.mark.parametrize("criterion", EVERY)
def test_a_copy_changes_nothing_when_its_original_is_in_the_set(gram_of, criterion):
    X = table(2)
    plain, doubled = gram_of(X), gram_of(np.column_stack([X, X[:, 3]]))
    if criterion in (rm, rv, gcd):  # the table itself, which they compare with, is another one
        assert criterion(doubled, [3, 7, 1]) == pytest.approx(criterion(doubled, [3, 1]))
    else:
        assert criterion(doubled, [3, 7, 1]) == pytest.approx(criterion(plain, [3, 1]))


def test_more_columns_than_rows_leave_no_volume(gram_of):
    X = table(3, n=6, d=15)
    gram = gram_of(X)
    assert mccabe_m1(gram, [0, 4]) == 0.0
    expected = by_definition(X, [0, 4])
    for criterion in (mccabe_m2, mccabe_m3, mccabe_m4, rm, rv, gcd):
        assert criterion(gram, [0, 4]) == pytest.approx(expected[criterion], rel=1e-9)
    assert mccabe_m4(gram, [0, 4]) == pytest.approx(2)  # the rest spans all there is


def test_identities():
    R = np.corrcoef(load_wine().data, rowvar=False)
    gram, S = DenseGram(R), [6, 9, 2]
    assert np.linalg.det(R) == pytest.approx(
        np.linalg.det(R[np.ix_(S, S)]) * mccabe_m1(gram, S), rel=1e-9
    )
    share = relate_to_kept(gram, S).shares[-1].mean()
    assert rm(gram, S) ** 2 == pytest.approx(share)
    assert mccabe_m2(gram, S) == pytest.approx(13 * (1 - share))
    squared = (R @ R)[np.ix_(S, S)] @ np.linalg.inv(R[np.ix_(S, S)])
    assert rv(gram, S) == pytest.approx(np.sqrt(np.trace(squared @ squared) / np.trace(R @ R)))
    assert mccabe_m4(gram, S) == pytest.approx(mccabe_m4(gram, np.setdiff1d(np.arange(13), S)))


def test_gcd_with_another_number_of_components():
    R = np.corrcoef(load_wine().data, rowvar=False)
    values, V = np.linalg.eigh(R)
    S, q = [6, 9, 2], 5
    loadings = V[S, -q:] * values[-q:]  # covariance of the set with each component
    correlations = np.diagonal(
        loadings.T @ np.linalg.solve(R[np.ix_(S, S)], loadings) / values[-q:]
    )
    expected = correlations.sum() / np.sqrt(3 * q)
    assert gcd(DenseGram(R), S, n_components=q) == pytest.approx(expected)


@pytest.mark.parametrize("criterion", [rm, rv, gcd])
def test_the_whole_table_and_any_basis_of_it_score_one(gram_of, criterion):
    X = table(4, n=30, d=5)
    X = np.column_stack([X, X[:, 0] - X[:, 1]])
    gram = gram_of(X)
    assert criterion(gram, range(6)) == pytest.approx(1)
    assert criterion(gram, [0, 2, 3, 4, 5]) == pytest.approx(1)


def test_nothing_and_everything():
    gram = DenseGram(np.corrcoef(load_iris().data, rowvar=False))
    assert [criterion(gram, range(4)) for criterion in MCCABE] == pytest.approx([1, 0, 0, 0])
    assert [criterion(gram, []) for criterion in (rm, rv, gcd, mccabe_m4)] == [0, 0, 0, 0]
    assert mccabe_m2(gram, []) == pytest.approx(4)
    assert mccabe_m1(gram, []) == pytest.approx(0.00810961, abs=1e-8)


def test_a_position_outside_the_table_is_refused_with_the_range():
    gram = DenseGram(np.eye(3))
    for columns in ([0, 3], [-1]):
        with pytest.raises(TamisError, match="give positions from 0 to 2"):
            rm(gram, columns)
