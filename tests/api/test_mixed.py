"""A table of every kind of column goes through without preparation."""

import json

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.cli import main
from tamis.errors import TamisError

METHODS = ("naive-fs", "greedy-fs", "naive-rspfs", "rspfs")


@pytest.fixture
def mixed():
    rng = np.random.default_rng(1)
    dose = rng.gamma(2.0, 3.0, 300)
    site = rng.choice(["Basel", "Lyon", "Graz"], 300)
    return pd.DataFrame(
        {
            "dose": dose,
            "dose_mg": (1000 * dose).round().astype(int),
            "high": dose > np.median(dose),
            "site": site,
            "country": pd.Categorical(
                [{"Basel": "CH", "Lyon": "FR", "Graz": "AT"}[name] for name in site]
            ),
            "visit": pd.date_range("2026-01-01", periods=300, freq="h"),
            "age": rng.integers(18, 90, 300),
            "patient": [f"P{i:04d}" for i in range(300)],
        }
    )


def test_a_parquet_of_every_kind_becomes_a_report(mixed, tmp_path, capsys):
    path, report = tmp_path / "mixed.parquet", tmp_path / "report.html"
    mixed.to_parquet(path)
    main(["select", str(path), "--method", "greedy-fs", "--report", str(report), "--json"])
    facts = json.loads(capsys.readouterr().out)
    skipped = {row["column"]: row["why"] for row in facts["skipped"]}
    assert "dates" in skipped["visit"]
    assert "another value in" in skipped["patient"]
    assert "visit" in report.read_text(encoding="utf-8")
    assert facts["used"] == 6


@pytest.mark.parametrize("method", METHODS)
def test_a_column_and_its_other_spelling_are_told_by_each_other(mixed, method):
    found = tamis.select(mixed, k=3, method=method)
    told = {row.column: row for row in found.explain()}
    for one, other in (("site", "country"), ("dose", "dose_mg")):
        if one in found.names and other in told:
            assert told[other].share > 0.9
            assert next(iter(told[other].weights)) == one


@pytest.mark.parametrize("method", METHODS)
def test_a_table_of_text_alone_works(mixed, method):
    text = mixed[["site", "country"]].assign(
        letter=[name[0] for name in mixed["site"]],
        high=np.where(mixed["high"], "yes", "no"),
    )
    found = tamis.select(text, k=2, method=method)
    assert found.k == 2
    assert found.retained <= found.bound
    assert found.transform(text).columns.tolist() == found.names


def test_trees_come_with_names(mixed):
    found = tamis.select(mixed, k=3, method="rspfs")
    assert set(found.tree.order) == set(mixed.columns) - {"visit", "patient"}
    assert found.tree.distance("site", "country") == 2
    assert found.tree.distance("site", "site") == 0
    assert max(found.tree.depth.values()) >= 2
    assert tamis.select(mixed, k=3, method="greedy-fs").tree is None


def test_a_linear_method_on_text_says_which_methods_take_it(mixed):
    with pytest.raises(TamisError, match="methods such as representatives take text as it is"):
        tamis.select(mixed[["site", "country"]], k=1, method="sfs")


def test_identifiers_take_part_if_they_are_asked_for_by_name(mixed):
    assert "patient" in tamis.select(mixed, k=3, method="rspfs", include=["patient"]).names
    only = tamis.select(mixed, k=2, method="rspfs", columns=["patient", "site", "age"])
    assert "patient" not in only.skipped


def test_missing_text_of_a_csv_is_missing(mixed, tmp_path):
    mixed.loc[2:9, "site"] = None
    mixed.to_csv(tmp_path / "t.csv", index=False, na_rep="NA")
    mixed.to_parquet(tmp_path / "t.parquet")
    found = {}
    for name in ("t.csv", "t.parquet"):
        with pytest.raises(TamisError, match="'site' has 8 missing values in 300"):
            tamis.select(
                tmp_path / name, k=2, method="greedy-fs", missing="error", exclude=["visit"]
            )
        kept = tamis.select(
            tmp_path / name, k=2, method="greedy-fs", missing="drop", exclude=["visit"]
        )
        found[name] = kept.names, kept.retained, kept.summary.n_rows
    assert found["t.csv"] == found["t.parquet"]
    assert found["t.csv"][2] == 292


def test_a_csv_column_that_turns_to_text_late_is_text(tmp_path, monkeypatch):
    monkeypatch.setattr("tamis.sources.delimited._READ_BYTES", 1 << 18)  # the first 12,000 rows
    rows = [f"{1 + i // 2000},{i % 7}.125000,{i % 3}.250000" for i in range(25_000)]
    rows += [f"X,{i % 7}.125000,{i % 3}.250000" for i in range(2_000)]
    path = tmp_path / "variants.csv"
    path.write_text("chromosome,a,b\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = tamis.select(path, k=3, method="naive-fs")
    assert set(found.names) == {"chromosome", "a", "b"}
    with pytest.raises(TamisError, match="has the text 'X'"):
        tamis.select(path, k=2, method="sfs")
    assert tamis.select(path, k=2).summary.groups.sizes.max() > 2  # chromosomes are a category


def test_categories_of_any_kind_and_views_of_text_are_taken(mixed, tmp_path):
    import polars as pl

    odd = mixed[["dose", "site"]].assign(
        binned=pd.cut(mixed["dose"], 3), whole=pd.Categorical(mixed["age"] // 20)
    )
    found = tamis.mutual_information(odd)
    assert found["binned", "dose"] > found["site", "dose"]
    pl.from_pandas(mixed[["dose", "site"]]).write_ipc(tmp_path / "view.feather")
    assert tamis.select(tmp_path / "view.feather", k=1, method="greedy-fs").k == 1


def test_columns_of_mixed_values_are_refused_in_one_sentence(mixed):
    mixed["odd"] = pd.Categorical([3, "5"] * 150)
    with pytest.raises(TamisError, match="mixes values of different kinds"):
        tamis.mutual_information(mixed)


@pytest.mark.parametrize("method", ["greedy-fs", "sfs"])
@pytest.mark.parametrize("missing", ["error", "drop", "auto"])
def test_columns_without_a_value_are_skipped_by_name(mixed, method, missing):
    expected = tamis.select(mixed, k=2, method=method).names
    mixed["nothing"] = pd.Series([None] * 300, dtype="string")
    mixed["void"] = np.nan
    found = tamis.select(mixed, k=2, method=method, missing=missing)
    assert found.names == expected
    assert found.skipped["void"] == "without any value"
    assert (found.skipped["nothing"] == "without any value") or method == "sfs"
    with pytest.raises(TamisError, match=r"the column cannot be kept \(without any value\)"):
        tamis.select(mixed, k=2, method=method, missing=missing, include=["void"])


def test_results_can_be_pickled(mixed):
    import pickle

    for method in ("rspfs", "sfs", "laplacian"):
        found = tamis.select(mixed, k=2, method=method)
        again = pickle.loads(pickle.dumps(found))
        assert again.names == found.names
        assert again.to_dict()["curve"] == found.to_dict()["curve"]


def test_missing_values_of_any_kind_may_be_a_category(mixed):
    mixed.loc[2:9, "site"] = None
    with pytest.raises(TamisError, match='missing="category"'):
        tamis.select(mixed, k=3, method="greedy-fs", missing="error")
    found = tamis.select(mixed, k=3, method="greedy-fs", missing="category")
    assert found.to_dict()["rows"] == 300
