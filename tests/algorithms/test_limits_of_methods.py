"""Every way of taking columns one by one keeps to limits: against slow loops in plain NumPy."""

from dataclasses import replace

import numpy as np
import pytest
from tests.algorithms.test_limits import may_follow, random_problem, satisfies

from tamis.algorithms.forward.jolliffe import iterated_loadings
from tamis.algorithms.forward.pfs import principal_features
from tamis.algorithms.forward.response import (
    explain_alone,
    f_statistics,
    regress_forward,
    weigh_redundancy,
)
from tamis.algorithms.forward.sfs import pivoted_columns, principal_variables
from tamis.algorithms.information.importance import (
    important_and_distant,
    important_and_new,
    score_importance,
)
from tamis.algorithms.information.representatives import take_representatives
from tamis.algorithms.information.tree import spectral_tree
from tamis.algorithms.limits import Limits
from tamis.algorithms.ranking import take_scored, take_unexplained
from tamis.algorithms.refine.swap import swap_representatives
from tamis.statistics.gram import DenseGram
from tamis.statistics.shared_information import Information
from tamis.statistics.summary import as_summary


def left_of(Z, kept):
    """Give what a regression on the kept columns leaves of all."""
    if not kept:
        return Z
    A = Z[:, kept]
    return Z - A @ np.linalg.lstsq(A, Z, rcond=None)[0]


def component_of(R):
    return np.linalg.eigh(R.T @ R)[1][:, -1]


def share_component(Z, kept):
    """Correlate every column with the first component of what is left."""
    R = left_of(Z, kept)
    pulled = np.abs((R @ component_of(R)) @ R) / np.linalg.norm(R @ component_of(R))
    size = np.linalg.norm(R, axis=0)
    return np.where(size > 1e-6, pulled / np.maximum(size, 1e-6), 0.0)


def load_alone(Z, kept):
    live = [j for j in range(Z.shape[1]) if j not in kept]
    found = np.zeros(Z.shape[1])
    found[live] = np.abs(component_of(Z[:, live]))
    return found


def relate_partially(Z, kept):
    R = left_of(Z, kept)
    return ((R.T @ R) ** 2).sum(axis=0)


FORWARD = {
    pivoted_columns: lambda Z, kept: (left_of(Z, kept) ** 2).sum(axis=0),
    principal_variables: relate_partially,
    principal_features: share_component,
    iterated_loadings: load_alone,
}


def take_slowly(score, k, own, d):
    """Take at each step the best column for its price that may follow; the first of equal ones."""
    kept = []
    while len(kept) < k:
        worth = score(kept) / np.array([own["costs"][j] for j in range(d)])
        open_ = [j for j in range(d) if may_follow(j, kept, k, own, d)]
        if not open_:
            break
        best = max(worth[j] for j in open_)
        kept.append(next(j for j in open_ if worth[j] >= best - 1e-9 * abs(best)))
    return kept


@pytest.mark.parametrize("method", FORWARD, ids=lambda one: one.__name__)
def test_forward_methods_equal_their_definition(method):
    for seed in range(75):
        Z, k, own = random_problem(seed)
        d = Z.shape[1]
        Z = Z * np.random.default_rng(seed).uniform(0.5, 2.0, d)  # no ties at the start
        found = method(DenseGram(Z.T @ Z), k, retain=9.0, limits=Limits.of(d, **own))
        slow = take_slowly(lambda kept, Z=Z: FORWARD[method](Z, kept), k, own, d)
        assert found.indices.tolist() == slow, (seed, own)


def random_information(seed, d):
    rng = np.random.default_rng(seed)
    M = rng.uniform(0, 0.6, (d, d))
    M = (M + M.T) / 2
    np.fill_diagonal(M, 1.0)
    return M


def test_information_methods_equal_their_definition():
    for seed in range(75):
        Z, k, own = random_problem(seed)
        d = Z.shape[1]
        M, limits = random_information(seed, d), Limits.of(d, **own)
        scores = score_importance(Information(M))

        def add(kept, M=M, d=d):
            known = M[kept].max(axis=0) if kept else np.zeros(d)
            return np.maximum(M - known, 0.0).sum(axis=1)

        def prefer(kept, M=M, scores=scores):
            return scores / M[kept].mean(axis=0) if kept else scores

        found = take_representatives(Information(M), k, retain=9.0, limits=limits)
        assert found.indices.tolist() == take_slowly(add, k, own, d), seed
        found = important_and_new(Information(M), k, retain=9.0, limits=limits)
        assert found.indices.tolist() == take_slowly(prefer, k, own, d), seed


