"""`SpectralClusters` as scikit-learn expects it."""

import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import estimator_checks_generator

from tamis.clustering import SpectralClusters
from tamis.errors import TamisError

CHECKS = list(estimator_checks_generator(SpectralClusters(2)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "check"), CHECKS, ids=[check.func.__name__ for _, check in CHECKS]
)
def test_scikit_learn_is_content(estimator, check):
    check(clone(estimator))


@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ({"n_clusters": 0}, "n_clusters=0: give an integer of at least 1"),
        ({"neighbours": 0}, "neighbours=0: give an integer"),
        ({"sigma": "wide"}, "'median'"),
        ({"scale": "yes"}, "scale="),
    ],
)
def test_wrong_settings_are_refused_at_fit_with_advice(settings, advice):
    with pytest.raises(TamisError, match=advice):
        SpectralClusters(**settings).fit([[0.0], [1.0], [5.0]])
