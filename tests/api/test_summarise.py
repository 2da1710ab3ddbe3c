"""Every linear method gives the answer on merged summaries that it gives on the rows."""

import numpy as np
import pytest

import tamis
from tamis import registry

LINEAR = [method for method in registry.METHODS if method.needs == "gram"]
OTHERS = [method for method in registry.METHODS if method.needs != "gram"]


def by_id(methods):
    return {"argvalues": methods, "ids": [method.id for method in methods]}


@pytest.fixture(scope="module", params=[(300, 25), (30, 44)], ids=["tall", "wide"])
def tables(request, tmp_path_factory):
    """Make a table and the merged summary of three parts of it, by way of files."""
    rows, columns = request.param
    rng = np.random.default_rng(4)
    X = rng.normal(size=(rows, 6)) @ rng.normal(size=(6, columns)) + rng.normal(size=columns)
    X += 0.3 * rng.normal(size=X.shape)
    folder = tmp_path_factory.mktemp("sites")
    for i, part in enumerate(np.split(X, [rows // 7, rows // 2])):
        tamis.summarise(part).save(folder / f"{i}.tamis")
    a, b, c = (tamis.load_summary(folder / f"{i}.tamis") for i in range(3))
    return X, (c + a + b).save(folder / "all.tamis")


@pytest.mark.parametrize("method", **by_id(LINEAR))
def test_a_linear_method_gives_the_answer_of_the_rows(tables, method):
    ask = tamis.select if method.kind == "selection" else tamis.extract
    expected, found = (ask(data, k=6, method=method.id) for data in tables)
    if method.kind == "extraction":
        np.testing.assert_allclose(found.components, expected.components, atol=1e-9)
        np.testing.assert_allclose(found.shares, expected.shares, atol=1e-9)
        return
    assert found.names == expected.names
    np.testing.assert_allclose(found.curve.retained, expected.curve.retained, atol=1e-9)
    np.testing.assert_allclose(found.curve.bound, expected.curve.bound, atol=1e-9)
    assert [row.column for row in found.explain()] == [row.column for row in expected.explain()]


@pytest.mark.parametrize("method", **by_id(OTHERS))
def test_a_method_that_needs_rows_is_refused_in_one_sentence(tables, method):
    y = "x0" if method.supervised else None
    ask = tamis.select if method.kind == "selection" else tamis.extract
    with pytest.raises(tamis.TamisError, match=r"is a summary and has no rows.*give the table"):
        ask(tables[1], k=2, method=method.id, y=y)


def test_what_needs_rows_is_refused(tables):
    X, path = tables
    found = tamis.select(path, k=3)
    assert found.transform(X).shape == (len(X), 3)
    for asked in (
        lambda: found.transform(path),
        lambda: tamis.extract(path, 2).transform(path),
        lambda: tamis.select(path, k=3, method="correlation", options={"kind": "spearman"}),
    ):
        with pytest.raises(tamis.TamisError, match="summary"):
            asked()


def test_columns_of_a_summary_are_chosen_as_those_of_a_table(tables):
    X, path = tables
    asked = {"k": 4, "columns": [f"x{j}" for j in range(3, 19)], "include": ["x7"]}
    found, expected = (tamis.select(data, exclude=["x5"], **asked) for data in (path, X))
    assert found.names == expected.names
    assert found.names[0] == "x7"


def test_constant_columns_stay_in_a_summary_and_are_named_later(numbers):
    X = np.column_stack([numbers, np.full(60, 3.0)])
    both = tamis.summarise(X[:20]) + tamis.summarise(X[20:])
    assert tamis.select(both, k=2).constant == ("x7",)


def test_a_column_constant_in_each_part_may_vary_in_all(numbers):
    X = numbers.copy()
    X[:30, 0], X[30:, 0] = 1.0, 2.0
    both = tamis.summarise(X[:30]) + tamis.summarise(X[30:])
    assert tamis.select(both, k=7).names == tamis.select(X, k=7).names


def test_a_report_is_written_from_a_summary(tables, tmp_path):
    page = tamis.select(tables[1], k=3).report(tmp_path / "page.html")
    assert "all.tamis" in page.read_text()


def test_too_few_rows_are_not_written(numbers, tmp_path):
    with pytest.raises(tamis.TamisError, match="of 60 rows and min_rows=100 asks for more"):
        tamis.summarise(numbers).save(tmp_path / "a.tamis", min_rows=100)
    assert not list(tmp_path.iterdir())


def test_any_table_is_summarised(any_table, numbers):
    found = tamis.summarise(any_table)
    np.testing.assert_allclose(found.mean, numbers.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.std, numbers.std(axis=0), rtol=1e-12)
    assert repr(found) == "<DataSummary of 60 rows x 7 columns>"


def test_blocks_of_rows_travel_too(tables):
    X, path = tables
    both = tamis.summarise(X[:20], blocks=True) + tamis.summarise(X[20:], blocks=True)
    saved = both.save(path.with_name("blocks.tamis"))
    found, expected = (tamis.select(data, k=4, held_out=True) for data in (saved, X))
    assert found.names == expected.names
    if len(X) > X.shape[1]:  # otherwise the rows themselves are split, by another number of folds
        np.testing.assert_allclose(found.held_out, expected.held_out, atol=1e-9)
    with pytest.raises(tamis.TamisError, match=r"has no blocks of rows.*blocks=True"):
        tamis.select(path, k=4, held_out=True)
