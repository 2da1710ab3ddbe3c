import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.run.search import judge_limits


def plant_series(rows=300, width=12, seed=0):
    rng = np.random.default_rng(seed)
    series = rng.normal(size=(rows, width))
    for i in range(1, rows):
        series[i] += 0.95 * series[i - 1]
    return pd.DataFrame(series, columns=[f"s{j}" for j in range(width)])


def plant_patients(seed=0):
    rng = np.random.default_rng(seed)
    rows = np.repeat(rng.normal(size=(50, 9)), 6, axis=0) + 0.5 * rng.normal(size=(300, 9))
    frame = pd.DataFrame(rows, columns=[f"m{j}" for j in range(9)])
    frame.insert(0, "patient_id", [f"P{i // 6:03d}" for i in range(300)])
    return frame.sample(frac=1, random_state=seed, ignore_index=True)


def test_an_answer_on_series_warns_and_names_the_option():
    frame = plant_series()
    found = tamis.select(frame, k=3)
    assert found.to_dict()["row_notes"]["successive"] > 0.85
    assert "ordered=True" in str(found)
    assert "ordered=True" not in str(tamis.select(frame, k=3, ordered=True))
    shuffled = frame.sample(frac=1, random_state=0)
    assert tamis.select(shuffled, k=3).to_dict()["row_notes"]["sentences"] == []


def test_an_answer_on_a_table_with_a_key_that_repeats_proposes_groups():
    frame = plant_patients()
    notes = tamis.select(frame, k=3).to_dict()["row_notes"]
    assert notes["key"] == "patient_id"
    assert 'row_groups="patient_id"' in notes["sentences"][0]
    asked = tamis.select(frame, k=3, row_groups="patient_id").to_dict()["row_notes"]
    assert (asked["key"], asked["groups"]) == (None, 50)
    frame["patient_id"] = np.random.default_rng(1).permutation(frame["patient_id"])
    assert tamis.select(frame, k=3).to_dict()["row_notes"]["key"] is None


def test_the_warning_does_not_hang_on_batches(tmp_path):
    path = tmp_path / "patients.parquet"
    plant_patients().to_parquet(path, row_group_size=7)
    here, there = (tamis.select(one, k=3).to_dict() for one in (plant_patients(), path))
    assert here["row_notes"] == there["row_notes"]


def test_without_a_share_on_new_rows_nothing_is_said_of_it():
    found = tamis.select(plant_series(), k=3, held_out=False)
    assert found.to_dict()["row_notes"]["successive"] is None


def test_a_row_that_carries_much_of_the_variance_is_named(tmp_path):
    rows = np.random.default_rng(2).normal(size=(100, 5))
    rows[56] = 12.0
    found = tamis.select(rows, k=2)
    assert "The 57th row alone makes up" in str(found)
    assert "The 57th row alone makes up" in found.report(tmp_path / "report.html").read_text(
        encoding="utf-8"
    )


