"""What Cui and Dy say of their error curves, and whether ours bear it out."""

import statistics
from collections.abc import Mapping, Sequence

from tamis_papers.laboratory.protocol import Claim, Results, Verdict
from tamis_papers.protocols.cui_dy_curves import METHODS, TABLES, curves_of

__all__ = ["figure_1_claims"]

_Known = Mapping[str, Sequence[float]]
_SAME = 1.06  # of the error of sfs, on average
_WHERE = "Section 3, Figure 1"
_BELOW = ("jolliffe-i", "jolliffe-ni", "spca", "pfa")


def figure_1_claims(results: Results) -> list[Claim]:
    """Judge each claim over all tables that were run with all six methods."""
    every = {table: curves_of(results, table) for table in TABLES}
    known = {table: curves for table, curves in every.items() if len(curves) == len(METHODS)}
    judges = {
        "Our method in black line achieves the same small SSE as SFS.": _as_small,
        "the SSE achieved by our PFS is consistently smaller than J_i, J_ni, SPCA, PFA for any "
        "number of retained features and for all datasets": _always_below,
        "PFS was consistently closer to the optimum criterion value for PCA compared to the "
        "loading-based approaches (on average over the number of columns)": _below_on_average,
        "orthogonal feature selection leads to better performance compared to without "
        "orthogonalization": _orthogonal,
    }
    claims = []
    for text, judge in judges.items():
        verdict: Verdict = "cannot be judged"
        reason = "No table was run with all six methods."
        if known:
            verdict, reason = judge(known)
        claims.append(Claim(text, _WHERE, verdict, reason))
    return [*claims, _speed()]


def _as_small(known: Mapping[str, _Known]) -> tuple[Verdict, str]:
    of_means = {t: _mean(c["pfs"]) / _mean(c["sfs"]) for t, c in known.items()}
    by_size = {
        t: _mean([a / b for a, b in zip(c["pfs"], c["sfs"], strict=True)]) for t, c in known.items()
    }
    said = ", ".join(f"{t} {of_means[t] - 1:+.1%} ({by_size[t] - 1:+.1%})" for t in known)
    reason = (
        f"Average error of pfs against sfs, in brackets the average of the quotients: {said}. "
        f"Up to {_SAME - 1:.0%} counts as the same."
    )
    return ("holds" if max(of_means.values()) <= _SAME else "does not hold"), reason


def _always_below(known: Mapping[str, _Known]) -> tuple[Verdict, str]:
    worse = {}
    for table, curves in known.items():
        for method in _BELOW:
            pairs = zip(curves["pfs"], curves[method], strict=True)
            sizes = [k for k, (ours, other) in enumerate(pairs, 1) if ours > other * (1 + 1e-9)]
            if sizes:
                worse[f"{method} on {table}"] = sizes
    if not worse:
        return "holds", "At no number of columns on any table is another of the four smaller."
    said = "; ".join(
        f"{name} at {len(sizes)} sizes ({sizes[0]} to {sizes[-1]})" for name, sizes in worse.items()
    )
    return "does not hold", f"Smaller errors than pfs: {said}."


def _below_on_average(known: Mapping[str, _Known]) -> tuple[Verdict, str]:
    gaps = {
        (method, table): _mean(curves[method]) / _mean(curves["pfs"]) - 1
        for table, curves in known.items()
        for method in _BELOW
    }
    least = min(gaps, key=lambda pair: gaps[pair])
    reason = (
        f"Average errors are {gaps[least]:+.1%} ({least[0]} on {least[1]}) to "
        f"{max(gaps.values()):+.1%} above those of pfs."
    )
    return ("holds" if gaps[least] > 0 else "does not hold"), reason


def _orthogonal(known: Mapping[str, _Known]) -> tuple[Verdict, str]:
    gaps = {t: _mean(c["jolliffe-i"]) / _mean(c["pfs"]) - 1 for t, c in known.items()}
    said = ", ".join(f"{table} {gap:+.1%}" for table, gap in gaps.items())
    reason = f"Average error of jolliffe-i, the same without orthogonalization: {said}."
    return ("holds" if min(gaps.values()) > 0 else "does not hold"), reason


def _speed() -> Claim:
    return Claim(
        "PFS is much faster than SFS as shown in Table 1",
        "Section 3, Table 1",
        "cannot be judged",
        "Orders of growth are printed, no times. The max(N, q) q d^3 of SFS is for fitting every "
        "candidate anew. With the residual kept up to date a step of sfs costs one product with "
        "the d x d matrix and finds the same columns; a step of pfs costs one for each of its K "
        "power iterations.",
    )


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values)
