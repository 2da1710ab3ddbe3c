import numpy as np
import pytest

from tamis.algorithms.backward.elimination import drop_dependent
from tamis.algorithms.limits import Limits
from tamis.errors import TamisError


def project_each_time(V):
    """Drop by the largest diagonal of the projector on the null space, made anew each time."""
    live, dropped = list(range(len(V))), []
    while len(live) > V.shape[1]:
        rows = V[live]
        P = np.eye(len(live)) - rows @ np.linalg.inv(rows.T @ rows) @ rows.T
        values = np.diagonal(P)
        dropped.append(live.pop(int(np.flatnonzero(values >= values.max() - 1e-9)[-1])))
    return dropped


@pytest.mark.parametrize("shape", [(12, 3), (40, 10), (60, 55)])
def test_order_equals_projecting_each_time(shape):
    V = np.linalg.qr(np.random.default_rng(0).standard_normal(shape))[0]
    assert drop_dependent(V, Limits.fixing(len(V), [])).columns.tolist() == project_each_time(V)


def test_any_basis_of_the_space_gives_the_same_order():
    rng = np.random.default_rng(1)
    V = np.linalg.qr(rng.standard_normal((50, 8)))[0]
    turn = np.linalg.qr(rng.standard_normal((8, 8)))[0]
    assert (
        drop_dependent(V @ turn, Limits.fixing(len(V), [])).columns.tolist()
        == drop_dependent(V, Limits.fixing(len(V), [])).columns.tolist()
    )


def test_noted_equations_hold_exactly():
    X = np.random.default_rng(2).standard_normal((6, 15))
    V = np.linalg.svd(X, full_matrices=False)[2].T
    found = drop_dependent(V, Limits.fixing(len(V), []))
    for step in range(len(found.columns)):
        live = np.setdiff1d(np.arange(15), found.columns[: step + 1])
        weights = np.linalg.lstsq(X[:, live], X[:, found.columns[step]], rcond=None)[0]
        places = found.positions[step][found.positions[step] >= 0]
        expected = dict(zip(live, weights, strict=True))
        got = found.weights[step, : places.size]
        assert got == pytest.approx([expected[p] for p in places], abs=1e-9)


def test_columns_that_must_stay_but_repeat_each_other_are_refused():
    V = np.array([[0.5**0.5, 0.0], [0.5**0.5, 0.0], [0.0, 1.0]])
    assert drop_dependent(V, Limits.fixing(len(V), [1])).columns.tolist() == [0]
    with pytest.raises(TamisError, match="ask for fewer of them"):
        drop_dependent(V, Limits.fixing(len(V), [0, 1]))
