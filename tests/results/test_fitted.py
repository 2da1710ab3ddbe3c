"""A fitted estimator explains and reports; it holds no rows and puts nothing of this in files."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tamis
from tamis.extraction import PrincipalComponents
from tamis.selection import (
    ChiSquareScore,
    LaplacianScore,
    Representatives,
    SequentialForwardSelection,
)

WINE = load_wine()


@pytest.mark.parametrize("cls", [SequentialForwardSelection, LaplacianScore, Representatives])
def test_an_estimator_explains_as_select_does(cls, tmp_path) -> None:
    fitted = cls(4).fit(WINE.data)
    found = tamis.select(WINE.data, 4, method=cls.method_id)
    assert list(map(str, fitted.explain())) == list(map(str, found.explain()))
    page = fitted.report(tmp_path / "a.html").read_text(encoding="utf-8")
    assert "Keep 4 of 13 columns" in page


def test_an_estimator_with_labels_holds_none_of_them() -> None:
    fitted = ChiSquareScore(4).fit(WINE.data, WINE.target)
    assert len(fitted.explain()) == 9
    assert fitted._result.labels.given is None
    assert fitted._result.labels.counts == {"0": 59, "1": 71, "2": 48}


def test_the_last_step_of_a_pipeline_explains_what_it_saw() -> None:
    frame = load_wine(as_frame=True).data
    steps = make_pipeline(
        StandardScaler().set_output(transform="pandas"), SequentialForwardSelection(4)
    )
    rows = steps.fit(frame)[-1].explain()
    assert {row.column for row in rows} < set(frame.columns)


def test_no_rows_are_held_and_files_stay_small() -> None:
    X = np.random.default_rng(0).normal(size=(4_000, 5))
    fitted = SequentialForwardSelection(2).fit(X)
    assert fitted._result.summary.statistic.samples is None
    assert len(pickle.dumps(fitted._result)) < 20_000
    assert len(pickle.dumps(fitted)) < 5_000
    assert not hasattr(clone(fitted), "_result")


def test_after_loading_the_table_is_given_again(tmp_path) -> None:
    loaded = pickle.loads(pickle.dumps(SequentialForwardSelection(3).fit(WINE.data)))
    with pytest.raises(tamis.TamisError, match="pass the table as X"):
        loaded.explain()
    assert len(loaded.explain(WINE.data)) == 10
    assert loaded.report(tmp_path / "b.html", WINE.data).exists()
    with pytest.raises(tamis.TamisError, match="X is not the table of fit"):
        loaded.explain(WINE.data[::-1, ::-1])
    with pytest.raises(tamis.TamisError, match="pass the table as X, and a column to explain"):
        loaded.explain("x3")
    assert loaded.explain(WINE.data, column="x4").column == "x4"
    with pytest.raises(tamis.TamisError, match="X='hue': give the table of fit"):
        loaded.report(tmp_path / "c.html", "hue")


def test_one_column_is_explained_by_name_as_select_does() -> None:
    frame = load_wine(as_frame=True).data
    fitted, found = SequentialForwardSelection(4).fit(frame), tamis.select(frame, 4, method="sfs")
    assert str(fitted.explain("hue")) == str(found.explain("hue"))
    with pytest.raises(tamis.TamisError, match="no column 'hues': did you mean 'hue'"):
        fitted.explain("hues")
    with pytest.raises(tamis.TamisError, match="is kept: there is nothing to explain"):
        fitted.explain(found.names[0])


def test_a_wide_table_is_not_held_but_taken_again() -> None:
    X = np.random.default_rng(1).normal(size=(10, 30))
    fitted = SequentialForwardSelection(3).fit(X)
    assert fitted._result is None
    assert len(fitted.explain(X)) == 27


def test_an_extractor_gives_loadings_and_a_report_of_the_rows(tmp_path) -> None:
    frame = load_wine(as_frame=True).data
    fitted = PrincipalComponents(2).fit(frame)
    largest = fitted.explain(n=3)["PC1"]
    found = tamis.extract(frame, 2)
    assert largest == pytest.approx(found.loadings(0, 3))
    page = fitted.report(tmp_path / "c.html", frame).read_text(encoding="utf-8")
    assert "flavanoids" in page
