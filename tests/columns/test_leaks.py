"""Columns that give a target away are named; unrelated and merely good ones are not."""

import numpy as np
import pyarrow as pa
import pytest

import tamis
from tamis.columns.relations import find_leaks
from tamis.run.front import prepare
from tamis.run.look import suspect_leaks
from tamis.run.request import Request
from tamis.sources.open import open_source


def _leaks(columns, target):
    return list(find_leaks(columns, target))


def test_unrelated_columns_never_give_a_target_away():
    rng = np.random.default_rng(0)
    for trial in range(60):
        rows = int(rng.integers(10, 120))
        columns = {f"x{j}": rng.normal(size=rows) for j in range(60)}
        columns |= {f"t{j}": rng.choice(list("abc"), rows).tolist() for j in range(20)}
        target = rng.choice(["yes", "no"], rows) if trial % 2 else rng.normal(size=rows)
        assert _leaks(columns, target.tolist()) == []


@pytest.mark.parametrize("change", [np.exp, np.abs, lambda y: np.digitize(y, [-1, 0, 1])])
def test_a_function_that_loses_what_matters_is_no_leak_and_others_are(change):
    y = np.random.default_rng(1).normal(size=400)
    assert _leaks({"x": change(y).astype(float)}, y.tolist()) == (["x"] if change is np.exp else [])


def test_noise_decides_whether_a_column_nearly_determines_a_number():
    y, noise = np.random.default_rng(2).normal(size=(2, 1000))
    found = find_leaks({"near": y + 0.02 * noise, "good": y + 0.5 * noise}, y.tolist())
    assert list(found) == ["near"]
    assert 0.98 < found["near"] < 1


def test_texts_and_missing_values_are_taken():
    rng = np.random.default_rng(3)
    target = rng.choice(["a", "b", "c"], 300).tolist()
    other = [None if j % 3 == 0 else value for j, value in enumerate(target)]
    assert _leaks({"copy": [v.upper() for v in target], "gaps": other}, target) == ["copy"]


@pytest.fixture
def visits():
    rng = np.random.default_rng(4)
    bed, drugs, age = rng.gamma(3, 20, (3, 200)).round(2)
    costs = (bed + drugs).round(2)
    paid = np.where(costs > 90, "late", "in time")
    return pa.table({"age": age, "bed": bed, "drugs": drugs, "paid": paid, "costs": costs})


def _suspects(table, y):
    request, _ = prepare(Request.of("forward", k=2, y=y), open_source(table))
    return {one.column: one.detail for one in suspect_leaks(request)}


def test_columns_that_add_up_to_the_target_are_named(visits):
    assert set(_suspects(visits, "costs")) == {"bed", "drugs"}
    assert "with 1 other" in _suspects(visits, "costs")["bed"]


def test_labels_beside_the_table_are_compared_with_their_own_rows(visits):
    labels = visits.column("paid").to_pylist()
    assert set(_suspects(visits.drop_columns(["paid"]), labels)) == {"costs"}


def test_an_answer_with_a_target_says_what_gives_it_away(visits):
    found = tamis.select(visits, k=2, y="paid")
    leaks = [one for one in found.to_dict()["warnings"] if one["looks_like"] == "leak"]
    assert [one["column"] for one in leaks] == ["costs"]
    assert leaks[0]["advice"] == 'exclude=["costs"]'
    assert "determines the target" in str(found)


def test_an_answer_names_the_columns_that_others_make(visits):
    found = tamis.select(visits, k=2)
    (relation,) = found.relations
    assert (relation.column, relation.parts) == ("costs", {"bed": 1.0, "drugs": 1.0})
    assert "costs = bed + drugs" in str(found)
    assert found.to_dict()["relations"][0]["text"] == "costs = bed + drugs"
    frame = dict(
        zip(
            found.to_frame()["column"].to_pylist(),
            found.to_frame()["made_of"].to_pylist(),
            strict=True,
        )
    )
    assert frame["costs"] == "bed + drugs"
    assert frame["bed"] is None


def test_the_report_gives_the_relation_as_the_reason(visits, tmp_path):
    page = tamis.select(visits, k=2).report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "costs = bed + drugs" in page
