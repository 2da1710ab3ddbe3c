"""Mutual information against a loop of scikit-learn calls, its memory, and the spectral tree."""

import time
from collections.abc import Iterator
from typing import Any

from benchmarks.jobs import in_child, in_turn, peak, write_table
from benchmarks.plan import Target

_LOOPED = 30


def lines(quick: bool) -> Iterator[list[str]]:
    """Measure and compare, a line at a time."""
    yield ["", "figure", "target", "about"]
    rows, columns = (1000, 100) if quick else (5000, 200)
    found = in_child(__name__, "pairs", rows, columns)
    about = f"{rows:,} x {columns}; scikit-learn's loop timed on {_LOOPED} columns"
    for label, name in (("loop / NMI matrix", "kernel"), ("loop / from the table", "whole")):
        target = Target(">=", 300).judge(found[name]) if name == "kernel" else ""
        yield [label, f"{found[name]:.0f}", target, about]
    many, wide = (20_000, 200) if quick else (100_000, 500)
    found = in_child(__name__, "memory", many, wide)
    about = f"{many:,} x {wide} from Parquet, {found['seconds']:.0f} s"
    yield ["NMI matrix, MB", f"{found['peak']:.0f}", Target("<", 2000).judge(found["peak"]), about]
    size = 300 if quick else 1000
    for shape in ("caterpillar", "noise", "groups"):
        found = in_child(__name__, shape, size)
        about = f"{size} columns, tree of depth {found['depth']}"
        verdict = Target("<=", 30).judge(found["ratio"])
        yield [f"rspfs / eigh, {shape}", f"{found['ratio']:.1f}", verdict, about]


def pairs(rows: int, columns: int) -> dict[str, float]:
    """Time the matrix from codes, from the table, and the loop on some columns."""
    import numpy as np
    from sklearn.metrics import normalized_mutual_info_score

    from tamis.sources.arrays import ArraySource
    from tamis.statistics.coding import QuantileSketch, bin_rows, find_bins
    from tamis.statistics.joint_counts import JointCounts, relate_pairs
    from tamis.statistics.mutual_information import collect_information

    X = np.random.default_rng(0).standard_normal((rows, columns))
    X[:, 1::2] += X[:, ::2]
    bins = find_bins(QuantileSketch.from_batch(X), 10, "depth")
    codes = bin_rows(X, [one.edges for one in bins])
    counts = [np.bincount(column) for column in codes.T]
    some = codes[:, :_LOOPED].T

    def loop() -> list[float]:
        score = normalized_mutual_info_score
        return [
            score(a, b, average_method="geometric") for i, a in enumerate(some) for b in some[:i]
        ]

    (ours, M), (whole, _), (theirs, values) = in_turn(
        lambda: relate_pairs(
            lambda tiles: [JointCounts.from_batch(codes, *tile) for tile in tiles], counts
        ),
        lambda: collect_information(ArraySource(X), range(columns)),
        loop,
        rounds=3,
    )
    assert np.abs(M[np.tril_indices(_LOOPED, -1)] - values).max() < 1e-10
    scale = columns * (columns - 1) / (_LOOPED * (_LOOPED - 1))
    return {"kernel": theirs * scale / ours, "whole": theirs * scale / whole}


def memory(rows: int, columns: int) -> dict[str, float]:
    """Relate all columns of a file and give the largest memory."""
    import tempfile
    from pathlib import Path

    import tamis

    with tempfile.TemporaryDirectory(prefix="tamis-bench-") as folder:
        path = Path(folder) / "table.parquet"
        write_table(path, rows, columns)
        start = time.perf_counter()
        tamis.mutual_information(path)
        return {"seconds": time.perf_counter() - start, "peak": peak()}


def caterpillar(d: int) -> dict[str, float]:
    """Time a table whose tree loses one column at each split."""
    import numpy as np

    strength = np.random.default_rng(0).permutation(np.linspace(0.2, 0.9, d))
    return _tree(np.outer(strength, strength))


def noise(d: int) -> dict[str, float]:
    """Time a table whose columns all share about as little."""
    import numpy as np

    A = np.random.default_rng(0).random((d, d))
    return _tree(0.1 + 0.01 * (A + A.T))


def groups(d: int) -> dict[str, float]:
    """Time a table of eight overlapping groups of columns."""
    import numpy as np

    Z = np.random.default_rng(0).standard_normal((d, 8))
    Z /= np.linalg.norm(Z, axis=1)[:, None]
    return _tree(0.8 * (Z @ Z.T) ** 2)


def _tree(M: Any) -> dict[str, float]:
    import numpy as np
    import scipy.linalg

    from tamis.algorithms.information.importance import important_and_distant
    from tamis.statistics.shared_information import Information

    np.fill_diagonal(M, 1.0)
    (ours, path), (theirs, _) = in_turn(
        lambda: important_and_distant(Information(M), len(M)),
        lambda: scipy.linalg.eigh(M, driver="evd"),
        rounds=3,
    )
    return {"ratio": ours / theirs, "depth": int(path.tree.depth.max())}
