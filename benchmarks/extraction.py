"""`pca` beside scikit-learn's solvers, and the memory of every extraction method on satellite."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.jobs import in_child, in_turn, peak
from benchmarks.plan import SHARED, Target
from tamis import registry

_K = 10
_SOLVERS = ("covariance_eigh", "randomized", "arpack", "full")


def lines(quick: bool) -> Iterator[list[str]]:
    """Measure and compare, a line at a time."""
    yield ["", "figure", "target", "about"]
    rows = 20_000 if quick else 200_000
    for threads, held in ((None, "all threads"), (1, "one thread")):
        found = in_child(__name__, "components", rows, threads=threads)
        about = f"{rows:,} x 200, k = {_K}, {held}; fastest is {found['fastest']}"
        verdict = Target("<=", 1).judge(found["ratio"])
        yield ["pca / fastest of scikit-learn", f"{found['ratio']:.2f}", verdict, about]
    if not (SHARED / "satellite.npz").exists():
        yield ["satellite", "", "", "not run: the data folder ../shared/data is not here"]
        return
    for place, method in enumerate(registry.methods("extraction")):
        found = in_child(__name__, "satellite", place, 5 if quick else 1, threads=1)
        verdict = Target("<", 500).judge(found["peak"]) if method.id == "gdfe" else ""
        about = f"satellite, k = 5, {found['seconds']:.2f} s; {found['note']}"
        yield [f"{method.id}, MB", f"{found['peak']:.0f}", verdict, about]


def components(rows: int) -> dict[str, Any]:
    """Let tamis and the solvers take turns; those far behind take part once."""
    import numpy as np
    from sklearn.decomposition import PCA

    from tamis.algorithms.extraction.pca import principal_components
    from tamis.sources.open import open_source
    from tamis.statistics.linear import collect_gram

    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, 20)) @ rng.standard_normal((20, 200)) + rng.standard_normal(200)
    X += rng.standard_normal((rows, 200))

    def ours() -> Any:
        return principal_components(collect_gram(open_source(X), range(200), scale=False), _K)

    def theirs(solver: str) -> Callable[[], Any]:
        return lambda: PCA(_K, svd_solver=solver, random_state=0).fit(X)

    once = in_turn(*map(theirs, _SOLVERS), rounds=1)
    fastest = _SOLVERS[int(np.argmin([seconds for seconds, _ in once]))]
    (mine, found), (best, fitted) = in_turn(ours, theirs(fastest), rounds=7)
    assert np.abs(found.shares - fitted.explained_variance_ratio_).max() < 1e-6
    return {"ratio": mine / best, "fastest": fastest}


def satellite(place: int, every: int) -> dict[str, Any]:
    """Run one method on satellite; its memory counts from the start of the process."""
    import numpy as np

    import tamis

    with np.load(SHARED / "satellite.npz", allow_pickle=False) as archive:
        X, y = archive["X"].astype(float)[::every], archive["y"][::every]
    method = registry.methods("extraction")[place]
    start = time.perf_counter()
    found = tamis.extract(X, 5, method=method.id, y=y)
    return {"seconds": time.perf_counter() - start, "peak": peak(), "note": found.note}
