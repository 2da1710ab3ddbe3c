import numpy as np
import pytest

from tamis.algorithms.forward.sfs import greedy_reconstruction


def refit_every_candidate(X, k, *, scale):
    """Take the column after which least squares leaves the smallest error: the definition."""
    Z = X - X.mean(axis=0)
    Z = Z[:, Z.std(axis=0) > 1e-12]
    if scale:
        Z = Z / Z.std(axis=0)
    taken, total = [], (Z**2).sum()
    for _ in range(k):
        errors = np.full(Z.shape[1], np.inf)
        basis = np.linalg.qr(Z[:, taken])[0] if taken else np.zeros((len(Z), 0))
        left = Z - basis @ (basis.T @ Z)
        for j in range(Z.shape[1]):
            size = left[:, j] @ left[:, j]
            if j not in taken and size > 1e-10 * (Z[:, j] @ Z[:, j]):
                errors[j] = (left**2).sum() - ((left[:, j] @ left) ** 2).sum() / size
        if np.isinf(errors).all():
            break
        best = errors.min()
        taken.append(int(np.argmax(errors <= best + 1e-9 * ((left**2).sum() - best))))
    return taken, 1 - best / total


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize(("name", "k"), [("sonar", 60), ("breast_w", 9), ("digits", 40)])
def test_picks_equal_refitting_every_candidate(real, gram_of, name, k, scale):
    X = real(name)
    expected, retained = refit_every_candidate(X, k, scale=scale)
    path = greedy_reconstruction(gram_of(X, scale=scale), k)
    assert path.indices.tolist() == expected
    assert path.retained[-1] == pytest.approx(retained, abs=1e-9)


@pytest.mark.slow
def test_picks_equal_refitting_every_candidate_on_faces(real, gram_of):
    X = real("faces")[:, :200]
    expected, _ = refit_every_candidate(X, 40, scale=True)
    assert greedy_reconstruction(gram_of(X), 40).indices.tolist() == expected


def test_known_answers_on_iris(real, gram_of):
    X = real("iris")
    assert greedy_reconstruction(gram_of(X, scale=False), 4).indices.tolist() == [2, 0, 1, 3]
    path = greedy_reconstruction(gram_of(X), 4)
    assert path.indices.tolist() == [2, 1, 0, 3]
    assert 4 * (1 - path.retained[:3]) == pytest.approx([1.129375, 0.230075, 0.062150], abs=1e-6)


def test_rounding_does_not_spoil_a_path_to_the_last_digit(correlated, gram_of):
    X = correlated(400, 30, factors=10, noise=1e-4)
    expected, _ = refit_every_candidate(X, 20, scale=True)
    assert greedy_reconstruction(gram_of(X), 20).indices.tolist() == expected
