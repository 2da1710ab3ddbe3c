"""Promises that every method on the rows of a table keeps, with labels or without."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from threadpoolctl import threadpool_limits

import tamis
from tamis import registry
from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tests.kinds import OF_ROWS, QUICK_OPTIONS, sample_methods

pytestmark = pytest.mark.slow

SAMPLED = sample_methods([method.id for method in OF_ROWS])
SUPERVISED = [method for method in OF_ROWS if method.supervised]


def ask(method):
    name = method if isinstance(method, str) else method.id
    return {"method": name, "options": QUICK_OPTIONS.get(name)}


@pytest.fixture(params=OF_ROWS, ids=lambda method: method.id)
def method(request):
    return request.param


@pytest.fixture(scope="module")
def wine():
    """Give 60 rows of 6 columns, with 3 classes of equal size."""
    data = load_wine(as_frame=True)
    rows = np.sort(np.concatenate([np.flatnonzero(data.target == c)[:20] for c in range(3)]))
    frame = data.data.iloc[rows, [0, 5, 6, 9, 10, 12]].reset_index(drop=True)
    return frame, np.array(["a", "b", "c"])[data.target.iloc[rows]]


@pytest.mark.parametrize("method", SAMPLED)
def test_any_form_of_the_table_and_of_the_labels_gives_the_same_columns(method, wine, tmp_path):
    frame, kinds = wine
    expected = tamis.select(frame, 3, **ask(method), y=kinds)
    assert expected.k == 3
    labelled = frame.assign(kind=kinds)
    labelled.to_csv(tmp_path / "wine.csv", index=False)
    labelled.to_parquet(tmp_path / "wine.parquet")
    for table in (labelled, tmp_path / "wine.csv", tmp_path / "wine.parquet"):
        found = tamis.select(table, 3, **ask(method), y="kind")
        assert found.names == expected.names
        assert found.skipped == {"kind": "the labels"}
    codes = np.unique(kinds, return_inverse=True)[1]
    assert tamis.select(frame.to_numpy(), 3, **ask(method), y=codes).indices.tolist() == (
        expected.indices.tolist()
    )


@pytest.mark.parametrize("method", SAMPLED)
def test_batches_and_threads_do_not_change_the_answer(method, wine, monkeypatch):
    frame, kinds = wine
    expected = tamis.select(frame, 3, **ask(method), y=kinds)
    with threadpool_limits(1):
        assert tamis.select(frame, 3, **ask(method), y=kinds).names == expected.names
    whole = ArraySource.batches

    def pieces(source, columns):
        for batch in whole(source, columns):
            yield from np.array_split(batch, 7)

    monkeypatch.setattr(ArraySource, "batches", pieces)
    found = tamis.select(frame.to_numpy(), 3, **ask(method), y=kinds)
    assert found.indices.tolist() == expected.indices.tolist()


def test_what_the_kept_columns_explain_is_said_and_never_above_the_ceiling(method, wine):
    frame, kinds = wine
    found = tamis.select(frame, 4, **ask(method), y=kinds)
    assert (found.curve.retained <= found.curve.bound + 1e-12).all()
    assert len(found.explain()) == 2
    assert 0 < found.retained <= 1


def test_the_columns_to_include_are_kept(method, wine):
    frame, kinds = wine
    assert "proline" in tamis.select(frame, 2, **ask(method), y=kinds, include=["proline"]).names


def test_without_a_number_the_method_decides_and_keeps_at_least_one_column(method, wine):
    frame, kinds = wine
    found = tamis.select(frame, **ask(method), y=kinds)
    assert 1 <= found.k <= 6


@pytest.mark.parametrize("method", SAMPLED)
def test_the_report_and_the_facts_can_be_made(method, wine, tmp_path):
    frame, kinds = wine
    found = tamis.select(frame, 2, **ask(method), y=kinds)
    page = found.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert registry.get(method).name in page
    assert found.to_dict()["labels"]["counts"] == {"a": 20, "b": 20, "c": 20}


@pytest.mark.parametrize("method", SUPERVISED, ids=lambda method: method.id)
class TestLabels:
    """Labels that cannot be learnt from are refused in one sentence."""

    def refusal(self, method, table, y, **given):
        with pytest.raises(TamisError) as refused:
            tamis.select(table, 2, **ask(method), y=y, **given)
        assert str(refused.value).count(". ") == 0
        return str(refused.value)

    def test_none_at_all(self, method, wine):
        assert "needs labels" in self.refusal(method, wine[0], None)

    def test_a_column_that_is_not_there(self, method, wine):
        table = wine[0].assign(kind=wine[1])
        assert "did you mean 'kind'?" in self.refusal(method, table, "kinds")

    def test_one_class(self, method, wine):
        assert "the same label in all 60 rows" in self.refusal(method, wine[0], ["a"] * 60)

    def test_as_many_classes_as_rows(self, method, wine):
        names = [f"row {i}" for i in range(60)]
        assert "another label in each of the 60 rows" in self.refusal(method, wine[0], names)

    def test_missing_labels(self, method, wine):
        holes = [None, None, *wine[1][2:]]
        assert "2 missing labels of 60" in self.refusal(method, wine[0], holes)
        table = wine[0].assign(kind=holes)
        assert "Column 'kind' has 2 missing labels" in self.refusal(method, table, "kind")

    def test_too_few_labels(self, method, wine):
        assert "60 rows and y 59 labels" in self.refusal(method, wine[0], wine[1][1:])

    def test_many_numbers_ask_what_they_are(self, method, wine):
        numbers = wine[0]["proline"] + 0.5
        if method.needs == "response":  # which numbers are by themselves
            found = tamis.select(wine[0], 1, **ask(method), y=numbers.to_list())
            assert found.labels.task == "regression"
            return
        asked = self.refusal(method, wine[0], numbers.to_list())
        assert ("regression" in method.tasks) == ('task="regression"' in asked)
        assert 'task="classification" if each is a class' in asked

    def test_booleans_and_integers_are_classes(self, method, wine):
        frame, kinds = wine
        for y in (kinds == "a", (kinds == "a").astype(int), pd.Series(kinds == "a")):
            found = tamis.select(frame, 2, **ask(method), y=y)
            assert len(found.labels.counts) == 2

    def test_numbers_to_predict(self, method, wine):
        frame = wine[0]
        y = 3.0 * frame["hue"] + 0.1 * frame["alcohol"]
        if "regression" in method.tasks:
            found = tamis.select(frame, 1, **ask(method), y=y, task="regression")
            assert found.names == ["hue"]
        else:
            assert "separates classes" in self.refusal(method, frame, y, task="regression")
