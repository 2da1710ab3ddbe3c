"""Columns that may not be what they seem: `look` and `select` say the same, from all values."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tamis
from tamis.columns.judge import judge_columns
from tamis.presentation.prose.about_table import warning_text
from tamis.sources.open import open_source

ROWS = 240
RNG = np.random.default_rng(1)


def judge(name, values, **others):
    """Judge a column in the middle of others."""
    n = len(values)
    table = {"first": RNG.normal(size=n), name: list(values), **others, "last": RNG.normal(size=n)}
    return judge_columns(open_source(pa.table(table)))[name]


def shuffled(values):
    return RNG.permutation(list(values)).tolist()


DIFFERENT = shuffled(range(100, 100 + 3 * ROWS, 3))
ZIPS = shuffled([10_000 + 37 * (i % 40) for i in range(480)])
TWO = shuffled([i % 2 for i in range(ROWS)])
NINE = shuffled([i % 9 for i in range(ROWS)])

LOOKS = {
    "paid": (DIFFERENT, ""),
    "price index": (DIFFERENT, ""),
    "zip": (ZIPS, "codes"),
    "zipper": (ZIPS, ""),
    "sector": (NINE, "codes"),
    "race": (shuffled([1 + i % 3 for i in range(ROWS)]), "codes"),
    "group size": (NINE, ""),
    "branch": (shuffled([4 + 3 * (i % 33) for i in range(ROWS)]), ""),
    "default.payment.next.month": (TWO, "label"),
    "default": (TWO, "label"),
    "default limit": (DIFFERENT, ""),
    "target": (RNG.normal(size=ROWS), "response"),
    "class": (shuffled(["1st", "2nd", "3rd"] * 80), ""),
    "diagnosis": (shuffled(["yes", "no"] * 120), "label"),
    "language": (shuffled(["yes", "no"] * 120), ""),
    "age group": (shuffled(["<45", ">45"] * 120), ""),
    "popu": (shuffled(["3.NL", "5.NL", "1.SP", "8.SP"] * 60), ""),
}


@pytest.mark.parametrize("name", LOOKS)
def test_a_column_is_doubted_by_its_name_and_values(name):
    values, what = LOOKS[name]
    found = judge(name, values)
    assert (found.action != "skipped", found.looks_like) == (True, what)


def test_a_class_is_a_label_in_the_last_column_beside_measurements_only():
    x = {f"x{j}": RNG.normal(size=60) for j in range(4)}
    table = pa.table({**x, "class": ["a", "b"] * 30})
    assert judge_columns(open_source(table))["class"].looks_like == "label"
    factors = pa.table({**x, "sex": ["m", "f", "f"] * 20, "class": ["a", "b"] * 30})
    assert judge_columns(open_source(factors))["class"].looks_like == ""
    beside = table.append_column("age", pa.array(RNG.normal(size=60)))
    assert judge_columns(open_source(beside))["class"].looks_like == ""


def test_y_is_a_response_beside_x1_and_x2_only():
    y = RNG.normal(size=50)
    assert judge("y", y, x1=RNG.normal(size=50), x2=RNG.normal(size=50)).looks_like == "response"
    assert judge("y", y, x=RNG.normal(size=50)).looks_like == ""
    assert judge("y", y, prices=RNG.normal(size=50)).looks_like == ""


def cross(*sizes):
    """Make factors of which every combination has one row."""
    grid = np.indices(sizes).reshape(len(sizes), -1)
    return {f"f{j}": [f"level {v}" for v in row] for j, row in enumerate(grid)}


@pytest.mark.parametrize(("name", "what"), [("Freq", "frequencies"), ("Observed", "frequencies")])
def test_frequencies_of_a_crossed_table_are_offered_as_weights(name, what):
    table = {**cross(4, 3, 2), name: RNG.poisson(8, 24).tolist()}
    judged = judge_columns(open_source(pa.table(table)))
    assert judged[name].looks_like == what
    found = tamis.select(pd.DataFrame(table))
    (row,) = found.to_dict()["warnings"]
    assert (row["column"], row["advice"]) == (name, f'weights="{name}"')
    assert tamis.select(pd.DataFrame(table), weights=name).suspects == ()


def test_a_count_beside_measurements_says_nothing_of_the_rows():
    table = {**cross(4, 3, 2), "count": RNG.poisson(8, 24), "size": RNG.normal(size=24)}
    assert judge_columns(open_source(pa.table(table)))["count"].looks_like == ""


def test_what_is_advised_works():
    frame = pd.DataFrame({f"x{j}": RNG.normal(size=480) for j in range(3)})
    frame["zip"] = ZIPS
    frame["churned"] = [True, False] * 240
    frame["client id"] = [i // 2 for i in range(480)]
    found = tamis.select(frame, 2)
    assert {one.column: one.looks_like for one in found.suspects} == {
        "zip": "codes",
        "churned": "label",
    }
    assert "client id" in found.skipped
    assert tamis.select(frame, 2, categories=["zip"], y="churned").suspects == ()


def make_tables():
    n = 120
    numbers = {f"x{j}": RNG.normal(size=n) for j in range(3)}
    yield {**numbers, "Species": shuffled(["a", "b", "c"] * 40)}
    yield {**numbers, "site": [f"s{i % 40}" for i in range(n)], "code": [i % 5 for i in range(n)]}
    yield {**numbers, "QC": [*["good", "poor"] * 2, *["fair"] * 3, *[None] * (n - 7)]}
    yield {**numbers, "treatment": [f"t{i % 30}" for i in range(n)], "why": ["w " * 60] * n}
    yield {
        **numbers,
        "state": [f"st{i % 30}" for i in range(n)],
        "year": [i // 30 for i in range(n)],
    }
    yield {**numbers, "number": list(range(n, 0, -1)), "empty": [None] * n, "one": [1] * n}
    yield {**cross(5, 4, 2), "freq": RNG.poisson(5, 40)}
    yield {**numbers, "abroad": ["yes", "no", "  ", " "] * 30, "seldom": [*"ab" * 20, *[" "] * 80]}
    yield {"block": [f"b{i % 4}" for i in range(16)], "kind": [f"k{i // 4}" for i in range(16)]} | {
        f"z{j}": RNG.normal(size=16) for j in range(3)
    }


@pytest.mark.parametrize("table", list(make_tables()), ids=lambda table: " ".join(table)[-22:])
def test_look_says_what_select_does(table):
    frame = pd.DataFrame(table)
    looked, found = tamis.look(frame).to_dict()["columns"], tamis.select(frame)
    skipped = {
        row["column"]: row["done"].removeprefix("skipped: ")
        for row in looked
        if row["done"].startswith("skipped")
    }
    assert skipped.keys() == found.skipped.keys()
    assert all(found.skipped[name].startswith(why) for name, why in skipped.items())
    doubted = {one.column: warning_text(one) for one in found.suspects}
    odd = {row["column"]: row["odd"] for row in looked}
    assert all(text in odd[name] for name, text in doubted.items())
    assert [name for name, text in odd.items() if "analysed" in text] == list(doubted)
