"""`tamis.mutual_information`: a labelled matrix that is also a plain one."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    size = rng.standard_normal(120)
    return pd.DataFrame(
        {
            "size": size,
            "large": np.where(size > 0, "yes", "no"),
            "noise": rng.standard_normal(120),
            "day": pd.date_range("2026-01-01", periods=120),
            "unit": "cm",
        }
    )


def test_entries_go_by_name_and_the_plain_matrix_by_asarray(frame):
    found = tamis.mutual_information(frame)
    assert found.names == ("size", "large", "noise")
    plain = np.asarray(found)
    assert plain.shape == (3, 3)
    assert found["size", "large"] == found["large", "size"] == plain[0, 1]
    assert found["size", "large"] > 4 * found["noise", "large"]
    assert found["noise"]["noise"] == 1
    assert len(found) == 3
    with pytest.raises(TamisError, match="no column 'day': dates"):
        found["day"]
    with pytest.raises(TamisError, match="did you mean 'noise'"):
        found["noize"]


def test_columns_that_took_no_part_are_named(frame):
    found = tamis.mutual_information(frame, exclude=["noise"])
    assert found.constant == ("unit",)
    assert found.skipped["noise"] == "excluded"
    assert "dates" in found.skipped["day"]


def test_settings_are_checked(frame):
    for settings in ({"bins": 1}, {"binning": "best"}, {"missing": "mean"}, {"columns": "size"}):
        with pytest.raises(TamisError):
            tamis.mutual_information(frame, **settings)


def test_bins_change_the_answer_as_they_should(frame):
    two = tamis.mutual_information(frame, bins=2)
    assert two["size", "large"] > tamis.mutual_information(frame, bins=10)["size", "large"]


def test_the_closest_pairs_are_those_of_the_whole_matrix(numbers) -> None:
    found = tamis.mutual_information(numbers)
    above = np.triu(found.values, 1)
    first, second, share = found._closest()[0]
    assert share == above.max() == above[first, second]


def test_the_matrix_is_a_frame_of_the_library_of_the_table(numbers) -> None:
    frame = tamis.mutual_information(pd.DataFrame(numbers, columns=[*"abcdefg"])).to_frame()
    assert frame.loc["a", "b"] == frame.loc["b", "a"] < frame.loc["a", "a"] == 1
    plain = tamis.mutual_information(numbers).to_frame()
    assert plain.column_names == ["column", *(f"x{j}" for j in range(7))]
