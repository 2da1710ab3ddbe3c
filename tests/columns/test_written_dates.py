import numpy as np
import pytest

from tamis.columns.written import are_date_numbers, are_dates


@pytest.mark.parametrize(
    "texts",
    [
        ["2024-01-31", "2023-12-24"],
        ["31.12.2024", "1.2.2023"],
        ["12/31/2024", "01/02/2023"],
        ["31 Dec 2024", "Jan 2023"],
        ["12:30", "8:05:59"],
        ["2024-01", "2023-12"],
        ["01/2024", "12/2023"],
        ["2024-Q1", "2023Q4"],
        ["2024-W05", "2024-W06"],
        ["2024-01-31 12:30", "2024-02-01 08:00"],
        ["31.12.2024", "12.31.2024", "2024-05-06"],  # written by several hands
        ["Q1 2024", "Q3 2023"],
        ["3:59.4", "4:01.2"],
        ["130:05:00", "25:00:00"],
        ["2024-01-31", "unknown", "?"],
    ],
)
def test_dates_times_and_durations_are_dates(texts):
    assert are_dates(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["31/12/24", "12/31/24"],  # no order of day and month fits both
        ["1:10", "1:20"],  # dilutions
        ["1.2.3", "2.0.1"],
        ["10.0.0.1"],
        ["2024-13-01"],
        ["2024-01-31", "soon"],
        ["25:60"],
        ["2024-13"],
        ["0012-01", "0013-01"],
    ],
)
def test_other_texts_are_none(texts):
    assert not are_dates(texts)


def test_integers_are_dates_only_if_all_can_be():
    assert are_date_numbers(np.array([20240131.0, 19991231.0]))
    assert not are_date_numbers(np.array([20240131.0, 20241331.0]))
    assert not are_date_numbers(np.array([20240131.0]))
    months = np.array([202301.0 + m for m in range(12)] + [202401.0])
    assert are_date_numbers(months)
    assert not are_date_numbers(months[:12])
