"""Plans: the kept columns predict the others, as in scikit-learn, and say how well."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge
from tests.statistics.test_mixed_gram import mixed_table

import tamis
from tamis.errors import TamisError
from tamis.evaluation.plan import make_plan, with_held_out_shares
from tamis.registry.missing_policy import MissingPolicy
from tamis.selection import ForwardSelection, SequentialForwardSelection
from tamis.sources.open import open_source
from tamis.statistics.linear import collect_gram
from tamis.statistics.mixed_gram import collect_mixed

SIZES = np.array([1.0, 100.0, 0.01, 3.0, 1.0, 5.0])


def factor_table(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(rows, 2)) @ rng.normal(size=(2, 6))
    return (shared + 0.3 * rng.normal(size=(rows, 6))) * SIZES + 7 * SIZES


def plan_of(X, kept, ridge=0.0, scale=True):
    summary = collect_gram(open_source(X), range(X.shape[1]), scale=scale)
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return make_plan(summary, names, np.array(kept), ridge=ridge)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("rows", [200, 5])
def test_predictions_are_those_of_a_linear_regression(scale, rows):
    X, new = factor_table(rows), factor_table(9, seed=1)
    plan = plan_of(X, [3, 0], scale=scale)
    model = LinearRegression().fit(X[:, [0, 3]], X)
    wanted = model.predict(new[:, [0, 3]])
    np.testing.assert_allclose(plan.predict(new[:, [0, 3]]).values, wanted, rtol=1e-9)


def test_shrunken_predictions_are_those_of_a_ridge_on_standardised_columns():
    X, new = factor_table(40), factor_table(9, seed=1)
    mean, std = X.mean(axis=0), X.std(axis=0)
    plan = plan_of(X, [3, 0], ridge=0.25)
    Z = (X - mean) / std
    model = Ridge(alpha=0.25 * 40, fit_intercept=False).fit(Z[:, [0, 3]], Z)
    wanted = model.predict(((new - mean) / std)[:, [0, 3]]) * std + mean
    wanted[:, [0, 3]] = new[:, [0, 3]]
    np.testing.assert_allclose(plan.predict(new[:, [0, 3]]).values, wanted, rtol=1e-9)


def test_standard_errors_are_those_of_the_textbook():
    X, new = factor_table(40), factor_table(5, seed=1)
    found = plan_of(X, [3, 0]).predict(new[:, [0, 3]])
    A = np.column_stack([np.ones(40), X[:, [0, 3]]])
    a = np.column_stack([np.ones(5), new[:, [0, 3]]])
    weights, *_ = np.linalg.lstsq(A, X, rcond=None)
    s = np.sqrt(np.square(X - A @ weights).sum(axis=0) / (40 - 3))
    leverage = np.einsum("ij,jk,ik->i", a, np.linalg.inv(A.T @ A), a)
    wanted = np.sqrt(1 + leverage)[:, None] * s
    np.testing.assert_allclose(found.errors[:, [1, 2, 4, 5]], wanted[:, [1, 2, 4, 5]], rtol=1e-6)
    np.testing.assert_array_equal(found.errors[:, [0, 3]], 0.0)


def test_a_missing_value_counts_as_the_mean_and_widens_the_errors():
    X = factor_table(40)
    plan = plan_of(X, [3, 0])
    row = X[:1, [0, 3]].copy()
    known = plan.predict(row)
    row[0, 0] = np.nan
    gone = plan.predict(row)
    assert gone.values[0, 0] == pytest.approx(X[:, 0].mean())
    assert (gone.errors[0] > known.errors[0])[[0, 1, 2, 4, 5]].all()


def test_columns_that_depend_on_each_other_are_taken_together():
    X = factor_table(50)
    X[:, 1] = 2 * X[:, 0]
    plan, alone = plan_of(X, [0, 1]), plan_of(X, [0])
    np.testing.assert_allclose(
        plan.predict(X[:, :2]).values[:, 2:], alone.predict(X[:, :1]).values[:, 2:], rtol=1e-8
    )


def test_categories_are_predicted_by_their_indicators():
    table = mixed_table()
    summary = collect_mixed(
        open_source(table), range(6), scale=True, missing=MissingPolicy.ERROR, outliers="keep"
    )
    plan = make_plan(summary, tuple(table), np.array([2, 0]))
    kept = np.column_stack(
        [table["x"], *[(table["cut"] == level).astype(float) for level in ("high", "low", "mid")]]
    )
    wanted = LinearRegression().fit(kept, table["sum"]).predict(kept)
    np.testing.assert_allclose(plan.predict(kept).values[:, 1], wanted, rtol=1e-8)
    yes = (table["flag"] == "no").astype(float)  # of two levels the first has a column
    at = plan.groups.starts[3]
    wanted = LinearRegression().fit(kept, yes).predict(kept)
    np.testing.assert_allclose(plan.predict(kept).values[:, at], wanted, rtol=1e-8, atol=1e-10)


def test_shares_are_those_of_the_search_and_of_a_loop_over_folds():
    X = factor_table(300)
    found = tamis.select(X, 2, method="sfs", held_out=True)
    plan = make_plan(found.summary, found.request.names, found.path.kept)
    assert plan.share == pytest.approx(found.retained)
    held = with_held_out_shares(plan, found.summary.blocks, 0.0)
    assert held.held_out
    assert held.share < plan.share
    assert held.share == pytest.approx(found.held_out[-1], abs=0.01)
    assert (held.shares[plan.kept] == 1).all()


@pytest.mark.parametrize("rows", [30, 300])
def test_standard_errors_cover_new_rows(rows):
    X, new = factor_table(rows), factor_table(4000, seed=0)[rows:]
    X = factor_table(4000, seed=0)[:rows]
    found = tamis.select(X, 2)
    plan = make_plan(found.summary, found.request.names, found.path.kept, ridge=None)
    S = plan.kept_in_order
    values, errors = plan.predict(new[:, S])
    off = np.abs(new - values)[:, plan.dropped] / errors[:, plan.dropped]
    assert (off < 1).mean() == pytest.approx(0.68, abs=0.05)
    assert (off < 1.96).mean() == pytest.approx(0.95, abs=0.03)


def test_estimators_give_back_all_columns_as_the_kept_ones_predict_them():
    X = np.column_stack([factor_table(60), np.full(60, 4.0)])
    chosen = SequentialForwardSelection(n_features_to_select=2).fit(X)
    kept = np.flatnonzero(chosen.get_support())
    made = pickle.loads(pickle.dumps(chosen)).inverse_transform(X[:, kept])
    wanted = LinearRegression().fit(X[:, kept], X).predict(X[:, kept])
    np.testing.assert_allclose(made, wanted, rtol=1e-8)


def test_estimators_turn_pareto_units_back_and_say_what_counts_need():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 8)) + 0.1 * rng.normal(size=(200, 8))
    X = X * 10.0 ** rng.integers(-3, 4, 8) + 50
    made = ForwardSelection(3, scale="pareto").fit(X)
    off = (made.inverse_transform(made.transform(X)) - X) / X.std(axis=0)
    assert np.abs(off).max() < 2
    counts = rng.poisson(0.4, size=(100, 120))
    made = ForwardSelection(3, scale="counts").fit(counts)
    with pytest.raises(TamisError, match="divided by the sum of their row over all columns"):
        made.inverse_transform(made.transform(counts))
