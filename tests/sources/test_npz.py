from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources.npz import open_npz


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.npz"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_only_table_is_found_whatever_its_name(
    path: Path, numbers: np.ndarray, save: Any, order: str
) -> None:
    save(path, data=np.asarray(numbers, order=order), labels=np.arange(60))
    source = open_npz(path)
    assert source.names[:2] == ("x0", "x1")
    np.testing.assert_array_equal(np.concatenate(list(source.batches(range(7)))), numbers)


def test_x_is_taken_among_several_tables(path: Path, numbers: np.ndarray) -> None:
    np.savez(path, X=numbers, Y=numbers[:, :2])
    assert len(open_npz(path).names) == 7


@pytest.mark.parametrize("key", ["feature_names", "columns", "names"])
def test_names_beside_the_table_are_used(path: Path, numbers: np.ndarray, key: str) -> None:
    np.savez(path, X=numbers[:, :2], **{key: np.array(["age", "weight"])})
    assert open_npz(path).names == ("age", "weight")


def test_booleans_and_whole_numbers_are_read(path: Path, numbers: np.ndarray) -> None:
    np.savez(path, X=numbers > 0)
    assert set(open_npz(path).kinds) == {"boolean"}
    np.savez(path, X=np.round(numbers).astype(np.int16))
    assert tamis.select(path, k=2).names == tamis.select(np.round(numbers), k=2).names


def test_columns_are_picked_in_the_order_asked(path: Path, numbers: np.ndarray) -> None:
    np.savez(path, X=numbers)
    np.testing.assert_array_equal(open_npz(path).pick([4, 1]), numbers[:, [4, 1]])


@pytest.mark.parametrize(
    ("arrays", "found"),
    [
        ({"a": np.eye(3), "b": np.eye(4)}, "a, b"),
        ({"a": np.arange(3)}, "none"),
        ({"a": np.array([["x", "y"]])}, "none"),
        ({}, "none"),
    ],
)
def test_no_table_or_several_are_refused(path: Path, arrays: Any, found: str) -> None:
    np.savez(path, **arrays)
    with pytest.raises(TamisError, match=f"must hold one array of rows.*numbers in it: {found}"):
        open_npz(path)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.98])
@pytest.mark.parametrize("kind", ["npz", "sparse.npz"])
def test_a_truncated_archive_is_refused(table_as: Any, kind: str, share: float) -> None:
    path = Path(table_as(kind))
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(TamisError, match="is no NPZ archive, or a damaged one: write it anew"):
        tamis.select(path)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_damaged_values_are_refused(path: Path, numbers: np.ndarray, save: Any) -> None:
    save(path, X=numbers)
    data = bytearray(path.read_bytes())
    data[500:600] = bytes(100)
    path.write_bytes(data)
    with pytest.raises(TamisError, match=r"t\.npz cannot be read, it is damaged"):
        tamis.select(path)


def test_a_single_array_or_text_under_the_suffix_is_refused(path: Path) -> None:
    np.save(path.with_suffix(".npy"), np.eye(3))
    path.write_bytes(path.with_suffix(".npy").read_bytes())
    with pytest.raises(TamisError, match="is no NPZ archive"):
        open_npz(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(TamisError, match="is no NPZ archive"):
        open_npz(path)


def test_pickled_objects_are_never_loaded(path: Path) -> None:
    np.savez(path, X=np.array([[1, "a"]], dtype=object))
    with pytest.raises(TamisError, match="must hold one array of rows and columns"):
        open_npz(path)
