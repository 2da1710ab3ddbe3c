"""Peluffo et al.'s two tables: K-means on selected columns and on extracted components.

Columns are centred and not scaled. Each method presents the rows (`peluffo_methods`); K-means
clusters them twenty times, and each clustering is compared with the classes by normalised mutual
information (NMI). The readings were found by trying what the paper leaves open against its printed
numbers p; they are options of this experiment and defaults of nothing.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from tamis_papers.laboratory.protocol import Cell, Figure, Protocol, Reading, Results, Table
from tamis_papers.protocols.kmeans_nmi import kmeans_nmi
from tamis_papers.protocols.peluffo_claims import (
    claims_of_extraction,
    claims_of_selection,
    limits_of,
)
from tamis_papers.protocols.peluffo_methods import FEW, present_rows
from tamis_papers.protocols.peluffo_printed import (
    EXTRACTION,
    METHODS,
    SELECTION,
    TABLES,
    key_of,
    printed,
)

TOLERANCE = 0.05
RUNS = 20
_QUICK = ("iris", "x80", "breast_w")
_QUICK_RUNS = 5

_PAPER = "Peluffo, Lee, Verleysen, Rodríguez & Castellanos-Domínguez"
_RULE = Reading(
    "empty",
    "all",
    'p is chosen so that the summed shares are "approximately" n / 100, with n = 95',
    "p counts the shares whose running sum is at most 95%; where the first alone is larger, all d "
    "columns are kept. The cells without such a share are just those that print d.",
)
_KMEANS = Reading(
    "single_moves",
    True,
    '"K-means with centers initialized randomly", "iterated 20 times"',
    "Random rows as centres, Lloyd's rounds, then single rows are moved while the sum of squares "
    "falls (Hartigan); the means and deviations of x80 and soybean then come out. Seeds 0 to 19.",
)
_SCALE = Reading(
    "scale",
    False,
    '"Assume the feature or data matrix X being centered"',
    "Columns are centred and not scaled; with raw columns and PCA all 16 NMI agree.",
)
_ALPHA = Reading(
    "q_alpha",
    "standardised, k = d",
    "the objective of Q-alpha (equation 7) sums to d; k and the scaling are not stated",
    "The weights are found on standardised columns with as many directions as columns, where they "
    "equal the approximate ones, and applied to centred, unscaled columns: this gives the printed "
    "p of WPCA on all eight tables.",
)
_SIZE = Reading(
    "size",
    "pca",
    '"features contributing to the 95% of the area under the curve" of squared alpha',
    "As many columns as PCA keeps components: the printed p on all eight tables. The paper's own "
    "words give at most four of them.",
)
_FEW = Reading(
    "directions",
    "as many as PCA keeps components, for one claim",
    '"reduced just to one iteration ... optimizing the d original variables or the first p '
    'variables"',
    "With k = d directions the iterated and the approximate weights are the same and the claim "
    "cannot fail. It is judged by Q-alpha with fewer directions than columns, which is in no "
    "figure.",
)
_SIGMA = Reading(
    "sigma",
    "identical",
    "sigma is 'the maximum one among the 10% of the minimum Euclidean distances'",
    "The limit of small sigma: Omega is 1 for identical rows and 0 otherwise. The printed p needs "
    "a kernel as narrow as this (breast_w has 234 duplicate rows and p = 4, PCA has 6).",
)


def recover_classes(table: Table, *, method: str, runs: int) -> Mapping[str, Any]:
    """Cluster the rows as the method presents them, and compare with the classes."""
    found = present_rows(np.asarray(table.X, dtype=np.float64), method)
    nmi = kmeans_nmi(found.rows, table.y, runs=runs, single_moves=True)
    return {"mean": nmi.mean, "std": nmi.std, "p": found.p, "runs": runs}


def _cells(methods: Sequence[str], quick: bool) -> list[Cell]:
    runs = _QUICK_RUNS if quick else RUNS
    return [
        Cell(key_of(table, method), partial(recover_classes, method=method, runs=runs), (table,))
        for table in (_QUICK if quick else TABLES)
        for method in methods
    ]


def figures_of(methods: Sequence[str], results: Results) -> list[Figure]:
    """Put NMI and p of every cell that was run beside the printed ones."""
    figures = []
    for table, cells in printed().items():
        for method in methods:
            ours = results.get(key_of(table, method))
            if ours is None:
                continue
            nmi = {"spread": ours["std"], "runs": ours["runs"], "tolerance": TOLERANCE}
            paper = cells[method]
            figures += [
                Figure(table, method, "NMI", ours["mean"], paper.mean, **nmi),
                Figure(table, method, "p", ours["p"], paper.p, tolerance=0.0),
            ]
    return figures


PROTOCOLS = (
    Protocol(
        id="peluffo-table-1",
        paper=_PAPER,
        title="Table 1: selected columns",
        about="How well K-means finds the classes on all columns and on those that relPCA and "
        "Q-alpha keep.",
        tables=TABLES,
        readings=(_RULE, _KMEANS, _SCALE, _ALPHA, _SIZE, _FEW),
        cells=partial(_cells, (*SELECTION, "pca", FEW)),
        figures=partial(figures_of, SELECTION),
        claims=claims_of_selection,
        limits=partial(limits_of, SELECTION),
    ),
    Protocol(
        id="peluffo-table-2",
        paper=_PAPER,
        title="Table 2: extracted components",
        about="How well K-means finds the classes on the components of PCA, WPCA and GDFE.",
        tables=TABLES,
        readings=(_RULE, _KMEANS, _SCALE, _ALPHA, _SIGMA),
        cells=partial(_cells, METHODS),
        figures=partial(figures_of, EXTRACTION),
        claims=claims_of_extraction,
        limits=partial(limits_of, EXTRACTION),
    ),
)
