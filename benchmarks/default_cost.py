"""What the default answer costs beside the plain search: held-out rows, shrinkage and clipping."""

import time
from collections.abc import Iterator
from typing import Any

from benchmarks.jobs import in_child, in_turn
from benchmarks.plan import Target

# Rows, columns, columns kept, and how many times as long as the plain search both may take.
_FULL = ((20_000, 500, 50, 1.5, 5.0), (5_000, 1_000, 50, 2.0, 12.0), (200, 5_000, 30, 15.0, 60.0))
_QUICK = ((4_000, 200, 20, 1.5, 5.0), (100, 1_000, 10, 15.0, 60.0))


def lines(quick: bool) -> Iterator[list[str]]:
    """Measure processor time on one thread, a line at a time."""
    yield ["", "figure", "target", "about"]
    for rows, columns, k, most, most_auto in _QUICK if quick else _FULL:
        found = in_child(__name__, "cost", rows, columns, k, threads=1)
        about = f"{rows:,} x {columns:,}, k = {k}; plain {found['plain']:.2f} s"
        for name, limit in (("default", most), ("auto", most_auto)):
            label = f"{name} / plain, {rows:,} x {columns:,}"
            yield [label, f"{found[name]:.1f}", Target("<=", limit).judge(found[name]), about]


def cost(rows: int, columns: int, k: int) -> dict[str, Any]:
    """Compare the default and `k="auto"`, each with its share on held-out rows, to the search."""
    import tamis

    X = _make_table(rows, columns)

    def answer(size: int | str) -> Any:
        found = tamis.select(X, k=size)
        return found, found.held_out

    (plain, _), (default, _) = in_turn(
        lambda: tamis.select(X, k=k, method="sfs", held_out=False),
        lambda: answer(k),
        clock=time.process_time,
    )
    ((auto, (found, _)),) = in_turn(lambda: answer("auto"), rounds=2, clock=time.process_time)
    return {"plain": plain, "default": default / plain, "auto": auto / plain, "k": found.k}


def _make_table(rows: int, columns: int) -> Any:
    """Make a table of up to 60 factors of falling strength, and as much noise as columns."""
    import numpy as np

    rng = np.random.default_rng(0)
    factors = min(60, rows // 4)
    scores = rng.standard_normal((rows, factors)) * np.linspace(3.0, 0.3, factors)
    return scores @ rng.standard_normal((factors, columns)) + rng.standard_normal((rows, columns))
