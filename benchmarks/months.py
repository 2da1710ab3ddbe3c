"""How often `check` raises a false alarm: rows of one table, half choose, months of the others.

python -m benchmarks.months [FOLDER] prints for each table how many of 100 undisturbed months hold.
Every month is a random tenth of all rows, at most 500, none of which the choice has seen.
"""

import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.coverage import tables

_MONTHS, _SPLITS, _MOST_ROWS = 100, 10, 500


def months_that_hold(X: Any) -> tuple[int, int, Counter[str]]:
    """Give the rows of a month, how many of 100 hold, and why the others do not."""
    import tamis
    from tamis.results.saved_choice import SavedChoice

    X, why, held = X[:, np.ptp(X, axis=0) > 0], Counter[str](), 0
    size = min(len(X) // 10, _MOST_ROWS)
    for split in range(_SPLITS):
        rng = np.random.default_rng(split)
        order = rng.permutation(len(X))
        half = len(X) // 2
        choice = SavedChoice.of(tamis.select(X[order[:half]], max(1, min(10, X.shape[1] // 3))))
        for _ in range(_MONTHS // _SPLITS):
            found = choice.check(X[rng.choice(order[half:], size, replace=False)])
            held += found.holds
            for one in found.drifted:
                why.update(n for n in ("mean", "spread", "relation") if vars(one)[n])
            why.update(code for code in found.failures if code != "drift")
    return size, held, why


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    print("table | columns | rows of a month | hold, of 100 | alarms")
    for name, X in tables(folder):
        if len(X) >= 20 * _SPLITS:
            size, held, why = months_that_hold(X)
            print(f"{name} | {X.shape[1]} | {size} | {held} | {dict(why)}", flush=True)


if __name__ == "__main__":
    main()
