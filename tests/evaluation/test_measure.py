"""What kept columns tell: shares, their proven ceiling, and the most telling columns."""

from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tamis
from tamis.evaluation.measure import SharedInformation, Variance, measure_of
from tamis.sources.open import open_source
from tamis.statistics.gram import DenseGram
from tamis.statistics.mutual_information import collect_information
from tamis.statistics.shared_information import Information


def similarities(d, seed):
    rng = np.random.default_rng(seed)
    A = rng.random((d, d)) ** 2
    M = (A + A.T) / 2
    np.fill_diagonal(M, 1.0)
    return M


def best_told(M, k):
    return max(M[list(kept)].max(axis=0).mean() for kept in combinations(range(len(M)), k))


@pytest.mark.parametrize("seed", range(5))
def test_no_set_of_columns_tells_more_than_the_ceiling(seed):
    M = similarities(9, seed)
    bound = SharedInformation(Information(M)).ceiling(9)
    for k in range(1, 10):
        assert best_told(M, k) <= bound[k - 1] + 1e-12
    assert bound[0] == pytest.approx(best_told(M, 1))
    assert (np.diff(bound) >= -1e-12).all()
    assert bound[-1] == pytest.approx(1.0)


def test_the_ceiling_is_reached_where_columns_fall_into_copies():
    M = np.kron(np.eye(3), np.ones((4, 4)))
    np.testing.assert_allclose(SharedInformation(Information(M)).ceiling(4), [1 / 3, 2 / 3, 1, 1])


def test_shares_are_the_largest_link_so_far():
    M = similarities(6, 0)
    known = SharedInformation(Information(M)).reproduction(np.array([4, 1]))
    assert np.array_equal(known.shares[0], M[4])
    assert np.array_equal(known.shares[1], np.maximum(M[4], M[1]))


def test_the_most_telling_columns_come_first_and_silent_ones_are_left_out():
    M = np.eye(5)
    M[0, 3] = M[3, 0] = 0.2
    M[1, 3] = M[3, 1] = 0.6
    shared = SharedInformation(Information(M))
    known = shared.reproduction(np.array([0, 1, 2]))
    positions, weights, shares = shared.carriers(known, 3, np.array([3, 4]))
    assert positions[0].tolist() == [1, 0, -1]
    assert weights[0].tolist() == [0.6, 0.2, 0.0]
    assert positions[1].tolist() == [-1, -1, -1]
    assert shares.tolist() == [0.6, 0.0]


def test_a_link_below_chance_explains_nothing_and_a_smaller_one_above_it_does():
    M = np.array([[1.0, 0.0, 0.2], [0.0, 1.0, 0.05], [0.2, 0.05, 1.0]])
    levels = np.array([200, 2, 200])  # the first shares a fifth with the last by chance
    shared = SharedInformation(Information(M, 0.1, levels, np.log(levels), 10_000))
    known = shared.reproduction(np.array([0, 1]))
    np.testing.assert_allclose(
        shared.explain_beyond_chance(known).shares_between(0, 2), [[1, 0, 0], [1, 1, 0.05]]
    )
    positions, _weights, shares = shared.carriers(known, 2, np.array([2]))
    assert positions[0].tolist() == [1, -1]
    assert shares.tolist() == [0.05]


def test_the_measure_follows_from_what_a_method_worked_on():
    gram = DenseGram(np.array([[4.0, 1.0], [1.0, 1.0]]))
    assert isinstance(measure_of(gram), Variance)
    assert isinstance(measure_of(Information(np.eye(2))), SharedInformation)
    np.testing.assert_allclose(measure_of(gram).pairs(np.array([0, 1])), [[1, 0.5], [0.5, 1]])


def test_what_unrelated_columns_share_is_hardly_ever_above_the_limit_of_chance():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 30))
    information = collect_information(open_source(X), range(30)).statistic
    everything = np.arange(30)
    limits = information.chance_limit(everything, everything)
    above = np.triu(information.matrix > limits, 1)
    assert above.sum() <= 0.02 * 435
    assert (information.matrix > 0.5 * limits)[np.triu_indices(30, 1)].mean() > 0.5


