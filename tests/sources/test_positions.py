from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources.open import open_source
from tamis.sources.positions import find_positions, names_column


def test_columns_are_found_by_name_and_by_position(numbers: np.ndarray) -> None:
    source = open_source(numbers)
    assert find_positions(source, ["x3", 1, np.int64(2), "x1"]) == [3, 1, 2]


@pytest.mark.parametrize(
    ("wanted", "advice"),
    [
        ("y3", "did you mean 'x3'"),
        (7, "positions go from 0 to 6"),
        (-1, "positions go from 0 to 6"),
        (1.5, "neither a column name nor a position"),
        (True, "neither a column name nor a position"),
    ],
)
def test_an_unknown_column_is_refused_with_advice(
    numbers: np.ndarray, wanted: Any, advice: str
) -> None:
    with pytest.raises(TamisError, match=advice):
        find_positions(open_source(numbers), [wanted])


def test_unknown_columns_are_refused_all_at_once(numbers: np.ndarray) -> None:
    with pytest.raises(TamisError) as refused:
        tamis.select(numbers, k=5, include=["age", "X3", "x1", "weight"])
    assert str(refused.value) == (
        "The table does not have the columns 'age', 'X3' (did you mean 'x3'?) and 'weight': "
        "check the names."
    )


def test_a_name_or_a_position_names_a_column_and_values_do_not(numbers: np.ndarray) -> None:
    source = open_source(numbers)
    assert names_column(source, "x1")
    assert names_column(source, 2)
    assert not names_column(source, numbers[:, 0])
    assert not names_column(source, None)
