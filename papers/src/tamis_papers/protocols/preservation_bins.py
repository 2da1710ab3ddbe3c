"""How much the figures of the VIMICA / RSPFS note depend on the number of bins, which it omits.

R's package infotheo, whose bins the other experiments follow, cuts a column of N values into
N^(1/3) bins by default. Nothing here is judged: it shows how far one reading decides.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tamis_papers.laboratory.protocol import Cell, Figure, Protocol, Reading, Results, Table
from tamis_papers.protocols.preservation import (
    choose_sets,
    compare_clusters,
    compare_neighbours,
    cut_columns,
    list_files,
    stack_rows,
)
from tamis_papers.protocols.preservation_claims import mean_jaccard, mean_rand
from tamis_papers.protocols.preservation_printed import (
    JACCARD,
    METHODS,
    NEIGHBOURS,
    PAPER,
    RAND,
    TOLERANCE,
    printed_jaccard,
    printed_rand,
)

__all__ = ["BINS_PROTOCOL", "measure_with_root_bins"]

_CLUSTERS = 3
_TABLES = tuple(table for table in RAND if table != "robot")
_QUICK, _QUICK_METHODS = ("spectf",), ("greedy-fs", "fsfs")


def count_root_bins(rows: int) -> int:
    """Give the number of bins that infotheo takes by itself: the cube root, cut off.

    >>> count_root_bins(208), count_root_bins(1000)
    (5, 10)
    """
    return max(2, int(rows ** (1 / 3) + 1e-9))


def measure_with_root_bins(
    *tables: Table, method: str, figures: Sequence[str]
) -> Mapping[str, Any]:
    """Measure neighbours and clusters as the other experiments do, with another number of bins."""
    X = stack_rows(tables)
    codes = cut_columns(X, count_root_bins(len(X)))
    sets = choose_sets(codes, method)
    found: dict[str, Any] = {
        "rand": compare_clusters(codes, sets, clusters=_CLUSTERS, seeds=(0,)),
        "bins": count_root_bins(len(X)),
    }
    if "jaccard" in figures:
        curves = compare_neighbours(codes, sets, NEIGHBOURS)
        found["jaccard"] = {str(k): curve for k, curve in curves.items()}
    return found


def _cells(quick: bool) -> list[Cell]:
    return [
        Cell(
            f"{table}-{method}",
            partial(
                measure_with_root_bins,
                method=method,
                figures=("rand", *(("jaccard",) if table in JACCARD else ())),
            ),
            list_files(table),
        )
        for table in (_QUICK if quick else _TABLES)
        for method in (_QUICK_METHODS if quick else METHODS)
    ]


def _figures(results: Results) -> list[Figure]:
    """Count, table by table, the averages that come out."""
    near, rand = mean_jaccard(results, _TABLES), mean_rand(results, _TABLES)
    found = []
    for table in _TABLES:
        bins = next((one["bins"] for key, one in results.items() if key.startswith(table)), 0)
        offs = {
            "Jaccard": [
                abs(value - printed_jaccard(table)[method, k])
                for (name, method, k), value in near.items()
                if name == table
            ],
            "Rand": [
                abs(value[0] - printed_rand(table)[method])
                for (name, method), value in rand.items()
                if name == table and method in printed_rand(table)
            ],
        }
        for what, differences in offs.items():
            if differences:
                within = sum(value <= TOLERANCE for value in differences)
                label = f"{what} averages within {TOLERANCE} of the print, of {len(differences)}"
                found.append(Figure(table, f"{bins} bins", label, within, None))
    return found


def _limits(results: Results) -> list[str]:
    found = _figures(results)
    sums = []
    for what in ("Jaccard", "Rand"):
        mine = [figure for figure in found if figure.name.startswith(what)]
        if mine:
            every = sum(int(figure.name.rsplit(" ", 1)[1]) for figure in mine)
            sums.append(f"{sum(int(figure.ours) for figure in mine)} of {every} {what}")
    if not sums:
        return []
    return [
        f"With N^(1/3) bins {' and '.join(sums)} averages come out; the section of each figure "
        "has the count with ten. The number of bins is a choice, and no table has one of its own."
    ]


BINS_PROTOCOL = Protocol(
    id="vimica-bins",
    paper=PAPER,
    title="Figures 10 and 11 with another number of bins",
    about="How many averages come out with N^(1/3) bins in the place of ten, all else as before.",
    tables=tuple(file for table in _TABLES for file in list_files(table)),
    readings=(
        Reading(
            "bins",
            "N^(1/3), cut off",
            '"use some binning technique (e.g., equal-depth, chi-square-merge etc.)"',
            "What R's package infotheo takes when no number is given: 4 bins for 80 rows, 16 for "
            "4,601. K-means with the first of the five seeds.",
        ),
    ),
    cells=_cells,
    figures=_figures,
    claims=lambda _: (),
    limits=_limits,
)
