import numpy as np
import pytest

import tamis
from tamis.algorithms.residual import condition
from tamis.evaluation.measure import swap_changes


@pytest.mark.parametrize(("name", "k"), [("sonar", 7), ("breast_w", 4), ("wine", 12)])
def test_the_change_is_that_of_refitting_every_swap(real, name, k):
    found = tamis.select(real(name), k=k)
    gram, kept = found.summary.gram, found.path.kept
    dropped = np.setdiff1d(np.arange(len(found.used)), kept)
    for position, changes in enumerate(swap_changes(gram, kept, range(k))):
        assert np.isnan(changes[kept]).all()
        for j in dropped:
            swapped = kept.copy()
            swapped[position] = j
            refitted = condition(gram, swapped).retained[-1] - found.retained
            assert changes[j] == pytest.approx(refitted, abs=1e-12)


def test_more_columns_than_rows():
    X = np.random.default_rng(0).standard_normal((15, 40))
    found = tamis.select(X, k=3)
    other, change = found.substitutes(found.names[1])[0]
    kept = [other if name == found.names[1] else name for name in found.names]
    again = tamis.select(X, k=3, include=kept)
    assert again.retained - found.retained == pytest.approx(change, abs=1e-12)


def test_a_copy_replaces_a_column_at_no_loss():
    X = np.random.default_rng(1).standard_normal((50, 4))
    found = tamis.select(np.column_stack([X, -2 * X[:, 0]]), k=4)
    other, change = found.substitutes("x0")[0]
    assert other == "x4"
    assert change == pytest.approx(0.0, abs=1e-12)


def test_of_two_copies_kept_one_is_replaced_at_a_gain():
    X = np.random.default_rng(2).standard_normal((50, 3))
    found = tamis.select(np.column_stack([X[:, 0], X[:, 0], X]), k=2, include=[0, 1])
    changes = dict(found.substitutes("x1"))
    with_x3 = tamis.select(np.column_stack([X[:, 0], X[:, 0], X]), k=2, include=[0, 3])
    assert changes["x3"] == pytest.approx(with_x3.retained - found.retained, abs=1e-12)


def test_best_first_by_name_or_for_all(real):
    found = tamis.select(real("wine"), k=3)
    every = found.substitutes(n=None)
    assert list(every) == found.names
    assert every["x6"] == found.substitutes("x6", n=None)
    assert every["x6"][:10] == found.substitutes("x6")
    assert [len(pairs) for pairs in every.values()] == [10, 10, 10]
    changes = [change for _, change in every["x6"]]
    assert changes == sorted(changes, reverse=True)


def test_a_column_that_is_not_kept_is_refused(real):
    found = tamis.select(real("wine"), k=3)
    with pytest.raises(tamis.TamisError, match="not among the kept columns: there is x6"):
        found.substitutes("ash")


def build_dependent(seed):
    """Make a table with copies, sums and a constant, and a list of columns that depend."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, 4)) @ rng.standard_normal((4, 4)) + rng.standard_normal((40, 4))
    X = np.column_stack([X, rng.standard_normal((40, 2))])
    made = [-3 * X[:, 0], X[:, 0] + X[:, 1], X[:, 0] - 2 * X[:, 2], np.full(40, 5.0), X[:, 4]]
    X = np.column_stack([X, *made])[:, rng.permutation(11)]
    return X, rng.permutation(11)[: rng.integers(2, 8)]


@pytest.mark.parametrize("seed", range(25))
def test_listed_columns_that_depend_on_each_other_change_what_a_refit_changes(seed):
    X, listed = build_dependent(seed)
    varying = [int(j) for j in listed if X[:, j].std() > 0]
    found = tamis.score(X, varying)

    def share(columns):
        Z = (X - X.mean(axis=0))[:, X.std(axis=0) > 0]
        Z /= Z.std(axis=0)
        chosen = X[:, columns] - X[:, columns].mean(axis=0)
        return 1 - np.square(Z - chosen @ (np.linalg.pinv(chosen) @ Z)).sum() / Z.size

    for leaves, pairs in found.substitutes(n=None).items():
        others = [j for j in varying if f"x{j}" != leaves]
        for joins, change in pairs:
            refitted = share([*others, int(joins[1:])]) - share(varying)
            assert change == pytest.approx(refitted, abs=1e-9), (leaves, joins)
    changes = {(leaves, joins): change for leaves, joins, change in found.swaps}
    for (leaves, joins), change in changes.items():
        assert change == dict(found.substitutes(leaves, n=None))[joins]
    for joins, gain in found.additions:
        assert gain == pytest.approx(share([*varying, int(joins[1:])]) - share(varying), abs=1e-9)


def test_a_listed_copy_holds_what_the_column_that_leaves_explained():
    a, b, c = np.random.default_rng(0).standard_normal((3, 50))
    found = tamis.score(np.column_stack([a, 2 * a, b, c]), ["x0", "x1"])
    changes = dict(found.substitutes("x0"))
    assert changes == dict(found.substitutes("x1"))
    assert changes["x2"] > 0.2


def test_two_listed_columns_that_nearly_agree_explain_their_difference():
    rng = np.random.default_rng(3)
    a, b, c = rng.standard_normal((3, 200))
    found = tamis.score(np.column_stack([a, a + 1e-6 * b, b, c]), ["x0", "x1"])
    assert found.retained == pytest.approx(0.75, abs=0.01)
    assert dict(found.substitutes("x1"))["x3"] == pytest.approx(0.0, abs=0.01)


def test_columns_that_depend_up_to_rounding_have_swaps_all_the_same():
    a, b, c, d, e = np.random.default_rng(168).standard_normal((5, 200))
    X = np.column_stack([a, a + 1.277047e-05 * b, b, c, d + b, e + c, a + b + c])
    for listed in ([0, 1, 2], [0, 1, 2, 3]):
        found = tamis.score(X, listed)
        changes = [change for pairs in found.substitutes().values() for _, change in pairs]
        assert np.abs(changes).max() < 1.0
        assert "x2" not in dict(found.additions)
        refined = tamis.select(X, k=len(listed), include=listed[:2], refine=True)
        assert refined.retained >= found.retained - 1e-9
