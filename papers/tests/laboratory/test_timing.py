import pytest

from tamis_papers.laboratory.timing import measure_power, measure_seconds


def test_work_is_repeated_and_takes_some_time():
    calls = []
    assert measure_seconds(lambda: calls.append(sum(range(1000))), repeats=4) >= 0
    assert len(calls) == 4


def test_the_power_is_that_between_the_two_largest_sizes():
    assert measure_power({400: 4.0, 100: 1.0, 200: 1.0}) == pytest.approx(2)
    assert measure_power({10: 5.0, 20: 5.0}) == 0
