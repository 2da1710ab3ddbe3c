import numpy as np
import pytest
from sklearn.linear_model import RidgeCV
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tamis
from tamis.evaluation.prediction import area_under_curve


def _correlated(rng, rows=400, width=8):
    """Give columns that differ little, and labels that depend on their differences."""
    X = rng.standard_normal((rows, 1)) + 0.03 * rng.standard_normal((rows, width))
    weights = rng.standard_normal(width)
    return X, X @ (weights - weights.mean()) + 0.05 * rng.standard_normal(rows)


def test_correlated_columns_predict_as_well_as_a_ridge_of_chosen_penalty_does():
    X, y = _correlated(np.random.default_rng(0))
    found = tamis.compare(X, ["sfs"], k=8, y=y, task="regression", criteria=["prediction"])
    judge = make_pipeline(StandardScaler(), RidgeCV(alphas=np.geomspace(1e-4, 1e4, 50)))
    folds = KFold(5, shuffle=True, random_state=0)
    expected = cross_val_score(judge, X, y, cv=folds).mean()
    assert found.frame["prediction"].to_pylist() == [pytest.approx(expected, abs=0.01)]
    assert expected > 0.5


def test_units_of_columns_and_labels_do_not_matter():
    X, y = _correlated(np.random.default_rng(1))
    asked = {"k": 4, "task": "regression", "criteria": ["prediction"]}
    plain = tamis.compare(X, ["sfs"], y=y, **asked).frame["prediction"][0].as_py()
    other = tamis.compare(X * 1e6, ["sfs"], y=1e-3 * y, **asked).frame["prediction"][0].as_py()
    assert other == pytest.approx(plain, abs=1e-6)


def test_the_area_under_the_curve_is_that_of_scikit_learn():
    rng = np.random.default_rng(2)
    positive, scores = rng.random(60) < 0.4, rng.integers(0, 9, 60) / 4.0
    assert area_under_curve(positive, scores) == pytest.approx(roc_auc_score(positive, scores))
