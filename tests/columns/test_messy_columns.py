"""Columns as people write them: what they are taken for, and why they are skipped."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tamis.columns.judge import judge_columns
from tamis.columns.judgement import ColumnJudgement
from tamis.columns.tally import TextTally
from tamis.columns.texts import TextFacts
from tamis.sources.open import open_source

RNG = np.random.default_rng(3)
MEASURED = [f"{v:.2f}" for v in RNG.gamma(2, 3, 200)]


def judge(values: list[Any], name: str = "x", **others: list[Any]) -> ColumnJudgement:
    table = pa.table({name: values, **others})
    return judge_columns(open_source(table))[name]


def test_limits_of_detection_are_read_as_the_limit():
    found = judge(["<0.5"] * 80 + [">= 20"] * 5 + ["n.d."] * 4 + MEASURED)
    assert (found.kind, found.missing, found.limits) == ("number", 4, ("<0.5", ">= 20"))
    assert (found.smallest, found.decimal) == (min(0.5, *map(float, MEASURED)), ".")


def test_limits_without_a_number_are_missing():
    found = judge(["<LOD"] * 30 + ["< LOQ"] * 20 + ["<0.01"] * 9 + ["BDL"] * 9 + MEASURED)
    assert (found.kind, found.missing, found.limits) == ("number", 59, ("<0.01",))
    assert judge(["T"] * 20 + ["M"] * 9 + MEASURED).missing == 29
    assert judge(["T", "M", *map(str, range(9))] * 9).kind == "category"


def test_limits_beside_few_values_are_categories():
    found = judge(["<18", "18-65", ">65"] * 30)
    assert (found.kind, found.action) == ("category", "categories")
    assert judge(["1", "2", "3", ">3"] * 30).limits == ()


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ([f"{100 + i}/{60 + i % 30}" for i in range(60)], "two numbers in a value"),
        ([f"{52 + i / 77:.4f}, {13 - i / 91:.4f}" for i in range(60)], "two numbers in a value"),
        ([f"{i} kg" for i in range(30)] + [f"{i}00 g" for i in range(30)], "different units"),
        ([f"{i},5" for i in range(40)] + [f"{i}.25" for i in range(40)], "a decimal comma in"),
    ],
)
def test_what_cannot_be_read_as_numbers_says_why(texts: list[str], reason: str) -> None:
    found = judge(texts)
    assert (found.kind, found.action) == ("other", "skipped")
    assert reason in found.why


def test_the_key_of_a_panel_with_lost_rows_is_one():
    keys = np.repeat([f"land {chr(65 + i % 26)}{i}" for i in range(60)], 9)
    kept = RNG.permutation(keys)[:400].tolist()
    assert judge(kept, "country").kind == "key"
    drawn = RNG.choice([f"town {i}" for i in range(60)], 400).tolist()
    assert judge(drawn, "town").kind == "category"


def test_classes_side_by_side_are_categories():
    bands = [f"{5 * i}-{5 * i + 4}" for i in range(18)]
    assert judge(bands * 20).kind == "category"


def test_one_unit_beside_all_numbers_makes_numbers_of_them():
    assert judge([f"{v} m²" for v in MEASURED]).badges == ("unit m²",)
    assert judge([f"{i % 4 + 1} rooms" for i in range(80)]).badges == (
        "unit rooms",
        "unsure: may be codes",
    )
    assert judge([f"{v}{'KM'[i % 2]}" for i, v in enumerate(MEASURED)]).largest > 1e6


def test_phone_numbers_are_no_free_text():
    assert judge([f"+49 30 {5_000_000 + 977 * i}" for i in range(60)]).kind == "identifier"


def test_texts_for_no_value_are_missing_among_categories():
    found = judge(["low", "high", "n/a", "N/A", "-", "high"] * 10)
    assert (found.kind, found.missing, found.distinct) == ("category", 30, 2)
    assert judge(["+", "-"] * 20).missing == 0
    assert judge(["none", "unknown", "a"] * 20).missing == 0


def test_codes_that_stand_apart_are_missing_by_what_the_table_does():
    grades = [*RNG.integers(1, 6, 200).tolist(), *[9] * 10, *[8] * 10]
    alone = judge(grades)
    assert (alone.missing, {one.value for one in alone.sentinels}) == (0, {8, 9})
    assert judge(grades, b=grades, c=grades).missing == 20


@pytest.mark.parametrize("code", [-9.9, -99.9, -127.0, -999.0])
def test_a_value_that_no_measurement_has_is_missing(code: float) -> None:
    rain = [0.0] * 100 + RNG.gamma(2, 1.5, 100).round(1).tolist() + [code] * 8
    assert judge(rain).missing == 8


def test_the_only_negative_value_is_named_and_left():
    found = judge([*range(1, 200), *[-1] * 20])
    assert found.missing == 0
    assert "-1 20 times, the only negative value" in found.badges


def test_counts_with_a_thin_end_have_no_codes():
    siblings = [0] * 600 + [1] * 200 + [2] * 30 + [3] * 16 + [4] * 18 + [5] * 5 + [8] * 7
    assert judge(siblings).sentinels == ()


def test_long_numbers_of_one_length_are_identifiers():
    codes = (RNG.choice(10**11, 200, replace=False) + 4 * 10**12).tolist()
    assert judge(codes, "ean").kind == "identifier"
    assert judge(np.exp(RNG.normal(27, 2, 200)).round().tolist(), "gdp").kind == "number"


def test_a_name_with_a_share_in_it_is_none_beyond_one():
    assert judge([f"{v}" for v in RNG.normal(7, 0.3, 90).round(2)], "pH").kind == "number"
    assert judge((RNG.random(90) * 100).round(1).tolist(), "humidity (%)").kind == "share"


def test_facts_leave_out_texts_with_their_counts():
    tally = TextTally(room=100)
    tally.add(pa.array(["a", "a", "b", "?"]))
    facts = TextFacts.of(tally, ["?"])
    assert (sorted(facts.texts), facts.filled, facts.distinct) == (["a", "b"], 3, 2)


def test_one_text_or_nothing_is_a_box_that_is_ticked():
    found = judge(["x", None, ""] * 40)
    assert (found.kind, found.action, found.ticked, found.missing) == (
        "category",
        "categories",
        True,
        80,
    )
    assert judge(["DE"] * 200 + [None] * 4).kind == "constant"
    assert judge(["rerun"] * 4 + [""] * 200).kind == "constant"
