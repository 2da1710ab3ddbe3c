"""What a column is called rests on evidence: what was false on foreign tables is not said again."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tamis.columns.judge import judge_columns
from tamis.columns.judgement import ColumnJudgement
from tamis.sources.open import open_source

RNG = np.random.default_rng(5)


def judge(values: Any, name: str = "x", **others: Any) -> ColumnJudgement:
    table = pa.table({name: list(values), **others})
    return judge_columns(open_source(table))[name]


def test_few_rows_for_each_value_is_all_that_is_known_of_a_factor() -> None:
    found = judge([f"plot {i % 8}" for i in range(32)], "bed")
    assert (found.kind, found.action) == ("category", "skipped")
    assert found.why == "few rows for each value, 8 distinct values in 32 rows"
    filled = judge([*["Gd", "TA", "Fa", "Ex"] * 3, *[None] * 200], "Pool.QC")
    assert filled.why == "few rows for each value, 4 distinct values in 12 rows"


def test_a_factor_of_many_levels_is_analysed_and_a_key_with_its_times_is_none() -> None:
    teams = [f"team {chr(65 + i)}" for i in range(25)] * 8
    alone = judge(teams, "team")
    assert (alone.kind, alone.action) == ("category", "categories")
    assert "unsure: may be a key" in alone.badges
    year = [2000 + i // 25 for i in range(200)]
    assert judge(teams, "team", year=year).kind == "key"
    assert judge([50 + i % 25 for i in range(200)], "code", year=year).kind == "key"


def test_states_are_a_key_by_their_name() -> None:
    states = [f"{chr(65 + i)}tate" for i in range(24)] * 17
    assert judge(states, "state").kind == "key"


@pytest.mark.parametrize("name", ["age", "Dist", "time", "depth"])
def test_a_quantity_that_takes_every_value_once_is_no_number_of_a_row(name: str) -> None:
    assert judge(range(10, 60), name).kind == "number"
    assert judge(range(10, 60), "obs").why == "every integer from 10 to 59 once"


def test_a_clock_without_equal_times_is_no_identifier() -> None:
    clock = [100 * (i // 6) + 10 * (i % 6) for i in range(100)]
    assert judge(clock, "time").kind == "number"


def test_a_number_of_something_is_no_identifier() -> None:
    living = [*range(1000, 100, -17), 90, 80]
    assert judge(living, "number").action == "numbers"
    assert judge(RNG.choice(9_999, 40, replace=False), "plot number").kind == "identifier"


@pytest.mark.parametrize("name", ["idcode", "GEOID", "schoolNR", "tree"])
def test_codes_of_units_are_no_numbers(name: str) -> None:
    assert judge(RNG.permutation(np.repeat(np.arange(101, 141), 6)), name).kind == "key"


def test_rows_and_columns_of_a_field_are_treated_alike() -> None:
    grid = {"row": np.repeat(np.arange(2, 26), 24), "col": np.tile(np.arange(2, 26), 24)}
    found = judge_columns(open_source(pa.table(grid)))
    assert [one.kind for one in found.columns] == ["number", "number"]


@pytest.mark.parametrize(
    "texts",
    [
        [f"{i}{'A' if i % 2 else 'C'}" for i in range(34, 60)],
        [f"2013{'FAIL' if i % 2 else 'PASS'}" for i in range(26)],
        [f"{i:03d}-{i % 9:03d}" for i in range(1, 40)],
        [f"{1 + i % 12}/{86 + i // 12}" for i in range(60)],
        [f"978-0{i * 7919}" for i in range(40)],
    ],
)
def test_letters_and_signs_beside_digits_are_neither_units_nor_two_numbers(
    texts: list[str],
) -> None:
    found = judge(texts)
    assert "units" not in found.why
    assert "two numbers" not in found.why


def test_letters_behind_a_few_of_many_numbers_are_no_unit() -> None:
    assert judge([*["1", "2", "3", "4"] * 20, *["1OT"] * 7], "quarter").kind == "category"
    assert judge([f"{7 * i % 31}.5 m²" for i in range(40)]).kind == "number"


def test_dates_with_a_code_for_missing_are_dates_and_names_with_dates_are_no_addresses() -> None:
    dates = [f"{1 + i % 12}/{1 + i % 28}/2004" for i in range(60)]
    assert judge([*dates, "-9", "-9"]).kind == "date"
    assert judge([*dates[:9], "-9"] * 4).kind == "date"
    assert "addresses" not in judge([f"{date} Smith" for date in dates[:20]]).why
    assert "addresses" in judge([f"data/plate/img{i}.tif" for i in range(20)]).why


def test_what_has_an_order_is_said_of_answers_only() -> None:
    assert judge([1 + i % 3 for i in range(90)], "race").kind == "category"
    block = judge([1 + i % 6 for i in range(90)], "bl")
    assert (block.kind, block.badges) == ("number", ("unsure: may be codes",))
    assert judge([1 + i % 5 for i in range(90)], "q7").kind == "ordinal code"
    likert = {f"item{j}": RNG.integers(1, 7, 90) for j in range(3)}
    found = judge_columns(open_source(pa.table(likert)))
    assert {one.kind for one in found.columns} == {"ordinal code"}


def test_a_share_has_the_name_of_one() -> None:
    dose = RNG.choice([0.0, 0.125, 0.25, 0.5, 1.0], 90)
    assert judge(dose, "dose").kind == "number"
    assert judge(dose, "share of votes").kind == "share"


def test_a_count_has_its_name_or_many_zeros_and_a_thin_end() -> None:
    assert judge(RNG.geometric(0.4, 300) - 1, "visits").kind == "count"
    assert judge(RNG.geometric(0.4, 300) - 1, "severity score").kind == "number"
    assert judge(RNG.integers(1, 100, 300), "district").kind != "count"
    assert judge(RNG.binomial(3, 0.3, 300), "cough").kind == "number"
    assert judge(RNG.binomial(3, 0.3, 300), "n_calls").kind == "count"


def test_categories_of_several_words_are_no_free_text() -> None:
    homes = ["Rent", "Own", "Live with family", "Government housing", "Rent a room"]
    found = judge([*homes * 60, *[f"Other home no {i}" for i in range(14)]], "housing")
    assert (found.kind, found.action) == ("category", "categories")


def test_a_state_or_a_grade_that_reads_like_a_mark_is_no_mark() -> None:
    assert judge(["ND", "NY", "NC", "NE"] * 30, "state").badges == ()
    assert judge(["Good", "Bad"] * 30, "place").badges == ()
    assert judge(["AA", "Aa", "aa"] * 30, "gene").badges == ()


def test_a_copy_of_the_names_of_the_rows_is_no_number() -> None:
    schools = RNG.permutation(RNG.choice(9_000, 60, replace=False)).tolist()
    found = judge(schools, "School", rownames=schools[::-1])
    assert (found.kind, found.action) == ("identifier", "skipped")
    assert judge(schools, "income").action == "numbers"


def test_sodium_is_no_missing_value() -> None:
    assert judge(["Na", "K", "Cl"] * 20, "test").missing == 0
    assert judge(["NA", "low", "high"] * 20, "test").missing == 20


def test_codes_by_their_name_are_no_numbers_however_many() -> None:
    codes = RNG.choice(83_000, 90, replace=False)
    assert judge(RNG.choice(codes, 900), "dcode").why.startswith("codes by the name, 90 values")
    assert judge(RNG.choice(codes, 900), "sales region").action == "numbers"


def test_the_values_of_a_key_come_up_to_so_often() -> None:
    strips = [f"S{i:02d}" for i in range(24) for _ in range(2 + i % 2)]
    year = [2000 + i % 3 for i in range(len(strips))]
    assert judge(strips, "state", year=year).why == "key that repeats, 24 values, up to 3 rows each"


def test_a_weight_of_a_survey_is_named_and_one_of_a_body_is_not() -> None:
    weights = RNG.integers(5_000, 90_000, 200)
    assert judge(weights, "wght").looks_like == "frequencies"
    assert judge(weights, "weight").looks_like == ""
