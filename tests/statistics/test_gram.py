import re
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import tamis
from tamis.statistics.gram import DenseGram
from tamis.statistics.linear import summary_of_rows

FORMS = ["dense", "rows", "sparse"]


@pytest.fixture(params=[True, False], ids=["scaled", "unscaled"])
def case(request):
    X = np.random.default_rng(0).poisson(1.0, (20, 33)) * np.linspace(1, 5, 33)
    Z = X - X.mean(axis=0)
    lengths = (Z**2).sum(axis=0)
    Z = Z / np.sqrt(lengths if request.param else lengths.mean())  # the mean diagonal is 1
    forms = {
        "dense": DenseGram(Z.T @ Z),
        "rows": summary_of_rows(X, request.param).gram,
        "sparse": summary_of_rows(scipy.sparse.csr_array(X), request.param).gram,
    }
    return Z.T @ Z, forms


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_answer_as_the_matrix_does(case, form):
    G, gram = case[0], case[1][form]
    v = np.linspace(-1, 2, len(G))
    np.testing.assert_allclose(gram.diagonal(), np.diagonal(G), atol=1e-9)
    np.testing.assert_allclose(gram.column(3), G[:, 3], atol=1e-9)
    np.testing.assert_allclose(gram.dot(v), G @ v, atol=1e-8)


@pytest.mark.parametrize("form", FORMS)
def test_norms_of_what_is_left_equal_the_definition(case, form, monkeypatch):
    G, gram = case[0], case[1][form]
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", 1000)
    none = np.zeros(0, dtype=np.intp)
    plain = gram.residual_norms(none, np.zeros((0, len(G))))
    np.testing.assert_allclose(plain, (G**2).sum(axis=0), rtol=1e-9)
    taken = np.array([4, 11])
    W = np.linalg.solve(np.linalg.cholesky(G[np.ix_(taken, taken)]), G[taken])
    left = G - W.T @ W
    norms = gram.residual_norms(taken, W)
    np.testing.assert_allclose(norms, (left**2).sum(axis=0), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rows", [10**6, 0], ids=["direct", "iterated"])
def test_leading_eigenpairs_equal_those_of_the_matrix(case, form, rows, monkeypatch):
    monkeypatch.setattr("tamis.statistics.gram.row_gram.CORE_ROWS", rows)
    G, gram = case[0], case[1][form]
    values, vectors = np.linalg.eigh(G)
    np.testing.assert_allclose(gram.eigenvalues(4), values[:-5:-1], rtol=1e-9)
    found = gram.find_leading(4)[1]
    overlap = np.abs((found * vectors[:, :-5:-1]).sum(axis=0))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-8)
    assert (found[np.abs(found).argmax(axis=0), range(4)] > 0).all()


def test_kernel_products_do_not_depend_on_holding_the_kernel(case, monkeypatch):
    for form in ("rows", "sparse"):
        held = case[1][form]
        u = np.linspace(0, 1, 20)
        expected = held.kernel_dot(u)
        fresh = type(held)(*([held.rows] if form == "rows" else [held.rows, held.mean]))
        monkeypatch.setattr("tamis.statistics.gram.row_gram.CORE_ROWS", 0)
        np.testing.assert_allclose(fresh.kernel_dot(u), expected, atol=1e-9)
        monkeypatch.undo()
        np.testing.assert_allclose(held.kernel_diagonal(), np.diagonal(held.kernel), atol=1e-9)


MAKERS = ("row_blocks", "linear", "moments", "pairwise", "summary")


def test_only_the_package_of_the_forms_asks_which_form_it_has():
    root = Path(tamis.__file__).parent
    makers = {f"statistics/{name}.py" for name in MAKERS}
    asking = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if path.parent != root / "statistics/gram"
        and re.search(
            r"^(?! *>>>).*\b(Dense|Row|Sparse|Sample)Gram\b|gram\.(matrix|rows|kernel|by_column)\b",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    }
    assert asking == makers


@pytest.mark.parametrize("form", FORMS)
def test_weights_multiply_the_columns_and_entries_can_be_squared(case, form):
    G, gram = case[0], case[1][form]
    w, v = np.linspace(0.5, 2.0, len(G)), np.linspace(-1, 2, len(G))
    P = np.random.default_rng(0).standard_normal((len(G), 3))
    np.testing.assert_allclose(gram.weigh_columns(w).dot(v), w * (G @ (w * v)), atol=1e-9)
    np.testing.assert_allclose(gram.squared_dot()(v), G**2 @ v, atol=1e-9)
    np.testing.assert_allclose(gram.hadamard_dot(P)(v), (G * (P @ P.T)) @ v, atol=1e-8)
    assert gram.rank_bound == (33 if form == "dense" else 19)
