"""The relevance methods, from the table to the ranking, against one X'X."""

from collections.abc import Iterator

from benchmarks.jobs import in_child, in_turn
from benchmarks.plan import Target
from tamis import registry

_TARGETS = {"q-alpha-approx": Target("<=", 1.3)}


def lines(quick: bool) -> Iterator[list[str]]:
    """Measure each method in turn with the product, a line at a time."""
    yield ["", "figure", "target", "about"]
    shape = (4000, 600) if quick else (20_000, 2000)
    for place, method in enumerate(_relevance()):
        found = in_child(__name__, "ranking", place, *shape)
        target = _TARGETS.get(method.id)
        verdict = target.judge(found["ratio"]) if target else ""
        about = f"{shape[0]:,} x {shape[1]:,}, keeps {found['kept']}, {found['share']:.3f}"
        yield [f"{method.id} / X'X", f"{found['ratio']:.2f}", verdict, about]


def ranking(place: int, rows: int, columns: int) -> dict[str, float]:
    """Time the whole way of one method."""
    from benchmarks.tables import factors
    from tamis.sources.arrays import ArraySource
    from tamis.statistics.linear import collect_gram

    X = factors(rows, columns)
    kernel = _relevance()[place].load_kernel()

    def rank() -> object:
        gram = collect_gram(ArraySource(X), range(columns), scale=True).gram
        return kernel(gram, columns, threshold=0.95)

    (ours, path), (theirs, _) = in_turn(rank, lambda: X.T @ X, rounds=6)
    return {"ratio": ours / theirs, "kept": len(path.kept), "share": path.share}


def _relevance() -> list[registry.Method]:
    family = ("relpca", "relpca-first", "q-alpha", "q-alpha-approx")
    return [registry.get(name) for name in family]
