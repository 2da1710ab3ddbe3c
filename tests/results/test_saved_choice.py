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


def test_columns_that_were_not_analysed_come_first_and_stay(found):
    rows = TABLE[[*found.names]].assign(key=range(len(TABLE)))
    whole = found.reconstruct(rows)
    assert list(whole) == ["key", *TABLE]


def test_a_missing_kept_value_is_said_and_widens_the_errors(found):
    rows = TABLE.head(4).copy()
    rows.loc[0, "x"] = np.nan
    with pytest.warns(UserWarning, match="1 rows lack a kept value"):
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
    with pytest.warns(UserWarning, match="lack a kept value"):
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
