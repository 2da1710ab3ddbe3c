import numpy as np
import pytest
from papers.tests.shared import load_shared
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from tamis.errors import TamisError
from tamis.progress import send_progress
from tamis_papers.laboratory.order import order_columns
from tamis_papers.protocols.auc_curve import (
    measure_auc,
    measure_change,
    measure_removed,
)

pytestmark = pytest.mark.slow

X_CARD = [0.0, 0.1, 0.2, 0.3, 0.4]
AUC_CARD = [0.90, 0.90, 0.91, 0.88, 0.85]
TENTHS = tuple(i / 10 for i in range(10))


def test_known_answers_of_the_card():
    assert measure_change(X_CARD, AUC_CARD) == pytest.approx(0.0120833, abs=1e-7)
    assert measure_removed(X_CARD, AUC_CARD, 0.02) == 0.3
    assert measure_removed(X_CARD, AUC_CARD, 0.01) == 0.2


def test_change_is_the_integral_of_the_distance_by_a_fine_grid():
    rng = np.random.default_rng(0)
    x = np.sort(np.concatenate([[0], rng.random(20)]))
    auc = 0.8 + 0.02 * rng.standard_normal(21)
    fine = np.linspace(0, x[-1], 400_001)
    expected = np.abs(np.interp(fine, x, auc) - auc[0]).mean()
    assert measure_change(x, auc) == pytest.approx(expected, rel=1e-4)


def test_change_stops_at_the_end_that_is_given():
    assert measure_change(X_CARD, AUC_CARD, end=0.1) == 0
    assert measure_change(X_CARD, AUC_CARD, end=0.2) == pytest.approx(0.01 / 2 / 2)
    assert measure_change(X_CARD, AUC_CARD, end=0.0) == 0


def test_first_exit_and_last_return_differ_when_the_curve_comes_back():
    auc = [0.90, 0.93, 0.90, 0.89, 0.70]
    assert measure_removed(X_CARD, auc, 0.01) == 0
    assert measure_removed(X_CARD, auc, 0.01, mode="last") == 0.3
    assert measure_removed(X_CARD, auc, 0.5) == 0.4
    with pytest.raises(TamisError, match="give 'first' or 'last'"):
        measure_removed(X_CARD, auc, 0.01, mode="middle")


def test_curve_equals_the_protocol_written_out():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[::3, :12].copy()
    y = y[::3]
    X[::17, 4] = np.nan
    curve = measure_auc(X, y, "ufs", n_folds=3, fractions=[0, 0.25, 0.5, 0.75], random_state=7)
    expected = []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=7).split(X, y):
        means = np.nanmean(X[train], axis=0)
        A, B = (np.where(np.isnan(part), means, part) for part in (X[train], X[test]))
        order = order_columns(A, "ufs")
        A, B = (A - A.mean(axis=0)) / A.std(axis=0), (B - A.mean(axis=0)) / A.std(axis=0)
        expected.append([])
        for k in (12, 9, 6, 3):
            model = LinearSVC(dual=True, tol=1e-7, max_iter=500_000, random_state=7)
            values = model.fit(A[:, order[:k]], y[train]).decision_function(B[:, order[:k]])
            expected[-1].append(roc_auc_score(y[test], values))
    np.testing.assert_allclose(curve.folds, expected)
    np.testing.assert_allclose(curve.auc, np.mean(expected, axis=0))


def test_more_columns_than_rows_give_the_same_areas_as_fitting_them_all():
    rng = np.random.default_rng(2)
    X = rng.random((60, 150))
    y = X[:, :5].sum(axis=1) + 0.3 * rng.standard_normal(60) > 2.5
    curve = measure_auc(
        X, y, "sfs", n_folds=2, fractions=[0, 0.4, 0.9], scale="minmax", random_state=3
    )
    expected = []
    for train, test in StratifiedKFold(2, shuffle=True, random_state=3).split(X, y):
        low, width = X[train].min(axis=0), np.ptp(X[train], axis=0)
        order = order_columns(X[train], "sfs")
        A, B = (X[train] - low) / width, (X[test] - low) / width
        expected.append([])
        for k in (150, 90, 15):
            model = LinearSVC(dual=True, tol=1e-9, max_iter=500_000, random_state=3)
            values = model.fit(A[:, order[:k]], y[train]).decision_function(B[:, order[:k]])
            expected[-1].append(roc_auc_score(y[test], values))
    np.testing.assert_allclose(curve.folds, expected)


def test_unscaled_columns_and_logistic_regression_can_be_asked_for():
    X, y = load_iris(return_X_y=True)
    X, y = X[y > 0], np.where(y[y > 0] == 1, "versicolor", "virginica")
    plain = measure_auc(X, y, "sfs", fractions=[0, 0.5], classifier="logistic", scale="none")
    assert plain.auc[0] > 0.95
    with pytest.raises(TamisError, match="give 'svm' or 'logistic'"):
        measure_auc(X, y, "sfs", classifier="tree")
    with pytest.raises(TamisError, match="give 'standard', 'minmax' or 'none'"):
        measure_auc(X, y, "sfs", scale="unit")


def test_a_column_missing_from_a_training_part_does_no_harm():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:60, :6].copy()
    X[:, 2] = np.nan
    curve = measure_auc(X, y[:60], "sfs", n_folds=2, fractions=[0, 0.5], classifier="logistic")
    assert np.isfinite(curve.auc).all()


def test_three_labels_and_a_falling_grid_are_refused_with_advice():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TamisError, match="y has 3 kinds of labels: give two"):
        measure_auc(X, y, "sfs")
    with pytest.raises(TamisError, match="must rise from 0"):
        measure_auc(X[:100], y[:100], "sfs", fractions=[0.5, 0.1])


def test_progress_counts_folds_and_classifiers():
    X, y = load_breast_cancer(return_X_y=True)
    said = []
    with send_progress(lambda label, done, total: said.append((label, done, total))):
        measure_auc(X[:99], y[:99], "sfs", n_folds=2, fractions=[0, 0.5], classifier="logistic")
    assert said[-1] == ("folds done", 2, 2)
    assert ("classifiers trained", 2, 2) in said


@pytest.mark.slow
def test_arrhythmia_keeps_its_curve_while_redundant_columns_go():
    table = load_shared("arrhythmia")
    X, y = table.X, table.extra["y_binary"]
    with threadpool_limits(1):
        curve = measure_auc(X, y, "ufs", fractions=TENTHS, scale="minmax")
    end = measure_removed(curve.removed, curve.auc, 0.04)
    assert end >= 0.6  # the paper: 0.79
    assert measure_change(curve.removed, curve.auc, end=end) < 0.015
