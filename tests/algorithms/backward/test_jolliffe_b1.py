import numpy as np
import pytest

from tamis.algorithms.backward import components
from tamis.algorithms.backward.components import remove_with_new_components
from tamis.errors import TamisError


def refit_by_hand(R):
    """Analyse the columns that are left from the start after every removal."""
    live, order, errors = list(range(len(R))), [], []
    while len(live) > 1:
        values, V = np.linalg.eigh(R[np.ix_(live, live)])
        errors.append(values[0])
        order.append(live.pop(int(np.argmax(np.abs(V[:, 0])))))
    return order, errors


def test_known_orders_of_removal(real, gram_of):
    # The last two columns always tie, and the first of them stays.
    iris = remove_with_new_components(gram_of(real("iris")), 1).removals
    assert iris.columns.tolist() == [2, 3, 1]
    wine = remove_with_new_components(gram_of(real("wine")), 1).removals
    assert wine.columns[:-1].tolist() == [6, 9, 12, 11, 5, 3, 10, 7, 4, 8, 2]


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_order_and_errors_equal_a_new_analysis_after_each_removal(
    correlated, gram_of, matrix_of, seed, scale
):
    X = correlated(90, 40, factors=8, noise=1.0, seed=seed)
    order, errors = refit_by_hand(matrix_of(X, scale=scale))
    removals = remove_with_new_components(gram_of(X, scale=scale), 1).removals
    assert removals.columns[:-1].tolist() == order[:-1]
    assert removals.errors == pytest.approx(errors, rel=1e-9)


def test_a_nearly_singular_table_is_refitted_as_well(gram_of, matrix_of):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((200, 30))
    X[:, 15:] = X[:, :15] @ rng.standard_normal((15, 15)) + 1e-3 * rng.standard_normal((200, 15))
    order, errors = refit_by_hand(matrix_of(X))
    removals = remove_with_new_components(gram_of(X), 1).removals
    assert removals.columns[:-1].tolist() == order[:-1]
    assert removals.errors == pytest.approx(errors, rel=1e-6, abs=1e-13)


def test_the_equation_of_a_removal_is_the_component_solved_for_the_column(real, gram_of, matrix_of):
    removals = remove_with_new_components(gram_of(real("iris")), 1).removals
    loadings = np.linalg.eigh(matrix_of(real("iris")))[1][:, 0]
    expected = {j: -loadings[j] / loadings[2] for j in (0, 1, 3)}
    assert dict(zip(removals.positions[0], removals.weights[0], strict=True)) == pytest.approx(
        {**expected, -1: 0.0}
    )


def test_the_limit_is_an_eigenvalue(real, gram_of, matrix_of):
    kept = remove_with_new_components(gram_of(real("wine")), 13, threshold=0.7).kept
    R = matrix_of(real("wine"))
    assert np.linalg.eigvalsh(R[np.ix_(kept, kept)])[0] > 0.7
    assert len(kept) > 1


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_dependent_columns_go_first_and_included_ones_stay(correlated, gram_of, form):
    X = correlated(25, 60, factors=10)
    path = remove_with_new_components(gram_of(X, form), 5, include=[3, 8])
    assert path.removals.errors[:36].tolist() == [0.0] * 36
    assert path.indices[:2].tolist() == [3, 8]
    other = remove_with_new_components(gram_of(X, "rows"), 5, include=[3, 8])
    assert path.indices.tolist() == other.indices.tolist()


def test_of_equal_columns_the_last_goes_and_a_component_of_kept_ones_is_passed_over(dense):
    assert remove_with_new_components(dense(np.eye(4)), 1).removals.columns.tolist() == [3, 2, 1]
    pairs = np.kron(np.eye(2), [[1.0, 0.9], [0.9, 1.0]])
    pairs[2:, 2:] = [[1.0, 0.5], [0.5, 1.0]]
    assert remove_with_new_components(dense(pairs), 2, include=[0, 1]).removals.columns[0] == 3


def test_too_much_work_is_refused_with_advice(real, gram_of, monkeypatch):
    monkeypatch.setattr(components, "_MOST_SECONDS", 0.0)
    with pytest.raises(TamisError, match="choose 'ufs'"):
        remove_with_new_components(gram_of(real("iris")), 2)
