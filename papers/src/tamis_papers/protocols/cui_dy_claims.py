"""What Cui and Dy say of their error curves, and whether ours bear it out."""

import statistics
from collections.abc import Mapping, Sequence

from tamis_papers.laboratory.protocol import Claim, Results, Verdict
from tamis_papers.protocols.cui_dy_curves import METHODS, TABLES, curves_of

__all__ = ["figure_1_claims"]

_Known = Mapping[str, Sequence[float]]
_SAME = 1.05  # of the error of sfs, on average: what counts as close in all the papers here
_OWN = "faces"  # the one of the paper's tables that is to be had; the others stand in for two
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
    return claims


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
    """Judge by the paper's own table; the stand-ins for its others are reported."""
    worse: dict[str, dict[str, list[int]]] = {table: {} for table in known}
    for table, curves in known.items():
        for method in _BELOW:
            pairs = zip(curves["pfs"], curves[method], strict=True)
            sizes = [k for k, (ours, other) in enumerate(pairs, 1) if ours > other * (1 + 1e-9)]
            if sizes:
                worse[table][method] = sizes
    if _OWN not in known:
        return "cannot be judged", f"{_OWN}, the paper's own table, was not run with all methods."
    said = "; ".join(
        f"{method} on {table} at {len(sizes)} of {len(known[table]['pfs'])} sizes"
        for table, found in worse.items()
        for method, sizes in found.items()
    )
    if worse[_OWN]:
        return "does not hold", f"Smaller errors than pfs: {said}."
    own = f"On {_OWN}, the paper's own table, no error is smaller than that of pfs at any size."
    rest = f"On tables that stand in for its others smaller errors: {said or 'none'}."
    return "holds", f"{own} {rest}"


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


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values)
