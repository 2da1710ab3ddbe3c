"""Months of a credit table: undisturbed ones hold, and what was done to a column is named."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.results.saved_choice import SavedChoice


def credit_table(rows, seed):
    """Make 25 columns of five factors: 17 plain ones, 5 skewed ones and 3 categories."""
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(rows, 5))
    X = factors @ np.random.default_rng(1).normal(size=(5, 22))
    X += 0.7 * rng.normal(size=X.shape)
    X[:, 5:10] = np.exp(0.5 * X[:, 5:10])
    table = pd.DataFrame(X, columns=[f"c{j}" for j in range(22)])
    table["grade"] = np.array(list("ABC"))[np.digitize(factors[:, 0], [-0.5, 0.7])]
    table["own"] = np.where(factors[:, 1] + 0.5 * rng.normal(size=rows) > 0, "yes", "no")
    table["purpose"] = rng.choice(["car", "house", "card", "other"], rows, p=[0.4, 0.3, 0.2, 0.1])
    return table


DISTURB = {
    "mean": lambda month, own: month.assign(**{own: month[own] + 0.5 * month[own].std()}),
    "spread": lambda month, own: month.assign(**{own: 1.5 * month[own] - 0.5 * month[own].mean()}),
    "relation": lambda month, own: month.assign(
        **{own: np.random.default_rng(0).permutation(month[own])}
    ),
    "unit": lambda month, own: month.assign(**{own: 1000 * month[own]}),
    "gone": lambda month, own: month.drop(columns=own),
}


@pytest.fixture(scope="module")
def choice():
    return SavedChoice.of(tamis.select(credit_table(3000, 0), 8))


def test_undisturbed_months_hold(choice):
    held = [choice.check(credit_table(500, 100 + month)).holds for month in range(40)]
    assert sum(held) >= 38


@pytest.mark.parametrize("kind", DISTURB)
@pytest.mark.parametrize("place", ["first kept", "skewed and kept", "dropped"])
def test_the_column_that_was_disturbed_is_named(choice, kind, place):
    own = {"first kept": "c18", "skewed and kept": "c7", "dropped": "c0"}[place]
    assert (own in choice.names) == (place != "dropped")
    seen = choice.check(DISTURB[kind](credit_table(500, 7), own))
    assert not seen.holds
    assert {one.column for one in seen.drifted} | set(seen.missing) == {own}


def test_a_column_that_is_half_empty_is_said_to_be_so_and_nothing_else(choice, tmp_path):
    kept, dropped = choice.names[0], next(n for n in choice.dropped if n.startswith("c"))
    month = credit_table(500, 7)
    month.loc[::2, [kept, dropped]] = np.nan
    choice.save(tmp_path / "c.tamis")
    for one in (choice, tamis.load(tmp_path / "c.tamis")):
        seen = one.check(month)
        changed = {d.column: (d.emptied, d.mean, d.spread, d.relation) for d in seen.drifted}
        assert changed == dict.fromkeys([kept, dropped], (True, False, False, False))
        assert f"{kept} (kept): missing in 50.0% of the rows (0.0% then)" in str(seen)
    # What was missing as often before has not changed.
    old = credit_table(3000, 0)
    old.loc[::2, dropped] = np.nan
    again = SavedChoice.of(tamis.select(old, 8)).check(
        month.assign(**{kept: credit_table(500, 7)[kept]})
    )
    assert [d.column for d in again.drifted] == []


def test_a_shuffled_category_is_named(choice):
    seen = choice.check(DISTURB["relation"](credit_table(500, 7), "grade"))
    assert [(one.column, one.relation) for one in seen.drifted] == [("grade", True)]


def test_a_category_whose_levels_are_drawn_otherwise_is_named(choice):
    month = credit_table(500, 7).assign(purpose="car")
    month.loc[:249, "purpose"] = "other"
    seen = choice.check(month)
    assert ("purpose", True) in [(one.column, one.mean) for one in seen.drifted]


def test_batches_of_a_file_and_a_frame_give_the_same(choice, tmp_path):
    month = credit_table(300, 7)
    month.to_parquet(tmp_path / "month.parquet", row_group_size=50)
    one, other = choice.check(tmp_path / "month.parquet"), choice.check(month)
    assert one.now == pytest.approx(other.now, rel=1e-12)
    assert one.failures == other.failures
