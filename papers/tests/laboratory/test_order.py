from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_wine

import tamis
from tamis.errors import TamisError
from tamis_papers.laboratory.order import order_columns

ORDERED = ("sfs", "principal-variables", "ufs", "ufs-static", "vif")


@pytest.mark.parametrize("method", ORDERED)
def test_the_order_is_that_of_select_and_holds_every_column_once(method):
    X = load_wine().data
    order = order_columns(X, method)
    assert sorted(order.tolist()) == list(range(13))
    found = tamis.select(X, k=5, method=method)
    assert set(order[:5].tolist()) == set(found.indices.tolist())


@pytest.mark.parametrize("method", ORDERED)
def test_constant_columns_come_last_and_copies_behind_all_that_is_independent(method):
    X = load_wine().data
    X = np.column_stack([np.ones(len(X)), X, 2 * X[:, 0], np.zeros(len(X))])
    order = order_columns(X, method)
    assert order[-2:].tolist() == [0, 15]
    assert np.linalg.matrix_rank(X[:, order[:13]] - X[:, order[:13]].mean(axis=0)) == 13


def test_every_gram_method_can_be_asked_for_a_number_of_columns():
    methods = [method.id for method in tamis.methods("selection") if method.needs == "gram"]
    orders = {method: order_columns(load_wine().data, method, k=4) for method in methods}
    assert {len(set(order.tolist())) for order in orders.values()} == {4}


def test_a_table_of_constants_stays_in_input_order():
    assert order_columns(np.ones((5, 3)), "ufs").tolist() == [0, 1, 2]


def test_ranks_take_the_place_of_values_when_a_method_is_asked_for_them():
    X = load_wine().data
    find = partial(order_columns, method="correlation", k=6, options={"kind": "spearman"})
    assert find(X).tolist() == find(np.exp(X / 500)).tolist()


def test_a_method_without_an_order_says_what_to_use_instead():
    with pytest.raises(TamisError, match=r"not an order: choose a method .* such as sfs or ufs"):
        order_columns(load_wine().data, "pfa")
