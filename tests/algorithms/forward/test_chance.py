"""Groups of many columns explain by chance: that is taken off before they compare with others."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.residual import discount_chance
from tamis.statistics.gram import DenseGram
from tamis.statistics.grouped import Groups
from tamis.statistics.summary import as_summary

LEVELS = (2, 5, 12, 30, 60, 120, 300)


def signal_and_codes(rows, seed):
    """Give three columns of each of three hidden ones, noise, and codes that mean nothing."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(rows, 3))
    signal = np.repeat(hidden, 3, axis=1) + rng.normal(size=(rows, 9))
    table = pd.DataFrame(signal, columns=[f"signal{i}" for i in range(9)])
    for i in range(9):
        table[f"noise{i}"] = rng.normal(size=rows)
    for count in LEVELS:
        table[f"code{count}"] = [f"v{value}" for value in rng.integers(count, size=rows)]
    return table


@pytest.mark.parametrize(("rows", "seed"), [(200, 0), (384, 1), (1000, 2), (2000, 3)])
def test_random_codes_are_not_kept_before_the_signal(rows, seed):
    table = signal_and_codes(rows, seed)
    codes = [name for name in table if name.startswith("code")]
    found = tamis.select(table, k=3, categories=codes, held_out=False)
    assert all(name.startswith("signal") for name in found.names)


def test_a_category_that_explains_is_kept_first():
    rng = np.random.default_rng(0)
    code = rng.integers(20, size=600)
    means = rng.normal(size=(20, 12))
    table = pd.DataFrame(means[code] + rng.normal(size=(600, 12)) / 2)
    table = table.rename(columns=str).assign(plate=[f"p{value}" for value in code])
    assert tamis.select(table, k=1, held_out=False).names == ["plate"]


def test_what_is_left_after_the_discount_is_the_error_on_new_rows_relative_to_single_columns():
    rng = np.random.default_rng(1)
    errors, left = np.zeros(2), np.zeros(2)
    for _ in range(100):
        X = rng.normal(size=(1060, 40))
        X[:, 9:] += X[:, :1] / 2  # the group and the single column explain something each
        X[:, 20:] += X[:, 8:9]
        known, new = X[:60] - X[:60].mean(axis=0), X[60:] - X[:60].mean(axis=0)
        total = np.square(known[:, 9:]).sum() / 60
        gains = []
        for i, S in enumerate((np.arange(8), np.array([8]))):
            weights, rest = np.linalg.lstsq(known[:, S], known[:, 9:], rcond=None)[:2]
            errors[i] += np.square(new[:, 9:] - new[:, S] @ weights).sum() / len(new)
            gains.append(1 - rest.sum() / 60 / total)
        used = np.array([8.0, 1.0])
        found = discount_chance(np.array(gains), used, left=1.0, free=59.0, single=1.0)
        left += (1 - found) * total
    assert left[0] / left[1] == pytest.approx(errors[0] / errors[1], rel=0.02)


def test_single_columns_keep_their_gains_and_their_order():
    gains = np.array([0.3, 0.1, 0.2])
    found = discount_chance(gains, np.ones(3), left=0.9, free=10.0, single=1.0)
    np.testing.assert_allclose(found, gains)


def test_where_rows_are_not_known_nothing_is_taken_off():
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(30, 16)) / np.sqrt([*[10] * 10, *[1] * 6])
    gram, groups = DenseGram(Z.T @ Z / 30), Groups(np.array([10, *[1] * 6]))
    assert take_groups(as_summary(gram, groups), 1).indices.tolist() == [0]
    assert take_groups(as_summary(gram, groups, 30), 1).indices.tolist() != [0]


def test_where_no_row_is_free_more_columns_count_as_worse():
    found = discount_chance(
        np.array([0.5, 0.5]), np.array([30.0, 2.0]), left=1.0, free=20.0, single=1.0
    )
    assert found[0] < found[1]
