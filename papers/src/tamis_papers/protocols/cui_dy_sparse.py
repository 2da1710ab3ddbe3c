"""What Cui and Dy say of sparse PCA's other extreme: q components with one loading each."""

import statistics
from functools import partial
from typing import Any

import numpy as np

from tamis_papers.laboratory.order import order_columns
from tamis_papers.laboratory.protocol import (
    Cell,
    Claim,
    Drawing,
    Figure,
    Protocol,
    Reading,
    Results,
    Series,
    Table,
)
from tamis_papers.protocols.cui_dy_curves import MOST, PAPER, TABLES, key_of, measure_errors

__all__ = ["SPARSE", "measure_overlap"]

_NI = "jolliffe-ni"
# With one loading a component is a column. What the next one sees depends on what is taken away:
# the column's own variance only, or all that it explains.
_FORMS = {"variance": "its variance", "pivoted-qr": "all that it explains"}
_JUDGED = "pivoted-qr"  # the one that is "aggressive in removing redundancy"
_CLOSE = 0.05  # of the average error: what counts as similar in all the papers here
_QUICK, _FEW = ("faces",), 10
_WHERE = "Section 3"
_TEXT = (
    "keep q PCs and sparsity equal to one. This version will be aggressive in removing redundancy "
    "and provides results similar to J_ni."
)


def measure_overlap(table: Table, *, method: str, most: int) -> dict[str, Any]:
    """Give the errors of 1 to `most` columns, and the share that J_ni keeps as well."""
    found = measure_errors(table, method=method, most=most)
    ours = order_columns(table.X, method, k=most, scale=False)
    theirs = order_columns(table.X, _NI, k=most, scale=False)
    shared = [len(np.intersect1d(ours[:k], theirs[:k])) / k for k in range(1, most + 1)]
    return {**found, "shared": shared}


def _cells(quick: bool) -> list[Cell]:
    return [
        Cell(
            key_of(table, method),
            partial(measure_overlap, method=method, most=_FEW if quick else MOST),
            (table,),
        )
        for table in (_QUICK if quick else TABLES)
        for method in (_NI, *_FORMS)
    ]


def _known(results: Results, table: str) -> dict[str, Any]:
    """Gather the methods of a table, if J_ni is among them."""
    keys = {method: key_of(table, method) for method in (_NI, *_FORMS)}
    found = {m: results[key] for m, key in keys.items() if key in results}
    return found if _NI in found else {}


def _figures(results: Results) -> list[Figure]:
    found = []
    for table in TABLES:
        known = _known(results, table)
        for method in _FORMS:
            if method not in known:
                continue
            ratio = _compare(known, method)
            shared = statistics.fmean(known[method]["shared"])
            found.append(Figure(table, method, f"mean error, of that of {_NI}", ratio, None))
            found.append(Figure(table, method, f"columns shared with {_NI}", shared, None))
    return found


def _compare(known: dict[str, Any], method: str) -> float:
    means = (statistics.fmean(known[one]["error"]) for one in (method, _NI))
    return next(means) / next(means)


def _claims(results: Results) -> list[Claim]:
    gaps = {
        form: {t: _compare(k, form) - 1 for t in TABLES if form in (k := _known(results, t))}
        for form in _FORMS
    }
    if not all(gaps.values()):
        return [Claim(_TEXT, _WHERE, "cannot be judged", "Not all methods were run.")]
    said = "; ".join(
        f"with {_FORMS[form]} taken away ({form}) "
        + ", ".join(f"{table} {gap:+.1%}" for table, gap in found.items())
        for form, found in gaps.items()
    )
    near = sum(abs(gap) <= _CLOSE for gap in gaps[_JUDGED].values())
    reason = (
        f"Average error against {_NI}, by what is taken away before the next component: {said}. "
        f"Judged by the one that removes redundancy, as the text says: within {_CLOSE:.0%} on "
        f"{near} of {len(gaps[_JUDGED])} tables, more than half are needed."
    )
    holds = near > len(gaps[_JUDGED]) / 2
    return [Claim(_TEXT, _WHERE, "holds" if holds else "does not hold", reason)]


def _drawings(results: Results) -> list[Drawing]:
    found = []
    for table in TABLES:
        known = _known(results, table)
        series = [
            Series(method, list(range(1, len(one["error"]) + 1)), one["error"])
            for method, one in known.items()
        ]
        title = f"Components with one loading on {table} (nothing is printed of it)"
        if series:
            found.append(Drawing(title, "columns kept", "SSE, share of the total", series))
    return found


def _limits(_: Results) -> list[str]:
    return [
        "Ordinary components of which only the largest loading is kept are J_ni by construction, "
        "but for columns that two components share: this third reading says nothing."
    ]


SPARSE = Protocol(
    id="cui-dy-sparse",
    paper=PAPER,
    title="Sparse PCA with q components of one loading",
    about="Errors of the columns that q sparse components with one loading each choose, beside "
    "those of Jolliffe's loadings, computed once (J_ni).",
    tables=TABLES,
    readings=(
        Reading(
            "deflation",
            "both",
            "The other extreme is to keep q PCs and sparsity equal to one.",
            "A component with one loading is the column of the largest variance. What is taken "
            "away before the next is not said: its variance alone, which ranks columns by "
            "variance, or all that it explains, which is a pivoted QR factorisation (`spca` with "
            "deflated loadings).",
        ),
    ),
    cells=_cells,
    figures=_figures,
    claims=_claims,
    drawings=_drawings,
    limits=_limits,
)
