"""NPY files: one array, read by blocks of rows, never a pickle."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources.open import open_source


def test_an_array_in_a_file_is_the_array(tmp_path: Path, numbers: np.ndarray) -> None:
    np.save(tmp_path / "t.npy", numbers)
    source = open_source(tmp_path / "t.npy")
    assert source.n_rows == len(numbers)
    assert source.names[:2] == ("x0", "x1")
    with limit_memory(1 << 16):
        blocks = list(source.batches(range(numbers.shape[1])))
    assert len(blocks) > 1
    np.testing.assert_array_equal(np.concatenate(blocks), numbers)
    assert tamis.select(tmp_path / "t.npy", 3).names == tamis.select(numbers, 3).names


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<i2", "|b1"])
def test_types_and_orders_give_the_same_values(tmp_path: Path, order: Any, dtype: str) -> None:
    values = np.asarray(np.arange(24).reshape(6, 4) % 5, dtype=dtype, order=order)
    np.save(tmp_path / "t.npy", values)
    read = np.concatenate(list(open_source(tmp_path / "t.npy").batches([0, 3])))
    np.testing.assert_array_equal(read, values[:, [0, 3]])


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros(3), "has the shape"),
        (np.zeros((2, 3, 4)), "makes 6 rows of 4 columns .* 2 rows of 12"),
        (np.array([["a", "b"], ["c", "d"]]), "where numbers are needed"),
        (np.array([[1, None]], dtype=object), "Python objects"),
        (np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]), "records with fields"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(tmp_path: Path, array: Any, reason: str) -> None:
    np.save(tmp_path / "t.npy", array, allow_pickle=True)
    with pytest.raises(TamisError, match=reason):
        open_source(tmp_path / "t.npy")


def test_a_shape_beyond_the_bytes_of_the_file_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", np.zeros((4, 4)))
    data = (tmp_path / "t.npy").read_bytes().replace(b"(4, 4)", b"(9, 9)")
    (tmp_path / "t.npy").write_bytes(data)
    with pytest.raises(TamisError, match="does not fit its size"):
        open_source(tmp_path / "t.npy")
