import numpy as np
import pytest

from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.algorithms.limits import Limits


def refit_every_candidate(X, k, *, scale, include=(), forbid=(), costs=None):
    """Take the column after which least squares leaves the smallest error: the definition.

    With prices: the column that lowers the error most for each unit of its price.
    """
    Z = X - X.mean(axis=0)
    Z = Z[:, Z.std(axis=0) > 1e-12]
    if scale:
        Z = Z / Z.std(axis=0)
    taken, total = [], (Z**2).sum()
    price = np.array([(costs or {}).get(j, 1.0) for j in range(Z.shape[1])])
    for step in range(k):
        errors = np.full(Z.shape[1], np.inf)
        basis = np.linalg.qr(Z[:, taken])[0] if taken else np.zeros((len(Z), 0))
        left = Z - basis @ (basis.T @ Z)
        for j in range(Z.shape[1]):
            size = left[:, j] @ left[:, j]
            if j not in taken and j not in forbid and size > 1e-10 * (Z[:, j] @ Z[:, j]):
                errors[j] = (left**2).sum() - ((left[:, j] @ left) ** 2).sum() / size
        if step < len(include):
            taken.append(include[step])
            continue
        if np.isinf(errors).all():
            break
        gains = ((left**2).sum() - errors) / price
        taken.append(int(np.argmax(gains >= gains.max() * (1 - 1e-9))))
    basis = np.linalg.qr(Z[:, taken])[0]
    return taken, ((basis.T @ Z) ** 2).sum() / total


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


@pytest.mark.parametrize("seed", range(4))
def test_prices_and_forbidden_columns_equal_refitting_every_candidate(correlated, gram_of, seed):
    X = correlated(80, 14, factors=6, noise=0.3, seed=seed)
    rng = np.random.default_rng(seed)
    first, *_ = greedy_reconstruction(gram_of(X), 3).indices.tolist()
    asked = {
        "forbid": [first, (first + 5) % 14],
        "costs": {j: float(rng.uniform(0.2, 5)) for j in range(0, 14, 2)},
    }
    include = [(first + 3) % 14]
    expected, retained = refit_every_candidate(X, 9, scale=True, include=include, **asked)
    path = greedy_reconstruction(gram_of(X), 9, include=include, limits=Limits.of(14, **asked))
    assert path.indices.tolist() == expected
    assert path.retained[-1] == pytest.approx(retained, abs=1e-9)
    assert not set(path.indices.tolist()) & set(asked["forbid"])


def priced(costs):
    return Limits.of(4, costs=costs)


def test_a_dear_column_waits_until_its_gain_is_worth_its_price(real, gram_of):
    gram = gram_of(real("iris"))
    assert greedy_reconstruction(gram, 4).indices.tolist() == [2, 1, 0, 3]
    # Column 2 alone explains 71.8%, column 3 68.3% and column 0 61.1% of the variance.
    assert greedy_reconstruction(gram, 1, limits=priced({2: 1.02})).indices.tolist() == [2]
    assert greedy_reconstruction(gram, 1, limits=priced({2: 1.06})).indices.tolist() == [3]
    assert greedy_reconstruction(gram, 1, limits=priced({2: 2.0, 3: 2.0})).indices.tolist() == [0]
    assert (
        greedy_reconstruction(gram, 4, limits=priced({2: 0.5, 1: 100.0})).indices.tolist()[-1] == 1
    )


def test_equal_prices_change_nothing(correlated, gram_of):
    gram = gram_of(correlated(60, 12, factors=5, noise=0.2))
    plain = greedy_reconstruction(gram, 12).indices.tolist()
    assert greedy_reconstruction(
        gram, 12, limits=Limits.of(12, costs=dict.fromkeys(range(12), 3.0))
    ).indices.tolist() == (plain)


def test_forbidden_columns_count_in_what_is_explained(real, gram_of):
    gram = gram_of(real("iris"))
    path = greedy_reconstruction(gram, 4, limits=Limits.of(4, forbid=[2]))
    assert sorted(path.indices.tolist()) == [0, 1, 3]
    assert 0.9 < path.retained[-1] < 1.0
    assert "forbidden" in path.stopped
