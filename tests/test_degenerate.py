"""Every registered method survives tables whose eigenvalues repeat or whose columns tie."""

import numpy as np
import pytest

import tamis
from tamis import registry
from tests.kinds import OF_COLUMNS

SELECTIONS = OF_COLUMNS
EXTRACTIONS = registry.methods("extraction")
INFORMATION = [method for method in SELECTIONS if method.needs == "information"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:The two largest components are equally strong"),
]


def by_id(methods):
    return pytest.mark.parametrize("method", methods, ids=lambda method: method.id)


def one_hot():
    """Give the columns of a balanced factor: every two of them share the same information."""
    return np.tile(np.eye(60), (20, 1))


def constant_within_classes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6))
    X[:, 2], X[:, 4] = 0.1 * (np.arange(40) % 2), 0.3 + 0.7 * (np.arange(40) % 2)
    return X


def identity_like():
    return np.vstack([np.eye(12), -np.eye(12)])


def two_blocks_of_copies():
    a, b = np.random.default_rng(1).standard_normal((2, 30))
    return np.column_stack([a, a, a, b, b, -b])


def orthogonal_columns():
    """Give the columns of a Hadamard matrix: all eigenvalues are equal, in any unit."""
    H = np.ones((1, 1))
    for _ in range(5):
        H = np.block([[H, H], [H, -H]])
    return H[:, 1:]


TABLES = (
    one_hot,
    constant_within_classes,
    identity_like,
    two_blocks_of_copies,
    orthogonal_columns,
)


@pytest.fixture(params=TABLES, ids=lambda make: make.__name__)
def degenerate(request):
    return request.param()


@by_id(SELECTIONS)
def test_a_selection_and_its_ceiling_exist_on_degenerate_tables(method, degenerate):
    check_selection(tamis.select(degenerate, 3, method=method.id))


def check_selection(found):
    assert 1 <= found.k <= 3
    assert len(set(found.indices.tolist())) == found.k
    assert 0.0 <= found.retained <= found.bound <= 1.0 + 1e-12
    assert all(0.0 <= item.share <= 1.0 for item in found.explain())


@by_id(INFORMATION)
def test_equal_similarities_of_many_columns_are_no_trap(method):
    check_selection(tamis.select(np.tile(np.eye(100), (2, 1)), 3, method=method.id))


@by_id(EXTRACTIONS)
def test_an_extraction_finds_all_directions_of_degenerate_tables(method, degenerate):
    y = np.arange(len(degenerate)) % 2 if method.needs == "labelled rows" else None
    X = degenerate - degenerate.min() if method.id == "nmf" else degenerate
    try:
        found = tamis.extract(X, 2, method=method.id, y=y)
    except tamis.TamisError as answer:
        assert "means are equal" in str(answer)  # noqa: PT017  # a sentence is an answer, too
        return
    assert np.isfinite(found.transform(X)).all()
    assert found.shares.sum() <= 1.0 + 1e-9
    assert found.k == (1 if method.id in ("lda", "kda") else 2)
