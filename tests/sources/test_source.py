from typing import Any

import numpy as np
import pytest

import tamis
from tamis import memory
from tamis.errors import TamisError
from tamis.sources.faults import check_names
from tamis.sources.open import open_source

MANY = ["list", "pandas", "polars", "arrow", "sparse", "csv", "parquet", "feather", "npz"]


def test_every_form_has_the_same_names_and_numbers(any_table: Any, numbers: np.ndarray) -> None:
    source = open_source(any_table)
    assert source.names == tuple(f"x{j}" for j in range(7))
    assert set(source.kinds) == {"numeric"}
    assert source.n_rows in (60, None)
    batches = [b.toarray() if hasattr(b, "toarray") else b for b in source.batches([5, 0, 2])]
    np.testing.assert_array_equal(np.concatenate(batches), numbers[:, [5, 0, 2]])


def test_every_form_gives_the_same_arrow_tables(any_table: Any, numbers: np.ndarray) -> None:
    tables = list(open_source(any_table).tables([3, 1]))
    assert {tuple(table.column_names) for table in tables} == {("x3", "x1")}
    found = np.concatenate([np.column_stack([c.to_numpy() for c in t.columns]) for t in tables])
    np.testing.assert_array_equal(found, numbers[:, [3, 1]])


@pytest.mark.parametrize("method", ["sfs", "pfs"])
def test_every_form_gives_the_same_picks(any_table: Any, numbers: np.ndarray, method: str) -> None:
    expected = tamis.select(numbers, k=4, method=method)
    found = tamis.select(any_table, k=4, method=method)
    assert found.names == expected.names
    assert found.indices.tolist() == expected.indices.tolist()
    assert found.retained == pytest.approx(expected.retained, abs=1e-12)


@pytest.mark.parametrize("kind", MANY)
def test_fifty_batches_give_the_picks_of_one(
    kind: str, table_as: Any, numbers: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = tamis.select(numbers, k=5).names
    monkeypatch.setattr(memory, "_BATCH_BYTES", 7 * 8)
    data = table_as(kind)
    if kind not in ("list", "sparse"):
        assert len(list(open_source(data).batches(range(7)))) >= 50
    assert tamis.select(data, k=5).names == expected


def test_transform_gives_the_kept_columns_in_the_form_they_came(any_table: Any) -> None:
    found = tamis.select(any_table, k=3)
    kept = found.transform(any_table)
    assert kept.shape == (60, 3)
    again = open_source(kept)
    values = np.concatenate(
        [b.toarray() if hasattr(b, "toarray") else b for b in again.batches(range(3))]
    )
    expected = np.concatenate(
        [
            b.toarray() if hasattr(b, "toarray") else b
            for b in open_source(any_table).batches(found.indices.tolist())
        ]
    )
    np.testing.assert_array_equal(values, expected)


def test_names_that_are_numbers_and_equal_hint_at_a_lost_header() -> None:
    advice = r"two columns named .1\.5.: .*TableFile\(path, header=False\)"
    with pytest.raises(TamisError, match=advice):
        check_names(["1.5", "2", "1.5"], "t.csv")
