"""Integers that number rows again in each group, or name subjects that come again."""

import numpy as np
import pyarrow as pa
import pytest

from tamis.columns.judge import judge_columns
from tamis.sources.open import open_source

RNG = np.random.default_rng(11)


def judge_kind(name: str, values: object) -> str:
    shuffled = RNG.permutation(np.asarray(values)).tolist()
    return judge_columns(open_source(pa.table({name: shuffled})))[name].kind


def number_again(*sizes: int, first: int = 1) -> list[int]:
    return [first + i for size in sizes for i in range(size)]


@pytest.mark.parametrize("name", ["no", "Sample Number", "pos", "Position", "seq", "row_no", "obs"])
def test_a_running_number_that_starts_again_in_each_group_is_a_key(name: str) -> None:
    assert judge_kind(name, number_again(50, 50, 50, 50)) == "key"
    assert judge_kind(name, number_again(152, 124, 68)) == "key"
    assert judge_kind(name, number_again(31, 29, 30, first=0)) == "key"


@pytest.mark.parametrize("name", ["depth", "hour", "dose", "age"])
def test_a_grid_that_repeats_is_none_by_another_name(name: str) -> None:
    assert judge_kind(name, number_again(24, 24, 24)) != "key"


def test_counts_of_a_number_are_none() -> None:
    assert judge_kind("number", RNG.geometric(0.4, 2000)) != "key"
    assert judge_kind("room number", RNG.integers(1, 40, 400)) != "key"


@pytest.mark.parametrize("name", ["Subject", "subj", "firm", "participant", "patient"])
def test_subjects_that_come_again_are_keys(name: str) -> None:
    assert judge_kind(name, np.repeat(np.arange(1, 25), 4)) == "key"
    assert judge_kind(name, np.repeat([*range(308, 338, 2), 349, 351, 372], 10)) == "key"
    assert judge_kind(name, RNG.integers(1, 90, 400)) == "key"


@pytest.mark.parametrize("name", ["patients", "students", "firms"])
def test_how_many_subjects_there_are_is_a_value(name: str) -> None:
    assert judge_kind(name, RNG.integers(1, 90, 400)) != "key"


def test_how_many_of_one_sort_is_a_count() -> None:
    assert judge_kind("person", RNG.poisson(1.2, 900) + 1) != "key"


@pytest.mark.parametrize("name", ["Betriebsnr.", "Kundennummer", "gvkey", "custkey"])
def test_words_for_a_number_may_be_one_with_another(name: str) -> None:
    drawn = RNG.choice(900_000, 200, replace=False)
    assert judge_kind(name, drawn) == "identifier"
    assert judge_kind(name, np.repeat(drawn[:50], 10)) == "key"