def test_swapped_representatives_keep_the_limits_and_no_feasible_swap_is_left():
    for seed in range(75):
        Z, k, own = random_problem(seed)
        d = Z.shape[1]
        M, limits = random_information(seed, d), Limits.of(d, **own)
        greedy = take_representatives(Information(M), k, retain=9.0, limits=limits)
        if not len(greedy.kept) or not satisfies(greedy.kept.tolist(), own, d):
            continue
        found = swap_representatives(Information(M), greedy, limits)
        kept = found.kept.tolist()
        assert satisfies(kept, own, d)
        share = M[kept].max(axis=0).mean()
        assert share >= greedy.share - 1e-12
        for i in range(len(kept)):
            for j in set(range(d)) - set(kept):
                other = [*kept[:i], *kept[i + 1 :], j]
                assert not satisfies(other, own, d) or M[other].max(axis=0).mean() <= share + 1e-9


def test_scores_and_relevance_equal_their_definition():
    for seed in range(75):
        Z, k, own = random_problem(seed)
        d = Z.shape[1]
        G, limits = DenseGram(Z.T @ Z), Limits.of(d, **own)
        scores = np.random.default_rng(seed).uniform(0.1, 1.0, d)

        def rate(kept, Z=Z, scores=scores):
            return scores * (left_of(Z, kept) ** 2).sum(axis=0) / (Z**2).sum(axis=0)

        found = take_unexplained(G, scores, k, redundant_at=1 - 1e-6, limits=limits)
        assert found.indices.tolist() == take_slowly(rate, k, own, d), seed
        found = take_scored(G, scores, k, limits=limits)
        assert found.indices.tolist() == take_slowly(lambda _, s=scores: s, k, own, d), seed
        plain = {**own, "costs": dict.fromkeys(range(d), 1.0)}
        found = take_scored(G, -scores, k, smallest=True, limits=Limits.of(d, **plain))
        assert found.indices.tolist() == take_slowly(lambda _, s=scores: s, k, plain, d), seed


def test_relevance_and_redundancy_with_a_response_equal_their_definition():
    for seed in range(75):
        Z, k, own = random_problem(seed)
        d = Z.shape[1]
        y = Z @ np.random.default_rng(seed).normal(size=d)
        A = np.column_stack([Z, y / np.linalg.norm(y)])
        table = replace(as_summary(DenseGram(A.T @ A)), n_rows=40, responses=1)
        worth = f_statistics(table, explain_alone(table, d))[:d]
        related = np.abs(Z.T @ Z)

        def weigh(kept, worth=worth, related=related):
            return worth / np.maximum(related[kept].mean(axis=0), 1e-3) if kept else worth

        found = weigh_redundancy(table, k, retain=9.0, limits=Limits.of(d, **own))
        assert found.indices.tolist() == take_slowly(weigh, k, own, d), seed


def test_columns_for_a_response_equal_a_regression_on_every_candidate():
    for seed in range(75):
        Z, k, own = random_problem(seed)
        d = Z.shape[1]
        y = Z @ np.random.default_rng(seed).normal(size=d)
        y = y + np.random.default_rng(seed + 1).normal(size=len(y)) * y.std()
        A = np.column_stack([Z, y / np.linalg.norm(y)])
        table = replace(as_summary(DenseGram(A.T @ A)), n_rows=40, responses=1)

        def explain(kept, A=A, d=d):
            left = [(left_of(A, [*kept, j])[:, d] ** 2).sum() for j in range(d)]
            return (left_of(A, kept)[:, d] ** 2).sum() - np.array(left)

        found = regress_forward(table, k, retain=9.0, limits=Limits.of(d, **own))
        assert found.indices.tolist() == take_slowly(explain, k, own, d), seed


def test_branches_of_a_tree_equal_their_definition():
    for seed in range(40):
        Z, k, own = random_problem(seed)
        d = Z.shape[1]
        M, limits = random_information(seed, d), Limits.of(d, **own)
        scores = score_importance(Information(M))
        tree = spectral_tree(M)

        def keep_away(kept, scores=scores, tree=tree):
            if not kept:
                return scores
            return scores * np.mean([tree.distances(j) for j in kept], axis=0)

        found = important_and_distant(Information(M), k, retain=9.0, limits=limits)
        assert found.indices.tolist() == take_slowly(keep_away, k, own, d), seed
