"""Which method is recommended, and when a difference is noise."""

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.evaluation.contest import correct_error, recommend
from tamis.evaluation.criteria import CRITERIA, Figure


def contest_of(figures):
    """Make a contest of methods with these figures by fold, for one number of columns."""

    def figure(criterion, method, _):
        folds = figures[method]
        return Figure(float(np.mean(folds)), np.array(folds)) if criterion == "held-out" else None

    trials = [SimpleNamespace(method=SimpleNamespace(id=one)) for one in figures]
    ground = SimpleNamespace(task=None, measure=SimpleNamespace(name="variance"))
    return SimpleNamespace(
        sizes=(3,), trials=trials, criteria=CRITERIA, figure=figure, ground=ground
    )


def test_a_small_difference_that_every_fold_shows_is_none_of_noise():
    noise = np.random.default_rng(0).normal(size=10)
    found = recommend(contest_of({"a": noise, "b": noise + 0.01}))
    assert (found.method, found.equal, found.order) == ("b", (), ("b", "a"))


def test_a_difference_that_folds_disagree_on_is_noise():
    first, second = np.random.default_rng(1).normal(size=(2, 10))
    found = recommend(contest_of({"a": first, "b": second, "c": first - 100}))
    assert len(found.equal) == 1
    assert "c" not in found.equal


def test_the_first_method_of_equals_is_taken():
    found = recommend(contest_of({"a": [1.0, 2.0], "b": [1.0, 2.0 + 1e-12]}))
    assert (found.method, found.equal) == ("a", ("b",))


def test_the_error_counts_that_folds_share_their_training_rows():
    folds = np.random.default_rng(2).normal(size=10)
    plain = folds.std(ddof=1) / np.sqrt(10)
    assert correct_error(folds) == pytest.approx(plain * np.sqrt(1 + 10 / 9))
