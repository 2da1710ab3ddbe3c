import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tamis.algorithms import learners
from tamis.algorithms.learners import CrossValidated, learner_of, make_folds
from tamis.errors import TamisError
from tamis.registry.method import LEARNER
from tamis.statistics.labels import Target

CLASSES = {
    "naive-bayes": make_pipeline(StandardScaler(), GaussianNB()),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "tree": make_pipeline(
        StandardScaler(), DecisionTreeClassifier(criterion="entropy", random_state=0)
    ),
}
NUMBERS = {
    "ridge": make_pipeline(StandardScaler(), Ridge()),
    "knn": make_pipeline(StandardScaler(), KNeighborsRegressor()),
    "tree": make_pipeline(StandardScaler(), DecisionTreeRegressor(random_state=0)),
}


@pytest.fixture(scope="module")
def wine():
    """Give the table with no two equal values: neighbours at equal distance are anybody's guess."""
    data = load_wine()
    noise = 1e-3 * np.random.default_rng(0).standard_normal(data.data.shape)
    return data.data + noise, Target.of(data.target, "classification", what="y")


@pytest.mark.parametrize("name", CLASSES)
def test_a_named_learner_scores_as_its_pipeline_in_scikit_learn(name, wine):
    X, target = wine
    splits = make_folds(target, 4, random_state=1)
    judge = CrossValidated(X, target, splits, learner=name)
    for columns in ([0], [12, 3], [1, 5, 7, 10]):
        expected = cross_val_score(CLASSES[name], X[:, sorted(columns)], target.y, cv=splits)
        np.testing.assert_allclose(judge.fold_scores(columns), expected, atol=1e-12)


@pytest.mark.parametrize("name", NUMBERS)
def test_the_same_for_numbers_to_predict(name, wine):
    X = wine[0]
    target = Target.of(X[:, 12], "regression", what="y")
    splits = make_folds(target, 3, random_state=0)
    y = (X[:, 12] - X[:, 12].mean()) / X[:, 12].std()
    expected = cross_val_score(NUMBERS[name], X[:, [2, 9]], y, cv=splits)
    judge = CrossValidated(X, target, splits, learner=name)
    np.testing.assert_allclose(judge.fold_scores([9, 2]), expected, atol=1e-9)


def test_naive_bayes_from_its_table_equals_training_it_for_every_set(wine, monkeypatch):
    X, target = wine
    X = np.column_stack([X, np.round(X[:, 0]) == 13, 1e9 + X[:, 1], 1e-9 * X[:, 2]])
    splits = make_folds(target, 10, random_state=0)
    rng = np.random.default_rng(0)
    sets = [np.flatnonzero(rng.random(X.shape[1]) < 0.4) for _ in range(30)]
    quick = CrossValidated(X, target, splits)
    found = [quick.score(columns) for columns in sets]
    monkeypatch.setattr(learners, "_MAX_LIKELIHOOD_BYTES", 0)
    slow = CrossValidated(X, target, splits)
    np.testing.assert_allclose(found, [slow.score(columns) for columns in sets], atol=1e-12)


def test_no_columns_score_as_the_most_frequent_class(wine):
    X, target = wine
    splits = make_folds(target, 5, random_state=0)
    expected = cross_val_score(DummyClassifier(), X, target.y, cv=splits).mean()
    assert CrossValidated(X, target, splits).score([]) == pytest.approx(expected)


def test_any_estimator_and_any_scorer_are_taken(wine):
    X, target = wine
    splits, knn = make_folds(target, 3, random_state=0), KNeighborsClassifier(3)
    for scoring in ("balanced_accuracy", lambda learner, X, y: learner.score(X, y)):
        expected = cross_val_score(knn, X[:, :4], target.y, cv=splits, scoring=scoring).mean()
        judge = CrossValidated(X, target, splits, learner=knn, scoring=scoring)
        assert judge.score(range(4)) == pytest.approx(expected)
    assert not hasattr(knn, "classes_")


def test_every_class_is_in_all_training_parts_and_parts_are_of_equal_size():
    target = Target.of([*"aabbbbbccccccccc"], "auto", what="y")
    splits = make_folds(target, 5, random_state=3)
    assert sorted(np.concatenate([test for _, test in splits]).tolist()) == list(range(16))
    for train, test in splits:
        assert set(target.codes[train]) == {0, 1, 2}
        assert len(test) in (3, 4)
        assert not set(train) & set(test)


def test_what_cannot_be_trained_or_scored_is_one_sentence(wine):
    X, target = wine
    splits = make_folds(target, 3, random_state=0)
    with pytest.raises(TamisError, match="no scorer of this name"):
        CrossValidated(X, target, splits, scoring="acuracy").score([0])
    with pytest.raises(TamisError, match=r"could not be trained and scored \(roc_auc\)"):
        CrossValidated(X, target, splits, scoring="roc_auc").score([0])
    with pytest.raises(TamisError, match="gave nan on 60 test rows"):
        CrossValidated(X, target, splits, scoring=lambda *_: np.nan).score([0])
    with pytest.raises(TamisError, match='learner="ridge" predicts numbers'):
        learner_of("ridge", "classification")
    with pytest.raises(TamisError, match='learner="logistic" predicts classes'):
        learner_of("logistic", "regression")


def test_every_named_learner_serves_one_task_at_least():
    tasks = ("classification", "regression")
    for name in LEARNER.choices:
        made = [learners._make_named(name, task) for task in tasks if name != "auto"]
        assert name == "auto" or any(made)


def test_a_learner_that_draws_without_a_seed_is_given_one(wine):
    X, target = wine
    splits = make_folds(target, 3, random_state=0)
    loose = make_pipeline(StandardScaler(), DecisionTreeClassifier(splitter="random"))
    found = [CrossValidated(X, target, splits, learner=loose).score([0, 5]) for _ in range(4)]
    assert len(set(found)) == 1


@pytest.mark.parametrize("name", CLASSES)
def test_the_score_of_one_split_is_that_among_all(name, wine):
    X, target = wine
    judge = CrossValidated(X, target, make_folds(target, 4, random_state=1), learner=name)
    assert [judge.fold_score([1, 6], i) for i in range(4)] == judge.fold_scores([1, 6]).tolist()


@pytest.mark.parametrize("name", ["tree", "ridge", "knn"])
def test_columns_and_numbers_to_predict_may_be_far_from_zero_or_large(name):
    X = np.random.default_rng(0).standard_normal((80, 3))
    target = Target.of(X[:, 0], "regression", what="y")
    splits = make_folds(target, 3, random_state=0)
    expected = CrossValidated(X, target, splits, learner=name).score([0, 1])
    for far in (lambda x: 1e8 + x, lambda x: 1e130 * x):
        other = Target.of(far(X[:, 0]), "regression", what="y")
        found = CrossValidated(far(X), other, splits, learner=name).score([0, 1])
        assert found == pytest.approx(expected, abs=1e-3)


def test_a_scorer_that_was_given_sees_the_numbers_themselves():
    X = np.random.default_rng(1).standard_normal((80, 3))
    target = Target.of(1e8 + X[:, 0], "regression", what="y")
    judge = CrossValidated(
        X,
        target,
        make_folds(target, 3, random_state=0),
        learner="tree",
        scoring="neg_mean_absolute_error",
    )
    assert -0.2 < judge.score([0]) < 0
    assert judge.score([1]) < -0.5
