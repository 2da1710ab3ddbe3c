import numpy as np
import pytest
import scipy.linalg
from tests.needs import nightly

from tamis.algorithms.forward import pfs
from tamis.algorithms.forward.pfs import principal_features
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.numerics.leading import _MAX_BASIS_VECTORS


def solve_at_full_precision(X, k, *, scale, norm="residual"):
    """Decompose what is left anew at every step."""
    Z = X - X.mean(axis=0)
    Z = Z[:, Z.std(axis=0) > 1e-12]
    if scale:
        Z = Z / Z.std(axis=0)
    start = (Z**2).sum(axis=0)
    taken = []
    for _ in range(k):
        left = (Z**2).sum(axis=0)
        free = left > 1e-10 * start
        if not free.any():
            break
        if Z.shape[0] < Z.shape[1]:
            scores = scipy.linalg.eigh(Z @ Z.T, subset_by_index=[len(Z) - 1] * 2)[1][:, 0]
            v = scores @ Z
        else:
            v = scipy.linalg.eigh(Z.T @ Z, subset_by_index=[Z.shape[1] - 1] * 2)[1][:, 0]
        size = {"residual": left, "original": start, "none": np.ones_like(left)}[norm]
        score = np.where(free, np.abs(v) / np.sqrt(np.where(free, size, 1)), -1)
        pick = int(np.argmax(score >= score.max() * (1 - 1e-9)))
        taken.append(pick)
        q = Z[:, pick] / np.sqrt(left[pick])
        Z = Z - np.outer(q, q @ Z)
        Z = Z - np.outer(q, q @ Z)
    return taken


@pytest.mark.parametrize("norm", ["residual", "original", "none"])
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize(("name", "k"), [("sonar", 60), ("digits", 30)])
def test_picks_equal_a_solver_at_full_precision(real, gram_of, name, k, scale, norm):
    X = real(name)
    expected = solve_at_full_precision(X, k, scale=scale, norm=norm)
    found = principal_features(gram_of(X, scale=scale), k, norm=norm)
    assert found.indices.tolist() == expected


@pytest.mark.parametrize("form", ["rows", "dense", "sparse"])
@pytest.mark.parametrize("scale", [True, False])
def test_picks_equal_a_solver_at_full_precision_when_columns_outnumber_rows(
    correlated, gram_of, form, scale
):
    X = correlated(60, 150, factors=8)
    expected = solve_at_full_precision(X, 50, scale=scale)
    assert principal_features(gram_of(X, form, scale), 50).indices.tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lung_gordon", "colon_alon"])
@pytest.mark.nightly
def test_picks_equal_a_solver_at_full_precision_on_genes(real, gram_of, name):
    X = real(name)
    expected = solve_at_full_precision(X, 40, scale=True)
    assert principal_features(gram_of(X, "rows"), 40).indices.tolist() == expected


def test_directions_that_share_nothing_are_all_found(gram_of):
    """Twenty groups without any correlation between them, more than the solver's space holds."""
    rng = np.random.default_rng(0)
    groups = np.linalg.qr(rng.standard_normal((500, 20)))[0]
    groups -= groups.mean(axis=0)
    groups = np.linalg.qr(groups)[0]
    X = np.repeat(groups, 8, axis=1) * np.tile(np.linspace(1, 2, 8), 20)
    assert X.shape[1] > _MAX_BASIS_VECTORS
    weights = np.repeat(np.linspace(3, 1, 20), 8)
    path = principal_features(gram_of(X * weights, scale=False), 20)
    assert [j // 8 for j in path.indices] == list(range(20))


@pytest.mark.slow
def test_white_noise_gives_the_picks_of_a_full_solver(gram_of):
    X = np.random.default_rng(3).standard_normal((500, 120))
    expected = solve_at_full_precision(X, 60, scale=True)
    assert principal_features(gram_of(X), 60).indices.tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["residual", nightly("original"), nightly("none")])
def test_rotating_to_the_eigenvectors_changes_no_pick(gram_of, monkeypatch, norm):
    X = np.random.default_rng(4).standard_normal((400, 220)) * np.linspace(1, 2, 220)
    expected = solve_at_full_precision(X, 150, scale=False, norm=norm)
    rotations = []
    plain = pfs._Rotated
    monkeypatch.setattr(pfs, "_Rotated", lambda r: rotations.append(r.size) or plain(r))
    found = principal_features(gram_of(X, scale=False), 150, norm=norm)
    assert found.indices.tolist() == expected
    assert len(rotations) == 1


def test_known_answers_on_iris(real, gram_of):
    X = real("iris")
    raw = gram_of(X, scale=False)
    assert principal_features(raw, 4, norm="original").indices.tolist() == [2, 1, 0, 3]
    assert principal_features(raw, 4, norm="residual").indices.tolist() == [2, 0, 1, 3]
    path = principal_features(gram_of(X), 4)
    assert path.indices.tolist() == [2, 1, 0, 3]
    gains = 4 * np.diff(path.retained, prepend=0)
    assert gains == pytest.approx([2.870625, 0.899300, 0.167925, 0.062150], abs=1e-6)


def test_error_stays_close_to_the_exact_greedy_one_on_wine(real, gram_of):
    gram = gram_of(real("wine"))
    ours, best = principal_features(gram, 8), greedy_reconstruction(gram, 8)
    assert np.all(1 - ours.retained <= 1.3 * (1 - best.retained))
