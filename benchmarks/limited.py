"""What greedy costs within limits: its share of the optimum, and that of swaps.

`python -m benchmarks.limited` draws 200 tables with limits of all kinds, finds the best allowed set
by branch and bound and says how much of it the greedy search and swaps reach.
"""

import numpy as np

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import NO_GOAL
from tamis.algorithms.refine.exact import best_subset
from tamis.algorithms.refine.swap import swap_columns
from tamis.statistics.gram import DenseGram
from tamis.statistics.summary import as_summary

PROBLEMS, COLUMNS, KEPT = 200, 20, 5


def draw_problem(seed: int) -> tuple[DenseGram, Limits]:
    """Draw a table of 20 columns and limits, each kind in half of the problems."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(100, 5)) @ rng.normal(size=(5, COLUMNS)) + rng.normal(size=(100, COLUMNS))
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0) / 10
    owner = rng.integers(0, 4, COLUMNS)
    groups = {str(i): np.flatnonzero(owner == i).tolist() for i in range(4)}
    yes = rng.random(5) < 0.5
    yes[0] |= not yes.any()
    limits = Limits.of(
        COLUMNS,
        groups=groups,
        at_most=2 if yes[0] else None,
        at_least=1 if yes[1] else None,
        costs=dict(enumerate(rng.integers(1, 5, COLUMNS).tolist())) if yes[2] else None,
        budget=10.0 if yes[2] else None,
        apart=2.0 if yes[3] else None,
        axis=dict(enumerate(rng.permutation(COLUMNS).tolist())) if yes[3] else None,
        forbid=rng.choice(COLUMNS, 3, replace=False).tolist() if yes[4] else None,
    )
    return DenseGram(Z.T @ Z), limits


def compare_with_optimum(seed: int) -> tuple[float, float] | None:
    """Give the shares of the optimum that greedy and swaps reach; None where greedy is stuck."""
    gram, limits = draw_problem(seed)
    greedy = take_groups(gram, KEPT, retain=NO_GOAL, limits=limits)
    if not limits.is_met(greedy.kept):
        return None
    swapped = swap_columns(as_summary(gram), greedy, limits, most=KEPT)
    best = best_subset(gram, greedy, limits, most=KEPT).share
    return greedy.share / best, swapped.share / best


def main() -> None:
    """Print the figures."""
    found = [compare_with_optimum(seed) for seed in range(PROBLEMS)]
    shares = np.array([one for one in found if one is not None])
    print(f"{len(shares)} of {PROBLEMS} problems; share of the optimum that is reached")
    for name, own in zip(("greedy", "swaps"), shares.T, strict=True):
        exact = np.count_nonzero(own > 1 - 1e-9)
        low = f"mean {own.mean():.4f}, 5% quantile {np.quantile(own, 0.05):.4f}"
        print(f"{name:8} {low}, least {own.min():.4f}, optimal in {exact}")


if __name__ == "__main__":
    main()
