"""Choices that are kept and used: predictions in the form of the rows, files, and refusals."""

import json
import zipfile

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.statistics.test_mixed_gram import mixed_table

import tamis
from tamis.results.saved_choice import SavedChoice

TABLE = mixed_table()


@pytest.fixture(scope="module")
def found():
    return tamis.select(TABLE, include=["cut", "x"], k=3)


@pytest.fixture
def saved(found, tmp_path):
    return found.save(tmp_path / "choice.tamis")


def test_a_frame_gives_a_frame_with_kept_columns_as_they_were(found):
    rows = TABLE[[*found.names]].head(7).set_index(pd.Index(list("abcdefg")))
    whole, errors = found.reconstruct(rows, errors=True)
    assert list(whole) == list(errors) == list(TABLE)
    assert list(whole.index) == list(errors.index) == list("abcdefg")
    pd.testing.assert_frame_equal(whole[found.names], rows)
    assert (errors["sum"] > 0).all()
    assert (errors["x"] == 0).all()


def test_all_forms_of_a_table_get_the_same_predictions(found, tmp_path):
    rows = TABLE[[*found.names]]
    rows.to_csv(tmp_path / "kept.csv", index=False)
    whole = found.reconstruct(rows)
    for other in (pl.from_pandas(rows), pa.Table.from_pandas(rows), tmp_path / "kept.csv"):
        made = found.reconstruct(other)
        kinds = {pl.DataFrame: pl.DataFrame}.get(type(other), pa.Table)
        assert isinstance(made, kinds)
        np.testing.assert_allclose(np.asarray(made["sum"]), whole["sum"], rtol=1e-12)


def test_a_category_gets_its_likely_level_and_the_probability():
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    table = pd.DataFrame({"x": x, "y": x + 0.1 * rng.normal(size=400)})
    table["sign"] = np.where(x > 0, "up", "down")
    choice = tamis.select(table, include=["x"], k=1)
    whole, errors = choice.reconstruct(table, errors=True)
    assert (whole["sign"] == table["sign"]).mean() > 0.95
    assert errors["sign"].between(0.5, 1).all()


def test_an_array_gives_an_array():
    X = TABLE[["x", "sum", "z"]].to_numpy()
    made = tamis.select(X, 2).reconstruct(X[:5])
    assert made.shape == (5, 3)


def test_an_array_comes_back_as_wide_as_it_was_with_its_constant_columns():
    X = np.insert(TABLE[["x", "sum", "z"]].to_numpy(), 1, 7.0, axis=1)
    whole, errors = tamis.select(X, 2).reconstruct(X[:5], errors=True)
    assert whole.shape == errors.shape == (5, 4)
    assert (whole[:, 1] == 7).all()
    assert (errors[:, 1] == 0).all()


def test_a_single_row_may_lack_its_kept_category_or_number(found):
    for name in ("cut", "x"):
        rows = TABLE[[*found.names]].head(1).astype(object)
        rows[name] = None
        with pytest.warns(UserWarning, match="1 rows lack a finite kept value"):
            whole = found.reconstruct(rows)
        assert np.isfinite(whole["sum"].astype(float)).all()


def test_an_infinite_kept_value_counts_as_a_missing_one(found):
    rows = TABLE[[*found.names]].head(3)
    with pytest.warns(UserWarning, match="1 rows lack a finite kept value"):
        whole, errors = found.reconstruct(rows.assign(x=[np.inf, *rows["x"][1:]]), errors=True)
    with pytest.warns(UserWarning, match="1 rows lack"):
        gone, spread = found.reconstruct(rows.assign(x=[np.nan, *rows["x"][1:]]), errors=True)
    pd.testing.assert_frame_equal(whole.drop(columns="x"), gone.drop(columns="x"))
    pd.testing.assert_frame_equal(errors, spread)


def test_columns_that_were_not_analysed_come_first_and_stay(found):
    rows = TABLE[[*found.names]].assign(key=range(len(TABLE)))
    whole = found.reconstruct(rows)
    assert list(whole) == ["key", *TABLE]


def test_a_missing_kept_value_is_said_and_widens_the_errors(found):
    rows = TABLE.head(4).copy()
    rows.loc[0, "x"] = np.nan
    with pytest.warns(UserWarning, match="1 rows lack a finite kept value"):
        _, errors = found.reconstruct(rows, errors=True)
    assert errors["sum"][0] > 1.1 * errors["sum"][1]


def test_a_kept_column_that_is_gone_or_text_is_refused(found):
    with pytest.raises(tamis.TamisError, match="no column 'x'"):
        found.reconstruct(TABLE.drop(columns="x"))
    with pytest.raises(tamis.TamisError, match="'x' of the table holds text"):
        found.reconstruct(TABLE.assign(x="a"))


