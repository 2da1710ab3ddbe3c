"""The state of the forward loop: what is held of it, and that empty rows change nothing."""

import numpy as np
import pytest

from tamis.algorithms.residual import Residual, condition
from tamis.api.select import select
from tamis.statistics.gram import DenseGram, RowGram

WIDE = 60_000


@pytest.fixture(scope="module")
def wide() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(30, WIDE))


def test_no_more_room_is_taken_than_the_rank_of_a_wide_table_asks_for(wide: np.ndarray) -> None:
    residual = Residual(RowGram(wide - wide.mean(axis=0)), WIDE)
    for j in range(40):
        residual.take(j)
    assert residual.size == 40
    assert len(residual.rows) == 29
    assert residual._rows.nbytes <= 29 * WIDE * 8


@pytest.mark.parametrize("method", ["sfs", "pfs", "jolliffe-i", "pivoted-qr"])
def test_a_wide_table_without_k_needs_no_columns_by_columns(method: str, wide: np.ndarray) -> None:
    found = select(wide[:, :20_000], method=method, retain=0.5)
    assert 0.5 <= found.retained <= 1.0
    assert len(found.names) < 30


def test_reproduced_columns_have_empty_rows_and_the_others_stay_as_they_are() -> None:
    Z = np.random.default_rng(1).normal(size=(20, 5))
    Z -= Z.mean(axis=0)
    table = np.column_stack([Z[:, 0], 2 * Z[:, 0], Z[:, 1], Z[:, 0] - Z[:, 1], Z[:, 2:]])
    gram = DenseGram(table.T @ table)
    found = condition(gram, np.arange(5))
    assert found.adding.tolist() == [0, 2, 4]
    assert not found.W[[1, 3]].any()
    alone = condition(gram, np.array([0, 2, 4]))
    np.testing.assert_allclose(found.rows, alone.W, atol=1e-12)
    assert found.retained[-1] == pytest.approx(alone.retained[-1])


def test_room_grows_where_more_columns_are_taken_than_expected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tamis.algorithms.residual._FIRST_FACTOR_BYTES", 8)
    Z = np.random.default_rng(2).normal(size=(50, 7))
    gram = DenseGram(Z.T @ Z)
    found = condition(gram, np.arange(7))
    np.testing.assert_allclose(found.W.T @ found.W, Z.T @ Z, atol=1e-9)
