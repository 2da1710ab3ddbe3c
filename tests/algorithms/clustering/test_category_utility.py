"""`category-utility`: the definition, planted clusters, and the shape of the search."""

import numpy as np
import pytest
from tests.algorithms.clustering.planted import planted
from tests.algorithms.clustering.test_concepts import utility_by_definition
from tests.needs import nightly
from threadpoolctl import threadpool_limits

import tamis
from tamis.algorithms.clustering.category_utility import Utilities
from tamis.algorithms.clustering.cobweb import ACUITY


def select(table, k=None, **options):
    return tamis.select(table, k, method="category-utility", options=options)


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("seed", [0, nightly(1), nightly(2)])
@pytest.mark.nightly
def test_exactly_the_planted_columns_are_kept(direction, seed):
    table, _ = planted(seed, ring=2, gap=4)
    assert sorted(select(table, direction=direction).indices) == [0, 1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, nightly(1), nightly(2)])
def test_three_planted_columns_are_kept(seed):
    table, _ = planted(seed, ring=0, corners=3, gap=5, rows=150)
    assert sorted(select(table).indices) == [0, 1, 2]


@pytest.mark.parametrize("over", ["all", "subset"])
def test_a_set_is_worth_what_the_definition_says_of_its_clusters(over):
    rows = planted(0, noise=2, rows=60)[0]
    rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    judge = Utilities(rows, ACUITY, over == "all", True, 2, 0.01, 0)
    for subset in [(0,), (1, 2), (0, 1, 3)]:
        seen = rows if over == "all" else rows[:, subset]
        labels = judge.tree(subset).labels()
        expected = utility_by_definition(seen, np.zeros((60, 0), dtype=int), labels)
        assert judge.value(subset) == pytest.approx(expected, abs=1e-12)
        assert judge.clusters(subset) == len(np.unique(labels))


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_number_is_met_exactly_and_the_steps_tell_the_way(direction):
    table, _ = planted(1, noise=3, rows=60)
    for k in (1, 3, 5):
        found = select(table, k, direction=direction, n_init=1)
        evidence = found.to_dict()["evidence"]
        assert found.k == k
        assert len(evidence["steps"]) == (k if direction == "forward" else 5 - k)
        assert sum(evidence["sizes"]) == evidence["rows"] == evidence["of"] == 60
        assert np.shape(evidence["means"]) == (len(evidence["sizes"]), k)
        assert evidence["tree"]["rows"] == 60
        assert [part["rows"] for part in evidence["tree"]["children"]] == evidence["sizes"]
    assert set(select(table, 3, direction=direction, n_init=1).names) >= {"x0", "x1"}


def test_threads_do_not_matter_and_a_sample_is_said():
    table, _ = planted(2, noise=2, rows=90)
    found = select(table, n_init=1, sample=60)
    with threadpool_limits(1):
        assert select(table, n_init=1, sample=60).names == found.names
    evidence = found.to_dict()["evidence"]
    assert (evidence["rows"], evidence["of"]) == (60, 90)


def test_noise_alone_keeps_few_columns_and_fails_nowhere():
    table = np.random.default_rng(0).standard_normal((40, 3))
    assert 1 <= select(table).k <= 3
