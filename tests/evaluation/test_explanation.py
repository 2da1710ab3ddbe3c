import numpy as np
import pytest

from tamis.algorithms.path import Path
from tamis.evaluation.measure import measure_of
from tamis.evaluation.outcome import explain_dropped
from tamis.facts.selection_answer import DroppedColumn
from tamis.statistics.gram import DenseGram


def test_share_and_weights_are_those_of_a_regression_on_standardised_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    X = np.column_stack([X, 3 * X[:, 0] - X[:, 1] + rng.normal(size=200)])
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    coefficients, rest = np.linalg.lstsq(X[:, :2], X[:, 2], rcond=None)[:2]
    path = Path(np.array([1, 0]), np.array([0.4, 0.9]))
    measure = measure_of(DenseGram(X.T @ X))
    (found,) = explain_dropped(measure, path, np.array([2]), ["a", "b", "c"])
    assert found.column == "c"
    assert found.share == pytest.approx(1 - rest[0] / 200)
    assert found.weights == pytest.approx({"a": coefficients[0], "b": coefficients[1]})
    assert next(iter(found.weights)) == "a"  # the largest first


def test_nothing_dropped_is_nothing_explained():
    path = Path(np.array([0]), np.array([1.0]))
    assert (
        explain_dropped(measure_of(DenseGram(np.eye(1))), path, np.array([], dtype=int), ["a"])
        == []
    )


def test_a_number_as_a_name_stands_in_quotes_beside_its_weight():
    assert DroppedColumn("x", 0.5, {"2024": 0.7}, 0.5).by == '0.70 x "2024"'


def test_without_a_column_above_chance_nothing_is_said_to_be_explained():
    text = str(DroppedColumn("x", 0.0, {}, 0.0, weights_are="information"))
    assert "above chance" in text
