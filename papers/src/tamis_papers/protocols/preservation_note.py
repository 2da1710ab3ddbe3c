"""The VIMICA / RSPFS note's experiments: neighbours and clusters that half of the columns keep.

One protocol for all tables, "binned": every column goes into ten bins of equal depth once, and
selectors, neighbours and K-means all see the codes. The note states none of it but "equal-depth"
as an example and "k = 3" in a figure. Most readings were chosen on sonar (with spectf in view), two
follow programs of the time with all tables in view; each is one choice, unchanged on every table.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from tamis_papers.laboratory.protocol import (
    Cell,
    Drawing,
    Figure,
    Protocol,
    Reading,
    Results,
    Series,
    Table,
)
from tamis_papers.protocols.preservation import (
    choose_sets,
    compare_clusters,
    compare_neighbours,
    cut_columns,
    list_files,
    stack_rows,
)
from tamis_papers.protocols.preservation_bins import BINS_PROTOCOL
from tamis_papers.protocols.preservation_claims import (
    jaccard_claims,
    mean_jaccard,
    mean_rand,
    rand_claims,
)
from tamis_papers.protocols.preservation_clusters import CLASSES, WIDTHS
from tamis_papers.protocols.preservation_printed import (
    JACCARD,
    METHODS,
    NEIGHBOURS,
    PAPER,
    RAND,
    TOLERANCE,
    printed_curve,
    printed_jaccard,
    printed_rand,
)
from tamis_papers.protocols.preservation_tree import (
    KEY,
    grow_tree,
    tree_claims,
    tree_drawings,
    tree_figures,
)

CLUSTERS = 3
SEEDS = (0, 1, 2, 3, 4)
_UNJUDGED = ("robot",)
_QUICK = ("sonar", "spectf")
_QUICK_METHODS = ("greedy-fs", "naive-fs", "laplacian", "fsfs")

_READINGS = (
    Reading(
        "binning",
        "equal depth, 10 bins",
        '"use some binning technique (e.g., equal-depth, chi-square-merge etc.)"',
        "Every column is cut once at its nine inner quantiles, a value on an edge going to the bin "
        "below; a bin keeps the number of its quantile, so that a column with 70% zeros has the "
        "codes 0, 7, 8 and 9, as R's package infotheo gives them. One choice for all tables; "
        "renumbered bins change nothing on sonar. `tamis reproduce vimica-bins` tries another "
        "number of bins.",
    ),
    Reading(
        "space",
        "codes",
        "scaling is not stated",
        "Selectors, neighbours and K-means all see the codes 0 to 9.",
    ),
    Reading(
        "fsfs",
        "k = D - q neighbours, the set as it comes",
        "FSFS is compared; how it was called is not said",
        "The authors' program is given a number of neighbours k and no size, and calls D - k, "
        "roughly, the size that it leaves. Its set is taken as it comes, mostly fewer than q "
        "columns. One choice for all tables, made with the print in view: with it and the numbers "
        "of the bins 128 of the 147 Jaccard averages of Figure 11 come out, 107 without.",
    ),
    Reading(
        "include_self",
        True,
        "K nearest neighbours of a point; whether it is its own is not stated",
        "A row is a candidate among its own neighbours, ties by row: only so fewer neighbours have "
        "the larger Jaccard index, as printed.",
    ),
    Reading(
        "clusters",
        CLUSTERS,
        '"KMeans Elbow method / Silhouette optimal width / Calinsky criterion / BIC"',
        'K = 3 on all tables: "Kmeans Clustering (k=3)" is a label of the figure for sonar. Means '
        "over the K-means seeds 0 to 4, the best of ten starts each.",
    ),
    Reading(
        "robot",
        "lp1 and lp2",
        "Robot, 135 x 90",
        "No table of the robot data has 135 rows; 88 + 47 do, those of lp1 with lp2 or lp3. Shown "
        "and not judged.",
    ),
)


def measure_structure(
    *tables: Table, method: str, figures: Sequence[str], seeds: Sequence[int]
) -> Mapping[str, Any]:
    """Measure what the best 1, 2, ... columns of a method keep of neighbours and clusters."""
    codes = cut_columns(stack_rows(tables))
    sets = choose_sets(codes, method)
    found: dict[str, Any] = {}
    if "jaccard" in figures:
        curves = compare_neighbours(codes, sets, NEIGHBOURS)
        found["jaccard"] = {str(k): curve for k, curve in curves.items()}
    if "rand" in figures:
        found["rand"] = compare_clusters(codes, sets, clusters=CLUSTERS, seeds=seeds)
    return found


def _cells(tables: Sequence[str], figures: Sequence[str], quick: bool) -> list[Cell]:
    seeds = SEEDS[:1] if quick else SEEDS
    return [
        Cell(
            f"{table}-{method}",
            partial(measure_structure, method=method, figures=figures, seeds=seeds),
            list_files(table),
        )
        for table in tables
        if not quick or table in _QUICK
        for method in (_QUICK_METHODS if quick else METHODS)
    ]


def jaccard_figures(tables: Sequence[str], results: Results) -> list[Figure]:
    """Put the averages over the numbers of columns beside the printed ones."""
    return [
        Figure(
            table,
            method,
            f"Jaccard, {k} neighbours",
            ours,
            printed_jaccard(table)[method, k],
            tolerance=None if table in _UNJUDGED else TOLERANCE,
        )
        for (table, method, k), ours in mean_jaccard(results, tables).items()
    ]


def rand_figures(tables: Sequence[str], results: Results) -> list[Figure]:
    """Put the averages over the numbers of columns, and their spread, beside the printed ones."""
    return [
        Figure(
            table,
            method,
            "Rand",
            mean,
            printed_rand(table).get(method),
            spread if runs > 1 else None,
            runs,
            None if table in _UNJUDGED else TOLERANCE,
        )
        for (table, method), (mean, spread, runs) in mean_rand(results, tables).items()
    ]


def _sonar_figures(results: Results) -> list[Figure]:
    return [*jaccard_figures(("sonar",), results), *rand_figures(("sonar",), results)]


def draw_curves(results: Results) -> list[Drawing]:
    """Draw the Jaccard curves of sonar over the points of Figure 3, a drawing for each k."""
    drawings = []
    for k in NEIGHBOURS:
        series = []
        for method in METHODS:
            ours = results.get(f"sonar-{method}", {}).get("jaccard", {}).get(str(k))
            if ours:
                sizes = [float(size) for size in range(1, len(ours) + 1)]
                series.append(Series(method, sizes, ours, paper=printed_curve(method, k)))
        title = f"Sonar: {k} nearest neighbours kept"
        drawings.append(Drawing(title, "columns kept", "mean Jaccard index", series))
    return [drawing for drawing in drawings if drawing.series]


def list_limits(figures: Sequence[Figure]) -> list[str]:
    """Count, table by table, what does not come out, and say the most likely reasons."""
    judged = [figure for figure in figures if figure.reproduced is not None]
    counts = []
    for table in dict.fromkeys(figure.table for figure in judged):
        here = [figure for figure in judged if figure.table == table]
        counts.append(f"{table} {sum(bool(f.reproduced) for f in here)} of {len(here)}")
    said = [f"Within {TOLERANCE} of the print: {'; '.join(counts)}."] if counts else []
    off = dict.fromkeys(f.table for f in judged if f.method == "fsfs" and not f.reproduced)
    if off:
        said.append(
            f"FSFS does not come out on {', '.join(off)}: the authors' program also measures "
            "the distance of two columns in another way than their paper."
        )
    if any(f.name == "Rand" and f.reproduced is False for f in judged):
        said.append(
            "Rand indices depend most of all on K, which the note chose for every table by one of "
            "four rules it names; K = 3 is known for sonar alone."
        )
    if any(f.table in ("spambase", "kr_vs_kp") and f.reproduced is False for f in judged):
        said.append(
            "On spambase most values are zero and on kr_vs_kp most columns have two levels, so "
            "that bins, ties and the order of rows decide: the least certain readings."
        )
    return said


def _judged(tables: Iterable[str]) -> tuple[str, ...]:
    return tuple(table for table in tables if table not in _UNJUDGED)


PROTOCOLS = (
    Protocol(
        id="vimica-sonar",
        paper=PAPER,
        title="Figure 3: sonar, neighbours by number of columns",
        about="How many of the nearest rows, and which clusters, the best 1 to 30 columns of seven "
        "methods keep.",
        tables=("sonar",),
        readings=_READINGS[:-1],
        cells=partial(_cells, ("sonar",), ("jaccard", "rand")),
        figures=_sonar_figures,
        claims=lambda _: (),  # what its figure shows is judged with all tables, once
        drawings=draw_curves,
        limits=lambda results: list_limits(_sonar_figures(results)),
    ),
    Protocol(
        id="vimica-rand",
        paper=PAPER,
        title="Figure 10: clusters kept on nine tables",
        about="The Rand index of K-means clusters before and after, averaged over the best columns "
        "up to half of them.",
        tables=tuple(file for table in RAND for file in list_files(table)),
        readings=_READINGS,
        cells=partial(_cells, tuple(RAND), ("rand",)),
        figures=partial(rand_figures, tuple(RAND)),
        claims=partial(rand_claims, _judged(RAND)),
        limits=lambda results: list_limits(rand_figures(tuple(RAND), results)),
    ),
    Protocol(
        id="vimica-jaccard",
        paper=PAPER,
        title="Figure 11: neighbours kept on eight tables",
        about="The Jaccard index of nearest neighbours before and after, averaged over the best "
        "columns up to half of them.",
        tables=tuple(file for table in JACCARD for file in list_files(table)),
        readings=_READINGS,
        cells=partial(_cells, tuple(JACCARD), ("jaccard",)),
        figures=partial(jaccard_figures, tuple(JACCARD)),
        claims=partial(jaccard_claims, _judged(JACCARD)),
        limits=lambda results: list_limits(jaccard_figures(tuple(JACCARD), results)),
    ),
    Protocol(
        id="vimica-figure-6",
        paper=PAPER,
        title="Figure 6: the tree of sonar's columns",
        about="Recursive spectral partitioning of the columns by their mutual information.",
        tables=("sonar",),
        readings=_READINGS[:2],
        cells=lambda _: [Cell(KEY, grow_tree, ("sonar",))],
        figures=tree_figures,
        claims=tree_claims,
        drawings=tree_drawings,
    ),
    BINS_PROTOCOL,
    CLASSES,
    WIDTHS,
)
