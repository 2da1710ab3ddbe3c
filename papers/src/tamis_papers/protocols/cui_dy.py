"""Cui and Dy, Orthogonal Principal Feature Selection: Figure 1, error curves of six methods."""

import statistics
from functools import partial

from tamis_papers.laboratory.protocol import (
    Cell,
    Drawing,
    Figure,
    Protocol,
    Reading,
    Results,
    Series,
)
from tamis_papers.protocols.cui_dy_claims import figure_1_claims
from tamis_papers.protocols.cui_dy_curves import (
    METHODS,
    MOST,
    PAPER,
    TABLES,
    curves_of,
    key_of,
    measure_errors,
)
from tamis_papers.protocols.cui_dy_sparse import SPARSE
from tamis_papers.protocols.cui_dy_table_1 import TABLE_1

__all__ = ["PROTOCOLS", "measure_errors"]

_FEW = 10  # columns, in a quick run
_QUICK = ("faces",)

_READINGS = (
    Reading(
        "gene data",
        "leukemia_yeoh and lung_gordon",
        "gene data for lung cancer (12,558 features x 327 instances)",
        "The size is that of a leukemia study, the words say lung cancer, and the table is not to "
        "be had: leukemia_yeoh is that study with fewer genes and rows (2,526 x 248), lung_gordon "
        "a lung cancer study of nearly as many genes (12,533 x 181).",
    ),
    Reading(
        "mini_newsgroups",
        "3,552 words x 2,000 texts",
        "20 mini-newsgroup (4,374 features x 1700 instances)",
        "The paper's words and its choice of texts are not given.",
    ),
    Reading(
        "scale",
        False,
        "data is zero-centered",
        "Centred and not scaled: no scaling is mentioned.",
    ),
    Reading(
        "k",
        "1 to 50",
        "for any number of retained features",
        "How far the figure goes cannot be read from the text.",
    ),
    Reading(
        "norm",
        "residual",
        "the loading of a feature divided by the norm of that feature",
        "The library's default: the norm of what is left of the column, which makes the quotient "
        "its correlation with the component. The norm of the column as given breaks on columns of "
        "very different sizes, such as words.",
    ),
    Reading(
        "spca",
        "truncated power iteration, k non-zero loadings",
        "We set SPCA with sparsity equal to q and set the number of PCs to one",
        "The solver is not named.",
    ),
    Reading(
        "pfa",
        "components of 95% of the variance, at most k; 10 starts",
        "here we use Kmeans with 10 random starts",
        "How many components are clustered is not said.",
    ),
    Reading(
        "error",
        "SSE as a share of the total",
        "the sum-squared-error",
        "The same curve on a scale that tables share.",
    ),
)


def _cells(quick: bool) -> list[Cell]:
    return [
        Cell(
            key_of(table, method),
            partial(measure_errors, method=method, most=_FEW if quick else MOST),
            (table,),
        )
        for table in (_QUICK if quick else TABLES)
        for method in METHODS
    ]


def _figures(results: Results) -> list[Figure]:
    found = []
    for table in TABLES:
        known = curves_of(results, table)
        for method, error in known.items():
            found.append(Figure(table, method, "mean error", statistics.fmean(error), None))
            if "sfs" in known and method != "sfs":
                ratio = statistics.fmean(error) / statistics.fmean(known["sfs"])
                found.append(Figure(table, method, "mean error, of that of sfs", ratio, None))
    return found


def _drawings(results: Results) -> list[Drawing]:
    found = []
    for table in TABLES:
        known = curves_of(results, table)
        if not known:
            continue
        lines = {**known, "principal components": _floor(results, table)}
        series = [Series(m, list(range(1, len(e) + 1)), e) for m, e in lines.items()]
        title = f"Figure 1: error on {table} (the paper prints no numbers of it)"
        found.append(Drawing(title, "columns kept", "SSE, share of the total", series))
    return found


def _floor(results: Results, table: str) -> list[float]:
    keys = [key_of(table, method) for method in METHODS]
    return next(list(results[key]["floor"]) for key in keys if key in results)


def _limits(results: Results) -> list[str]:
    said = [
        "The figure is a picture without numbers: what the text says of it is judged, on four "
        "tables of which only faces is the paper's own.",
    ]
    refuted = [claim for claim in figure_1_claims(results) if claim.verdict == "does not hold"]
    return said + [
        f"{claim.reason} The paper's tables and its settings of these methods are not known."
        for claim in refuted
    ]


PROTOCOLS: tuple[Protocol, ...] = (
    Protocol(
        id="cui-dy-figure-1",
        paper=PAPER,
        title="Figure 1: reconstruction error of six methods",
        about="What is left of all columns once those kept have explained what they can, for 1 to "
        "50 columns.",
        tables=TABLES,
        readings=_READINGS,
        cells=_cells,
        figures=_figures,
        claims=figure_1_claims,
        drawings=_drawings,
        limits=_limits,
    ),
    TABLE_1,
    SPARSE,
)
