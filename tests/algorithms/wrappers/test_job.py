import inspect

import numpy as np
import pytest
from sklearn.datasets import load_wine
from tests.algorithms.wrappers.searching import table

import tamis
from tamis.algorithms.wrappers.job import set_aside
from tamis.algorithms.wrappers.steps import select_forward
from tamis.errors import TamisError
from tamis.statistics.labels import Target

WRAPPERS = ["wrapper-forward", "wrapper-backward", "wrapper-genetic", "wrapper-annealing"]


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


def refusal(method, X, y, **given):
    with pytest.raises(TamisError) as refused:
        tamis.select(X, 2, method=method, y=y, **given)
    assert str(refused.value).count(". ") == 0
    return str(refused.value)


@pytest.mark.parametrize("method", WRAPPERS)
class TestRefusals:
    """What cannot be searched is refused in one sentence."""

    def test_a_class_with_one_row(self, method, wine):
        y = wine[1].astype(str)
        y[7] = "rare"
        assert "class 'rare' has only one row" in refusal(method, wine[0], y)

    def test_a_learner_for_the_other_task(self, method, wine):
        said = refusal(method, *wine, options={"learner": "ridge"})
        assert said.startswith('learner="ridge" predicts numbers')

    def test_a_learner_that_does_not_exist(self, method, wine):
        said = refusal(method, *wine, options={"learner": "svm"})
        assert "'naive-bayes' or 'knn'" in said
        assert "or a scikit-learn estimator" in said

    def test_a_scorer_that_does_not_exist(self, method, wine):
        assert "no scorer of this name" in refusal(method, *wine, options={"scoring": "acc"})

    def test_a_scorer_for_two_classes(self, method, wine):
        assert "could not be trained" in refusal(method, *wine, options={"scoring": "roc_auc"})

    def test_too_many_rows_set_aside(self, method, wine):
        assert "at most 0.5" in refusal(method, *wine, options={"test_size": 0.7})

    def test_a_share_of_the_variance(self, method, wine):
        with pytest.raises(TamisError, match="does not choose columns by the variance"):
            tamis.select(wine[0], method=method, y=wine[1], retain=0.9)


def test_rows_are_set_aside_from_every_class_and_two_of_each_stay():
    target = Target.of([*"a" * 50, *"b" * 30, *"c" * 3], "auto", what="y")
    rows, others, why = set_aside(target, 0.5, random_state=0)
    assert np.bincount(target.codes[others]).tolist() == [25, 15, 1]
    assert np.bincount(target.codes[rows]).tolist() == [25, 15, 2]
    assert sorted([*rows, *others]) == list(range(83))
    assert why == ""


def test_few_rows_of_few_classes_can_be_searched(wine):
    X, y = wine
    for rows in ([0, 1, 60, 61], [0, 1, 2, 60, 61, 62, 130, 131, 132]):
        assert len(select_forward(table(X[rows], y[rows]), 2).kept) == 2
    numbers = table(X[:5], X[:5, 0] + 0.5, "regression")
    assert select_forward(numbers, 1).kept.tolist() == [0]


def test_an_accuracy_on_unseen_rows_comes_with_its_standard_error(wine):
    evidence = select_forward(table(*wine), 3).evidence
    n = evidence.test_rows + 4
    share = (evidence.test_score * evidence.test_rows + 2) / n
    assert evidence.test_error == pytest.approx(np.sqrt(share * (1 - share) / n))
    few = table(wine[0][:, :2], wine[1])
    other = select_forward(few, 1, scoring="f1_macro", cv=2).evidence
    assert other.test_error is None


def test_a_method_takes_the_options_of_its_search_and_those_that_all_share():
    names = list(inspect.signature(select_forward).parameters)
    assert names[:2] == ["table", "k"]
    assert {"tol", "learner", "checkpoint", "random_state"} <= set(names)
    assert "search" not in names


def test_two_columns_that_only_help_together_are_found_by_all_but_the_forward_search():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((200, 12))
    y = (X[:, 3] > 0).astype(int) + (X[:, 8] > 0)
    for method in WRAPPERS:
        found = tamis.select(X, 2, method=method, y=y)
        assert ({*found.indices} == {3, 8}) == (method != "wrapper-forward")
