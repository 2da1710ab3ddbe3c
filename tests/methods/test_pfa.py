from tamis.methods.pfa import principal_feature_analysis


def test_known_answers_on_iris(real, gram_of):
    gram = gram_of(real("iris"))
    two = principal_feature_analysis(gram, 2)
    assert sorted(two.indices.tolist()) == [1, 3]
    three = principal_feature_analysis(gram, 3)
    assert sorted(three.indices.tolist()) == [0, 1, 2]


def test_mirror_images_are_one_cluster_unless_signed(gram_of):
    import numpy as np

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
