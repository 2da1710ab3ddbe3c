"""Held-out shares of single columns against the slow way: refit every regression."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

import tamis
from tamis.evaluation.held_out import hold_out_columns
from tamis.sources.arrays import ArraySource
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import stretch_choices
from tamis.statistics.row_hash import RowRules, number_rows, number_stretches


def refit(X, kept, folds=None):
    """Fit on the training rows of every fold, and add up the errors on the held-out ones.

    The folds mark rows: 1 for training, 0 for held out, 2 for neither.
    """
    errors, totals = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    if folds is None:
        folds = [(number_rows(X) % 10 != fold).astype(int) for fold in range(10)]
    for marks in folds:
        out, known = marks == 0, X[marks == 1]
        if not out.any():
            continue
        mean, std = known.mean(axis=0), X.std(axis=0)
        train, test = ((part - mean) / std for part in (known, X[out]))
        fit = LinearRegression().fit(train[:, kept], train)
        errors += np.square(test - fit.predict(test[:, kept])).sum(axis=0)
        totals += np.square(test).sum(axis=0)
    return 1 - errors / totals


def summarise(X, rules=None):
    source = ArraySource(X)
    return collect_blocks(source, list(range(X.shape[1])), scale=True, rules=rules)


@pytest.mark.parametrize(("rows", "columns"), [(300, 7), (40, 60)])
def test_shares_of_columns_equal_those_of_refitted_regressions(rows, columns):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(rows, columns))
    X[:, 2] = X[:, 0] + 0.5 * X[:, 1]
    X[:, 3] += 0.8 * X[:, 1]
    kept = np.array([1, 0, 4])
    found = hold_out_columns(summarise(X).blocks, kept, columns).share[-1]
    expected = refit(X, kept)
    expected[kept] = 1.0
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert found[2] == pytest.approx(1.0)


def test_an_unrelated_column_is_not_explained_and_shrinkage_keeps_it_near_the_mean():
    X = np.random.default_rng(1).normal(size=(30, 25))
    blocks, kept = summarise(X).blocks, np.arange(12)
    plain, shrunken = (
        hold_out_columns(blocks, kept, 25, ridge=ridge).share[-1] for ridge in (0.0, None)
    )
    assert plain[20] < 0
    assert shrunken[12:].mean() > plain[12:].mean()


@pytest.mark.parametrize(("rows", "columns"), [(300, 7), (60, 70)])
def test_of_rows_in_order_a_stretch_is_held_out_and_its_neighbours_are_not_learnt_from(
    rows, columns
):
    X = np.cumsum(np.random.default_rng(5).normal(size=(rows, columns)), axis=0)
    numbers, kept = number_stretches(rows), np.array([1, 0, 4])
    blocks = summarise(X, RowRules(numbers, ordered=True)).blocks
    expected = refit(X, kept, stretch_choices(np.bincount(numbers))[:, numbers])
    expected[kept] = 1.0
    found = hold_out_columns(blocks, kept, columns).share[-1]
    np.testing.assert_allclose(found, expected, atol=1e-7)


def draw(rows, columns, seed=7, noise=1.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4)) @ rng.normal(size=(4, columns))
    return X + rng.normal(size=X.shape) * rng.uniform(0.05, noise, columns)


def by_fold(X, path):
    """Give the errors and the totals of every column in every fold, one fold after the other."""
    numbers, std = number_rows(X) % 10, X.std(axis=0)
    errors, totals = np.zeros((2, 10, X.shape[1]))
    for fold in range(10):
        out = numbers == fold
        mean = X[~out].mean(axis=0)
        train, test = ((part - mean) / std for part in (X[~out], X[out]))
        fit = LinearRegression().fit(train[:, path], train)
        errors[fold] = np.square(test - fit.predict(test[:, path])).sum(axis=0)
        totals[fold] = np.square(test).sum(axis=0)
    errors[:, path] = 0.0
    return errors, totals


def test_every_step_of_a_path_is_measured_as_if_its_columns_were_all() -> None:
    X, path = draw(120, 9), np.array([4, 1, 7])
    found = hold_out_columns(summarise(X).blocks, path, 9, steps=range(1, len(path) + 1))
    for row, step in enumerate(found.steps):
        errors, totals = by_fold(X, path[:step])
        np.testing.assert_allclose(found.share[row], 1 - errors.sum(0) / totals.sum(0), atol=1e-9)


def test_the_limit_is_that_of_its_definition() -> None:
    X, path = draw(120, 9, noise=0.3), np.array([4, 1, 7, 2])
    sets = [np.array([4, 1, 2, one]) for one in (7, 7, 8, 8, 8, 0, 0, 0, 0, 5)]
    found = hold_out_columns(summarise(X).blocks, path, 9, chosen=sets)
    errors, totals = by_fold(X, path)
    left = errors.sum(0) / totals.sum(0)
    again = np.array([by_fold(X, one)[0][fold] for fold, one in enumerate(sets)])
    dropped = np.array([~np.isin(np.arange(9), one) for one in sets])
    more = (again * dropped).sum(0) / np.maximum((totals * dropped).sum(0), 1e-9) - left
    near = (left <= 0.1) & ~np.isin(np.arange(9), path)
    assert near.sum() >= 2
    optimism = max(np.where(dropped.sum(0) >= 3, more, 0.0)[near].mean(), 0.0)
    assert found.optimism[-1] == pytest.approx(optimism, abs=1e-12)
    spread = np.sqrt((1 / 10 + 1 / 9) * 100 / 9 * np.square(errors - left * totals).sum(0))
    tails = 1 + 12 * totals.var(axis=0, ddof=1) / totals.mean(axis=0) ** 2
    for distances in (None, np.full(9, 0.02)):
        for j in np.flatnonzero(near):
            error = max(2 * np.sqrt((1 - left[j]) / 120), spread[j] / errors[:, j].sum())
            limit = (left[j] + optimism) * np.exp(1.645 * error)
            apart = (tails[j] + 3 if distances is None else distances[j]) / 120
            shape = (left[j] + optimism) / apart + 1
            limit = max(limit, stats.gamma.ppf(0.95, shape) * apart)
            assert found.limit_below(distances)[-1][j] == pytest.approx(1 - limit, rel=1e-2)
    assert found.limit_below()[-1][path].tolist() == [1.0] * 4


def test_shares_and_limits_do_not_depend_on_the_order_of_the_columns() -> None:
    X, path, order = draw(80, 9), np.array([4, 1, 7]), np.random.default_rng(0).permutation(9)
    found = hold_out_columns(summarise(X).blocks, path, 9, ridge=None, chosen=[path] * 10)
    moved = np.argsort(order)[path]
    other = hold_out_columns(
        summarise(X[:, order]).blocks, moved, 9, ridge=None, chosen=[moved] * 10
    )
    np.testing.assert_allclose(other.share, found.share[:, order], atol=1e-10)
    np.testing.assert_allclose(other.limit_below(), found.limit_below()[:, order], atol=1e-10)


def test_a_column_that_few_rows_carry_has_no_limit_and_a_copy_of_few_rows_is_not_sure() -> None:
    rng = np.random.default_rng(2)
    x, rare = rng.normal(size=60), np.zeros(60)
    rare[:3] = 1.0 + rng.random(3)
    flag = (rng.random(60) < 0.5).astype(float)
    X = np.column_stack([x, x, rare, rare + 1e-3 * rng.normal(size=60), flag, flag])
    found = hold_out_columns(summarise(X).blocks, np.array([0, 2, 4]), 6)
    low = found.limit_below(np.where(np.arange(6) < 4, 1e-3, np.nan))[-1]
    assert low[1] > 0.99
    assert low[3] <= 0 < 0.9 < found.share[-1][3]
    assert 0.7 < low[5] < 0.9 < 0.999 < found.share[-1][5]


def test_what_is_beyond_the_limits_of_extreme_values_counts_as_lost() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=600)
    x[:2] = 40.0
    X = np.column_stack([x, x + 0.05 * rng.normal(size=600), rng.normal(size=(600, 4))])
    limited, as_is = (tamis.select(X, k=5, options={"outliers": how}) for how in ("clip", "keep"))
    (j,) = {0, 1} - set(limited.indices.tolist())
    column = X[:, j]
    drawn_in = np.clip(column, *limited.summary.encoding.limits[j])
    assert limited.within[j] == pytest.approx(drawn_in.var() / column.var(), rel=1e-6)
    assert limited.within[j] < 0.5
    assert limited.limit_new_rows(limited.new_rows)[-1][j] < 0.5
    assert (as_is.within == 1.0).all()
    assert as_is.limit_new_rows(as_is.new_rows)[-1][j] <= 0  # two rows carry it


def test_gaps_are_those_of_the_values() -> None:
    rng = np.random.default_rng(2)
    flag, many = rng.random(300) < 0.3, rng.normal(size=300)
    X = np.column_stack([many, flag, rng.integers(0, 5, 300), rng.normal(size=300)])
    table = pa.table({"a": X[:, 0], "b": X[:, 1] + 1, "c": 10.0 * X[:, 2], "d": X[:, 3]})
    expected = np.array([(np.ptp(c) / (len(set(c)) - 1)) ** 2 / c.var() for c in X.T])
    for found in (tamis.select(X, k=2), tamis.select(table, k=2)):
        np.testing.assert_allclose(found.distances, expected, rtol=1e-9)
    words = table.append_column("e", pa.array(np.where(flag, "x", "y")))
    assert np.isnan(tamis.select(words, k=2).distances).tolist() == [False] * 4 + [True]


def test_the_same_from_one_or_fifty_batches_and_shuffled_rows(monkeypatch) -> None:
    X, path = draw(200, 9), np.array([4, 1, 7])
    once = hold_out_columns(summarise(X).blocks, path, 9, ridge=None, chosen=[path[:2]] * 10)
    read = ArraySource.batches
    monkeypatch.setattr(
        ArraySource,
        "batches",
        lambda self, columns: (p for b in read(self, columns) for p in np.array_split(b, 50)),
    )
    again = X[np.random.default_rng(0).permutation(200)]
    found = hold_out_columns(summarise(again).blocks, path, 9, ridge=None, chosen=[path[:2]] * 10)
    np.testing.assert_allclose(found.share, once.share, atol=1e-11)
    np.testing.assert_allclose(found.limit_below(), once.limit_below(), atol=1e-11)


def test_a_category_is_one_column_of_the_table() -> None:
    rng = np.random.default_rng(5)
    word = rng.integers(0, 3, 300)
    numbers = {
        name: (word == level) + 0.3 * rng.normal(size=300) for level, name in enumerate("abc")
    }
    table = pa.table(
        {**numbers, "d": pa.array(np.array(["x", "y", "z"])[word]), "e": rng.normal(size=300)}
    )
    found = tamis.select(table, include=["a", "b", "c"], k=3)
    assert found.new_rows.share.shape == (1, 5)
    column = found["d"]
    assert column.new_rows_low < column.new_rows < column.share
    assert found["e"].status == "lost"
    assert column.new_rows > 0.5


def test_the_limit_of_a_column_that_follows_exactly_does_not_rest_on_rounding():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 4))
    X = np.column_stack([X, X[:, 0] + X[:, 1], X[:, 2] + 0.3 * rng.normal(size=400)])
    found = hold_out_columns(summarise(X).blocks, np.array([0, 1, 2]), 6)
    assert found.share[-1][4] > 1 - 1e-12
    noisy = replace(found, error=np.where(found.left < 1e-6, 5.0 * found.left, found.error))
    np.testing.assert_array_equal(found.limit_below(), noisy.limit_below())
