"""What the VIMICA / RSPFS note says and shows about its tables, judged by ours.

The note draws few conclusions; where a claim is read off a figure it says so. Neighbours are found
without chance; for clusters a difference counts beyond two standard errors over the seeds.
"""

from collections.abc import Callable, Mapping, Sequence
from math import hypot, sqrt
from statistics import fmean, pstdev

import tamis
from tamis_papers.laboratory.protocol import Claim, Results
from tamis_papers.protocols.preservation_printed import (
    JACCARD,
    METHODS,
    NEIGHBOURS,
    printed_jaccard,
)

OWN = ("rspfs", "naive-rspfs", "naive-fs", "greedy-fs")
_OTHERS = ("mcfs", "laplacian", "fsfs")
_LEAST = 0.005

Averages = Mapping[tuple[str, str], float]
"""By table and method."""


def mean_jaccard(results: Results, tables: Sequence[str]) -> dict[tuple[str, str, int], float]:
    """Average over the numbers of columns, by table, method and number of neighbours."""
    return {
        (table, method, k): fmean(results[f"{table}-{method}"]["jaccard"][str(k)])
        for table in tables
        for method in METHODS
        if "jaccard" in results.get(f"{table}-{method}", {})
        for k in NEIGHBOURS
    }


def mean_rand(
    results: Results, tables: Sequence[str]
) -> dict[tuple[str, str], tuple[float, float, int]]:
    """Average over the numbers of columns: mean, deviation over the seeds, number of seeds."""
    found = {}
    for table in tables:
        for method in METHODS:
            runs = results.get(f"{table}-{method}", {}).get("rand")
            if runs:
                means = [fmean(run) for run in runs]
                found[table, method] = (fmean(means), pstdev(means), len(means))
    return found


def jaccard_claims(tables: Sequence[str], results: Results) -> list[Claim]:
    """Judge what the neighbours show."""
    found = mean_jaccard(results, tables)
    every: Averages = {
        (table, method): fmean(found[table, method, k] for k in NEIGHBOURS)
        for table, method, _ in found
    }
    return [
        _more_often(
            every,
            tables,
            "GreedyFS, which weighs importance by redundancy, keeps more neighbours than NaiveFS.",
            ("greedy-fs", "naive-fs"),
        ),
        _more_often(
            every,
            tables,
            "RSPFS, which adds importance to the tree, keeps more neighbours than NaiveRSPFS.",
            ("rspfs", "naive-rspfs"),
        ),
        _leader(
            every,
            tables,
            "FSFS keeps the fewest neighbours of all methods.",
            lambda scores: min(scores, key=scores.__getitem__) == "fsfs",
            "FSFS is last",
        ),
    ]


def rand_claims(tables: Sequence[str], results: Results) -> list[Claim]:
    """Judge what the clusters show, and the one claim about categorical data."""
    found = mean_rand(results, tables)
    means: Averages = {key: mean for key, (mean, _, _) in found.items()}
    close = [table for table in tables if not _is_settled(found, table)]
    leader = _leader(
        means,
        tables,
        "MCFS or LSFS, not one of the proposed methods, keeps the clusters best on most tables.",
        lambda scores: max(scores, key=scores.__getitem__) in ("mcfs", "laplacian"),
        "MCFS or LSFS is first",
        " FSFS, which cannot be read in the figure, is not counted, nor is a lead within the "
        f"spread over seeds: {', '.join(close) or 'none'}.",
        without=("fsfs",),
        undecided=close,
    )
    return [leader, _categorical()]


def _is_settled(found: Mapping[tuple[str, str], tuple[float, float, int]], table: str) -> bool:
    """Say whether the best method of a table is ahead by more than two standard errors."""
    here = {method: value for (name, method), value in found.items() if name == table}
    ranked = sorted((value for method, value in here.items() if method != "fsfs"), reverse=True)
    if len(ranked) < 2:
        return True
    (one, left, runs), (other, right, _) = ranked[:2]
    return one - other > max(2.0 * hypot(left, right) / sqrt(runs), _LEAST)


def _more_often(means: Averages, tables: Sequence[str], text: str, pair: tuple[str, str]) -> Claim:
    one, other = pair
    both = [t for t in tables if (t, one) in means and (t, other) in means]
    more = [t for t in both if means[t, one] > means[t, other] + _LEAST]
    fewer = [t for t in both if means[t, one] < means[t, other] - _LEAST]
    reason = (
        f"More on {', '.join(more) or 'none'}; fewer on {', '.join(fewer) or 'none'}; of "
        f"{len(both)} tables. Means over 3, 5 and 10 neighbours, differences beyond {_LEAST}. "
        f"{_describe_print(one, other)}"
    )
    return _claim(text, len(both), len(more) > len(both) / 2, reason, "Approach; Figure 11")


def _describe_print(one: str, other: str) -> str:
    """Say on which tables the printed averages have more for one method, and on which fewer.

    >>> _describe_print("mcfs", "mcfs")
    'Figure 11 itself prints more on none and fewer on none (0 tables).'
    """
    gaps = {
        table: fmean(printed[one, k] - printed[other, k] for k in NEIGHBOURS)
        for table in JACCARD
        if (printed := printed_jaccard(table))
    }
    more = [table for table, gap in gaps.items() if gap > _LEAST]
    fewer = [table for table, gap in gaps.items() if gap < -_LEAST]
    return (
        f"Figure 11 itself prints more on {', '.join(more) or 'none'} and fewer on "
        f"{', '.join(fewer) or 'none'} ({len(fewer)} tables)."
    )


def _leader(
    means: Averages,
    tables: Sequence[str],
    text: str,
    leads: Callable[[dict[str, float]], bool],
    what: str,
    more: str = "",
    without: Sequence[str] = (),
    undecided: Sequence[str] = (),
) -> Claim:
    methods = [method for method in METHODS if method not in without]
    full = [t for t in tables if all((t, method) in means for method in methods)]
    decided = [t for t in full if t not in undecided]
    there = [t for t in decided if leads({method: means[t, method] for method in methods})]
    reason = f"{what} on {len(there)} of {len(full)} tables ({', '.join(there) or 'none'}).{more}"
    where = "Figure 10 (read off)" if without else "Figure 11 (read off)"
    return _claim(text, len(full), len(there) > len(full) / 2, reason, where)


def _categorical() -> Claim:
    texts = {method.id for method in tamis.methods("selection") if method.takes_text}
    takes = [method for method in METHODS if method in texts]
    holds = set(OWN) <= set(takes) and not set(_OTHERS) & set(takes)
    reason = (
        f"By their definition: in this library {', '.join(takes)} take text as it is, the others "
        "need numbers. The experiment gives the same codes to all."
    )
    text = "The proposed methods work on categorical data; the existing ones need numbers."
    return _claim(text, 1, holds, reason, "Result of Experiments")


def _claim(text: str, tables: int, holds: bool, reason: str, where: str) -> Claim:
    if not tables:
        return Claim(text, where, "cannot be judged", "Its tables are missing or were not run.")
    return Claim(text, where, "holds" if holds else "does not hold", reason)
