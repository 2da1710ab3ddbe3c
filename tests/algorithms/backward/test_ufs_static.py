import numpy as np
import pytest

from tamis.algorithms.backward.ufs_static import remove_by_smallest_components


def test_known_answers(real, gram_of):
    iris = remove_by_smallest_components(gram_of(real("iris")), 1).removals
    assert iris.columns.tolist() == [2, 0, 1]
    assert iris.errors == pytest.approx([0.02071, 0.14676, 0.91403], abs=1e-5)
    wine = remove_by_smallest_components(gram_of(real("wine")), 1).removals
    assert wine.columns[:5].tolist() == [6, 9, 12, 11, 0]


def test_each_small_component_removes_its_largest_open_loading(real, gram_of, matrix_of):
    X = real("sonar")
    V = np.linalg.eigh(matrix_of(X))[1]
    expected: list[int] = []
    for r in range(59):
        open_ = [j for j in range(60) if j not in expected]
        expected.append(max(open_, key=lambda j: abs(V[j, r])))
    found = remove_by_smallest_components(gram_of(X), 1).removals.columns
    assert found.tolist() == expected


def test_rank_deficient_tables_do_not_depend_on_the_basis(correlated, gram_of):
    X = correlated(20, 50, factors=12)
    forms = [remove_by_smallest_components(gram_of(X, f), 6) for f in ("dense", "rows", "sparse")]
    for path in forms[1:]:
        assert path.indices.tolist() == forms[0].indices.tolist()
        np.testing.assert_allclose(path.retained, forms[0].retained, atol=1e-9)
