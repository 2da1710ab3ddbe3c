"""Separation on held-out rows: shuffled labels are found out, real classes are not doubted."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestCentroid

import tamis
from tamis.algorithms.extraction.lda import discriminants
from tamis.cli import main
from tamis.evaluation.extraction_outcome import _folds, cross_validate

METHODS = ("lda", "kda", "lfda")


@pytest.fixture
def noise():
    """Sixty rows of 200 columns that know nothing of their labels."""
    return np.random.default_rng(0).standard_normal((60, 200)), np.repeat(["a", "b"], 30)


@pytest.mark.parametrize("method", METHODS)
def test_labels_that_mean_nothing_are_separated_but_said_to_be_overfitted(method, noise):
    X, y = noise
    found = tamis.extract(X, method=method, y=y)
    assert found.separation.fitted > 0.95
    assert 0.25 < found.separation.accuracy < 0.75
    assert found.separation.largest_class == 0.5
    assert found.separation.overfitted
    facts = found.to_dict()["separation"]
    assert facts["overfitted"]
    assert facts["accuracy"] == found.separation.accuracy
    text = str(found)
    assert f"Cross-validated accuracy: {found.separation.accuracy:.1%}" in text
    assert "The separation is overfitted" in text


@pytest.mark.parametrize("method", METHODS)
def test_real_classes_are_not_doubted(method):
    X, y = load_iris(return_X_y=True)
    options = {"kernel": "linear"} if method == "kda" else {}
    found = tamis.extract(X, method=method, y=y, options=options)
    assert found.separation.accuracy > 0.9
    assert not found.separation.overfitted
    assert "overfitted" not in str(found)


def test_accuracy_is_that_of_refitting_without_each_fold():
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    whole = discriminants(X, y)
    found = cross_validate(discriminants, whole, X, y)
    folds, right = _folds(y), 0
    for fold in range(5):
        train, test = folds != fold, folds == fold
        part = discriminants(X[train], y[train])
        oracle = NearestCentroid().fit(part.project(X[train]), y[train])
        right += (oracle.predict(part.project(X[test])) == y[test]).sum()
    assert found.accuracy == right / 150
    oracle = NearestCentroid().fit(whole.project(X), y)
    assert found.fitted == oracle.score(whole.project(X), y)


def test_folds_hold_each_class_evenly_and_never_its_only_row():
    codes = np.repeat([0, 1, 2, 3], [1, 2, 23, 40])
    folds = _folds(codes)
    assert folds[0] == -1
    assert folds[1] != folds[2]
    for code in (2, 3):
        counts = np.bincount(folds[codes == code], minlength=5)
        assert counts.max() - counts.min() <= 1


def test_a_fold_without_a_direction_gets_the_largest_class():
    """Without one of its two rows every class is a single point, which solver `svd` refuses."""
    X = np.array([[0.0], [1.0], [5.0], [6.0]])
    codes = np.array([0, 0, 1, 1])
    whole = discriminants(X, codes, solver="svd")
    found = cross_validate(lambda a, b: discriminants(a, b, solver="nullspace"), whole, X, codes)
    assert found.fitted == 1.0
    assert 0 <= found.accuracy <= 0.5


def test_methods_without_labels_have_no_separation():
    found = tamis.extract(load_iris().data, 2, y=load_iris().target)
    assert found.separation is None
    assert found.to_dict()["separation"] is None


def test_a_long_table_is_validated_on_some_of_its_rows():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 9000)
    X = rng.standard_normal((9000, 3)) + 3 * y[:, None]
    found = tamis.extract(X, method="lfda", y=y)
    assert found.separation.rows == 1500
    assert found.separation.accuracy > 0.95


def test_report_and_json_show_it(noise, tmp_path, capsys):
    X, y = noise
    pd.DataFrame(X).assign(y=y).rename(columns=str).to_csv(tmp_path / "t.csv", index=False)
    page = tmp_path / "page.html"
    command = ["extract", str(tmp_path / "t.csv"), "--method", "lda", "--target", "y"]
    main([*command, "--report", str(page), "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["separation"]["fitted"] == 1.0
    assert facts["separation"]["sentence"] in page.read_text(encoding="utf-8")
    assert "more columns than rows: within-class covariance regularised" in facts["note"]
