"""What the tests of the searches share."""

from itertools import combinations

import numpy as np

from tamis.algorithms.learners import CrossValidated, make_folds
from tamis.algorithms.wrappers.evaluator import Evaluator
from tamis.algorithms.wrappers.job import Scope
from tamis.statistics.labels import Target
from tamis.statistics.rows import RowTable


def searched(
    search,
    score,
    width,
    k=None,
    include=(),
    *,
    random_state=0,
    budget=None,
    validate=None,
    **options,
):
    """Run a search on any function of a set of columns: the kept columns and the evaluator."""
    scope = Scope(width, k, tuple(include), random_state, validate)
    with Evaluator(score, max_evaluations=budget) as evaluate:
        found = search(evaluate, scope, **options)
    return found, [*found.order[: found.size]], evaluate


def problem(seed, width=10, rows=120):
    """Give the scores of naive Bayes on a random table with copies, noise and an interaction."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, width))
    X[:, 5] = X[:, 0] + 0.5 * X[:, 5]
    y = X[:, 0] * X[:, 1] + X[:, 2] - X[:, 3] + rng.standard_normal(rows) > 0
    target = Target.of(y, "auto", what="y")
    return CrossValidated(X, target, make_folds(target, 10, seed)).score


def exhaustive(score, width, k=None):
    """Give the best score of all sets, of `k` columns if it is given."""
    sizes = range(1, width + 1) if k is None else [k]
    sets = [chosen for size in sizes for chosen in combinations(range(width), size)]
    return max(float(f"{score(chosen):.12g}") for chosen in sets)


def table(X, y, task="auto"):
    """Give rows and labels as a method takes them."""
    return RowTable(np.asarray(X, dtype=float), Target.of(y, task, what="y"), True)
