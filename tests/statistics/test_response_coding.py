"""Labels as numbers: the same for any order of the rows, and wherever they are."""

import numpy as np
import pyarrow as pa
import pytest

import tamis
from tamis.statistics.classes import CountedTarget, center_numbers, encode_target
from tamis.statistics.labels import Target


@pytest.mark.parametrize("values", [[1e200, 3e200], [1e8 + 1, 1e8 + 2], [-5.0, 7.0], [0.0, 1e-300]])
def test_numbers_lie_about_zero_and_keep_their_distances(values):
    low, high = values
    found = center_numbers(np.array([low, low / 2 + high / 2, high]), low, high)
    assert 0.5 <= found[2] <= 1.0
    assert found[0] == -found[2]
    assert found[1] == 0.0


def test_a_column_is_encoded_as_its_labels_are():
    for labels, task in (
        (["b", "a", "c", "a"], "classification"),
        ([True, False, True, True], "classification"),
        ([2.5, 1.0, -3.0, 7.0], "regression"),
        ([3, 1, 1, 2], "classification"),
    ):
        here = Target.of(labels, task, what="y")
        numbers = here.numbers if task == "regression" else np.zeros(1)
        ends = float(numbers.min()), float(numbers.max())
        apart = CountedTarget(task, "y", 4, here.counts, here.distinct, ends)
        expected = encode_target(here)
        assert apart.width == expected.shape[1]
        found = apart.encode(pa.array([*labels, None]))
        assert found[:4].tolist() == expected.tolist()
        assert np.isnan(found[4]).all()


def test_the_order_of_the_rows_changes_no_share_on_new_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3001, 6))
    y = X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=3001)
    shares = []
    for seed in range(4):
        rows = np.random.default_rng(seed).permutation(3001)
        found = tamis.select(X[rows], k=2, method="forward-regression", y=y[rows])
        shares.append(found.held_out)
    assert np.ptp(shares, axis=0).max() < 1e-12
