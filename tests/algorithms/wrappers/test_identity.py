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

from tamis.algorithms.wrappers.search_checkpoint import hash_inputs
from tamis.errors import TamisError


def weighted(estimator, X, y, power=2):
    return float(np.mean(estimator.predict(X) == y)) ** power


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


MADE = {
    "what a partial was given": lambda n: functools.partial(weighted, power=n),
    "attributes of a callable": Costly,
    "the object of a method": lambda n: Costly(n).twice,
    "what make_scorer was given": lambda n: make_scorer(fbeta_score, beta=n + 0.5),
    "parameters of a learner": lambda n: LogisticRegression(C=n + 1.0),
    "long arrays": lambda n: functools.partial(weighted, power=np.arange(5000) == 2500 + n),
    "the class of a learner": lambda n: [LogisticRegression, Shy][n](),
    "names of scorers": lambda n: ["accuracy", "recall"][n],
    "sets": lambda n: functools.partial(weighted, power={"a", "b", n}),
    "patterns": lambda n: functools.partial(weighted, power=re.compile(f"a{n}")),
}


@pytest.mark.parametrize("what", MADE)
def test_things_are_told_apart_by(what):
    make = MADE[what]
    assert hash_inputs(make(0)) == hash_inputs(make(0))
    assert hash_inputs(make(0)) != hash_inputs(make(1))


REFUSED = {
    "a lambda": lambda e, X, y: e.score(X, y),
    "a lambda in a pipeline": make_pipeline(FunctionTransformer(lambda X: X), LogisticRegression()),
    "a lock": functools.partial(weighted, power=threading.Lock()),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_told_apart_is_refused_in_one_sentence(what):
    with pytest.raises(
        TamisError, match=r"^checkpoint: .* cannot be recognised in a later run"
    ) as found:
        hash_inputs(REFUSED[what])
    assert str(found.value).count(".") == 1


def test_the_text_is_the_same_in_every_process():
    script = (
        "from fractions import Fraction\n"
        "from tamis.algorithms.wrappers.search_checkpoint import hash_inputs\n"
        "def score(e, X, y): return e.score(X, y)\n"
        "print(hash_inputs(score, {'b', 'a', 'c'}, {'x': 1, 'y': len}, Fraction(1, 3)))"
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
