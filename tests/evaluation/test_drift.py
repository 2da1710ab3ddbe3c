"""Drift of new rows: sums against the rows themselves, and which columns are named."""

import numpy as np
import pandas as pd
import pytest
from tests.evaluation.test_plan import factor_table, plan_of

import tamis
from tamis.evaluation.drift import DriftSums, find_drift

ROWS = factor_table(2400)
EVERY = np.ones(6, dtype=bool)


def drift_of(new, plan=None):
    plan = plan_of(ROWS[:2000], [3, 0]) if plan is None else plan
    return find_drift(plan, DriftSums.from_batch(plan, new), EVERY)


def named(drift):
    return {
        kind: np.flatnonzero(marks).tolist()
        for kind, marks in (
            ("mean", drift.mean),
            ("spread", drift.spread),
            ("relation", drift.related),
        )
        if marks.any()
    }


def test_moments_are_those_of_the_rows_about_their_own_mean():
    plan = plan_of(ROWS[:2000], [3, 0])
    new = ROWS[2000:] * 2 + 1
    u = (new - plan.mean) / plan.std
    found = DriftSums.from_batch(plan, new).moments()
    away = u - u.mean(axis=0)
    np.testing.assert_allclose(found.mean, u.mean(axis=0))
    np.testing.assert_allclose(found.variance, u.var(axis=0))
    np.testing.assert_allclose(found.kurtosis, (away**4).mean(axis=0) / u.var(axis=0) ** 2)


def test_correlations_and_their_variance_are_those_of_the_influence_of_each_row():
    plan = plan_of(ROWS[:2000], [3, 0])
    new = ROWS[2000:] * 2 + 1
    r, variance = DriftSums.from_batch(plan, new).correlations(plan.members)
    a = (new - new.mean(axis=0)) / new.std(axis=0)
    for i, j in ((0, 0), (1, 4)):
        x, y = a[:, plan.members[i]], a[:, j]
        own = (x * y).mean()
        assert r[i, j] == pytest.approx(own)
        wanted = np.square(x * y - own * (x**2 + y**2) / 2).mean()
        assert variance[i, j] == pytest.approx(wanted, abs=1e-9)


def test_batches_add_up_to_the_whole():
    plan = plan_of(ROWS[:2000], [3, 0])
    whole = DriftSums.from_batch(plan, ROWS[2000:])
    parts = [DriftSums.from_batch(plan, ROWS[a : a + 100]) for a in range(2000, 2400, 100)]
    merged = parts[0].merge(parts[1]).merge(parts[2]).merge(parts[3])
    np.testing.assert_allclose(merged.products, whole.products, rtol=1e-9)
    assert merged.count == 400


def test_the_share_is_that_of_the_old_weights():
    plan = plan_of(ROWS[:2000], [3, 0])
    new = ROWS[2000:]
    left = (new - plan.predict(new[:, [0, 3]]).values) / plan.std
    whole = (new - plan.mean) / plan.std
    drift = drift_of(new, plan)
    assert drift.share == pytest.approx(1 - np.square(left).sum() / np.square(whole).sum())
    assert drift.shares[1] == pytest.approx(
        1 - np.square(left[:, 1]).sum() / np.square(whole[:, 1]).sum()
    )


def test_undisturbed_rows_show_no_drift():
    drift = drift_of(ROWS[2000:])
    assert named(drift) == {}
    assert not drift.lost.any()


@pytest.mark.parametrize("column", [0, 1, 3])
@pytest.mark.parametrize("kind", ["mean", "spread", "relation"])
def test_the_column_that_changed_is_named_with_what_changed(kind, column):
    new = ROWS[2000:].copy()
    own = new[:, column]
    new[:, column] = {
        "mean": own + 0.5 * own.std(),
        "spread": own.mean() + 1.5 * (own - own.mean()),
        "relation": np.random.default_rng(1).permutation(own),
    }[kind]
    assert named(drift_of(new)) == {kind: [column]}


def test_a_column_that_stands_still_is_constant():
    new = ROWS[2000:].copy()
    new[:, 4] = 7.0
    assert np.flatnonzero(drift_of(new).constant).tolist() == [4]


def test_one_row_is_no_drift_and_many_are():
    rng = np.random.default_rng(5)
    rows = pd.DataFrame(factor_table(1200), columns=list("abcdef"))
    rows["rare"] = (rng.random(1200) < 0.02) * 1.0
    rows["twin"] = rows["rare"]
    found = tamis.select(rows[:800], k=4, include=["rare"])
    month = rows[800:].reset_index(drop=True)
    for broken, holds in ((1, True), (40, False)):
        again = month.copy()
        again.loc[: broken - 1, "twin"] = 1 - again.loc[: broken - 1, "twin"]
        seen = tamis.check(found, again)
        assert (seen.holds, "twin" in {one.column for one in seen.shares if one.lost}) == (
            holds,
            not holds,
        )