def plant_errors(seed=3, rows=120):
    """Draw rows of three factors, in one of which four values are wrong by far."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, 9)) + rng.normal(size=(rows, 9))
    table[7, :4] = 90.0
    return table


def test_where_extreme_values_are_limited_both_shares_on_new_rows_are_given():
    found = tamis.select(plant_errors(), k=3)
    share, as_is = found.held_out[-1], found.to_dict()["clipped"]["held_out_as_is"]
    assert as_is < share - 0.01
    both = f"{share:.1%} of the variance with extreme values limited, {as_is:.1%} with all values"
    assert both in str(found).splitlines()[0]


def grow_together(rows=400):
    """Draw columns that follow one with a long tail, with little noise: no value is wrong."""
    rng = np.random.default_rng(4)
    size = np.exp(1.5 * rng.normal(size=(rows, 1)))
    return size * rng.uniform(1, 2, 8) + 0.1 * rng.normal(size=(rows, 8)) + rng.normal(size=8)


def test_extreme_values_are_left_where_limits_would_lose_what_they_explain():
    rows = grow_together()
    found = tamis.select(rows, k=2)
    kept = tamis.select(rows, k=2, options={"outliers": "keep"})
    assert found.to_dict()["clipped"] is None
    assert found.names == kept.names
    assert found.held_out[-1] > 0.95
    limited = tamis.select(rows, k=2, options={"outliers": "clip"})
    assert limited.to_dict()["clipped"]["columns"]


@pytest.mark.parametrize("table", [grow_together(), plant_errors(rows=400)])
def test_what_limits_cost_is_what_a_plain_regression_in_each_fold_gives(table, monkeypatch):
    seen = []

    def judge(search, as_is, size):
        seen.append((search.summary, as_is.summary, judge_limits(search, as_is, size)))
        return seen[-1][-1]

    monkeypatch.setattr("tamis.run.selection.judge_limits", judge)
    tamis.select(table, k=3, held_out=False)
    ((limited, plain, (share, costs)),) = seen
    ends, errors = limited.encoding.encoded_limits, np.zeros(3)
    for fold in range(5):
        held = plain.row_blocks % 5 == fold
        guesses = [np.tile(table[~held].mean(axis=0), (held.sum(), 1))]
        for values in (np.clip(table, *ends), table):
            kept = list(tamis.select(values[~held], 3, method="sfs").indices)
            ones = np.ones((len(table), 1))
            known = np.hstack([ones, values[:, kept]])
            weights = np.linalg.lstsq(known[~held], values[~held], rcond=None)[0]
            guesses.append(known[held] @ weights)
            guesses[-1][:, kept] = table[held][:, kept]
        apart = [(table[held] - guess) / table.std(axis=0) for guess in guesses]
        errors += [np.square(one).sum() for one in apart]
    assert abs(share - (1 - errors[1] / errors[0])) < 0.002
    assert costs == ((errors[1] - errors[2]) / errors[0] > 0.01)


def test_some_rows_of_a_large_table_say_whether_limits_cost_too_much(tmp_path, monkeypatch):
    rows = grow_together(4000)
    monkeypatch.setattr("tamis.statistics.mixed_gram.MAX_HELD_CELLS", 8 * 700)
    monkeypatch.setattr("tamis.statistics.encoding.MAX_HELD_CELLS", 8 * 700)
    found = tamis.select(rows, k=2)
    assert found.to_dict()["clipped"] is None
    assert found.names == tamis.select(rows, k=2, options={"outliers": "keep"}).names
    shuffled = tamis.select(rows[np.random.default_rng(0).permutation(4000)], k=2)
    assert shuffled.names == found.names
    path = tmp_path / "rows.parquet"
    pd.DataFrame(rows, columns=[f"x{j}" for j in range(8)]).to_parquet(path, row_group_size=500)
    assert tamis.select(path, k=2).names == found.names


def test_the_tails_that_few_rows_do_not_show_are_limited_in_new_rows():
    table = plant_errors()
    found = tamis.select(table, k=3)
    wild = table[:5].copy()
    wild[:, found.indices] = 1e6
    dropped = np.setdiff1d(np.arange(9), found.indices)
    assert np.abs(np.asarray(found.reconstruct(wild))[:, dropped]).max() < 1e3


def test_values_too_large_to_square_leave_the_answer_as_it_is():
    rows = np.random.default_rng(4).normal(size=(90, 5))
    rows[3, 0] = 1e150
    found = tamis.select(rows, k=2).to_dict()
    assert found["clipped"]["held_out_as_is"] is None


def test_extreme_values_are_counted_once_where_batches_have_missing_ones(monkeypatch):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(300, 6)), columns=list("abcdef"))
    frame.iloc[::50, 0] = 60.0 + np.arange(6)  # equal ones would be a code for something else
    frame.iloc[5::7, 1] = np.nan
    monkeypatch.setattr("tamis.statistics.mixed.batch_rows", lambda _: 17)
    clipped = tamis.select(frame, k=2).to_dict()["clipped"]
    assert clipped["columns"] == {"a": 6}
    assert clipped["rows"] == 6


def test_a_key_that_is_analysed_where_little_else_is_there_is_read_once():
    rng = np.random.default_rng(0)
    rate = np.repeat(rng.normal(size=27), 6) + 0.1 * rng.normal(size=162)
    frame = pd.DataFrame({"state": [f"S{i // 6}" for i in range(162)], "rate": rate})
    frame["quarter_no"] = [1 + i % 6 for i in range(162)]
    assert tamis.select(frame, 1, numbers=["quarter_no"]).to_dict()["row_notes"]["key"] == "state"


def test_a_column_in_whose_order_rows_follow_is_named_and_one_by_which_they_are_sorted_is_not():
    series = plant_series()
    year = series.assign(year=1700.0 + np.arange(300))
    assert "in order of year" in str(tamis.select(year, k=3))
    by_first = series.assign(size=np.sort(np.random.default_rng(1).normal(size=300)))
    assert tamis.select(by_first, k=3).to_dict()["row_notes"]["sentences"] == []


def test_rows_that_are_listed_by_unit_propose_groups_and_those_listed_by_class_nothing():
    rng = np.random.default_rng(0)
    for units, key in ((30, "school"), (5, None)):
        size = 300 // units
        frame = pd.DataFrame(np.repeat(rng.normal(size=(units, 6)), size, axis=0))
        frame = (frame + 0.3 * rng.normal(size=(300, 6))).add_prefix("x")
        frame["school"] = np.repeat([f"school {i}" for i in rng.permutation(units)], size)
        notes = tamis.select(frame, k=3).to_dict()["row_notes"]
        assert (notes["key"], notes["successive"]) == (key, None)


def test_where_all_columns_are_kept_nothing_is_said_of_new_rows():
    found = tamis.select(plant_series(width=3), k=3)
    assert found.to_dict()["row_notes"]["sentences"] == []
    assert "On new rows" not in str(found)


def test_rare_levels_and_the_level_that_weights_are_of_are_named():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(200, 4))
    frame = pd.DataFrame(x @ rng.normal(size=(4, 6)) + 0.1 * x[:, :1]).add_prefix("x")
    frame["sex"] = np.where(x[:, 0] > 0, "m", "f")
    assert "Weights are for sex = 'f'." in str(tamis.select(frame, k=4))
    frame["town"] = [f"t{i % 4}" if i > 8 else f"rare{i // 3}" for i in range(200)]
    said = tamis.select(frame, k=4).to_dict()["levels"]
    assert said == "Rare levels pooled into one: town (3 of 7)."
