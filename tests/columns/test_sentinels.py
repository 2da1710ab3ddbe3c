import numpy as np
import pytest

from tamis.columns.numbers import find_sentinels, share_sentinels
from tamis.columns.tally import NumberTally


def _found(values, supported=frozenset()):
    tally = NumberTally(room=1_000)
    tally.add(np.asarray(values, dtype=float))
    return {one.value: one.obvious for one in find_sentinels(tally, supported)}


@pytest.fixture
def values():
    return np.round(np.random.default_rng(0).gamma(3, 4, 300), 1)


@pytest.mark.parametrize("code", [-999, -99, -200, 999, 9999, 1e20, -99.9])
def test_a_far_code_that_repeats_is_obvious(values, code):
    assert _found([*values, *[code] * 5]) == {code: True}


def test_several_codes_at_one_end_are_found_together():
    grades = [1, 2, 3, 4, 5] * 30
    assert _found([*grades, *[-9] * 6, *[-8] * 4]) == {-9.0: True, -8.0: True}
    assert _found([*grades, *[98] * 6, *[99] * 4]) == {98.0: True, 99.0: True}


@pytest.mark.parametrize(
    "values",
    [
        [-1, 0, 1] * 30,
        [1, 2, 3, 4, 9] * 30,
        list(range(100)) * 3,
        [0] * 80 + [1] * 15 + [9] * 5,
        np.minimum(np.random.default_rng(1).lognormal(9, 1, 900), 99999),
    ],
    ids=["signs", "nine", "up to 99", "rare count", "capped"],
)
def test_what_may_be_a_value_is_not_taken_away(values):
    assert not any(_found(values).values())


def test_zero_far_from_the_rest_is_named_only():
    assert _found([*np.random.default_rng(2).normal(4800, 20, 200), 0.0, 0.0, 0.0]) == {0.0: False}


def test_once_is_not_enough_unless_other_columns_do_the_same(values):
    assert _found([*values, -999]) == {}
    assert _found([*values, -999], frozenset([-999.0])) == {-999.0: True}


def test_a_habit_is_what_two_columns_share(values):
    tally = NumberTally(room=1_000)
    tally.add(np.array([*values, *[-999.0] * 5]))
    one = find_sentinels(tally)
    assert share_sentinels([one, ()]) == frozenset()
    assert share_sentinels([one, one]) == {-999.0}


def test_a_habit_far_above_the_rest_is_one_where_it_comes_once():
    habit = frozenset([9.0])
    assert _found([0, 1, 2] * 20 + [9], habit) == {9.0: True}
    assert _found([0, 1] * 20 + [9], habit) == {9.0: True}
    assert _found([0] * 20 + [9], habit) == {9.0: True}
    assert _found([*range(9)] * 20 + [9], habit) == {}


def test_codes_at_both_ends_do_not_hide_each_other():
    grades = [1, 2, 3, 4, 5] * 30
    assert _found([*grades, *[-9] * 6, *[99] * 6]) == {-9.0: True, 99.0: True}
    assert _found([*grades, *[-9] * 6, *[9] * 6]) == {-9.0: True, 9.0: False}


def test_sevens_stand_beside_nines():
    drinks = [*range(1, 13)] * 20
    assert _found([*drinks, *[777] * 9, *[999] * 5]) == {777.0: True, 999.0: True}
    assert _found([*drinks, *[77] * 9, *[99] * 5]) == {77.0: True, 99.0: True}
    assert _found([1, 2] * 80 + [7] * 4 + [9] * 4) == {7.0: False, 9.0: False}


def test_minus_one_as_frequent_as_others_is_a_value():
    assert _found([*range(-1, 12)] * 30) == {}
    assert _found([*range(12)] * 10 + [-1] * 60) == {-1.0: False}


def test_zeros_that_repeat_are_named_nearer_than_one():
    values = [*range(480, 720)] * 4
    assert _found([*values, 0, 0, 0, 0]) == {0.0: False}
    assert _found([*values, 0]) == {}


def test_another_code_is_named_beside_one_that_is_taken_away():
    answers = [1, 2, 3, 4, 5] * 30 + [7] * 5 + [9] * 5
    assert _found(answers, frozenset([9.0])) == {9.0: True, 7.0: False}