@pytest.mark.parametrize("corrected", [True, False])
def test_many_values_are_a_matter_of_chance_and_a_recoding_of_them_is_none(corrected):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 160, size=(1400, 2))
    country = {"country": [f"c{v}" for v in codes[:, 0]], "town": [f"t{v}" for v in codes[:, 1]]}
    table = {**country, "iso": [f"i{v}" for v in codes[:, 0]]}
    table["land"] = [f"l{v // 4}" for v in codes[:, 0]]
    how = {"method": "representatives", "options": {"corrected": corrected}}
    found = tamis.select(pa.table(table), 1, include=["country"], **how)
    shares = {row.column: row.share for row in found.explain()}
    shared = found.measure.information
    assert (shared.matrix[0, 1] > 0.4) != corrected  # of unrelated columns
    assert shares["town"] == 0
    assert shares["iso"] == pytest.approx(1)
    assert shares["land"] == shared.matrix[0, 3] > (0.999 if corrected else 0.8)
    assert shared.chance_limit(np.array([0]), np.array([1]))[0, 0] < 0.7


def test_an_explanation_by_chance_alone_names_no_column():
    rng = np.random.default_rng(1)
    table = {"a": rng.random(300), "b": rng.random(300), "c": rng.random(300)}
    table["copy"] = 2 * table["a"]
    found = tamis.select(pa.table(table), 1, method="representatives", include=["a"])
    texts = {row.column: str(row) for row in found.explain()}
    assert texts["copy"] == "copy: 100.0% explained by a (1.00)"
    assert texts["b"] == "b: nothing explained above chance"


@pytest.mark.parametrize("seed", range(6))
def test_no_set_of_numbers_and_categories_explains_more_than_the_ceiling(seed):
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 4)) + rng.normal(size=(60, 4))
    bins = [np.digitize(numbers[:, j], np.linspace(-2, 2, 2 + 3 * j)) for j in range(2)]
    noise = rng.integers(0, 2 + seed, size=60)
    frame = pd.DataFrame(numbers, columns=list("abcd"))
    for name, codes in zip("xyz", (*bins, noise), strict=True):
        frame[name] = [f"level {code}" for code in codes]
    measure = tamis.select(frame, k=2).measure
    bound = measure.ceiling(7)
    assert (np.diff(bound) >= -1e-12).all()
    for k in range(1, 8):
        sets = combinations(range(7), k)
        best = max(measure._condition(np.array(kept)).retained[-1] for kept in sets)
        assert best <= bound[k - 1] + 1e-12
        if k == 1:
            assert best == pytest.approx(bound[0])


def test_what_is_unique_to_a_column_is_what_the_others_leave():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(80, 3)) @ rng.normal(size=(3, 4)), columns=list("abcd"))
    frame += 0.5 * rng.normal(size=(80, 4))
    frame["e"] = frame["a"] + frame["b"]  # so none of the three has anything of its own
    frame["x"] = [f"level {code}" for code in np.digitize(frame["c"], [-1, 0, 1])]
    measure = tamis.select(frame, k=2).measure
    unique = measure.measure_unique()
    for j in range(6):
        others = measure._condition(np.delete(np.arange(6), j))
        assert unique[j] == pytest.approx(float(others.left[j]), abs=1e-6)
    np.testing.assert_allclose(unique[[0, 1, 4]], 0.0, atol=1e-6)


def test_the_first_to_drop_is_judged_as_if_it_were_dropped():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(200, 4))
    X[:, 2] += X[:, 0]
    found = tamis.select(X, k=4)
    first, without = found.first_to_drop
    dropped = tamis.score(X, [name for name in found.names if name != first.column], held_out=True)
    assert first.column in ("x0", "x2")
    assert without == pytest.approx(dropped.held_out[-1])
    assert first.share == pytest.approx(dropped.explain(first.column).share)
    assert tamis.select(X, k=3).first_to_drop is None
