import numpy as np
import pytest
from sklearn.datasets import load_wine

from tamis.evaluation.measure import (
    FactoredReproduction,
    Reproduction,
    bound_by_components,
    pick_carriers,
    relate_to_kept,
)
from tamis.statistics.gram import DenseGram, RowGram


@pytest.fixture
def R():
    return np.corrcoef(load_wine().data, rowvar=False)


def test_ceiling_is_the_share_of_the_leading_components(R):
    values = np.linalg.eigvalsh(R)[::-1]
    np.testing.assert_allclose(bound_by_components(DenseGram(R), 13), np.cumsum(values) / 13)


def test_ceiling_goes_on_at_one_beyond_the_rank():
    assert bound_by_components(DenseGram(np.eye(2)), 4).tolist() == [0.5, 1.0, 1.0, 1.0]


def test_reproduced_shares_are_those_of_least_squares(R):
    kept = [6, 9, 2]
    shares = relate_to_kept(DenseGram(R), kept).shares
    for t in range(1, 4):
        S = kept[:t]
        expected = np.diagonal(R[:, S] @ np.linalg.solve(R[np.ix_(S, S)], R[S]))
        np.testing.assert_allclose(shares[t - 1], expected, atol=1e-12)


def test_carriers_are_found_one_by_one_and_refitted(R):
    kept, targets = np.array([6, 9, 2, 0, 4]), np.array([1, 5, 7, 11])
    positions, weights, shares = pick_carriers(relate_to_kept(DenseGram(R), kept), 5, targets)
    for i, u in enumerate(targets):
        picks: list[int] = []
        full = R[u, kept] @ np.linalg.solve(R[np.ix_(kept, kept)], R[kept, u])
        share = 0.0
        while len(picks) < 3 and share < 0.95 * full:

            def fit(S, u=u):
                return R[u, S] @ np.linalg.solve(R[np.ix_(S, S)], R[S, u])

            best = max((j for j in kept if j not in picks), key=lambda j: fit([*picks, j]))
            picks.append(int(best))
            share = fit(picks)
        places = positions[i][positions[i] >= 0]
        assert kept[places].tolist() == picks
        assert shares[i] == pytest.approx(share)
        expected = np.linalg.solve(R[np.ix_(picks, picks)], R[picks, u])
        np.testing.assert_allclose(weights[i][: len(picks)], expected)


def test_a_sum_of_two_kept_columns_is_carried_by_just_these_two():
    rng = np.random.default_rng(0)
    a, b, c = rng.standard_normal((3, 500))
    R = np.corrcoef([a, b, c, 3 * a - 4 * b])
    positions, weights, shares = pick_carriers(
        relate_to_kept(DenseGram(R), [0, 1, 2]), 3, np.array([3])
    )
    assert sorted(positions[0].tolist()) == [-1, 0, 1]
    assert shares[0] == pytest.approx(1.0)
    by_place = dict(zip(positions[0].tolist(), weights[0].tolist(), strict=True))
    size = np.std(3 * a - 4 * b)
    assert by_place[0] == pytest.approx(3 * a.std() / size)
    assert by_place[1] == pytest.approx(-4 * b.std() / size)


def test_an_unrelated_column_has_no_carriers():
    positions, _weights, shares = pick_carriers(
        relate_to_kept(DenseGram(np.eye(3)), [0, 1]), 2, np.array([2])
    )
    assert positions.tolist() == [[-1, -1]]
    assert shares.tolist() == [0.0]


def test_a_kept_copy_explains_itself_and_spoils_nothing():
    a, b, c = np.random.default_rng(0).standard_normal((3, 200))
    R = np.corrcoef([a, a, b, a + b + 0.1 * c])
    known = relate_to_kept(DenseGram(R), [0, 1, 2])
    np.testing.assert_allclose(known.links, R[:3], atol=1e-12)
    positions, _weights, _shares = pick_carriers(known, 3, np.array([3]))
    assert sorted(positions[0].tolist()) == [-1, 0, 2]


def test_many_kept_columns_of_few_rows_need_no_array_of_all_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(6, 40))
    gram, kept = RowGram(rows - rows.mean(axis=0)), rng.permutation(40)[:25]
    targets = np.setdiff1d(np.arange(40), kept)
    held = relate_to_kept(gram, kept)
    monkeypatch.setattr("tamis.evaluation.measure._MAX_HELD_CELLS", 0)
    monkeypatch.setattr("tamis.evaluation.measure._MAX_TARGET_CELLS", 100)
    lean = relate_to_kept(gram, kept)
    assert isinstance(held, Reproduction)
    assert isinstance(lean, FactoredReproduction)
    np.testing.assert_allclose(lean.shares_between(0, 25), held.shares, atol=1e-12)
    np.testing.assert_allclose(lean.shares_between(3, 17), held.shares[3:17], atol=1e-12)
    np.testing.assert_allclose(lean.links_to(25, np.arange(40)), held.links, atol=1e-12)
    for step in (1, 4, 25):
        one, other = pick_carriers(held, step, targets), pick_carriers(lean, step, targets)
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_allclose(one[1], other[1], atol=1e-9)
