import numpy as np
import pytest

import tamis
from tamis.evaluation.stability import find_in_halves, half_choices, stability_of
from tamis.statistics.row_hash import number_rows


def by_formula(kept):
    """The index as Nogueira, Sechidis and Brown define it, in loops."""
    m, d = kept.shape
    frequency = kept.sum(axis=0) / m
    variances = [m / (m - 1) * p * (1 - p) for p in frequency]
    mean = kept.sum() / m
    return 1 - np.mean(variances) / (mean / d * (1 - mean / d))


def test_the_same_columns_every_time_are_stable_and_disjoint_ones_are_not():
    same = stability_of([np.array([0, 1])] * 4, list("abcde"))
    assert (same.index, same.low, same.high) == (1.0, 1.0, 1.0)
    apart = stability_of([np.array([0]), np.array([1])], list("abc"))
    assert apart.index == pytest.approx(-0.5)
    assert apart.frequency == {"a": 0.5, "b": 0.5, "c": 0.0}


def test_random_columns_have_an_index_near_zero_within_the_interval():
    rng = np.random.default_rng(0)
    sets = [rng.permutation(20)[:5] for _ in range(400)]
    found = stability_of(sets, [str(j) for j in range(20)])
    assert found.low < 0 < found.high
    assert found.high - found.low < 0.02


def test_the_interval_holds_the_true_index_about_as_often_as_it_says():
    rng = np.random.default_rng(1)
    chances = np.concatenate([np.full(5, 0.8), np.full(10, 0.1)])
    mean = chances.mean()
    true = 1 - (chances * (1 - chances)).mean() / (mean * (1 - mean))
    inside = 0
    for _ in range(200):
        sets = [np.flatnonzero(rng.random(15) < chances) for _ in range(60)]
        found = stability_of(sets, [str(j) for j in range(15)])
        inside += found.low <= true <= found.high
    assert inside >= 180


@pytest.mark.parametrize("name", ["wine", "sonar"])
def test_the_index_is_that_of_columns_chosen_from_the_rows_of_each_half(real, name):
    X = real(name)
    found = tamis.select(X, k=4, method="sfs")
    numbers = number_rows(X)
    choices = half_choices(np.bincount(numbers, minlength=20))
    kept = np.zeros((50, X.shape[1]))
    for row, marks in zip(kept, choices, strict=True):
        row[tamis.select(X[marks[numbers]], k=4, method="sfs").indices] = 1
    assert found.stability.index == pytest.approx(by_formula(kept), abs=1e-12)
    assert list(found.stability.frequency.values()) == pytest.approx(kept.mean(axis=0))


def test_halves_come_in_pairs_without_empty_blocks_and_are_always_the_same():
    count = np.array([5, 0, 5, 5, 5, 5])
    choices = half_choices(count)
    assert (choices == half_choices(count)).all()
    assert not choices[:, 1].any()
    assert ((choices[::2] ^ choices[1::2])[:, count > 0]).all()
    with pytest.raises(tamis.TamisError, match="too few for half-samples"):
        half_choices(np.array([9, 9, 9, 0]))


@pytest.mark.parametrize("k", [3, "auto"])
def test_an_included_column_is_kept_in_every_half_also_where_it_is_constant(k):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 1)) + rng.normal(size=(120, 8))
    X[:, 0] = 0.0
    X[:2, 0] = 1.0  # rows of two blocks, so many halves have none of them
    found = tamis.select(X, k=k, method="sfs", include=["x0"], stability=True)
    assert found.included == ["x0"]
    assert found.stability.frequency["x0"] == 1.0
    assert all(len(kept) == found.k for kept in find_in_halves(found.by_block, found.k))
    lines = str(found).split("half-samples   could be replaced")[1].splitlines()
    assert next(line for line in lines if line.startswith("  x0 ")).split()[1] == "included"
