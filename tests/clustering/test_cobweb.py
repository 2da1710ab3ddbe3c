"""`tamis.clustering.Cobweb`: an estimator of scikit-learn that takes text as well."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import estimator_checks_generator

import tamis
from tamis.clustering import Cobweb
from tamis.errors import TamisError


@pytest.mark.parametrize(("estimator", "check"), list(estimator_checks_generator(Cobweb())))
def test_scikit_learn_check_passes(estimator, check):
    assert check(estimator) is None


@pytest.fixture
def mixed():
    """Give a frame of three kinds, told by a number and by text, and the kinds."""
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 120)
    seen = np.where(rng.random(120) < 0.1, rng.integers(0, 3, 120), kinds)
    colour = np.array(["red", "green", "blue"])[seen]
    size = 3.0 * kinds + rng.standard_normal(120)
    shape = pd.Categorical(rng.choice(["round", "square"], 120))
    return pd.DataFrame({"colour": colour, "size": size, "shape": shape}), kinds


def test_text_categories_and_numbers_are_clustered_together(mixed):
    frame, kinds = mixed
    fitted = Cobweb().fit(frame)
    assert fitted.n_clusters_ == 3
    assert adjusted_rand_score(kinds, fitted.labels_) > 0.8
    assert Cobweb().fit_predict(pl.from_pandas(frame)).tolist() == fitted.labels_.tolist()
    marks = dict(fitted.hierarchy_.to_dict()["children"][0]["marks"])
    assert marks["colour"][0] in {"red", "green", "blue"}
    assert isinstance(marks["size"], float)
    assert list(fitted.feature_names_in_) == ["colour", "size", "shape"]


def test_the_hierarchy_is_read_cut_drawn_and_kept(mixed, tmp_path):
    fitted = pickle.loads(pickle.dumps(Cobweb().fit(mixed[0])))
    tree = fitted.hierarchy_
    assert tree.labels().tolist() == fitted.labels_.tolist()
    finer = tree.labels(level=2)
    assert all(len(set(fitted.labels_[finer == label])) == 1 for label in np.unique(finer))
    assert np.unique(tree.labels(tree.depth)).size > np.unique(finer).size > fitted.n_clusters_
    assert tree.labels(0).tolist() == [0] * 120
    assert str(tree).startswith("120 rows\n  1: ")
    assert repr(tree) == "<Hierarchy of 120 rows: 3 clusters>"
    assert tree._repr_html_().count("<circle") > 4
    assert "<svg" in tree.draw(tmp_path / "tree.html").read_text(encoding="utf-8")


def test_the_seed_decides_and_nothing_else():
    X = load_iris().data
    first = Cobweb(random_state=3).fit(X)
    assert clone(first).fit(X).labels_.tolist() == first.labels_.tolist()
    assert Cobweb(n_init=6, random_state=3).fit(X).category_utility_ >= first.category_utility_
    assert Cobweb().fit(1000 * X + 5).labels_.tolist() == Cobweb().fit(X).labels_.tolist()


def test_a_constant_column_changes_nothing():
    X = load_iris().data
    padded = np.column_stack([X, np.full(150, 0.1)])
    assert Cobweb(cutoff=0).fit_predict(padded).tolist() == Cobweb(cutoff=0).fit_predict(X).tolist()


@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ({"acuity": 0}, "above 0"),
        ({"n_init": 0}, "at least 1"),
        ({"scale": "yes"}, "True or False"),
    ],
)
def test_wrong_settings_are_refused_at_fit(settings, advice):
    with pytest.raises(TamisError, match=advice):
        Cobweb(**settings).fit(load_iris().data)


def test_frames_that_cannot_be_clustered_are_refused_in_a_sentence(mixed):
    frame, _ = mixed
    with pytest.raises(TamisError, match="'day' holds dates"):
        Cobweb().fit(frame.assign(day=pd.Timestamp("2026-01-01")))
    holes = frame.assign(colour=[None, *frame["colour"][1:]])
    with pytest.raises(TamisError, match="'colour' has 1 missing value in 120 rows: fill"):
        Cobweb().fit(holes)


def test_it_is_public():
    assert tamis.clustering.Cobweb is Cobweb
    assert "clustering" in dir(tamis)
