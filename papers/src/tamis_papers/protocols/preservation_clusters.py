"""Two experiments that the VIMICA / RSPFS note names and prints nothing of.

Clusters of the kept columns beside the classes, and the widths of clusters around medoids on all
columns and on the kept ones.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from tamis.evaluation import medoid_widths, pair_agreement
from tamis_papers.laboratory.protocol import Cell, Figure, Protocol, Reading, Results, Table
from tamis_papers.protocols.clustering import cluster_rows
from tamis_papers.protocols.preservation import choose_sets, cut_columns, list_files, stack_rows
from tamis_papers.protocols.preservation_printed import METHODS, PAPER

__all__ = ["CLASSES", "WIDTHS", "compare_with_classes", "measure_widths"]

ALL = "all columns"
_LABELLED = ("sonar", "robot", "spectf", "ionosphere", "kr_vs_kp", "splice", "spambase")
_SHORT = ("sonar", "robot", "spectf", "lrs", "ionosphere")
_MEDOIDS = (2, 3, 4, 5, 6)
_PARTS = {"quarter": 4, "half": 2}
_QUICK, _QUICK_METHODS = ("spectf",), ("greedy-fs", "fsfs")


def compare_with_classes(*tables: Table, method: str) -> Mapping[str, Any]:
    """Give the Rand index of K-means clusters and classes, on all and on the best columns."""
    codes = cut_columns(stack_rows(tables))
    classes = np.concatenate([np.asarray(table.y).astype(str) for table in tables])
    count = len(np.unique(classes))
    sets = choose_sets(codes, method)
    return {
        "all": pair_agreement(classes, cluster_rows(codes, count)),
        "kept": [pair_agreement(classes, cluster_rows(codes[:, kept], count)) for kept in sets],
        "classes": count,
    }


def measure_widths(*tables: Table, method: str) -> Mapping[str, Any]:
    """Give the widths of clusters around medoids on all columns and on a quarter and a half."""
    codes = cut_columns(stack_rows(tables))
    sets = choose_sets(codes, method)
    found: dict[str, Any] = {}
    for part, divisor in _PARTS.items():
        kept = sets[max(1, codes.shape[1] // divisor) - 1]
        widths = medoid_widths(codes, codes[:, kept], clusters=_MEDOIDS)
        found["all"] = [one.full for one in widths]
        found[part] = [one.reduced for one in widths]
    return found


def _cells(compute: Any, tables: Sequence[str], quick: bool) -> list[Cell]:
    return [
        Cell(f"{table}-{method}", partial(compute, method=method), list_files(table))
        for table in (_QUICK if quick else tables)
        for method in (_QUICK_METHODS if quick else METHODS)
    ]


def _class_figures(results: Results) -> list[Figure]:
    found = []
    for table, known in _by_table(results, _LABELLED).items():
        first = next(iter(known.values()))
        name = f"Rand with {first['classes']} classes"
        found.append(Figure(table, ALL, name, first["all"], None))
        found += [Figure(table, m, name, fmean(one["kept"]), None) for m, one in known.items()]
    return found


def _width_figures(results: Results) -> list[Figure]:
    found = []
    for table, known in _by_table(results, _SHORT).items():
        first = next(iter(known.values()))
        found.append(Figure(table, ALL, "mean width", fmean(first["all"]), None))
        found += [
            Figure(table, method, f"mean width, {part} of the columns", fmean(one[part]), None)
            for method, one in known.items()
            for part in _PARTS
        ]
    return found


def _by_table(results: Results, tables: Sequence[str]) -> dict[str, dict[str, Mapping[str, Any]]]:
    """Gather what was computed, by table and method."""
    found = {
        table: {m: results[f"{table}-{m}"] for m in METHODS if f"{table}-{m}" in results}
        for table in tables
    }
    return {table: known for table, known in found.items() if known}


def _class_limits(results: Results) -> list[str]:
    known = _by_table(results, _LABELLED)
    if not known:
        return []
    best = {
        table: [m for m, one in methods.items() if fmean(one["kept"]) > one["all"]]
        for table, methods in known.items()
    }
    listed = "; ".join(f"{table}: {', '.join(names) or 'none'}" for table, names in best.items())
    return [
        "Not a figure of it is printed. On average over the best columns up to half of them, "
        f"nearer to the classes than the clusters of all columns are: {listed}."
    ]


def _width_limits(results: Results) -> list[str]:
    known = _by_table(results, _SHORT)
    if not known:
        return []
    runs = [one for many in known.values() for one in many.values()]
    wider = {part: sum(fmean(one[part]) > fmean(one["all"]) for one in runs) for part in _PARTS}
    return [
        "Not a figure of it is printed. The clusters are wider than with all columns in "
        f"{wider['half']} of {len(runs)} cases with half of them and in {wider['quarter']} with a "
        "quarter: widths mostly grow as columns go, with any method, so that wider does not mean "
        "better."
    ]


CLASSES = Protocol(
    id="vimica-classes",
    paper=PAPER,
    title="Clusters against the classes",
    about="The Rand index of K-means clusters and classes, on all columns and averaged over the "
    "best columns up to half of them.",
    tables=tuple(file for table in _LABELLED for file in list_files(table)),
    readings=(
        Reading(
            "clusters",
            "as many as classes",
            '"The same experiment was repeated as ground truth validation with class labels '
            'provided."',
            "K is not said. Columns are binned as in the other experiments, K-means has one seed "
            "and ten starts. Abalone (28 ages) and LRS (48 kinds) have no classes of this sort.",
        ),
    ),
    cells=partial(_cells, compare_with_classes, _LABELLED),
    figures=_class_figures,
    claims=lambda _: (),
    limits=_class_limits,
)

WIDTHS = Protocol(
    id="vimica-widths",
    paper=PAPER,
    title="Widths of clusters around medoids (PAM) in both spaces",
    about="The average silhouette width of 2 to 6 clusters around medoids, on all columns and on a "
    "quarter and a half of them, each in its own space.",
    tables=tuple(file for table in _SHORT for file in list_files(table)),
    readings=(
        Reading(
            "clusters, sizes",
            "2 to 6; a quarter and half of the columns",
            '"Use PAM clustering with different initial clusters (K) both in the original and the '
            'reduced feature space. Then compare the average silhouette width"',
            "Neither the numbers nor the tables are given: those of at most 600 rows, as the "
            "exchanges need all distances. FSFS leaves fewer columns than it is asked for.",
        ),
    ),
    cells=partial(_cells, measure_widths, _SHORT),
    figures=_width_figures,
    claims=lambda _: (),
    limits=_width_limits,
)
