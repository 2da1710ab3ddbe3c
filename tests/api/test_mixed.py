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
    left_out = {row["column"]: row["why"] for row in facts["left_out"]}
    assert "dates" in left_out["visit"]
    assert "identifier" in left_out["patient"]
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
    with pytest.raises(TamisError, match="methods such as greedy-fs take text as it is"):
        tamis.select(mixed[["site", "country"]], k=1)


def test_identifiers_cannot_be_forced(mixed):
    with pytest.raises(TamisError, match="almost an identifier"):
        tamis.select(mixed, k=3, method="rspfs", include=["patient"])


def test_missing_values_of_any_kind_may_be_a_category(mixed):
    mixed.loc[2:9, "site"] = None
    with pytest.raises(TamisError, match='missing="category"'):
        tamis.select(mixed, k=3, method="greedy-fs")
    found = tamis.select(mixed, k=3, method="greedy-fs", missing="category")
    assert found.to_dict()["rows"] == 300
