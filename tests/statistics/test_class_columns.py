import numpy as np
import pyarrow as pa
import pytest

from tamis.statistics.classes import find_class_column


@pytest.mark.parametrize("place", [0, 5])
def test_classes_beside_words_are_found_at_either_edge(place):
    rng = np.random.default_rng(0)
    columns = [(rng.random(90) < 0.05).astype(int) for _ in range(5)]
    columns.insert(place, rng.permutation([1, 2, 3] * 30))
    names = [f"x{j}" for j in range(6)]
    assert find_class_column(pa.table(dict(zip(names, columns, strict=True)))) == names[place]


def test_a_table_of_codes_has_no_column_that_stands_out():
    rng = np.random.default_rng(1)
    assert find_class_column(pa.table({f"x{j}": rng.integers(1, 6, 90) for j in range(8)})) is None
