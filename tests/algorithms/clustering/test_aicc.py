"""AICC: a column added to a tree of concepts, beside the tree that is grown again."""

import numpy as np
import pytest
from tests.algorithms.clustering.planted import planted

import tamis
from tamis.algorithms.clustering.category_utility import Utilities
from tamis.algorithms.clustering.cluster_search import search_columns
from tamis.algorithms.clustering.cobweb import (
    ACUITY,
    Features,
    add_column,
    best_tree,
    category_utility,
    cluster_sums,
)
from tamis.errors import TamisError


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def trees(rows, columns):
    """Give the tree of all columns but the last with that added, and the vectors of all."""
    first, second = Features(columns - 1), Features(columns)
    tree = best_tree(first, first.vectors(rows[:, : columns - 1]))
    vectors = second.vectors(rows[:, :columns])
    return tree, add_column(tree, second, vectors), vectors


def check(node, sums, vectors):
    """Count every concept from its rows."""
    assert vectors[list(node.members())].sum(axis=0) == pytest.approx(sums, abs=1e-9)
    if node.children:
        assert not node.rows
        assert len(node.children) > 1
        for child, own in zip(node.children, node.sums, strict=True):
            check(child, own, vectors)


@pytest.mark.parametrize("seed", range(4))
def test_every_row_is_in_one_leaf_and_every_concept_is_counted_with_the_new_column(seed):
    rows = standardised(planted(seed, ring=2, gap=4, rows=81)[0])
    before, after, vectors = trees(rows, 3)
    assert sorted(after.root.members()) == list(range(81))
    check(after.root, after.total, vectors)
    assert sorted(before.root.members()) == list(range(81))


@pytest.mark.parametrize("seed", range(4))
def test_the_first_level_is_a_local_optimum_no_worse_than_the_old_clusters(seed):
    rows = standardised(planted(seed, ring=2, gap=4, rows=81)[0])
    before, after, vectors = trees(rows, 2)
    old = category_utility(after.features, cluster_sums(vectors, before.labels()))
    assert after.utility >= old - 1e-12
    labels = after.labels()
    for row in range(81):
        for other in range(labels.max() + 1):
            moved = labels.copy()
            moved[row] = other
            if len(np.unique(moved)) == labels.max() + 1:
                sums = cluster_sums(vectors, moved)
                # Leaves of several rows move as one; single rows gain little by themselves.
                assert category_utility(after.features, sums) <= after.utility * 1.01


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "columns"), [(0, 2), (1, 2), (0, 3)])
@pytest.mark.nightly
def test_planted_columns_are_found_with_about_the_same_utility_and_fewer_trees(seed, columns):
    ring = {"ring": 2, "gap": 4} if columns == 2 else {"ring": 0, "corners": 3, "gap": 5}
    rows = standardised(planted(seed, **ring)[0])
    found = {}
    for incremental in (False, True):
        judge = Utilities(rows, ACUITY, True, True, 3, 0.01, 0, incremental=incremental)
        taken = tuple(sorted(search_columns(judge, rows.shape[1], None)[0].tolist()))
        found[incremental] = taken, judge.value(taken), judge.grown, judge.restructured
    # One start and the order of the rows decide both, so they need not be equal.
    assert {*found[True][0]} >= {*range(columns)}
    assert found[True][1] >= 0.98 * found[False][1]
    assert found[True][2] == rows.shape[1] < found[False][2]
    assert found[True][3] > found[True][2]


def test_the_method_takes_it_forward_only():
    table = planted(0, ring=2, gap=4, rows=81, noise=2)[0]
    options = {"incremental": True, "n_init": 1}
    found = tamis.select(table, method="category-utility", options=options)
    assert sorted(found.indices) == [0, 1]
    assert sum(found.to_dict()["evidence"]["sizes"]) == 81
    options = {**options, "direction": "backward"}
    with pytest.raises(TamisError, match="incremental=True adds columns to a tree"):
        tamis.select(table, method="category-utility", options=options)
