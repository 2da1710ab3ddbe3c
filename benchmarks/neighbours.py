"""The neighbourhood family against scikit-feature on the same graph, and its memory on many rows.

scikit-feature (package skfeature-chappers) is called as published, with three concessions: it gets
the graph as the older `csr_matrix`, on which its sums rely; its `lap_score` hands out ranks only,
so the scores are caught on their way to its ranking; the table is such that the graph is connected,
since it takes any vectors of a graph in parts. Its `mcfs` hands out its coefficients with
`mode="raw"`. All runs on one BLAS thread. Our `mcfs` is charged for the Gram matrix, which the
collector otherwise makes.
"""

import time
from collections.abc import Iterator
from typing import Any

from benchmarks.jobs import in_child, in_turn, peak
from benchmarks.plan import Target


def lines(quick: bool) -> Iterator[list[str]]:
    """Measure and compare, a line at a time."""
    yield ["", "figure", "target", "about"]
    rows, columns, k = (600, 300, 30) if quick else (2000, 1000, 100)
    for job, label, target in (
        ("laplacian", "scikit-feature / laplacian", Target(">=", 1)),
        ("mcfs", "scikit-feature / mcfs", Target(">=", 5)),
    ):
        found = in_child(__name__, job, rows, columns, k, threads=1)
        about = f"{rows:,} x {columns:,}, k = {k}; scores differ by {found['difference']:.0e}"
        yield [label, f"{found['ratio']:.1f}", target.judge(found["ratio"]), about]
    many = 5000 if quick else 50_000
    found = in_child(__name__, "memory", many, 100, 10, threads=1)
    about = f"{many:,} x 100, exact graph, {found['seconds']:.0f} s"
    yield ["laplacian, MB", f"{found['peak']:.0f}", Target("<", 1000).judge(found["peak"]), about]


def laplacian(rows: int, columns: int, k: int) -> dict[str, float]:  # noqa: ARG001
    """Time the scores of both, caught where scikit-feature turns them into ranks."""
    from scipy.sparse import csr_matrix
    from skfeature.function.similarity_based import lap_score

    from tamis.algorithms.neighbourhood.laplacian import laplacian_scores

    near = _summary(rows, columns, scale=True).table
    graph = csr_matrix(near.graph)
    caught: list[Any] = []
    plain = lap_score.np

    class Caught:
        """NumPy whose argsort notes what it is asked to rank."""

        def __getattr__(self, name: str) -> Any:
            return getattr(plain, name)

        def argsort(self, scores: Any, axis: int) -> Any:
            caught.append(scores)
            return plain.argsort(scores, axis)

    lap_score.np = Caught()
    (ours, scores), (theirs, _) = in_turn(
        lambda: laplacian_scores(near),
        lambda: lap_score.lap_score(near.rows, W=graph, mode="index"),
    )
    return {"ratio": theirs / ours, "difference": _difference(scores, caught[-1])}


def mcfs(rows: int, columns: int, k: int) -> dict[str, float]:
    """Time both from the same graph."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from skfeature.function.sparse_learning_based.MCFS import mcfs

    from tamis.algorithms.neighbourhood.mcfs import describe_clusters
    from tamis.statistics.moments import Moments
    from tamis.statistics.neighbours import Neighbours

    near = _summary(rows, columns, scale=False).table
    graph = csr_matrix(near.graph)

    def run() -> Any:
        gram = Moments.from_batch(near.rows).gram(scale=False)
        return describe_clusters(Neighbours(near.rows, near.graph, gram), k, clusters=5)

    (ours, path), (theirs, weights) = in_turn(
        run,
        lambda: mcfs(near.rows, n_selected_features=k, W=graph, n_clusters=5, mode="raw"),
    )
    scores = np.abs(weights).max(axis=1)
    return {"ratio": theirs / ours, "difference": _difference(path.scores, scores)}


def memory(rows: int, columns: int, k: int) -> dict[str, float]:
    """Give the largest memory from the table to the choice."""
    from tamis.algorithms.neighbourhood.laplacian import smoothest_columns
    from tamis.sources.arrays import ArraySource
    from tamis.statistics.neighbours import collect_neighbours

    source = ArraySource(_table(rows, columns))
    start = time.perf_counter()
    summary = collect_neighbours(source, range(columns), scale=True, search="exact")
    smoothest_columns(summary.table, k)
    return {"seconds": time.perf_counter() - start, "peak": peak()}


def _table(rows: int, columns: int) -> Any:
    """Make rows in overlapping groups, so that the graph is connected."""
    import numpy as np

    rng = np.random.default_rng(0)
    centres = 0.2 * rng.standard_normal((8, columns))
    return centres[rng.integers(0, 8, rows)] + rng.standard_normal((rows, columns))


def _summary(rows: int, columns: int, *, scale: bool) -> Any:
    from tamis.sources.arrays import ArraySource
    from tamis.statistics.neighbours import collect_neighbours

    return collect_neighbours(ArraySource(_table(rows, columns)), range(columns), scale=scale)


def _difference(ours: Any, theirs: Any) -> float:
    """Give the largest difference of two sets of scores, and refuse one above 1e-6."""
    import numpy as np

    found = float(np.abs(ours - theirs).max() / np.abs(theirs).max())
    if found > 1e-6:
        raise SystemExit(f"The scores differ by {found:g} of the largest.")
    return found
