import numpy as np

import tamis
from tamis_papers.laboratory.order import order_columns
from tamis_papers.protocols.yen_orders import order_randomly, run_on


def test_a_random_order_is_another_one_at_each_call_and_the_same_for_a_seed():
    X = np.zeros((3, 50))
    first, again = order_randomly(1), order_randomly(1)
    one, other = first(X), first(X)
    assert sorted(one) == sorted(other) == list(range(50))
    assert (one != other).any()
    np.testing.assert_array_equal([again(X), again(X)], [one, other])


def test_columns_are_those_of_principal_variables_until_all_is_explained():
    X = np.random.default_rng(0).standard_normal((8, 30))
    found = run_on(X)
    ours = tamis.select(X, 7, method="principal-variables")
    assert [f"x{j}" for j in found[:7]] == ours.ranking
    assert sorted(found) == list(range(30))
    assert not np.array_equal(found[7:], order_columns(X, "principal-variables")[7:])


def test_constant_columns_and_exact_zeros_do_no_harm():
    X = np.random.default_rng(0).standard_normal((9, 5))
    X[:, 3] = 2.0
    assert sorted(run_on(X)) == list(range(5))
    assert run_on(X)[-1] == 3
    assert sorted(run_on(np.ones((4, 3)))) == [0, 1, 2]
