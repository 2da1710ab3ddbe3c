import functools
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from tamis.algorithms.wrappers.search_checkpoint import describe
from tamis.errors import TamisError

WEIGHT = 1.0


def weighted(estimator, X, y, power=2):
    return WEIGHT * float(np.mean(estimator.predict(X) == y)) ** power


def recall_of(label):
    def score(estimator, X, y):
        return float(np.mean(estimator.predict(X)[y == label] == label))

    return score


class Costly:
    def __init__(self, price):
        self.price = price

    def __call__(self, estimator, X, y):
        return -self.price * float(np.mean(estimator.predict(X) != y))

    def twice(self, estimator, X, y):
        return 2 * self(estimator, X, y)


class Shy(LogisticRegression):
    def fit(self, X, y):
        return super().fit(X / 2, y)


def cheap(threshold):
    """Make a class whose method has a constant of its own."""

    class Cheap(LogisticRegression):
        def predict(self, X):
            return self.decision_function(X) > threshold

    return Cheap()


def scaled(factor):
    return make_pipeline(FunctionTransformer(lambda X: X * factor), LogisticRegression())


MADE = {
    "the constants of lambdas": lambda n: eval(f"lambda e, X, y: e.score(X, y) * {n}"),
    "the names that lambdas use": lambda n: [
        lambda e, X, y: e.score(X, y),
        lambda e, X, y: e.fit(X, y),
    ][n],
    "values in a closure": recall_of,
    "default values": lambda n: eval(f"lambda e, X, y, w={n}: w"),
    "functions inside functions": lambda n: eval(f"lambda e, X, y: sum(x + {n} for x in y)"),
    "what a partial was given": lambda n: functools.partial(weighted, power=n),
    "attributes of a callable": Costly,
    "the object of a method": lambda n: Costly(n).twice,
    "what make_scorer was given": lambda n: make_scorer(fbeta_score, beta=n + 0.5),
    "parameters of a learner": lambda n: LogisticRegression(C=n + 1.0),
    "functions in a pipeline": scaled,
    "long arrays": lambda n: functools.partial(weighted, power=np.arange(5000) == 2500 + n),
    "the class of a learner": lambda n: [LogisticRegression, Shy][n](),
    "the methods of a class": cheap,
    "names of scorers": lambda n: ["accuracy", "recall"][n],
    "sets": lambda n: functools.partial(weighted, power={"a", "b", n}),
    "patterns": lambda n: functools.partial(weighted, power=re.compile(f"a{n}")),
}


@pytest.mark.parametrize("what", MADE)
def test_things_are_told_apart_by(what):
    make = MADE[what]
    assert describe(make(0)) == describe(make(0))
    assert describe(make(0)) != describe(make(1))


def test_a_function_is_another_once_a_global_that_it_uses_has_changed(monkeypatch):
    before = describe(weighted)
    monkeypatch.setitem(globals(), "MADE", {})
    assert describe(weighted) == before  # it does not use this one
    monkeypatch.setitem(globals(), "WEIGHT", 2.0)
    assert describe(weighted) != before


def test_training_does_not_make_another_learner():
    learner = LogisticRegression()
    before = describe(learner)
    learner.fit([[0.0], [1.0]], [0, 1])
    assert describe(learner) == before


@pytest.mark.parametrize("held", [threading.Lock(), (x for x in "ab")], ids=["lock", "generator"])
def test_what_cannot_be_told_apart_is_refused_in_one_sentence(held):
    with pytest.raises(
        TamisError, match=r"^checkpoint: .* cannot be recognised in a later run"
    ) as found:
        describe(lambda e, X, y: held and e.score(X, y))
    assert str(found.value).count(".") - str(found.value).count("_thread.lock") <= 2


def test_the_text_is_the_same_in_every_process():
    script = (
        "from tamis.algorithms.wrappers.search_checkpoint import describe\n"
        "names = {'b', 'a', 'c'}\n"
        "class Score:\n"
        "    def __call__(self, e, X, y): return super().__call__() if names else object()\n"
        "print(describe([Score(), lambda e, X, y: names, len, Score]))"
    )
    texts = set()
    for seed in "12":
        env = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", script], env=env, capture_output=True, text=True
        )
        assert not run.stderr
        texts.add(run.stdout)
    assert len(texts) == 1
