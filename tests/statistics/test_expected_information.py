"""What chance gives a pair of columns is its mean over all orders of the rows."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_mutual_info_score, mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

import tamis
from tamis.statistics import shared_information as chance
from tamis.statistics.shared_information import expected_information

LEVELS = (2, 5, 30, 200, 2_000)


def draw(levels, rows, seed=0):
    """Give unrelated columns of codes."""
    rng = np.random.default_rng(seed)
    return [rng.integers(0, count, rows) for count in levels]


def shared_between(x, y):
    """Give the mutual information in nats, slowly."""
    joint = np.asarray(contingency_matrix(x, y)) / len(x)
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    there = joint > 0
    return float((joint[there] * np.log(joint[there] / apart[there])).sum())


def test_it_is_the_mean_over_all_orders_of_a_small_table():
    x, y = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
    slow = np.mean([shared_between(x, np.array(order)) for order in itertools.permutations(y)])
    found = expected_information([np.bincount(x), np.bincount(y)], 5)
    assert found[0, 1] == pytest.approx(slow, rel=1e-12)


@pytest.mark.parametrize("most", [chance.MAX_COUNTS, 20])
def test_it_follows_the_formula_for_any_number_of_levels(monkeypatch, most):
    monkeypatch.setattr(chance, "MAX_COUNTS", most)
    columns = [*draw(LEVELS, 3_000), np.minimum(np.random.default_rng(1).zipf(1.5, 3_000), 500)]
    found = expected_information([np.bincount(column) for column in columns], 3_000)
    for i, j in itertools.combinations_with_replacement(range(len(columns)), 2):
        table = contingency_matrix(columns[i], columns[j], sparse=True)
        expected = expected_mutual_information(table, 3_000)
        assert found[i, j] == pytest.approx(expected, rel=1e-4 if most > 20 else 0.01)


def table_of(columns):
    """Give codes as text."""
    frame = pd.DataFrame({f"c{j}": column for j, column in enumerate(columns)})
    return frame.apply(lambda column: column.map("v{}".format))


def test_unrelated_columns_share_nothing_but_noise_whatever_their_levels():
    rows, beyond = 12_000, []
    pairs = list(itertools.combinations(range(len(LEVELS)), 2))
    for seed in range(10):
        columns = draw(LEVELS, rows, seed)
        expected = expected_information([np.bincount(column) for column in columns], rows)
        shared = {(i, j): mutual_info_score(columns[i], columns[j]) for i, j in pairs}
        beyond.append([shared[pair] - expected[pair] for pair in pairs])
    error = np.std(beyond, axis=0, ddof=1) / np.sqrt(len(beyond))
    # Of ten pairs one in twenty is beyond two standard errors by chance.
    assert (np.abs(np.mean(beyond, axis=0)) > 2 * error).sum() <= 1
    assert expected[3, 4] > 1.0


def test_pairs_are_those_of_adjusted_mutual_information():
    x, y = draw((6, 40), 500)
    y = np.where(np.arange(500) % 2, x, y)
    found = np.asarray(tamis.mutual_information(table_of([x, y]), corrected=True))
    slow = adjusted_mutual_info_score(x, y, average_method="geometric")
    assert found[0, 1] == found[1, 0] == pytest.approx(slow, rel=1e-6)


def test_what_determines_a_column_explains_all_of_it_and_not_the_reverse():
    (fine,) = draw((60,), 2_000)
    table = table_of([fine // 10, fine, *draw((900, 7), 2_000, 1)])
    found = tamis.select(table, method="representatives", k=1, columns=list(table.columns))
    assert found.names == ["c1"]
    assert found["c0"].share == pytest.approx(1.0)
    for other in ("c2", "c3"):
        assert found[other].share == pytest.approx(0.0, abs=0.02)
    turned = tamis.select(table, method="representatives", k=1, include=["c0"])
    assert 0.2 < turned["c1"].share < 0.8


def test_random_codes_are_not_kept_first():
    rng = np.random.default_rng(0)
    x = rng.normal(size=3_000)
    zips = [f"z{code}" for code in rng.integers(0, 500, 3_000)]
    frame = pd.DataFrame({"zip": zips, **{f"x{j}": x + rng.normal(size=3_000) for j in range(4)}})
    asked = {"method": "representatives", "categories": ["zip"]}  # of which no code has 1% of rows
    before = tamis.select(frame, 1, **asked, options={"corrected": False})
    after = tamis.select(frame, 1, **asked)
    assert (before.names, after.names == ["zip"]) == (["zip"], False)
