import zlib
from typing import Any

import numpy as np
import pytest

from tamis.evaluation.measure import Reproduction
from tamis.results.plot_facts import share_facts, spread_steps, store_steps


def _read(facts: dict[str, Any], width: int) -> np.ndarray:
    """Read the packed values back, one rule at a time."""
    data = np.frombuffer(facts["stored_shares"], dtype=np.uint8).astype(int)
    low, high = data[: len(data) // 2], data[len(data) // 2 :]
    codes = (low + 256 * high).reshape(-1, width)
    steps = [[-(c + 1) // 2 if c % 2 else c // 2 for c in row] for row in codes.tolist()]
    return np.cumsum(steps, axis=0)


@pytest.fixture(scope="module")
def shares() -> np.ndarray:
    rng = np.random.default_rng(0)
    grown = np.cumsum(rng.random((6, 400)) ** 4, axis=0)
    shares = np.minimum(grown / grown.max(), 1.0)
    shares[:, 0] = [0.0999, 0.0999999, 0.1, 0.94999, 0.95, 1.0]
    shares[:, 1] = [0.0, 0.1999, 0.2, 0.9999999, 1.0 - 1e-12, 1.0]
    return shares


def test_stored_values_are_rounded_but_never_across_a_limit_or_to_a_false_whole(
    shares: np.ndarray,
) -> None:
    new = shares - 0.2  # some are below 0, where their means predict better
    known, steps = Reproduction(np.arange(6), shares, shares), range(1, 7)
    facts = share_facts(known, 3, [0.0] * 6, steps, [new, shares])
    values = _read(facts, shares.shape[1]).reshape(3, 6, -1)
    for found, true in zip(values, (shares, new, shares), strict=True):
        assert np.abs(found - 1000 * np.maximum(true, 0.0)).max() <= 1
        np.testing.assert_array_equal(found >= 950, true >= 0.95)
        np.testing.assert_array_equal(found < 100, true < 0.1)
        np.testing.assert_array_equal(found == 1000, true >= 1 - 1e-9)
    np.testing.assert_array_equal(values[1] == -1, new <= -5e-4)
    assert facts["shares_now"] == tuple(tuple(row[2].tolist()) for row in values)


def test_without_new_rows_only_the_shares_on_these_rows_are_there(shares: np.ndarray) -> None:
    facts = share_facts(Reproduction(np.arange(6), shares, shares), 3, [0.0] * 6, range(1, 7))
    assert len(facts["shares_now"]) == 1
    assert _read(facts, shares.shape[1]).shape == shares.shape


def test_a_wide_table_stores_some_steps_and_always_the_chosen_one() -> None:
    rng = np.random.default_rng(1)
    shares = np.sort(rng.random((40, 60_000)), axis=0)
    steps = store_steps(40, 60_000, 23, measured=False)
    facts = share_facts(Reproduction(np.arange(40), shares, shares), 23, [0.0] * 40, steps)
    assert 23 in facts["share_steps"]
    assert facts["share_steps"][0] == 1
    assert facts["share_steps"][-1] == 40
    assert len(facts["share_steps"]) <= 17
    stored = _read(facts, 60_000)
    assert np.abs(stored[facts["share_steps"].index(23)] - 1000 * shares[22]).max() <= 1
    assert len(zlib.compress(facts["stored_shares"])) < 2 * 17 * 60_000


def test_steps_are_all_there_where_there_is_room() -> None:
    assert spread_steps(7, 7, 3) == [1, 2, 3, 4, 5, 6, 7]


def test_a_column_that_chance_explains_as_well_is_lost_and_never_safe() -> None:
    shares = np.full((2, 3), 0.5)
    known = Reproduction(np.arange(2), shares, shares)
    for chance, limit in ((0.999, 950), (0.0994, 100), (0.1006, 101)):
        assert share_facts(known, 1, [chance] * 2, [1, 2])["lost_below"] == (limit, limit)


def test_a_share_just_below_the_level_of_chance_is_not_rounded_across_it() -> None:
    shares = np.array([[0.1003, 0.1005, 0.1002, 0.5]])
    known = Reproduction(np.array([3]), shares, shares)
    facts = share_facts(known, 1, [0.10035], [1])
    assert [share < facts["lost_below"][0] for share in facts["shares_now"][0][:3]] == [
        True,
        False,
        True,
    ]
