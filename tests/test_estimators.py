"""Every registered method as a scikit-learn estimator."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import tamis
from tamis import registry
from tamis.errors import TamisError
from tamis.selection import ForwardSelection, SequentialForwardSelection
from tamis.selection.base import GramSelector
from tests.kinds import QUICK_OPTIONS, sample_methods

METHODS = [method.id for method in registry.methods("selection")]
CLASSES = [registry.get(method).load_estimator() for method in METHODS]
TEXT = [c for c in CLASSES if registry.get(c.method_id).takes_text]
OF_RELEVANCE = ("relpca", "relpca-first", "q-alpha", "q-alpha-approx")


def choose_checks():
    """Give all checks for one class of each kind, a sixth of them in turn for any other.

    `make nightly` makes the others, too. Those of array APIs check nothing without SCIPY_ARRAY_API.
    """
    kinds = set()
    for number, one in enumerate(CLASSES):
        for place, (estimator, check) in enumerate(estimator_checks_generator(one())):
            name = check.func.__name__
            sampled = one.__bases__ not in kinds or (place + number) % 6 == 0
            if "array_api" not in name:
                marks = [] if sampled else [pytest.mark.nightly]
                yield pytest.param(estimator, check, marks=marks, id=f"{one.method_id}-{name}")
        kinds.add(one.__bases__)


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize(("estimator", "check"), list(choose_checks()))
def test_scikit_learn_check_passes(estimator, check):
    assert check(estimator) is None


@pytest.fixture(params=CLASSES, ids=lambda cls: cls.method_id)
def cls(request):
    return request.param


@pytest.fixture
def X():
    return load_wine().data


def test_estimator_and_select_keep_the_same_columns(cls, X):
    y = load_wine().target
    quick = QUICK_OPTIONS.get(cls.method_id, {})
    fitted = cls(5, **quick).fit(X, y)
    found = tamis.select(X, k=5, method=cls.method_id, y=y, options=quick)
    assert fitted.ranking_.tolist() == found.indices.tolist()
    assert fitted.get_support(indices=True).tolist() == sorted(found.indices.tolist())
    assert fitted.retained_[-1] == pytest.approx(found.retained)


def test_frames_keep_their_names_in_either_library(cls):
    frame = load_wine(as_frame=True).data
    quick = QUICK_OPTIONS.get(cls.method_id, {})
    kept = cls(3, **quick).set_output(transform="pandas").fit_transform(frame, load_wine().target)
    assert isinstance(kept, pd.DataFrame)
    fitted = cls(3, **quick).set_output(transform="polars").fit(frame, load_wine().target)
    assert isinstance(fitted.transform(frame), pl.DataFrame)
    assert fitted.transform(frame).columns == list(kept.columns)
    assert list(fitted.get_feature_names_out()) == list(kept.columns)


@pytest.mark.slow
@pytest.mark.parametrize("method", sample_methods(METHODS))
def test_pipelines_grids_and_clones_work(method, X):
    cls, y = registry.get(method).load_estimator(), load_wine().target
    pipeline = make_pipeline(
        StandardScaler(),
        cls(**QUICK_OPTIONS.get(cls.method_id, {})),
        LogisticRegression(max_iter=500),
    )
    step = pipeline.steps[1][0]
    grid = GridSearchCV(pipeline, {f"{step}__n_features_to_select": [1, 4]}, cv=3).fit(X, y)
    assert grid.best_params_[f"{step}__n_features_to_select"] == 4
    assert clone(cls(3, include=[2])).get_params()["include"] == [2]


def test_sparse_tables_give_the_same_columns(cls):
    X = np.random.default_rng(0).poisson(0.5, (60, 20)).astype(float)
    y = X[:, 0] > 0
    quick = QUICK_OPTIONS.get(cls.method_id, {})
    dense = cls(4, **quick).fit(X, y).ranking_.tolist()
    assert cls(4, **quick).fit(scipy.sparse.csr_matrix(X), y).ranking_.tolist() == dense


def test_without_a_number_the_usual_share_is_kept_or_the_method_decides(cls, X):
    method = registry.get(cls.method_id)
    fitted = cls(**QUICK_OPTIONS.get(cls.method_id, {})).fit(X, load_wine().target)
    if method.decides or cls.method_id in OF_RELEVANCE:  # the latter by a share of the relevance
        assert 1 <= len(fitted.ranking_) <= X.shape[1]
    else:
        assert fitted.retained_[-1] >= method.usual_retain


@pytest.mark.parametrize("cls", TEXT, ids=lambda cls: cls.method_id)
def test_frames_with_text_are_welcome(cls):
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 90)
    frame = pd.DataFrame(
        {
            "colour": colour,
            "code": pd.Categorical(colour),
            "size": rng.standard_normal(90),
            "flag": colour == "red",
        }
    )
    y = rng.choice(["sick", "well"], 90)
    with pytest.raises(TamisError, match="'day' holds dates"):
        cls(2).fit(frame.assign(day=pd.Timestamp("2026-01-01")), y)
    gaps = frame.mask(rng.random(frame.shape) < 0.05)
    with pytest.raises(TamisError, match="missing"):
        cls(2).fit(gaps, y)
    filled = "auto" if registry.get(cls.method_id).mixed else "category"
    for missing in ("drop", filled):
        assert len(cls(2, missing=missing).fit(gaps, y).ranking_) == 2
    fitted = cls(2).fit(frame, y)
    assert list(fitted.get_feature_names_out()) == [
        frame.columns[j] for j in np.sort(fitted.ranking_)
    ]
    assert fitted.set_output(transform="pandas").transform(frame).shape == (90, 2)


def test_included_columns_may_be_named(cls):
    frame = load_wine(as_frame=True).data
    quick = QUICK_OPTIONS.get(cls.method_id, {})
    assert cls(3, include=["ash"], **quick).fit(frame, load_wine().target).get_support()[2]


WRONG = [
    ({"n_features_to_select": -3}, "at least 1"),
    ({"n_features_to_select": 1.5}, "integer"),
    ({"n_features_to_select": 99}, "at most 13"),
    ({"retain": 1.5}, "share"),
    ({"retain": 0.5, "n_features_to_select": 2}, "not both"),
    ({"include": "ash"}, "list of column names"),
    ({"include": ["x99"]}, "no column"),
    ({"scale": "yes"}, "True or False"),
    ({"refine": "hard"}, "give "),
]


def test_wrong_settings_are_refused_at_fit_with_advice(cls, X):
    method, known = registry.get(cls.method_id), set(cls().get_params())
    assert "retain" in known or method.decides
    assert {"scale", "refine"} <= known or not method.refines or method.scale is None
    for settings, advice in WRONG:
        if set(settings) <= known:
            with pytest.raises(TamisError, match=advice):
                cls(**settings).fit(X, load_wine().target)


def test_constant_tables_are_refused(cls):
    with pytest.raises(TamisError, match="constant"):
        cls().fit(np.ones((6, 3)), [0, 1, 0, 1, 0, 1])


def test_an_estimator_says_why_it_keeps_fewer_columns_than_asked():
    X = np.random.default_rng(0).standard_normal((50, 4))
    copied = np.column_stack([X, X[:, 0]])
    constant = np.column_stack([X, np.ones(50)])

    assert SequentialForwardSelection(4).fit(copied).shortfall_ is None
    assert "explain all others" in SequentialForwardSelection(5).fit(copied).shortfall_
    assert "all others are constant" in SequentialForwardSelection(5).fit(constant).shortfall_


@pytest.mark.parametrize("cls", TEXT, ids=lambda cls: cls.method_id)
def test_an_estimator_skips_the_identifiers_that_select_skips(cls):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((200, 4)).round(1), columns=list("abcd"))
    frame["kind"] = rng.choice(["x", "y", "z"], 200)
    frame["user"] = [f"u{i}" for i in range(200)]
    frame["pair"] = [f"p{i // 2}" for i in range(200)]
    y = rng.integers(0, 3, 200)
    expected = tamis.select(frame, k=4, method=cls.method_id, y=y)
    assert set(expected.skipped) == {"user", "pair"}
    fitted = cls(4).fit(frame, y)
    assert fitted.ranking_.tolist() == expected.indices.tolist()
    assert list(fitted.skipped_) == ["user", "pair"]
    assert "user" in cls(4, include=["user"]).fit(frame, y).get_feature_names_out()
    with pytest.raises(
        TamisError, match=r"None of the 2 columns .* few rows for each value.* include"
    ):
        cls(1).fit(frame[["user", "pair"]], y)


def test_missing_values_are_taken_as_by_select(cls):
    rng = np.random.default_rng(0)
    X = np.abs(rng.standard_normal((40, 4)) @ rng.standard_normal((4, 6)))
    y, X[[3, 7], [2, 4]] = (X[:, 0] > 1).astype(int), np.nan
    quick = QUICK_OPTIONS.get(cls.method_id, {})
    for missing in ("drop", "auto"):
        X[9, 1] = np.inf if missing == "auto" else 1.0
        fitted = cls(2, missing=missing, **quick).fit(X, y)
        found = tamis.select(X, 2, method=cls.method_id, missing=missing, y=y, options=quick)
        assert fitted.ranking_.tolist() == found.indices.tolist()
        assert fitted.transform(X).shape == (40, 2)
    with pytest.raises(ValueError, match="NaN"):
        cls(2).fit(np.where(np.isinf(X), np.nan, X), y)


@pytest.mark.parametrize(
    "cls", [one for one in CLASSES if issubclass(one, GramSelector)], ids=lambda cls: cls.method_id
)
def test_rows_with_integer_weights_are_repeated_rows(cls, X):
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    fitted = cls(4).fit(X, sample_weight=weights)
    expected = cls(4).fit(np.repeat(X, weights, axis=0))
    assert fitted.ranking_.tolist() == expected.ranking_.tolist()


def test_rows_that_belong_together_choose_the_shrinkage():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(12), 10)
    X = rng.normal(size=(12, 60))[groups] + 0.3 * rng.normal(size=(120, 60))
    alone, together = (ForwardSelection(8).fit(X, groups=g).ranking_ for g in (None, groups))
    assert together.tolist() == tamis.select(X, k=8, row_groups=groups).indices.tolist()
    assert together.tolist() != alone.tolist()
    ordered = ForwardSelection(8, ordered=True).fit(X).ranking_
    assert ordered.tolist() == tamis.select(X, k=8, ordered=True).indices.tolist()


def test_a_column_of_text_is_named_where_only_numbers_are_taken():
    table = pd.DataFrame({"age": [1.0, 2.0, 3.0], "job": ["a", "b", "a"], "city": ["x", "y", "x"]})
    with pytest.raises(TamisError, match=r"^Column 'job' and 1 more: CorrelationFilter takes"):
        tamis.selection.CorrelationFilter().fit(table)
