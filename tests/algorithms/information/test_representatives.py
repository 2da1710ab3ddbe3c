from itertools import combinations

import numpy as np
import pytest

import tamis
from tamis.algorithms.information.representatives import take_representatives
from tamis.algorithms.path import Path
from tamis.algorithms.refine.swap import swap_representatives
from tamis.errors import TamisError
from tamis.evaluation.measure import SharedInformation
from tamis.statistics.shared_information import Information


def similarities(seed, d=12):
    """Make a symmetric matrix in [0, 1] with 1 on the diagonal, some of its entries equal."""
    rng = np.random.default_rng(seed)
    M = np.round(rng.random((d, d)) ** 3, 2)
    M = np.maximum(M, M.T)
    np.fill_diagonal(M, 1.0)
    return M


def share(M, kept):
    return M[list(kept)].max(axis=0).mean()


def slowly(M, k, include=()):
    """Value every column afresh at every step; of equal ones the most similar to all is taken."""
    kept = list(include)
    while len(kept) < k:
        values = [-1.0 if j in kept else share(M, [*kept, j]) for j in range(len(M))]
        best = np.flatnonzero(np.isclose(values, max(values), rtol=1e-12))
        kept.append(int(best[np.argmax(M.sum(axis=1)[best])]))
    return kept


def test_a_known_answer():
    # Column 1 stands for 0 and 2 (0.9 each); 3 is on its own.
    M = np.array([[1, 0.9, 0.5, 0], [0.9, 1, 0.9, 0], [0.5, 0.9, 1, 0], [0, 0, 0, 1.0]])
    found = take_representatives(Information(M), 2)
    assert found.indices.tolist() == [1, 3]
    assert found.retained == pytest.approx([2.8 / 4, 3.8 / 4])


@pytest.mark.parametrize("seed", range(6))
def test_lazy_picks_equal_those_of_the_definition(seed):
    M = similarities(seed)
    found = take_representatives(Information(M), 8)
    assert found.indices.tolist() == slowly(M, 8)
    assert found.retained == pytest.approx([share(M, found.indices[: i + 1]) for i in range(8)])
    forced = take_representatives(Information(M), 5, include=[7, 2])
    assert forced.indices.tolist() == slowly(M, 5, [7, 2])


def test_it_stops_at_a_share():
    M = similarities(3)
    found = take_representatives(Information(M), 12, retain=0.8)
    assert found.share >= 0.8 > found.retained[-2]


@pytest.mark.parametrize("seed", range(6))
def test_greedy_keeps_its_guarantee_and_swaps_come_near_the_optimum(seed):
    M, k = similarities(seed), 4
    best = max(share(M, kept) for kept in combinations(range(len(M)), k))
    greedy = take_representatives(Information(M), k)
    swapped = swap_representatives(Information(M), greedy)
    assert (1 - 1 / np.e) * best <= greedy.share <= swapped.share <= best + 1e-12
    assert best <= SharedInformation(Information(M)).ceiling(k)[-1] + 1e-12
    # No single swap is left that would help.
    for i, leaves in enumerate(swapped.kept):
        for joins in set(range(len(M))) - set(swapped.kept.tolist()):
            other = [joins if p == i else j for p, j in enumerate(swapped.kept)]
            assert share(M, other) <= swapped.share + 1e-12, (leaves, joins)


def test_swaps_leave_the_columns_to_include():
    M = similarities(1)
    start = Path(np.array([3, 4, 5]), np.array([0.1, 0.2, share(M, [3, 4, 5])]))
    found = swap_representatives(Information(M), start, include=[4])
    assert 4 in found.indices
    assert found.share == pytest.approx(share(M, found.indices))
    assert found.share > share(M, [3, 4, 5])


def test_refine_swaps_and_there_is_no_exact_search():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 4)) @ rng.standard_normal((4, 15))
    plain = tamis.select(X, 4, method="representatives")
    refined = tamis.select(X, 4, method="representatives", refine=True)
    assert plain.retained <= refined.retained <= refined.bound
    with pytest.raises(TamisError, match="no exact search on mutual information; refine=True"):
        tamis.select(X, 4, method="representatives", refine="exact")
