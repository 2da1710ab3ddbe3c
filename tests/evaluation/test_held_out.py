"""Held-out shares against the slow way: refit every regression on the training rows of a fold."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.linear_model import LinearRegression

import tamis
from tamis.algorithms.fold import Fold
from tamis.algorithms.path import Path
from tamis.evaluation.held_out import HeldOut, held_out
from tamis.results.saved_choice import SavedChoice
from tamis.sources.arrays import ArraySource
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import fold_choices
from tamis.statistics.row_hash import number_rows, row_hashes

GRAM_METHODS = [method.id for method in tamis.methods("selection") if method.needs == "gram"]
SLOW_METHODS = ("krzanowski", "pfa", "q-alpha", "q-alpha-approx", "relpca", "relpca-first")


def errors_of(known, others, kept):
    return Fold(known, others).errors(kept)


def by_refitting(X, k, **asked):
    """Choose and regress anew on the training rows of every fold; give errors and totals."""
    whole = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    numbers, errors, totals = number_rows(whole, hashes=row_hashes(X)), [], []
    for fold in range(10):
        out = numbers % 10 == fold
        if not out.any():
            continue
        fill = np.nanmean(X[~out], axis=0)  # of the training rows alone
        known, others = (np.where(np.isnan(part), fill, part) for part in (X[~out], X[out]))
        found = tamis.select(known, k=k, **asked)
        mean, std = known.mean(axis=0), known.std(axis=0)
        varying = np.flatnonzero(std > 1e-12 * np.abs(mean))
        unit = whole.std(axis=0)  # every fold counts by its rows, and every column as in all rows
        if not found.request.settings.get("scale", True):
            unit = np.ones(len(std))
        train, test = ((part - mean) / np.where(unit, unit, 1) for part in (known, others))
        total = np.square(test).sum()
        train, test = train[:, varying], test[:, varying]
        unknown = total - np.square(test).sum()  # of columns that do not vary without these rows
        kept = np.searchsorted(varying, found.indices)
        fits = [
            LinearRegression().fit(train[:, kept[:size]], train).predict(test[:, kept[:size]])
            for size in range(1, len(kept) + 1)
        ]
        errors.append(
            np.pad([np.square(test - fit).sum() for fit in fits], (0, k - len(fits)), "edge")
            + unknown
        )
        totals.append(total)
    return np.array(errors), np.array(totals)


def assert_as_refitted(X, k, atol=1e-8, **asked):
    asked = {"method": "sfs", **asked}
    missing = "mean" if np.isnan(X).any() else "error"
    found = tamis.select(X, k=k, held_out=True, missing=missing, max_missing=1, **asked)
    errors, totals = by_refitting(X, k, **asked)
    shares, weights = 1 - errors / totals[:, None], totals / totals.sum()
    np.testing.assert_allclose(found.held_out, weights @ shares, atol=atol)
    spread = weights @ np.square(shares - weights @ shares) * len(totals) / (len(totals) - 1)
    np.testing.assert_allclose(found.held_out_std, np.sqrt(spread), atol=1e-6)


@pytest.mark.parametrize(("name", "k"), [("wine", 13), ("sonar", 12)])
def test_the_share_is_that_of_regressions_fitted_anew(real, name, k):
    assert_as_refitted(real(name), k)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "k", "every"), [("digits", 15, 1), ("lung_gordon", 3, 5)])
def test_the_same_on_large_and_wide_tables(real, name, k, every):
    assert_as_refitted(real(name)[:, ::every], k)


@pytest.mark.parametrize("method", [m for m in GRAM_METHODS if m not in SLOW_METHODS])
def test_every_method_on_correlations_is_repeated_as_it_is(method):
    X = np.random.default_rng(0).standard_normal((60, 3)) @ np.ones((3, 6))
    X = X + np.random.default_rng(1).standard_normal((60, 6))
    plain = {"shrink": 0.0, "outliers": "keep"} if method == "forward" else {}
    assert_as_refitted(X, 3, method=method, options=plain)


@pytest.mark.parametrize("asked", [{"scale": False}, {"include": [5]}, {"refine": True}])
def test_the_share_follows_what_is_asked(real, asked):
    assert_as_refitted(real("wine"), 4, **asked)


def test_more_columns_than_rows_sparse_or_dense():
    rng = np.random.default_rng(2)
    X = np.where(rng.random((40, 70)) < 0.5, rng.integers(1, 5, (40, 70)), 0).astype(float)
    dense = tamis.select(X, k=6, method="sfs", held_out=True).held_out
    sparse = tamis.select(scipy.sparse.csr_array(X), k=6, method="sfs", held_out=True).held_out
    np.testing.assert_allclose(sparse, dense, atol=1e-12)
    assert_as_refitted(X, 6)


def test_a_column_constant_in_some_training_rows_does_no_harm():
    X = np.random.default_rng(3).standard_normal((50, 5))
    X[:, 4] = 0.0
    X[7, 4] = 1.0  # constant but for one row
    X[:, 0] += X[:, 1]
    assert np.isfinite(tamis.select(X, k=5, held_out=True).held_out).all()


def test_the_same_from_one_or_fifty_batches_and_shuffled_rows(real, monkeypatch):
    X = real("sonar")
    once = collect_blocks(ArraySource(X, None, "X"), range(60), scale=True)
    read = ArraySource.batches
    monkeypatch.setattr(
        ArraySource,
        "batches",
        lambda self, columns: (p for b in read(self, columns) for p in np.array_split(b, 50)),
    )
    for rows in (X, X[np.random.default_rng(0).permutation(len(X))]):
        found = collect_blocks(ArraySource(rows, None, "X"), range(60), scale=True)
        results = [held_out(part.blocks, _first_ten, 10) for part in (once, found)]
        np.testing.assert_allclose(results[1].share, results[0].share, atol=1e-12)
        np.testing.assert_allclose(results[1].std, results[0].std, atol=1e-12)


def test_missing_values_filled_with_means_leave_every_row_in_its_block(monkeypatch):
    X = np.random.default_rng(4).standard_normal((90, 4)) + 3
    X[::7, 1] = np.nan
    one = tamis.select(X, k=2, missing="mean", held_out=True).summary.blocks.count
    read = ArraySource.batches
    monkeypatch.setattr(
        ArraySource,
        "batches",
        lambda self, columns: (p for b in read(self, columns) for p in np.array_split(b, 9)),
    )
    other = tamis.select(X[::-1], k=2, missing="mean", held_out=True).summary.blocks.count
    assert one.tolist() == other.tolist()
    assert one.tolist() == np.bincount(number_rows(X), minlength=20).tolist()


@pytest.mark.parametrize("shape", [(90, 6), (30, 45)])
@pytest.mark.parametrize("scale", [True, False])
def test_missing_values_are_filled_with_means_of_the_training_rows(shape, scale):
    rng = np.random.default_rng(6)
    X = rng.standard_normal((shape[0], 4)) @ rng.standard_normal((4, shape[1])) + 1e4
    X = (X + rng.standard_normal(shape)) * rng.uniform(1, 9, shape[1])
    X[rng.random(shape) < 0.15] = np.nan
    X[5:, 0] = np.nan
    X[:, 1] = np.where(rng.random(shape[0]) < 0.5, 1.0, np.nan)
    X[2, 1] = 3.0  # constant without this row
    assert_as_refitted(X, 3, scale=scale)


def test_every_fold_of_unscaled_columns_counts_by_its_rows():
    X = np.random.default_rng(7).standard_normal((80, 4)) * [1.0, 2.0, 3.0, 4.0]
    X[::9] *= 20.0
    assert_as_refitted(X, 2, scale=False)


def test_a_kept_column_that_others_reproduce_counts_as_known():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((80, 4))
    X = np.column_stack([X, X[:, 0] + X[:, 1], X[:, 2] + 0.5 * rng.standard_normal(80)])
    found = collect_blocks(ArraySource(X, None, "X"), range(6), scale=True)
    known, others = next(iter(found.blocks.splits(fold_choices(found.blocks.count))))
    errors, own = errors_of(known, others, np.array([0, 1, 4, 2]))
    direct, _ = errors_of(known, others, np.array([0, 1, 2]))
    np.testing.assert_allclose(errors[[0, 1, 3]], direct, atol=1e-9)
    assert errors[2] == pytest.approx(errors[1], abs=1e-9)
    assert own[2] == pytest.approx(0.0, abs=1e-9)


def test_what_a_column_explains_of_itself_is_its_error_before(real):
    X = real("wine")
    found = collect_blocks(ArraySource(X, None, "X"), range(13), scale=True)
    known, others = next(iter(found.blocks.splits(fold_choices(found.blocks.count))))
    kept = np.array([3, 7, 1])
    _, own = errors_of(known, others, kept)
    out = number_rows(X) % 10 == 0
    Z = (X - X[~out].mean(axis=0)) / X.std(axis=0)
    before = (
        LinearRegression().fit(Z[~out][:, kept[:2]], Z[~out][:, 1]).predict(Z[out][:, kept[:2]])
    )
    assert own[0] == pytest.approx(np.square(Z[out][:, 3]).sum())
    assert own[2] == pytest.approx(np.square(Z[out][:, 1] - before).sum())


def test_too_few_rows_are_refused():
    X = np.array([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(tamis.TamisError, match="too few to hold some back"):
        tamis.select(X, k=1, held_out=True).held_out  # noqa: B018 - computed when asked for


def _first_ten(known) -> Path:  # noqa: ARG001 - as a search is called
    return Path(np.arange(10), np.zeros(10))


def test_a_peak_is_one_only_where_the_folds_agree_on_it() -> None:
    kept = (np.arange(3),) * 4
    totals, own = np.ones(4), np.zeros((4, 3))
    clear = np.array([[0.6, 0.3, 0.5]] * 4) + np.arange(4)[:, None] / 10
    assert HeldOut(clear, own, totals, kept).peak == 2
    noise = np.array([[0.6, 0.3, 0.2], [0.6, 0.3, 0.5], [0.6, 0.3, 0.2], [0.6, 0.3, 0.5]])
    assert HeldOut(noise, own, totals, kept).peak is None
    assert HeldOut(clear[:, :2], own[:, :2], totals, kept).peak is None


def test_one_nearly_constant_column_does_not_decide_the_share():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 12)) + 0.4 * rng.normal(size=(200, 12))
    spiked = np.column_stack([X, np.zeros(200)])
    spiked[[5, 77], -1] = 0.001, 1.0
    for asked in ({}, {"method": "sfs", "held_out": True}):
        plain = tamis.select(X, 3, **asked).held_out[-1]
        found = tamis.select(spiked, 3, **asked)
        # One of 13 columns is not explained, and counts as one of 13.
        assert found.held_out[-1] == pytest.approx(plain * 12 / 13, abs=0.02)


def test_a_column_that_varies_in_one_row_counts_in_the_fold_that_holds_it():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(100, 4))
    X[:, 3] = np.arange(100) == 40
    blocks = collect_blocks(ArraySource(X), range(4), scale=True).blocks
    splits = list(blocks.splits(fold_choices(blocks.count)))
    lost = [held.unknown for known, held in splits if len(known.varying) < 4]
    assert len(lost) == 1
    assert lost[0].tolist() == [0.0, 0.0, 0.0, pytest.approx(1 / X[:, 3].var())]
    found = tamis.select(X, 4, method="sfs", held_out=True)
    assert found.held_out[2] < 0.9  # what no training row shows stays unknown
    assert found.held_out[3] == pytest.approx(1.0)  # unless it is kept: there is no other left


@pytest.mark.parametrize("ordered", [False, True])
def test_all_columns_kept_are_all_explained(ordered):
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    table.insert(1, "rare", np.where(np.arange(60) == 17, "yes", "no"))
    table.insert(0, "seldom", 1.0 * (np.arange(60) == 41))
    found = tamis.select(table, 5, ordered=ordered)
    assert found.held_out[-1] == pytest.approx(1.0)
    assert "Overfitted" not in str(found)


def test_columns_that_differ_in_one_row_are_kept_in_the_fold_that_does_not_know_it():
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    table["corrected"] = table.a + 2.0 * (np.arange(60) == 17)
    for method in ("forward", "sfs", "correlation"):
        found = tamis.select(table, 4, method=method, held_out=True)
        if found.k == 4:
            assert found.held_out[-1] == pytest.approx(1.0)
    assert tamis.select(table, 4).k == 4


def test_a_column_that_may_not_be_kept_stays_unknown_where_it_does_not_vary():
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    table["rare"] = 1.0 * (np.arange(60) == 17)
    found = tamis.select(table, 3, forbid=["rare"])
    assert found.held_out[-1] < 0.9


def test_the_share_does_not_collapse_as_columns_become_as_many_as_rows():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(132, 10)) @ rng.normal(size=(10, 140)) + rng.normal(size=(132, 140))
    share = tamis.select(X, 125).held_out
    assert (np.diff(share) > -0.005).all()  # it fell by 0.02 just behind 64 columns
    assert share[-1] > 0.97


def test_shares_of_noise_are_those_of_new_rows_in_a_choice_too():
    shares = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, new = rng.normal(size=(60, 40)), rng.normal(size=(2000, 40))
        found = tamis.select(X, 8)
        left = (new - found.reconstruct(new)) / X.std(axis=0)
        whole = (new - X.mean(axis=0)) / X.std(axis=0)
        shares.append((SavedChoice.of(found).plan.share, 1 - (left**2).sum() / (whole**2).sum()))
    promised, true = np.mean(shares, axis=0)
    assert promised == pytest.approx(true, abs=0.02)  # with the columns fixed it was 0.04 more