def test_a_method_without_weights_says_so():
    other = tamis.select(TABLE, 2, method="representatives")
    with pytest.raises(tamis.TamisError, match="no exact weights"):
        other.save("a.tamis")


def test_a_saved_choice_predicts_the_same(found, saved):
    again = tamis.load(saved)
    assert again.names == found.names
    pd.testing.assert_frame_equal(again.reconstruct(TABLE), found.reconstruct(TABLE))
    assert again.check(TABLE).to_dict() == tamis.check(found, TABLE).to_dict()


def test_texts_that_are_numbers_are_read_as_at_the_choice(tmp_path):
    table = pd.DataFrame(TABLE[["x", "sum", "z"]])
    table["comma"] = [f"{value:.4f}".replace(".", ",") for value in 3 * table["x"]]
    table.loc[3, "comma"] = "n/a"
    table.to_csv(tmp_path / "a.csv", sep=";", index=False)
    choice = tamis.select(tmp_path / "a.csv", include=["comma"], k=1)
    again = tamis.load(choice.save(tmp_path / "c.tamis"))
    with pytest.warns(UserWarning, match="lack a finite kept value"):
        made = again.reconstruct(tmp_path / "a.csv")
    good = np.arange(len(table)) != 3
    np.testing.assert_allclose(np.asarray(made["x"])[good], table["x"][good], atol=0.02)


def test_a_changed_unit_is_named_also_where_extreme_values_are_clipped():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 1300))
    table = pd.DataFrame({"a": np.exp(2 * x[0]), "b": x[0], "c": x[0] + x[1], "d": x[1]})
    choice = tamis.select(table[:1000], include=["a", "d"], k=2, options={"outliers": "clip"})
    month = table[1000:]
    assert tamis.check(choice, month).holds
    seen = tamis.check(choice, month.assign(a=1000 * month["a"]))
    assert "a" in [one.column for one in seen.drifted]
    assert seen.constant == ()


def test_a_summary_and_a_choice_are_not_confused(saved, tmp_path):
    summary = tamis.summarise(TABLE[["x", "sum", "z"]]).save(tmp_path / "s.tamis")
    with pytest.raises(tamis.TamisError, match="is the summary of a table"):
        tamis.load(summary)
    for read in (tamis.load_summary, lambda path: tamis.select(path, 1)):
        with pytest.raises(tamis.TamisError, match="is a choice of columns"):
            read(saved)


