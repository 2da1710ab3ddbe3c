"""Every linear method gives the answer on merged summaries that it gives on the rows."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

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
    asked = {"k": 4, "columns": [f"x{j}" for j in range(3, 19)], "include": ["x7"], "method": "sfs"}
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
    found, expected = (tamis.select(data, k=7, method="sfs") for data in (both, X))
    assert found.names == expected.names


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
        np.testing.assert_allclose(found.held_out, expected.held_out, atol=0.02)  # by other folds
        whole = tamis.select(tamis.summarise(X, blocks=True), k=4, held_out=True)
        np.testing.assert_allclose(whole.held_out, expected.held_out, atol=1e-9)
    with pytest.raises(tamis.TamisError, match=r"has no blocks of rows.*blocks=True"):
        tamis.select(path, k=4, held_out=True)


def test_held_out_rows_and_half_samples_come_from_the_blocks_of_a_summary(numbers, tmp_path):
    expected = tamis.select(numbers, 2)
    made = tamis.summarise(numbers, blocks=True)
    saved = made.save(tmp_path / "blocks.tamis")
    for data in (made, saved):
        found = tamis.select(data, 2)
        np.testing.assert_allclose(found.held_out, expected.held_out, atol=1e-9)
        assert found.stability.frequency == expected.stability.frequency
        assert tamis.select(data, "auto").k == tamis.select(numbers, "auto").k
    parts = [tamis.summarise(part, blocks=True) for part in (numbers[:25], numbers[25:])]
    merged = tamis.select(sum(parts), 2)
    np.testing.assert_allclose(merged.held_out, expected.held_out, atol=0.05)  # by other folds
    # Nobody else holds this summary.
    assert len(tamis.select(tamis.summarise(numbers, blocks=True), 2).held_out) == 2
    assert len(tamis.select(saved, 2, columns=["x1", "x3", "x5", "x6"]).held_out) == 2
    with pytest.raises(tamis.TamisError, match=r"no blocks of rows.*blocks=True"):
        _ = tamis.select(tamis.summarise(numbers), 2).held_out


def test_held_out_rows_are_not_advised_where_a_summary_has_none(numbers):
    assert tamis.select(numbers, 2, method="sfs").to_dict()["advises"]
    found = tamis.select(tamis.summarise(numbers), 2)
    assert not found.to_dict()["advises"]
    assert "held_out=True measures" not in str(found)


def test_summaries_of_one_file_merge_only_when_insisted_upon(numbers, as_text, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(as_text(numbers))
    a, b = tamis.summarise(path), tamis.summarise(numbers)
    assert sum([a, b, b]).n_rows == 180
    with pytest.raises(tamis.TamisError, match=r"would count twice.*again=True"):
        a + b + a
    assert a.merge(a, again=True).n_rows == 120


def test_what_is_no_summary_is_not_added(numbers):
    one = tamis.summarise(numbers)
    for wrong in (1, "x", None):
        with pytest.raises(TypeError):
            one + wrong
        with pytest.raises(TypeError):
            wrong + one


@pytest.mark.parametrize("wrong", ["x", 0, 1.5, True, None])
def test_a_limit_that_is_no_number_of_rows_is_refused(numbers, tmp_path, wrong):
    with pytest.raises(tamis.TamisError, match="give an integer of at least 1"):
        tamis.summarise(numbers).save(tmp_path / "a.tamis", min_rows=wrong)
    with pytest.raises(tamis.TamisError, match="give an integer of at least 1"):
        tamis.summarise(numbers, min_rows=wrong)


def test_no_block_shows_fewer_rows_than_the_limit(tmp_path):
    X = np.random.default_rng(0).normal(size=(100, 3))
    whole = tamis.summarise(X, blocks=True)
    for least in (1, 2, 5, 20, 45, 100):
        kept = tamis.load_summary(whole.save(tmp_path / "a.tamis", min_rows=least))
        counts = np.array([block.count for block in kept.stored.blocks])
        assert counts.sum() == 100
        assert counts[counts > 0].min() >= least
        np.testing.assert_allclose(kept.std, whole.std, rtol=1e-12)
    assert kept.n_blocks == 1


def test_a_limit_stays_with_a_summary_when_more_rows_come(tmp_path):
    X = np.random.default_rng(0).normal(size=(400, 3))
    path = tmp_path / "a.tamis"
    tamis.summarise(X[:200], blocks=True).save(path, min_rows=15)
    more = tamis.load_summary(path) + tamis.summarise(X[:5], blocks=True)
    counts = [block.count for block in tamis.load_summary(more.save(path)).stored.blocks]
    assert len(counts) > 1
    assert min(filter(None, counts)) >= 15


def test_few_values_of_a_column_are_not_shown_as_few_rows_are(tmp_path):
    """Where a mean was filled in, what differs from it are the values that are there."""
    X = np.random.default_rng(0).normal(size=(400, 3))
    X[30:, 1] = np.nan
    found = tamis.summarise(X, missing="mean", blocks=True)
    with pytest.raises(tamis.TamisError, match=r"of 30 values of column 'x1'.*exclude=\[\"x1\"\]"):
        found.save(tmp_path / "a.tamis", min_rows=31)
    kept = tamis.load_summary(found.save(tmp_path / "a.tamis", min_rows=30))
    assert kept.n_blocks == 1


def _dead_days(numbers):
    """Give three days of a table; on the second a sensor is dead."""
    days = [numbers[:20], numbers[20:40].copy(), numbers[40:]]
    days[1][:, 2] = np.nan
    return days


@pytest.mark.parametrize("blocks", [False, True])
def test_a_sensor_that_is_dead_for_a_day_is_filled_with_what_is_known(numbers, blocks):
    days = _dead_days(numbers)
    names = [f"x{j}" for j in range(7)]
    first, second, third = (
        tamis.summarise(day, columns=names, missing="mean", blocks=blocks) for day in days
    )
    assert np.isnan(second.mean[2])
    assert tamis.select(second, 2).skipped == {"x2": "without any value"}
    filled = days[1].copy()
    filled[:, 2] = days[0][:, 2].mean()
    expected = tamis.summarise(np.vstack([days[0], filled, days[2]]))
    for whole in (first + second + third, second + first + third):
        assert whole.n_rows == 60
        assert whole.stored.absent.tolist() == [0, 0, 20, 0, 0, 0, 0]
        np.testing.assert_allclose(whole.mean, expected.mean, rtol=1e-12)
        np.testing.assert_allclose(whole.std, expected.std, rtol=1e-12)
        assert tamis.select(whole, 3).names == tamis.select(expected, 3).names
    assert np.isnan((second + second).mean[2])


def test_a_summary_that_lacks_a_dead_sensor_says_what_to_do_and_that_works(numbers, tmp_path):
    days = _dead_days(numbers)
    first = tamis.summarise(days[0])
    for missing in ("mean", "drop", "error"):
        second = tamis.summarise(days[1], missing=missing)
        with pytest.raises(tamis.TamisError, match=r"'x2' had no value.*missing=\"mean\".*columns"):
            first + second
    second = tamis.summarise(days[1], columns=first.names, missing="mean")
    saved = tamis.load_summary(second.save(tmp_path / "second.tamis"))
    assert (first + saved).n_rows == 40


def test_a_boolean_that_is_missing_for_a_day_stays_one(numbers):
    pandas = pytest.importorskip("pandas")
    days = [pandas.DataFrame({"a": numbers[:, 0], "b": numbers[:, 1] > 0}) for _ in range(2)]
    days[1]["b"] = pandas.array([None] * 60, dtype="boolean")
    first, second = (tamis.summarise(day, columns=["a", "b"], missing="mean") for day in days)
    assert (second + first).stored.kinds == (first + second).stored.kinds == ("numeric", "boolean")


@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize("missing", ["auto", "drop"])
def test_a_summary_of_weighed_rows_is_that_of_repeated_ones(blocks, missing):
    rng = np.random.default_rng(5)
    X, weights = 9 + rng.normal(size=(80, 4)) @ rng.normal(size=(4, 4)), rng.integers(0, 4, 80)
    X[rng.random(X.shape) < 0.05] = np.nan
    how = {"blocks": blocks, "missing": missing}
    parts = [slice(0, 31), slice(31, 80)]
    found = sum_up([tamis.summarise(X[rows], weights=weights[rows], **how) for rows in parts])
    again = [np.repeat(X[rows], weights[rows], axis=0) for rows in parts]
    expected = sum_up([tamis.summarise(rows, **how) for rows in again])
    assert (found.stored.rows, found.stored.used) == (expected.stored.rows, expected.stored.used)
    assert found.stored.absent.tolist() == expected.stored.absent.tolist()
    for mine, theirs in zip(found.stored.blocks, expected.stored.blocks, strict=True):
        assert mine.count == theirs.count
        np.testing.assert_allclose(mine.mean, theirs.mean, rtol=1e-12)
        size = max(np.abs(theirs.scatter).max(), 1.0)
        np.testing.assert_allclose(mine.scatter, theirs.scatter, atol=1e-12 * size)


def sum_up(summaries):
    first, second = summaries
    return first + second


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"weights": [0.5] * 9}, "integers"), ({"weights": [1] * 9, "min_rows": 5}, "one of them")],
)
def test_weights_that_a_summary_cannot_count_are_refused(asked, said):
    with pytest.raises(tamis.TamisError, match=said):
        tamis.summarise(np.random.default_rng(0).normal(size=(9, 3)), **asked)


def test_a_summary_skips_the_numbers_of_rows_that_its_table_skips(tmp_path):
    rng = np.random.default_rng(0)
    a, noise = rng.normal(size=300), rng.normal(size=(300, 2))
    table = pd.DataFrame({"id": np.arange(1000, 1300), "a": a, "b": a + noise[:, 0]})
    table["c"] = noise[:, 1] - a
    halves = tamis.summarise(table[:150]) + tamis.summarise(table[150:])
    halves.save(tmp_path / "s.tamis")
    for summary in (halves, tmp_path / "s.tamis"):
        found = tamis.select(summary, 2)
        assert found.names == tamis.select(table, 2, options={"outliers": "keep"}).names
        assert list(found.skipped) == ["id"]
        # Who names it has it, and it is in the sums: other summaries can be added.
        assert "id" in tamis.select(summary, 2, include=["id"]).names
    assert "id" in halves.names
    # Where it is no key in one of the tables it is none in all.
    other = tamis.summarise(table[:150].assign(id=3.5 * a[:150]))
    assert tamis.select(tamis.summarise(table[150:]) + other, 2).skipped == {}


def _with_one_mark(rows: int, marked: int) -> np.ndarray:
    X = np.random.default_rng(0).normal(size=(rows, 3))
    X[:, 2] = 7.0
    X[:marked, 2] = 9.0
    return X


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_a_column_that_shows_a_few_rows_is_refused_by_min_rows(form: Any) -> None:
    with pytest.raises(tamis.TamisError, match="'x2' has one value in all rows but 1,"):
        tamis.summarise(form(_with_one_mark(300, 1)), min_rows=100)
    with pytest.raises(tamis.TamisError, match=r'but 99, .* exclude=\["x2"\]'):
        tamis.summarise(form(_with_one_mark(300, 99)), min_rows=100)
    assert tamis.summarise(form(_with_one_mark(300, 100)), min_rows=100).n_rows == 300
    assert tamis.summarise(form(_with_one_mark(300, 0)), min_rows=100).n_rows == 300
    assert tamis.summarise(form(_with_one_mark(300, 1)), min_rows=100, exclude=[2]).n_rows == 300


def test_rows_that_are_left_out_and_cells_that_are_filled_do_not_hide_a_few_rows() -> None:
    X = _with_one_mark(300, 120)
    X[:119, 0] = np.nan
    with pytest.raises(tamis.TamisError, match="all rows but 1,"):
        tamis.summarise(X, min_rows=100, missing="drop")
    assert tamis.summarise(X, min_rows=100, missing="mean").n_rows == 300
    X = _with_one_mark(300, 1)
    X[5:105, 2] = np.nan
    with pytest.raises(tamis.TamisError, match="all rows but 1,"):
        tamis.summarise(X, min_rows=100, missing="mean")
