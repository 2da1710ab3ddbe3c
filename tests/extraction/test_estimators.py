"""Every extraction method as a scikit-learn estimator."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import tamis.extraction
from tamis import registry
from tamis.errors import TamisError
from tamis.registry.extraction import EXTRACTION

CLASSES = [method.load_estimator() for method in EXTRACTION]
LABELLED = [method.load_estimator() for method in EXTRACTION if method.needs == "labelled rows"]
CHECKS = [  # those of array APIs check nothing without SCIPY_ARRAY_API
    (estimator, check)
    for cls in CLASSES
    for estimator, check in estimator_checks_generator(cls())
    if "array_api" not in check.func.__name__
]


def _id(cls):
    return cls.method_id


@pytest.fixture(params=CLASSES, ids=_id)
def cls(request):
    return request.param


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "check"),
    CHECKS,
    ids=[f"{estimator.method_id}-{check.func.__name__}" for estimator, check in CHECKS],
)
def test_scikit_learn_is_content(estimator, check):
    check(clone(estimator))


def test_every_class_is_exported(cls):
    assert cls.__name__ in tamis.extraction.__all__
    assert registry.get(cls.method_id, kind="extraction").load_estimator() is cls


def test_the_usual_share_is_kept_by_default_and_floor_keeps_no_more(cls, wine):
    X, y = wine
    fitted, less = cls().fit(X, y), cls(rule="floor").fit(X, y)
    assert cls().share == registry.get(cls.method_id, kind="extraction").usual_retain
    assert 1 <= less.transform(X).shape[1] <= fitted.transform(X).shape[1]
    assert (np.diff(fitted.shares_) <= 1e-12).all()


@pytest.mark.parametrize("name", ["LinearDiscriminants", "KernelDiscriminants"])
def test_all_discriminants_are_kept_by_default(name):
    X, y = load_iris(return_X_y=True)
    assert getattr(tamis.extraction, name)().fit(X, y).transform(X).shape == (150, 2)


def test_scores_are_named_and_frames_come_out_as_frames(cls, wine):
    X, y = wine
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    scores = cls(2).set_output(transform="pandas").fit(frame, y).transform(frame)
    stem = registry.get(cls.method_id, "extraction").component
    assert list(scores.columns) == [f"{stem}1", f"{stem}2"]
    np.testing.assert_allclose(scores.to_numpy(), cls(2).fit(X, y).transform(X), atol=1e-12)


def test_float32_gives_nearly_the_same_scores(cls, wine):
    X, y = wine
    scores = cls(2).fit(X, y).transform(X)
    single = cls(2).fit(X.astype(np.float32), y).transform(X.astype(np.float32))
    assert single.dtype == np.float64
    np.testing.assert_allclose(single, scores, atol=2e-3 * np.abs(scores).max())


def test_way_back_exists_where_it_should(cls, wine):
    X, y = wine
    fitted = cls(3).fit(X, y)
    assert hasattr(fitted, "inverse_transform") == fitted.projection_.reversible
    assert hasattr(fitted, "components_") == (fitted.projection_.loadings is not None)
    if fitted.projection_.reversible:
        back = fitted.inverse_transform(fitted.transform(X))
        assert back.shape == X.shape
        # Scaled columns count alike, so much of the largest may be lost; less than without any.
        assert np.square(X - back).sum() < 0.5 * np.square(X - X.mean(axis=0)).sum()
        with pytest.raises(TamisError, match=f"give {fitted.projection_.size}"):
            fitted.inverse_transform(X)
    else:
        with pytest.raises(TamisError, match="cannot be turned back into rows"):
            fitted.projection_.rebuild(fitted.transform(X))


@pytest.mark.parametrize("cls", [c for c in CLASSES if c()._method.takes_sparse], ids=_id)
def test_sparse_tables_give_the_scores_of_dense_ones(cls, wine):
    X = np.where(wine[0] > np.median(wine[0], axis=0), wine[0], 0.0)
    sparse = scipy.sparse.csr_array(X)
    for rows in (slice(None), slice(8)):  # more rows than columns, and fewer
        plain = cls(2).fit(X[rows])
        np.testing.assert_allclose(
            cls(2).fit(sparse[rows]).transform(sparse),
            plain.transform(X),
            atol=1e-6 * np.abs(plain.transform(X)).max(),
        )


@pytest.mark.parametrize("cls", LABELLED, ids=_id)
def test_labels_are_asked_for(cls, wine):
    with pytest.raises(ValueError, match="y"):
        cls().fit(wine[0])
    names = np.array(["a", "b", "c"])[wine[1]]
    np.testing.assert_allclose(
        cls(1).fit(*wine).transform(wine[0]), cls(1).fit(wine[0], names).transform(wine[0])
    )


def test_pipelines_and_cross_validation_run(cls, wine):
    if not cls.takes_negative:
        pipeline = make_pipeline(MinMaxScaler(clip=True), cls(3), LogisticRegression(C=100))
    else:
        pipeline = make_pipeline(StandardScaler(), cls(2), LogisticRegression())
    assert cross_val_score(pipeline, *wine, cv=3).mean() > 0.85


@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ({"n_components": 0}, "n_components=0: give an integer of at least 1"),
        ({"share": 95}, "share above 0"),
        ({"rule": "round"}, "'ceil' or 'floor'"),
    ],
)
def test_wrong_settings_are_refused_at_fit_with_advice(cls, wine, settings, advice):
    with pytest.raises(TamisError, match=advice):
        cls(**settings).fit(*wine)


def test_more_directions_than_columns_are_refused(cls, wine):
    if cls.method_id in ("kernel-pca", "spectral", "kda"):
        return  # a kernel space has more directions than columns
    with pytest.raises(TamisError, match="X has 13 numeric columns"):
        cls(14).fit(*wine)


def test_wrong_options_are_refused_with_the_choices(cls, wine):
    for option in registry.get(cls.method_id, kind="extraction").options:
        if option.kind == "choice":
            with pytest.raises(TamisError, match=f"'{option.choices[0]}'"):
                cls(**{option.name: "nonsense"}).fit(*wine)
