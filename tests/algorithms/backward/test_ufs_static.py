import numpy as np
import pytest

from tamis.algorithms.backward.ufs import remove_by_smallest_components
from tamis.errors import TamisError


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


def slow_skipping(V):
    """Two rounds over the components: unspoilt first choices, then what is left."""
    width, gone = len(V), []
    spoilt = []
    for column in np.abs(V.T):
        (spoilt.append(column) if column.argmax() in gone else gone.append(int(column.argmax())))
    for column in spoilt:
        gone.append(max((j for j in range(width) if j not in gone), key=lambda j: column[j]))
    return gone


def test_a_component_whose_column_is_removed_can_be_skipped(real, gram_of, matrix_of):
    X = real("sonar")
    path = remove_by_smallest_components(gram_of(X), 10, collision="skip")
    V = np.linalg.eigh(matrix_of(X))[1]
    assert path.removals.columns.tolist() == slow_skipping(V)[:59]
    assert path.removals.columns.tolist() != (
        remove_by_smallest_components(gram_of(X), 10).removals.columns.tolist()
    )
    assert len(path.kept) == 10


def test_skipping_draws_a_basis_of_the_exact_dependencies(correlated, gram_of):
    X = correlated(20, 50, factors=12)
    paths = [
        remove_by_smallest_components(gram_of(X, form), 6, collision="skip", random_state=seed)
        for form, seed in (("dense", 0), ("rows", 0), ("dense", 1))
    ]
    assert paths[0].indices.tolist() == paths[1].indices.tolist()
    assert paths[0].indices.tolist() != paths[2].indices.tolist()
    gone = paths[0].removals
    np.testing.assert_allclose(gone.errors[0], 0, atol=1e-12)
    kept = remove_by_smallest_components(gram_of(X), 6, collision="skip", include=[3, 4]).kept
    assert {3, 4} <= set(kept.tolist())


def test_too_many_columns_for_a_basis_are_refused_with_advice(gram_of, monkeypatch, correlated):
    monkeypatch.setattr("tamis.algorithms.backward.ufs._MAX_BASIS_COLUMNS", 40)
    with pytest.raises(TamisError, match="at most 40 before, or collision='next'"):
        remove_by_smallest_components(gram_of(correlated(20, 50)), 6, collision="skip")
