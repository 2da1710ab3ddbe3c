import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tamis
from tamis.columns.suspects import find_suspects
from tamis.facts.shared_answer import SuspiciousColumn

ROWS = 240


def looks(name, values, kind="numeric"):
    """Say what a column beside others of numbers and text looks like."""
    table = {"first": ["u", "v"] * (len(values) // 2), name: values, "last": ["p"] * len(values)}
    found = find_suspects(pa.table(table), ["categorical", kind, "categorical"])
    return {one.column: one.looks_like for one in found}.get(name)


def shuffled(values):
    return np.random.default_rng(1).permutation(list(values)).tolist()


DIFFERENT = shuffled(range(100, 100 + 3 * ROWS, 3))
ZIPS = shuffled([10_000 + 37 * (i % 80) for i in range(480)])
DAYS = [20_240_000 + 100 * (1 + i % 12) + 1 + i % 28 for i in range(ROWS)]

NUMBERS = {
    "customer_id": (DIFFERENT, "identifier"),
    "CustomerID": (DIFFERENT, "identifier"),
    "userid": (DIFFERENT, "identifier"),
    "policy number": (DIFFERENT, "identifier"),
    "anything": (list(range(ROWS)), "identifier"),
    "paid": (DIFFERENT, None),
    "grid": (DIFFERENT, None),
    "acid": (DIFFERENT, None),
    "price index": (DIFFERENT, None),
    "year": (list(range(1800, 1800 + ROWS)), None),
    "client id": (shuffled([7 * (i // 3) for i in range(ROWS)]), "identifier"),
    "store_id": (shuffled([i % 9 for i in range(ROWS)]), "codes"),
    "zip": (ZIPS, "codes"),
    "Postal code": (DIFFERENT, "many codes"),
    "zipper": (ZIPS, None),
    "sector": (shuffled([i % 9 for i in range(ROWS)]), "codes"),
    "opened": (DAYS, "date numbers"),
    "month": ([200_000 + 100 * (i // 12) + 1 + i % 12 for i in range(ROWS)], "date numbers"),
    "mass": ([200_001 + 7 * i for i in range(ROWS)], None),
    "default.payment.next.month": (shuffled([i % 2 for i in range(ROWS)]), "label"),
    "default": (shuffled([i % 2 for i in range(ROWS)]), "label"),
    "default limit": (DIFFERENT, None),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_judged_by_name_and_values(name):
    values, what = NUMBERS[name]
    assert looks(name, values) == what


def texts(*different):
    return shuffled([different[i % len(different)] for i in range(ROWS)])


TEXTS = {
    "flight": (texts("LH 123", "LH 456", "LH 7"), None),
    "address": (texts("10.0.0.1", "192.168.0.7", "10.1.0.2"), None),
    "version": (texts("1.2.3", "1.10.2", "2.0.1"), None),
    "seen": (texts("31.12.2024", "01.02.2023"), "dates"),
    "seen on": (texts("2024-12-31 10:00", "2023-02-01 11:30"), "dates"),
    "since": (texts("Dec-2015", "Jan-1985"), "dates"),
    "at": (texts("18.00.00", "19.30.00"), "dates"),
    "default.payment.next.month": (texts("yes", "no"), "label"),
    "language": (texts("yes", "no"), None),
    "customer": (texts(*(f"C{i}" for i in range(80))), None),
    "customer id": (texts(*(f"C{i}" for i in range(80))), "identifier"),
    "price": (texts("$ 5.00", "$ 1,200.00", "$ 7"), "amounts"),
    "weight": (texts("900 g", "1.2 kg", "450 g", "2 kg", "3 kg"), "units"),
    "cost": (texts("€ 5", "$ 5", "€ 7", "$ 8", "€ 9"), "units"),
    "chromosome": (texts(*map(str, range(1, 23)), "X", "Y"), None),
    "house": (texts(*(f"{i}{letter}" for i, letter in enumerate("abcdefgh"))), None),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_judged_by_name_and_values(name):
    values, what = TEXTS[name]
    assert looks(name, values, "categorical") == what


def test_true_and_false_may_be_labels():
    assert looks("churned", [True, False] * 20, "boolean") == "label"
    assert looks("smoker", [True, False] * 20, "boolean") is None


def test_temporal_columns_are_dates():
    assert looks("when", [datetime.date(2024, 1, 1 + i) for i in range(30)], "other") == "dates"


@pytest.mark.parametrize(("place", "what"), [(0, "label"), (2, None), (4, "label")])
def test_the_only_text_at_the_edge_of_a_table_of_numbers_may_be_labels(place, what):
    names = ["a", "b", "c", "d"]
    names.insert(place, "kind")
    columns = {name: np.random.default_rng(0).normal(size=40) for name in names}
    table = pa.table({**columns, "kind": ["x", "y"] * 20})
    kinds = ["categorical" if name == "kind" else "numeric" for name in names]
    found = {one.column: one.looks_like for one in find_suspects(table, kinds)}
    assert found.get("kind") == what


def test_numbers_with_a_few_texts_are_named_with_texts_and_counts():
    numbers = [str(0.5 * i) for i in range(1200)]
    numbers[700], numbers[9], numbers[12] = "x", "n.m.", "x"
    table = pa.table({"a": numbers, "b": ["u", "v"] * 600})
    (found,) = find_suspects(table, ["categorical", "categorical"])
    assert found == SuspiciousColumn("a", "mixed", "'n.m.', 'x' (3 of 1,200 values)")


@pytest.fixture
def long(tmp_path, monkeypatch):
    """A text table of which the first rows do not say everything."""
    monkeypatch.setattr("tamis.run.beforehand.SAMPLE_ROWS", 500)
    rows, rng = 1_200, np.random.default_rng(0)
    frame = pd.DataFrame({"kind": ["u", "v"] * (rows // 2), "other": ["p", "q", "r"] * (rows // 3)})
    frame["n"] = rng.integers(100, 999, rows).astype(str)
    frame["price"] = [f"$ {i % 97}.50" for i in range(rows)]
    frame["size"] = [f"{i % 97} g" for i in range(rows)]
    frame.loc[1_100, "n"] = "x"
    frame.loc[1_150, "size"] = "1 kg"
    path = tmp_path / "long.csv"
    frame.to_csv(path, index=False)
    return path


def test_advice_is_tried_on_all_rows_before_it_is_given(long):
    found = tamis.select(long, 2)
    said = {row["column"]: row for row in found.to_dict()["warnings"]}
    assert not {"n", "price", "size"} & said.keys()  # what is done with them is said
    doubts = found.to_dict()["doubts"]
    assert doubts[0].startswith("'x' is taken as missing in column 'n'")
    assert "Skipped for numbers in different units ('g', 'kg'): 'size'." in doubts
    assert "price" in tamis.select(long, 2, numbers=["price"]).request.names


def test_what_is_advised_works():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{j}": rng.normal(size=480) for j in range(3)})
    frame["zip"] = ZIPS
    frame["churned"] = [True, False] * 240
    frame["client id"] = [i // 2 for i in range(480)]
    frame["day"] = DAYS * 2
    found = tamis.select(frame, 2)
    asked = {
        "categories": ["zip"],
        "y": "churned",
        "exclude": ["client id", "day"],
    }
    advice = {one.column: one.looks_like for one in found.suspects}
    assert advice == {
        "zip": "codes",
        "churned": "label",
    }
    assert {"client id", "day"} <= found.skipped.keys()
    assert tamis.select(frame, 2, **asked).suspects == ()


def test_text_with_gaps_and_few_written_numbers_is_judged_on_all_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("tamis.run.beforehand.SAMPLE_ROWS", 500)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{j}": rng.normal(size=1_200) for j in range(3)})
    frame["days"] = pd.Series(["0", "1-2", "30", "did not drive", None] * 240)
    path = tmp_path / "gaps.csv"
    frame.to_csv(path, index=False, na_rep="NA")
    assert "days" in tamis.select(path, 4).names
