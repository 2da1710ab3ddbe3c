"""Filters from the table to the ranking, CPU time against one pass that only reads and bins."""

import time
from collections.abc import Iterator
from typing import Any

from benchmarks.jobs import in_child, in_turn, peak, write_table
from benchmarks.plan import Target
from tamis import registry

_CLASSES = 3


def lines(quick: bool) -> Iterator[list[str]]:
    """Measure each filter in turn with the pass, on an array and on a file."""
    yield ["", "figure", "target", "about"]
    rows, columns = (20_000, 200) if quick else (100_000, 500)
    for place, (name, options) in enumerate(_jobs()):
        found = in_child(__name__, "array", place, rows, columns, threads=1)
        settings = "".join(f", {key}={value}" for key, value in options.items())
        target = "" if options else Target("<=", 3).judge(found["ratio"])
        about = (
            f"{rows:,} x {columns} array{settings}; {found['learnt']:.2f} of learning and binning"
        )
        yield [f"{name} / read and bin", f"{found['ratio']:.2f}", target, about]
    found = in_child(__name__, "file", rows, columns, threads=1)
    about = f"{rows:,} x {columns} from Parquet, {found['table']:.0f} MB as numbers"
    yield [
        "chi2 / read and bin",
        f"{found['ratio']:.2f}",
        Target("<=", 3).judge(found["ratio"]),
        about,
    ]
    yield ["chi2, MB", f"{found['peak']:.0f}", "", f"{about}; {found['before']:.0f} MB before"]


def array(place: int, rows: int, columns: int) -> dict[str, float]:
    """Time one filter on an array."""
    import numpy as np

    import tamis
    from tamis.registry.missing_policy import MissingPolicy
    from tamis.sources.arrays import ArraySource
    from tamis.statistics.coding import LevelsRead
    from tamis.statistics.mixed import read_mixed_rows

    X, y = _labelled(rows, columns)
    name, options = _jobs()[place]
    source, names = ArraySource(X), [f"x{j}" for j in range(columns)]

    def learn() -> Any:
        levels = LevelsRead(names, MissingPolicy.ERROR)
        for part in read_mixed_rows(source, range(columns), MissingPolicy.ERROR):
            levels.add(part)
        found = levels.settle().make_coding(10, "depth")
        return found, [
            found.encode(part)
            for part in read_mixed_rows(source, range(columns), MissingPolicy.ERROR)
        ]

    edges = learn()[0].edges
    (ours, _), (bare, _), (learnt, _) = in_turn(
        lambda: tamis.select(X, 20, method=name, y=y, options=options),
        lambda: _binned(source, columns, edges),
        learn,
        rounds=3,
        clock=time.process_time,
    )
    assert np.isfinite(ours)
    return {"ratio": ours / bare, "learnt": ours / learnt}


def file(rows: int, columns: int) -> dict[str, float]:
    """Time a filter on a file, and give the largest memory."""
    import tempfile
    from pathlib import Path

    import numpy as np

    import tamis
    from tamis.sources.open import open_source

    with tempfile.TemporaryDirectory(prefix="tamis-bench-") as folder:
        path = Path(folder) / "table.parquet"
        write_table(path, rows, columns)
        before = peak()
        y = np.arange(rows) % _CLASSES
        tamis.select(path, 20, method="chi2", y=y)
        largest = peak()
        edges = [np.linspace(-1.3, 1.3, 9)] * columns
        source = open_source(path)
        (ours, _), (bare, _) = in_turn(
            lambda: tamis.select(path, 20, method="chi2", y=y),
            lambda: _binned(source, columns, edges),
            rounds=2,
            clock=time.process_time,
        )
    table = 8e-6 * rows * columns
    return {"ratio": ours / bare, "peak": largest, "before": before, "table": table}


def _binned(source: Any, columns: int, edges: Any) -> None:
    """Read the table once and give every value its bin, by NumPy's search in known edges."""
    import numpy as np

    from tamis.memory import batch_rows

    step = batch_rows(columns)
    for batch in source.batches(range(columns)):
        for start in range(0, len(batch), step):
            part = batch[start : start + step]
            codes = np.empty(part.shape, dtype=np.uint8, order="F")
            for j, inner in enumerate(edges):
                codes[:, j] = np.searchsorted(inner, part[:, j])


def _labelled(rows: int, columns: int) -> Any:
    import numpy as np

    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns))
    y = rng.integers(0, _CLASSES, rows)
    X[:, :20] += 0.5 * y[:, None]
    return X, y


def _jobs() -> list[tuple[str, dict[str, Any]]]:
    names = [m.id for m in registry.methods("selection") if m.needs == "class counts"]
    cut = [("information-gain", {"binning": rule}) for rule in ("mdl", "chimerge")]
    return [*((name, {}) for name in names), *cut]
