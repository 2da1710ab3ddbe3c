import numpy as np
import pytest

from tamis.algorithms.forward.pfa import principal_feature_analysis


def test_known_answers_on_iris(real, gram_of):
    gram = gram_of(real("iris"))
    two = principal_feature_analysis(gram, 2)
    assert sorted(two.indices.tolist()) == [1, 3]
    three = principal_feature_analysis(gram, 3)
    assert sorted(three.indices.tolist()) == [0, 1, 2]


def test_mirror_images_are_one_cluster_unless_signed(gram_of):
    a, b = np.random.default_rng(0).standard_normal((2, 100))
    gram = gram_of(np.column_stack([a, -a, b, b + 0.1 * a]))
    assert {0, 1} - set(principal_feature_analysis(gram, 2).indices.tolist())
    three = principal_feature_analysis(gram, 3, signed=True).indices.tolist()
    assert len(three) == 3


def test_every_included_column_stays(real, gram_of):
    path = principal_feature_analysis(gram_of(real("wine")), 4, include=[0, 1])
    assert {0, 1} <= set(path.indices.tolist())
    assert len(path.indices) == 4


def test_same_seed_same_columns(real, gram_of):
    gram = gram_of(real("digits"))
    first = principal_feature_analysis(gram, 12, random_state=3)
    again = principal_feature_analysis(gram, 12, random_state=3)
    assert first.indices.tolist() == again.indices.tolist()


@pytest.mark.parametrize("name", ["wine", "digits"])
def test_the_order_of_the_columns_plays_no_part(real, gram_of, name):
    X = real(name)
    X = X[:, X.std(axis=0) > 0]
    plain = principal_feature_analysis(gram_of(X), 6)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(X.shape[1])
        moved = principal_feature_analysis(gram_of(X[:, order]), 6)
        assert order[moved.indices].tolist() == plain.indices.tolist()


def test_of_a_cluster_of_two_the_column_with_the_larger_loadings_stays(gram_of):
    a, b, noise = np.random.default_rng(0).standard_normal((3, 400))
    X = np.column_stack([a + 0.5 * noise, a, b])
    vectors = np.linalg.eigh(np.corrcoef(X, rowvar=False))[1][:, ::-1][:, :2]
    lengths = np.linalg.norm(vectors, axis=1)
    for order in ([0, 1, 2], [1, 0, 2]):
        kept = principal_feature_analysis(gram_of(X[:, order]), 2).indices
        pair = {order[j] for j in kept} - {2}
        assert pair == {int(np.argmax(lengths[:2]))}
