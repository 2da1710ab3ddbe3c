"""What Peluffo et al. say about their tables, judged by ours.

K-means starts at random, so two methods differ on a table when their means do by more than two
standard errors over the runs and more than the rounding of the print, 0.005.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt

from tamis_papers.laboratory.protocol import Claim, Results, Verdict
from tamis_papers.protocols.peluffo_methods import FEW
from tamis_papers.protocols.peluffo_printed import (
    EXTRACTION,
    METHODS,
    SELECTION,
    TABLES,
    key_of,
    printed,
)

COMPARABLE = 0.05
_ROUNDING = 0.005
_SECTION = "Section 4"


@dataclass(frozen=True)
class MethodContest:
    """On which tables the first of two methods is better, equal or worse, by our figures."""

    better: tuple[str, ...]
    equal: tuple[str, ...]
    worse: tuple[str, ...]
    close: tuple[str, ...]

    @property
    def tables(self) -> int:
        """On how many tables both were run."""
        return len(self.better) + len(self.equal) + len(self.worse)

    def __str__(self) -> str:
        return (
            f"better on {_join(self.better)}, equal on {_join(self.equal)} and worse on "
            f"{_join(self.worse)}"
        )


def compare_methods(results: Results, first: str, second: str) -> MethodContest:
    """Compare two methods on every table where both were run."""
    found: dict[str, list[str]] = {"better": [], "equal": [], "worse": [], "close": []}
    for table in TABLES:
        one, other = (results.get(key_of(table, method)) for method in (first, second))
        if one is None or other is None:
            continue
        difference = one["mean"] - other["mean"]
        error = hypot(one["std"] / sqrt(one["runs"]), other["std"] / sqrt(other["runs"]))
        if abs(difference) <= max(2.0 * error, _ROUNDING):
            found["equal"].append(table)
        else:
            found["better" if difference > 0 else "worse"].append(table)
        if abs(difference) <= COMPARABLE:
            found["close"].append(table)
    return MethodContest(**{name: tuple(tables) for name, tables in found.items()})


def claims_of_selection(results: Results) -> list[Claim]:
    """Judge what is said about selected columns."""
    return [
        _relpca_beats_pca(results),
        _comparable(
            results, "relPCA shows comparable results with Q-alpha.", [("relpca", "q-alpha")]
        ),
        _approximation(results),
        _separable(results),
    ]


def claims_of_extraction(results: Results) -> list[Claim]:
    """Judge what is said about extracted components, and about all methods together."""
    return [
        _gdfe_wins(results),
        _improves(results),
        _selection_wins(results),
        _comparable(
            results,
            "Proposed methods reach comparable results with respect to literature methods.",
            [("relpca", "q-alpha"), ("gdfe", "pca"), ("wpca-relpca", "wpca-q-alpha")],
            "Abstract",
        ),
    ]


def _relpca_beats_pca(results: Results) -> Claim:
    found = compare_methods(results, "relpca", "pca")
    theirs = [(cells["relpca"].mean, cells["pca"].mean) for cells in printed().values()]
    up, down = sum(a > b for a, b in theirs), sum(a < b for a, b in theirs)
    reason = (
        f"In our runs relPCA is {found}. The printed figures have it above PCA on {up} tables and "
        f"below on {down}."
    )
    holds = len(found.better) > found.tables / 2
    return _claim("relPCA outperforms conventional PCA.", found.tables, holds, reason)


def _comparable(
    results: Results, text: str, pairs: Sequence[tuple[str, str]], where: str = _SECTION
) -> Claim:
    """Judge "comparable": within 0.05 on at least three quarters of the tables, for every pair."""
    found = [compare_methods(results, *pair) for pair in pairs]
    parts = [
        f"{one} and {other} differ by at most {COMPARABLE} on {len(c.close)} of {c.tables} tables"
        for (one, other), c in zip(pairs, found, strict=True)
    ]
    holds = all(len(c.close) >= 0.75 * c.tables for c in found)
    reason = f"{'; '.join(parts)} (three quarters are needed)."
    return _claim(text, min(c.tables for c in found), holds, reason, where)


def _approximation(results: Results) -> Claim:
    found = compare_methods(results, "q-alpha-approx", FEW)
    reason = (
        f"Beside Q-alpha iterated with fewer directions than columns the approximation is {found}"
        f"{_list_losses(results, found.worse)}. With as many, the reading that gives the printed "
        "p, both have the same weights, so that nothing could be seen."
    )
    text = (
        "The calculation of alpha can be reduced to one iteration with no significant decrease of "
        "accuracy."
    )
    return _claim(text, found.tables, not found.worse, reason, "Section 3.2")


def _list_losses(results: Results, tables: Sequence[str]) -> str:
    """Give the NMI that the approximation loses on these tables."""
    losses = (
        results[key_of(table, FEW)]["mean"] - results[key_of(table, "q-alpha-approx")]["mean"]
        for table in tables
    )
    listed = ", ".join(f"{loss:.2f}" for loss in losses)
    return f" (by {listed})" if listed else ""


def _separable(results: Results) -> Claim:
    raw = {
        table: results[key_of(table, "raw")]["mean"]
        for table in TABLES
        if key_of(table, "raw") in results
    }
    order = sorted(raw, key=lambda table: -raw[table])
    named = [table for table in ("iris", "twonorm") if table in raw]
    places = {table: order.index(table) + 1 for table in named}
    holds = all(place <= len(order) / 2 for place in places.values())
    listed = ", ".join(f"{table} is number {place}" for table, place in places.items())
    reason = (
        f"By the NMI of all columns {listed} of {len(order)} tables. How separable the classes are "
        "was not measured, in the paper or here."
    )
    text = "Data with linearly separable classes reach higher NMI, for instance Iris and Twonorm."
    return _claim(text, len(raw) if len(named) == 2 else 0, holds, reason)


def _gdfe_wins(results: Results) -> Claim:
    others = [method for method in METHODS if method not in ("raw", "gdfe")]
    found = {other: compare_methods(results, "gdfe", other) for other in others}
    raw = compare_methods(results, "gdfe", "raw")
    wins = sum(len(c.better) > c.tables / 2 for c in found.values())
    holds = wins == len(others) and not raw.worse
    judged = min(raw.tables, *(c.tables for c in found.values()))
    reason = (
        f"GDFE is better on most tables than {wins} of {len(others)} methods. Against PCA it is "
        f"{found['pca']}; against all columns {raw}. With the narrow kernel that the printed p "
        "needs it nearly is PCA."
    )
    text = (
        "GDFE outperforms the remaining methods, with better performance than all columns, or at "
        "least the same, in few dimensions."
    )
    return _claim(text, judged, holds, reason)


def _improves(results: Results) -> Claim:
    """List the tables where a selection, and where an extraction, is better than all columns."""
    found = {method: compare_methods(results, method, "raw") for method in METHODS[1:]}
    wins = {
        kind: tuple(t for t in TABLES if any(t in found[m].better for m in methods))
        for kind, methods in (("selection", SELECTION[1:]), ("extraction", EXTRACTION))
    }
    tables = found["pca"].tables
    best = max(found, key=lambda method: len(found[method].better))
    reason = (
        f"Better than all columns on {_join(wins['selection'])} by a selection and on "
        f"{_join(wins['extraction'])} by an extraction, of {tables} tables. No method does so in "
        f"general: the most successful, {best}, is {found[best]}."
    )
    text = "Either extracting or selecting features is able to improve the clustering performance."
    return _claim(text, tables, all(wins.values()), reason)


def _selection_wins(results: Results) -> Claim:
    selections = ("relpca", "q-alpha")
    others = ("raw", "pca", "wpca-relpca", "gdfe", "wpca-q-alpha", "wpca-q-alpha-approx")
    tables = min(
        compare_methods(results, one, other).tables for one in selections for other in others
    )
    wins = []
    for one in selections:
        ahead = set.intersection(*(set(compare_methods(results, one, o).better) for o in others))
        wins += [f"{one} on {table}" for table in TABLES if table in ahead]
    reason = (
        f"Better than all columns and every extraction: {', '.join(wins) or 'none'}. How complex "
        "the data are is not defined."
    )
    text = "Feature selection may outperform other procedures when more complex data are analysed."
    return _claim(text, tables, bool(wins), reason)


def limits_of(methods: Sequence[str], results: Results) -> list[str]:
    """Name the cells that do not come out, and the most likely reasons."""
    far, sizes = [], []
    for table, cells in printed().items():
        for method in methods:
            ours = results.get(key_of(table, method))
            if ours is None:
                continue
            if abs(ours["mean"] - cells[method].mean) > COMPARABLE + 1e-9:
                far.append(
                    f"{method} on {table} ({ours['mean']:.2f}, printed {cells[method].mean})"
                )
            if ours["p"] != cells[method].p:
                sizes.append(f"{method} on {table} ({ours['p']}, printed {cells[method].p})")
    said = [_UNEXPLAINED[part] for part in _UNEXPLAINED if part in methods]
    if far:
        said.insert(0, f"NMI further away than {COMPARABLE}: {'; '.join(far)}.")
    if sizes:
        said.insert(0, f"Another p: {'; '.join(sizes)}.")
    return said


_UNEXPLAINED = {
    "q-alpha": "No single column of iris gives the 0.57 that is printed for Q-alpha; on malaysia "
    "the seventh does (0.57), while our weights are largest for another. Its columns were probably "
    "chosen by other weights than those that give the printed p of WPCA.",
    "relpca": "The p = 4 of relPCA on malaysia is not explained: one column has more than 95% of "
    "the relevance, where the rule keeps all 8.",
    "gdfe": "The gains of GDFE over PCA have no source: the printed p needs a kernel so narrow "
    "that GDFE is PCA but for duplicate rows. Its 0.87 on twonorm is above Bayes' rule on these "
    "rows (0.846) and above a linear discriminant fitted to all of them (0.853).",
    "wpca-relpca": "WPCA has the printed p on all tables, but mostly a lower NMI. Weights applied "
    "twice, as the text has it at another place, or not at all in the projection do not give the "
    "printed NMI either; the most likely reason is weights of another scale.",
}


def _join(tables: Sequence[str]) -> str:
    return ", ".join(tables) or "none"


def _claim(text: str, tables: int, holds: bool, reason: str, where: str = _SECTION) -> Claim:
    if not tables:
        return Claim(text, where, "cannot be judged", "Its tables are missing or were not run.")
    verdict: Verdict = "holds" if holds else "does not hold"
    return Claim(text, where, verdict, reason)
