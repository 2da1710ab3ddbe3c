import numpy as np
import pytest
import scipy.linalg

from tamis.algorithms.backward.ufs import remove_redundant


def carry_the_errors(X):
    """Eliminate by the book: coefficients and error vectors, one column at a time."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    values, V = scipy.linalg.eigh(Z.T @ Z / len(Z))
    W, E = V.T.copy(), Z @ V / np.sqrt(len(Z))
    rows, columns = list(range(len(values))), list(range(len(values)))
    order, errors, equations = [], [], []
    while len(columns) > 1:
        i = min(rows, key=lambda k: E[:, k] @ E[:, k])
        j = max(columns, key=lambda k: abs(W[i, k]))
        order.append(j)
        errors.append(E[:, i] @ E[:, i])
        equations.append({k: -W[i, k] / W[i, j] for k in columns if k != j})
        rows.remove(i)
        columns.remove(j)
        for k in rows:
            c = W[k, j] / W[i, j]
            W[k] -= c * W[i]
            E[:, k] -= c * E[:, i]
    return order, errors, equations


@pytest.mark.parametrize("name", ["iris", "wine", "sonar", "breast_w", "ionosphere", "spambase"])
def test_order_and_errors_equal_the_textbook_on_full_rank_data(real, gram_of, name):
    X = real(name)
    X = X[:, X.std(axis=0) > 0]
    order, errors, _ = carry_the_errors(X)
    removals = remove_redundant(gram_of(X), 1).removals
    assert removals.columns.tolist() == order
    np.testing.assert_allclose(removals.errors, errors, rtol=1e-6, atol=1e-10)


def test_panels_larger_than_one_give_the_textbook_order(correlated, gram_of):
    X = correlated(900, 300, factors=40, noise=1.0)
    order, _, _ = carry_the_errors(X)
    assert remove_redundant(gram_of(X), 1).removals.columns.tolist() == order


def test_known_answers(real, gram_of):
    iris = remove_redundant(gram_of(real("iris")), 1).removals
    assert iris.columns.tolist() == [2, 3, 1]
    assert iris.errors == pytest.approx([0.02071, 0.14741, 0.91594], abs=1e-5)
    wine = remove_redundant(gram_of(real("wine")), 1).removals
    assert wine.columns[:5].tolist() == [6, 9, 12, 11, 5]


def test_a_sum_of_columns_goes_first_by_an_equation_without_error(gram_of):
    x, y = np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 0, 1, 2])
    removals = remove_redundant(gram_of(np.column_stack([x, y, x + y])), 2).removals
    assert removals.columns[0] == 2
    assert removals.errors[0] == pytest.approx(0, abs=1e-12)
    size = np.std(x + y)
    assert removals.positions[0, :2].tolist() == [0, 1]
    assert removals.weights[0, :2] == pytest.approx([x.std() / size, y.std() / size])


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_exact_dependence_does_not_depend_on_the_basis(correlated, gram_of, form):
    X = correlated(30, 80, factors=12)
    expected = remove_redundant(gram_of(X, "rows"), 5).removals
    order = np.random.default_rng(5).permutation(80)
    moved = remove_redundant(gram_of(X[:, order], form), 5).removals
    assert order[moved.columns[:-1]].tolist() == expected.columns[:-1].tolist()
    np.testing.assert_allclose(moved.errors, expected.errors, atol=1e-8)


def test_equations_are_those_of_the_textbook_solved_for_the_column(correlated, gram_of):
    X = correlated(200, 6, factors=3)
    _, _, equations = carry_the_errors(X)
    removals = remove_redundant(gram_of(X), 1).removals
    for step, equation in enumerate(equations):
        places = removals.positions[step][removals.positions[step] >= 0].tolist()
        assert sorted(places) == sorted(equation)
        expected = [equation[place] for place in places]
        assert removals.weights[step, : len(places)] == pytest.approx(expected)


def test_columns_go_while_the_error_is_below_the_threshold(real, gram_of):
    path = remove_redundant(gram_of(real("wine")), 13, threshold=0.2)
    assert (path.removals.errors[: 13 - path.size] <= 0.2).all()
    assert path.removals.errors[13 - path.size] > 0.2


def test_included_columns_stay_to_the_end(real, gram_of):
    gram = gram_of(real("wine"))
    path = remove_redundant(gram, 3, include=[6, 9])
    assert path.indices[:2].tolist() == [6, 9]
    assert not {6, 9} & set(path.removals.columns.tolist())
    assert len(path.indices) == 13


def test_segment_loses_its_four_exact_sums_first_in_any_column_order(real, gram_of):
    """Two codes that follow the book part there: their null-space bases differ. Ours has none."""
    X = real("segment")
    X = X[:, X.std(axis=0) > 0]
    first = remove_redundant(gram_of(X), 8)
    order = np.random.default_rng(0).permutation(X.shape[1])
    moved = remove_redundant(gram_of(X[:, order]), 8)
    assert order[moved.removals.columns[:-1]].tolist() == first.removals.columns[:-1].tolist()
    assert first.removals.errors[:4].tolist() == [0.0] * 4
    assert first.retained[len(first.indices) - 5 - 1] > 0.9999
