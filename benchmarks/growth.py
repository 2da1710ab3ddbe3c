"""How the cost of a full backward path grows with the number of columns."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

_SIZES = (500, 1000, 2000, 4000)
_CODE = """
import json, sys, time
import tamis
from benchmarks.tables import factors
method, sizes = sys.argv[1], json.loads(sys.argv[2])
tamis.select(factors(200, 100), k=10, method=method)
for d in sizes:
    X, times = factors(int(1.4 * d), d), []
    for _ in range(3):
        start = time.perf_counter()
        tamis.select(X, k=10, method=method)
        times.append(time.perf_counter() - start)
    print(min(times))
"""


def lines(quick: bool) -> list[list[str]]:
    """Time each size in one process and fit the exponent; figures are relative to the first."""
    sizes = _SIZES[:3] if quick else _SIZES
    rows = [["", *(f"d = {d:,}" for d in sizes), "exponent"]]
    for method in ("ufs", "vif"):
        command = [sys.executable, "-c", _CODE, method, json.dumps(sizes)]
        root = Path(__file__).resolve().parents[1]
        alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # small tables wake threads for nothing
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=root, env=alone
        )
        times = [float(line) for line in done.stdout.split()]
        cells = [f"{t / times[0]:.1f}" for t in times]
        rows.append([method, *cells, f"{_slope(sizes, times):.2f}"])
    return rows


def _slope(sizes: tuple[int, ...], times: list[float]) -> float:
    """Fit a straight line through the logarithms."""
    x, y = [math.log(d) for d in sizes], [math.log(t) for t in times]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    across = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return across / sum((a - mx) ** 2 for a in x)
