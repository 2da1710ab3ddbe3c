import numpy as np
import pytest

from tamis.algorithms.relevance import (
    coherent_weights,
    common_weights,
    rank_by_coherence,
    turn_positive,
)

FORMS = ("dense", "rows", "sparse")


def centred(X, scale=True):
    Z = X - X.mean(axis=0)
    return Z / np.linalg.norm(Z, axis=0) if scale else Z


def textbook(Z, Q, rounds, exact=False):
    """Iterate on the rows as the papers write it."""
    for _ in range(rounds):
        P = Z.T @ Q
        alpha = np.linalg.eigh((Z.T @ Z) * (P @ P.T))[1][:, -1]
        alpha = alpha * np.sign(alpha.sum())
        if exact:
            values, vectors = np.linalg.eigh((Z * alpha) @ Z.T)
            Q = vectors[:, np.argsort(-np.abs(values))[: Q.shape[1]]]
        else:
            Q = np.linalg.qr(Z @ (alpha[:, None] * P))[0]
    return alpha


def objective(Z, alpha, k):
    """Give tr(Q'AAQ) for the best Q: the largest squared eigenvalues of A."""
    return np.sort(np.linalg.eigvalsh((Z * alpha) @ Z.T) ** 2)[-k:].sum()


def test_iris_of_the_card(real, gram_of):
    scaled, raw = gram_of(real("iris")), gram_of(real("iris"), scale=False)
    found = coherent_weights(scaled, clusters=3)
    assert found == pytest.approx([0.53108, 0.12255, 0.60350, 0.58200], abs=4e-5)
    found = coherent_weights(scaled, clusters=2, rounds=100)
    assert found == pytest.approx([0.53177, 0.11443, 0.60436, 0.58214], abs=1e-5)
    found = coherent_weights(raw, clusters=3)
    assert found == pytest.approx([0.16543, 0.01057, 0.97166, 0.16850], abs=1e-5)


@pytest.mark.parametrize(
    ("name", "clusters", "scale", "kept"),
    [
        ("iris", 3, False, 1),
        ("breast_w", 2, False, 6),
        ("breast_w", 2, True, 7),
        ("twonorm", 20, False, 18),
    ],
)
def test_the_floor_rule_keeps_as_many_as_the_card(real, gram_of, name, clusters, scale, kept):
    gram = gram_of(real(name), scale=scale)
    path = rank_by_coherence(gram, 20, threshold=0.95, rule="floor", clusters=clusters)
    assert len(path.kept) == kept


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", [(60, 12), (20, 30)])
@pytest.mark.parametrize("mode", ["power", "exact"])
def test_every_round_equals_the_textbook_from_the_same_random_start(
    correlated, gram_of, form, shape, mode
):
    X = correlated(*shape)
    Z = centred(X)
    for k in (1, 3, 7):
        B = np.random.default_rng(5).standard_normal((shape[1], k))
        Q = np.linalg.qr(Z @ B)[0]
        for rounds in (1, 2, 4):
            found = coherent_weights(
                gram_of(X, form), clusters=k, rounds=rounds, random_state=5, mode=mode
            )
            expected = textbook(Z, Q, rounds, exact=mode == "exact")
            np.testing.assert_allclose(found, expected, atol=2e-6)


@pytest.mark.parametrize("scale", [True, False])
def test_without_a_seed_it_starts_from_the_principal_components(real, gram_of, scale):
    X = real("wine")
    Z = centred(X, scale)
    Q = np.linalg.svd(Z, full_matrices=False)[0][:, :3]
    found = coherent_weights(gram_of(X, scale=scale), clusters=3)
    np.testing.assert_allclose(found, textbook(Z, Q, 4), atol=2e-6)


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_exact_rounds_never_lower_the_objective(real, gram_of, seed):
    X = real("wine")
    Z, gram = centred(X), gram_of(X)
    values = [
        objective(
            Z, coherent_weights(gram, clusters=2, mode="exact", rounds=n, random_state=seed), 2
        )
        for n in range(1, 8)
    ]
    assert (np.diff(values) >= -1e-12).all()
    assert seed is None or values[-1] > values[0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mode", ["power", "exact"])
def test_as_many_directions_as_the_rank_give_the_approximate_weights(
    correlated, gram_of, form, mode
):
    gram = gram_of(correlated(12, 15, noise=2.0), form)
    found = coherent_weights(gram, clusters=50, mode=mode, random_state=3)
    np.testing.assert_allclose(found, common_weights(gram), atol=1e-9)


def test_scores_are_the_sizes_of_unit_weights_and_copies_weigh_the_same(correlated, gram_of):
    X = correlated(50, 6)
    X[:, 4] = 7 - 2 * X[:, 1]
    path = rank_by_coherence(gram_of(X), 6, clusters=2)
    assert (path.scores >= 0).all()
    assert (path.scores**2).sum() == pytest.approx(1.0)
    assert path.scores[4] == pytest.approx(path.scores[1])


def test_weights_of_opposite_sign_are_found(dense):
    # The equal weights are an eigenvector of Gq here, but not the leading one.
    G = np.array([[1.0, -0.5, 0.0], [-0.5, 1.0, 0.0], [0.0, 0.0, 1e-6]])
    found = coherent_weights(dense(G), clusters=1, random_state=1, rounds=1)
    B = np.random.default_rng(1).standard_normal((3, 1))
    P = G @ B
    expected = np.linalg.eigh(G * (P @ P.T))[1][:, -1]
    assert abs(found @ expected) == pytest.approx(1.0)


def test_weights_are_turned_to_a_positive_sum_and_rounding_is_zero():
    found = turn_positive(np.array([-0.8, 1e-10, -0.6]))
    assert found.tolist() == [0.8, 0.0, 0.6]
    assert turn_positive(np.array([-0.5, 0.5]))[0] == 0.5
