"""One job in a process of its own: make a table, or measure one subject on it.

Peak memory is the growth of the process's high-water mark (`ru_maxrss`) over a mark taken once the
table is loaded and a tenth of it has run, so neither the data nor imports nor the buffers of BLAS
count. tracemalloc would miss what compiled code allocates and slow what it watches. A mark never
falls, hence one process for each figure. A new process starts with the mark of its parent, so the
parent must stay small: it loads no NumPy, and tables come from files.
"""

import json
import resource
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import subjects, tables
from tamis.evaluation.measure import bound_by_components, relate_to_kept
from tamis.sources.open import open_source
from tamis.statistics.linear import collect_gram

_SECONDS = 40.0


def make(maker: str, settings: dict[str, Any], k: int, stem: str) -> dict[str, Any]:
    """Write the table and give its path, its shape and the share that no set can exceed."""
    X = tables.MAKERS[maker](**settings)
    path = tables.save(X, Path(stem))
    summary = _summary(X)
    bound = float(bound_by_components(summary.gram, k)[-1])
    return {"path": str(path), "shape": X.shape, "bound": bound}


def measure(path: str, k: int, subject: str, reference: str, rounds: int) -> dict[str, Any]:
    """Run the subject once for its memory and its answer, then in turn with the reference."""
    X = tables.load(Path(path))
    run, compare = subjects.find(subject), subjects.find(reference)
    n, d = X.shape
    part = X[: n // 10, : d // 10]
    run(part, 3), compare(part, 3)
    before = _peak()
    first, kept = _timed(run, X, k)
    extra = _peak() - before
    times, reference_times = [first], [_timed(compare, X, k)[0] for _ in range(2)]
    for _ in range(rounds - 1):
        if sum(times) + sum(reference_times) > _SECONDS:
            break
        times.append(_timed(run, X, k)[0])
        reference_times.append(_timed(compare, X, k)[0])
    return {
        "ratio": min(times) / min(reference_times),
        "noise": max(reference_times) / min(reference_times),
        "bytes": extra,
        "share": _share(X, kept),
        "kept": len(kept),
    }


def _timed(run: subjects.Subject, X: Any, k: int) -> tuple[float, Any]:
    start = time.perf_counter()
    kept = run(X, k)
    return time.perf_counter() - start, kept


def _peak() -> int:
    mark = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return mark if sys.platform == "darwin" else mark * 1024


def _summary(X: Any) -> Any:
    return collect_gram(open_source(X), range(X.shape[1]), scale=True)


def _share(X: Any, kept: Any) -> float:
    """Give the share of the standardised columns that the kept ones reproduce."""
    summary = _summary(X)
    places = np.searchsorted(summary.varying, np.asarray(kept))
    return float(relate_to_kept(summary.gram, places).shares[-1].mean())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    job = json.loads(sys.argv[1])
    answer = {"make": make, "measure": measure}[job.pop("do")](**job)
    print(json.dumps(answer))
