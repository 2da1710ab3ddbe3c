"""What Yen, Chen and Lin claim of their curves, and whether ours bear it out.

A claim is judged once, over the tables that it speaks of. Where a table has more columns than
training rows, all but a hundredth of the removals are exact dependencies, among which the methods
define no order: such a table is shown and decides nothing. Nor does one refute a claim that the
printed figures themselves do not bear out on it.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from tamis_papers.laboratory.protocol import Claim, Results, Verdict
from tamis_papers.protocols.yen_curves import (
    BESIDE,
    FIGURES,
    METHODS,
    PRINTED,
    RANDOM,
    RUN_ON,
    Curves,
    curves_of,
)
from tamis_papers.protocols.yen_methods import (
    CLUSTERING,
    UPDATING,
    VARIABLES,
    WITHOUT,
    mean_and_spread,
)

__all__ = ["table_4_claims", "table_4_limits"]

_Known = Mapping[str, Curves]
_Vote = tuple[Verdict, str]
_DROP = 0.04  # of the AUC from one share to the next: the largest tolerance of the paper
_LAST_SHARE = 0.95  # of the columns removed: with fewer left any method falls
_UNORDERED = ("arcene",)  # fewer training rows than columns
_WHERE = "Table 4, Figures 5 to 7"


def table_4_claims(results: Results) -> list[Claim]:
    """Judge each claim over the tables where the order of removal is defined."""
    known = {table: curves_of(results, table, paired=True) for table in FIGURES}
    full = {table: found for table, found in known.items() if len(found) == len(METHODS)}
    claims = []
    for text, (judge, print_bears) in _CLAIMS.items():
        tables = _COMPARABLE_ON if text == _COMPARABLE else tuple(FIGURES)
        claims.append(_judge_once(text, tables, full, judge, print_bears))
    return claims


def _judge_once(
    text: str,
    tables: Sequence[str],
    full: Mapping[str, _Known],
    judge: Callable[[_Known], _Vote],
    print_bears: Callable[[str], bool] | None,
) -> Claim:
    """Let the tables vote, and say of each that cannot why."""
    votes, said = list[Verdict](), []
    denied = [] if print_bears is None else [t for t in tables if not print_bears(t)]
    for table in tables:
        if table not in full:
            said.append(f"{table} was not run with all four methods.")
            continue
        verdict, reason = judge(full[table])
        if table in _UNORDERED:
            said.append(f"{table}: {reason} {_NO_ORDER}")
            continue
        said.append(f"{table}: {reason}")
        if verdict != "does not hold" or table not in denied:
            votes.append(verdict)
    if denied:
        said.append(f"The printed Table 4 itself does not have it on {', '.join(denied)}.")
    return Claim(text, _WHERE, _count_votes(votes), " ".join(said))


def _count_votes(votes: Sequence[Verdict]) -> Verdict:
    """Let most of the tables decide, of those that do."""
    yes, no = votes.count("holds"), votes.count("does not hold")
    if yes + no == 0:
        return "cannot be judged"
    return "holds" if yes > no else "does not hold"


_NO_ORDER = (
    "Not counted: 99% of the removals are exact dependencies, for which the method defines no "
    "order."
)


def _averages(rows: list[list[float]]) -> list[float]:
    """Average over the tolerances, for each fold seed."""
    return [mean_and_spread(row)[0] for row in rows]


def _lead(name: str, values: Mapping[str, list[float]], what: str, sign: int) -> _Vote:
    """Judge whether one is ahead of the best other by more than the folds vary it.

    `sign` is 1 where the larger value is ahead and -1 where the smaller one is.
    """
    others = [method for method in values if method != name]
    best = max(others, key=lambda method: sign * mean_and_spread(values[method])[0])
    pairs = zip(values[name], values[best], strict=True)
    lead, noise = mean_and_spread([sign * (one - other) for one, other in pairs])
    sides = (
        f"{what} {mean_and_spread(values[name])[0]:.4g} for {name} and "
        f"{mean_and_spread(values[best])[0]:.4g} for {best}, the first of the others"
    )
    if noise is None:
        return "cannot be judged", f"{sides}; one draw of folds does not separate it from chance."
    inside = f"their difference varies by {noise:.2g} from one draw of folds to the next"
    if abs(lead) <= noise:
        return "cannot be judged", f"{sides}; {inside}, so it may be chance."
    return ("holds" if lead > 0 else "does not hold"), f"{sides}; {inside}."


def _most_removed(known: _Known) -> _Vote:
    return _lead(UPDATING, _pfr(known), "average PFR in percent", 1)


def _least_changed(known: _Known) -> _Vote:
    return _lead(UPDATING, {m: _averages(known[m].aca) for m in METHODS}, "average ACA", -1)


def _falls_first(known: _Known) -> _Vote:
    return _lead(CLUSTERING, _pfr(known), "average PFR in percent", -1)


def _comparable(known: _Known) -> _Vote:
    pfr = _pfr(known)
    gap = mean_and_spread(pfr[WITHOUT])[0] - mean_and_spread(pfr[VARIABLES])[0]
    noise = mean_and_spread(pfr[VARIABLES])[1] or 0.0
    reason = (
        f"average PFR {mean_and_spread(pfr[WITHOUT])[0]:.0f}% without updating, "
        f"{mean_and_spread(pfr[VARIABLES])[0]:.0f}% for principal variables, whose deviation is "
        f"{noise:.0f} points."
    )
    return ("holds" if gap >= -noise else "does not hold"), reason


def _smooth(known: _Known) -> _Vote:
    """Compare the steepest falls of the mean curves: the paper says "unlike clustering"."""
    falls = {method: _find_steepest(known[method]) for method in (WITHOUT, CLUSTERING)}
    said = " and ".join(
        f"{fall:.3f} for {method} (from {start:.0%} to {end:.0%} removed)"
        for method, (fall, start, end) in falls.items()
    )
    reason = f"up to {_LAST_SHARE:.0%} removed the steepest step loses {said}."
    small = falls[WITHOUT][0] <= min(_DROP, falls[CLUSTERING][0])
    return ("holds" if small else "does not hold"), reason


def _find_steepest(curves: Curves) -> tuple[float, float, float]:
    """Give the largest fall of the mean curve from one share to the next, and both shares."""
    means = [mean_and_spread(values)[0] for values in zip(*curves.auc, strict=True)]
    points = zip(curves.removed, means, strict=True)
    steps = pairwise(point for point in points if point[0] <= _LAST_SHARE)
    return max((a - b, start, end) for (start, a), (end, b) in steps)


def _pfr(known: _Known) -> dict[str, list[float]]:
    return {method: _averages(known[method].pfr) for method in METHODS}


def _printed_average(table: str, place: int) -> dict[str, float]:
    """Give the printed average of PFR (place 0) or ACA (place 1) of every method."""
    return {method: mean_and_spread(PRINTED[table][method][place])[0] for method in METHODS}


def _prints_most_removed(table: str) -> bool:
    printed = _printed_average(table, 0)
    return max(printed, key=lambda method: printed[method]) == UPDATING


def _prints_least_changed(table: str) -> bool:
    printed = _printed_average(table, 1)
    return min(printed, key=lambda method: printed[method]) == UPDATING


def _prints_first_fall(table: str) -> bool:
    printed = _printed_average(table, 0)
    return min(printed, key=lambda method: printed[method]) == CLUSTERING


_COMPARABLE = (
    "our method without updating can still attain comparable or even better results than PCA-based "
    "method in Arcene and Giestte datasets"
)
_COMPARABLE_ON = ("arcene", "gisette")
# Each with what judges it on a table, and whether the printed Table 4 bears it out there.
_CLAIMS: dict[str, tuple[Callable[[_Known], _Vote], Callable[[str], bool] | None]] = {
    "the percentage of features removed given same performance change for our method is generally "
    "larger than those of the other methods": (_most_removed, _prints_most_removed),
    "the average change of area is small for most of the cases": (
        _least_changed,
        _prints_least_changed,
    ),
    "the green curve for clustering-based method falls much earlier than the other methods": (
        _falls_first,
        _prints_first_fall,
    ),
    "Unlike clustering-based method, the performance of our method without updating even changes "
    "smoothly without any huge drops": (_smooth, None),
    _COMPARABLE: (_comparable, None),
}


def table_4_limits(results: Results) -> list[str]:
    """Say what does not come out, and the most likely reason."""
    said = [
        "PFR depends on the draw of the folds by about ten points, and the paper prints one draw: "
        "single cells of Arrhythmia can differ for this reason alone.",
        "The curves of Figures 5 to 7 are printed as pictures only: there are no points to draw "
        "ours over; PFR is compared instead.",
    ]
    arcene = curves_of(results, "arcene", methods=(*METHODS, *BESIDE))
    return said + _explain_arcene(arcene) if arcene else said


def _explain_arcene(known: _Known) -> list[str]:
    """Say what decides on Arcene, with the two rows that show it."""
    rows = {
        name: " ".join(
            f"{mean_and_spread(column)[0]:.0f}" for column in zip(*curves.pfr, strict=True)
        )
        for name, curves in known.items()
    }
    printed = {m: " ".join(map(str, PRINTED["arcene"][m][0])) for m in (UPDATING, VARIABLES)}
    said = [
        "On Arcene 100 training rows of 10,000 columns leave some 9,900 exact dependencies. Which "
        "columns they remove is decided by the basis that the paper's solver returned; ours "
        "removes the smallest leverage, which needs no basis, and we keep that rule. Principal "
        "variables finds at most 99 columns; the others follow in input order.",
    ]
    if RANDOM in rows:
        said.append(
            f"On Arcene a random order has the PFR {rows[RANDOM]}, where {printed[UPDATING]} is "
            "printed for the method with updating: as it is printed it removes as chance does."
        )
    if RUN_ON in rows:
        said.append(
            "On Arcene principal variables, run on in the rounding errors of what the first 99 "
            f"columns leave, has the PFR {rows[RUN_ON]}, where {printed[VARIABLES]} is printed. "
            "Another processor rounds differently."
        )
    return said