def rewritten(path, target, header=None, member=None, values=None):
    """Copy a file with another header, or with another array."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename == "header.json" and header:
                data = json.dumps({**json.loads(data), **header}).encode()
            if info.filename == member:
                with new.open(member, "w") as stream:
                    np.lib.format.write_array(stream, values, allow_pickle=True)
                continue
            new.writestr(info.filename, data)
    return target


WRONG = [
    {"version": 99},
    {"version": None},
    {"version": 2},
    {"version": 2, "row_size": 0.0, "summed": []},
    {"version": 2, "row_size": 3.0, "summed": [["a", 10_000, True]]},
    {"version": 2, "row_size": 3.0, "summed": [["a", True, 1]]},
    {"names": ["x", "x"]},
    {"names": "abc"},
    {"kept": [99]},
    {"kept": [0, 0]},
    {"kept": []},
    {"rows": -1},
    {"rows": True},
    {"freedom": float("nan")},
    {"share": "all"},
    {"levels": {"2": {"common": ["a", "a"], "pooled": False, "missing": False}}},
    {"levels": {"77": {}}},
    {"levels": {}},
    {"limits": {"0": [2, 1]}},
    {"limits": {"0": 3}},
    {"places": [0]},
    {"width": -1},
    {"readings": {"x": {"absent": ["a"], "marks": [], "decimal": ""}}},
    {"readings": {"other": {}}},
    {"label": None},
    {"held_out": 1},
]


@pytest.mark.parametrize("header", WRONG, ids=str)
def test_a_wrong_header_is_refused_in_one_sentence(saved, tmp_path, header):
    with pytest.raises(tamis.TamisError) as seen:
        tamis.load(rewritten(saved, tmp_path / "bad.tamis", header))
    assert str(seen.value).startswith("bad.tamis ")
    assert str(seen.value).endswith(".")


@pytest.mark.parametrize(
    ("member", "values"),
    [
        ("mean.npy", np.zeros(3)),
        ("std.npy", np.full(12, -1.0)),
        ("weights.npy", np.full((4, 12), np.nan)),
        ("mean.npy", np.array([{}] * 12)),
        ("mean.npy", np.zeros(12, dtype=np.int32)),
    ],
    ids=["short", "negative", "nan", "objects", "integers"],
)
def test_a_wrong_array_is_refused_in_one_sentence(saved, tmp_path, member, values):
    bad = rewritten(saved, tmp_path / "bad.tamis", member=member, values=values)
    with pytest.raises(tamis.TamisError, match=r"bad\.tamis"):
        tamis.load(bad)


def test_files_that_are_none_are_refused(tmp_path, saved):
    with pytest.raises(tamis.TamisError, match="There is no file"):
        tamis.load(tmp_path / "nothing.tamis")
    (tmp_path / "a.tamis").write_text("no archive")
    with pytest.raises(tamis.TamisError, match="not a saved choice"):
        tamis.load(tmp_path / "a.tamis")
    data = saved.read_bytes()
    (tmp_path / "a.tamis").write_bytes(data[: len(data) // 2])
    with pytest.raises(tamis.TamisError):
        tamis.load(tmp_path / "a.tamis")
    with pytest.raises(tamis.TamisError, match=r"ending in \.tamis"):
        tamis.load(saved).save(tmp_path / "a.csv")


def count_table(rows, seed):
    """Make sparse counts and marks of 0 and 1, by some factors and the size of each row."""
    rng = np.random.default_rng(4)
    loadings = rng.gamma(0.25, 1, size=(4, 120))
    rng = np.random.default_rng(seed)
    sizes = np.exp(rng.normal(size=(rows, 1)) / 2)
    counts = rng.poisson(0.5 * sizes * (rng.gamma(0.5, 1, size=(rows, 4)) @ loadings))
    counts[:, :20] = np.minimum(counts[:, :20], 1)
    counts[:, 20] = 0
    return pd.DataFrame(counts, columns=[f"g{j}" for j in range(120)])


def test_counts_are_divided_by_their_row_and_turned_back(tmp_path):
    old, new = count_table(500, 0), count_table(300, 1)
    found = tamis.select(old, 8, options={"shrink": 0.0})
    assert "log1p" in str(found)
    whole, errors = found.reconstruct(new, errors=True)
    order = list(whole)
    assert sorted(order) == sorted(new)
    kept = [order.index(name) for name in found.names]
    # The same by hand: rows by their sum, logarithms, least squares on the kept columns, and back.
    size = old.to_numpy().sum(axis=1).mean()
    sizes = {n: t.sum(axis=1).to_numpy()[:, None] / size for n, t in (("old", old), ("new", new))}
    sizes = {name: np.where(one == 0, 1.0, one) for name, one in sizes.items()}
    logs = np.log1p(old[order].to_numpy() / sizes["old"])
    fresh = np.log1p(new[order].to_numpy() / sizes["new"])
    middle = logs.mean(axis=0)
    B = np.linalg.lstsq((logs - middle)[:, kept], logs - middle, rcond=None)[0]
    expected = np.maximum(middle + (fresh - middle)[:, kept] @ B, 0.0)
    expected = np.expm1(expected) * sizes["new"]
    given = [*kept, *np.flatnonzero(np.ptp(logs, axis=0) == 0)]
    expected[:, given] = new[order].to_numpy()[:, given]
    np.testing.assert_allclose(whole.to_numpy(), expected, atol=1e-8)
    assert (whole.to_numpy() >= 0).all()
    assert (errors.to_numpy() >= 0).all()
    total = np.square(new - old.mean()).to_numpy().sum()
    assert np.square(whole[list(new)] - new).to_numpy().sum() < total
    choice = tamis.load(found.save(tmp_path / "counts.tamis"))
    pd.testing.assert_frame_equal(choice.reconstruct(new), whole)
    assert choice.check(new).holds


def test_counts_without_the_other_columns_of_their_rows_are_refused():
    found, new = tamis.select(count_table(300, 0), 5), count_table(20, 1)
    assert len(found.reconstruct(new.drop(columns="g20"))) == 20  # it was 0 throughout
    dropped = next(name for name in new if name not in found.names)
    for reads in (found.reconstruct, SavedChoice.of(found).check):
        with pytest.raises(tamis.TamisError, match="lacks 1 of the columns that were counted"):
            reads(new.drop(columns=dropped))
    with pytest.raises(tamis.TamisError, match="a row has a value below 0"):
        found.reconstruct(new - 1)


def test_pareto_units_are_taken_off_again(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) @ rng.normal(size=(3, 9)) + 0.2 * rng.normal(size=(300, 9))
    X = X * 10.0 ** rng.integers(-3, 4, 9) + 100
    old, new = X[:200], X[200:]
    found = tamis.select(old, 3, scale="pareto", options={"shrink": 0.0, "outliers": "keep"})
    A, B = (
        np.column_stack([np.ones(100 * i), X[:, found.indices]]) for i, X in ((2, old), (1, new))
    )
    expected = B @ np.linalg.lstsq(A, old, rcond=None)[0]
    whole = found.reconstruct(new)
    np.testing.assert_allclose(whole / X.std(axis=0), expected / X.std(axis=0), atol=1e-7)
    choice = tamis.load(found.save(tmp_path / "pareto.tamis"))
    np.testing.assert_array_equal(choice.reconstruct(new), whole)
    assert choice.check(new).holds
