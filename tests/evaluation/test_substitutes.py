import numpy as np
import pytest

import tamis
from tamis.algorithms.residual import condition
from tamis.evaluation.substitutes import swap_changes


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
