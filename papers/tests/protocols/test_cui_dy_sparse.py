import numpy as np
import pytest
from sklearn.datasets import load_wine

from tamis_papers.laboratory.order import order_columns
from tamis_papers.laboratory.protocol import Table
from tamis_papers.protocols.cui_dy_curves import TABLES, key_of
from tamis_papers.protocols.cui_dy_sparse import SPARSE, measure_overlap


def deflate(X, kept, explained):
    """Choose columns as sparse components of one loading, by the definition."""
    C, found = np.cov(X.T), []
    for _ in range(kept):
        variances = np.diag(C).copy()
        variances[found] = -np.inf
        j = int(variances.argmax())
        found.append(j)
        if explained:
            C = C - np.outer(C[:, j], C[j]) / C[j, j]
        else:
            C = C - C[j, j] * np.outer(np.eye(len(C))[j], np.eye(len(C))[j])
    return found


@pytest.mark.parametrize(("method", "explained"), [("variance", False), ("pivoted-qr", True)])
def test_both_forms_are_components_of_one_loading(method, explained):
    X = load_wine().data
    assert order_columns(X, method, k=6, scale=False).tolist() == deflate(X, 6, explained)


def test_columns_are_compared_with_those_of_j_ni():
    found = measure_overlap(Table("wine", load_wine().data), method="jolliffe-ni", most=4)
    assert found["shared"] == [1.0] * 4
    assert len(found["error"]) == 4


def made(variance, qr):
    errors = {"jolliffe-ni": 0.5, "variance": variance, "pivoted-qr": qr}
    return {
        key_of(table, method): {"error": [error, error], "shared": [0.5, 1.0]}
        for table in TABLES
        for method, error in errors.items()
    }


@pytest.mark.parametrize(
    ("variance", "qr", "verdict"),
    [
        (0.51, 0.49, "holds"),
        (0.9, 0.5, "holds"),
        (0.5, 0.3, "does not hold"),
    ],
)
def test_the_claim_is_judged_by_the_form_that_removes_redundancy(variance, qr, verdict):
    (claim,) = SPARSE.claims(made(variance, qr))
    assert claim.verdict == verdict
    ratio, shared = SPARSE.figures(made(variance, qr))[:2]
    assert ratio.ours == pytest.approx(variance / 0.5)
    assert shared.ours == 0.75
    assert len(SPARSE.drawings(made(variance, qr))) == len(TABLES)


def test_without_j_ni_nothing_is_judged():
    found = {k: v for k, v in made(0.5, 0.5).items() if "jolliffe" not in k}
    assert SPARSE.claims(found)[0].verdict == "cannot be judged"
    assert not SPARSE.figures(found)
