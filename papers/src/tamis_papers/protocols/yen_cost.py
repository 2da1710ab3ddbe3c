"""What Yen, Chen and Lin say of the cost of a removal, measured."""

from functools import partial
from typing import Any

import numpy as np

import tamis
from tamis_papers.laboratory.protocol import (
    Cell,
    Claim,
    Drawing,
    Figure,
    Protocol,
    Reading,
    Results,
    Series,
)
from tamis_papers.laboratory.timing import measure_power, measure_seconds
from tamis_papers.protocols.yen_methods import PAPER, UPDATING

__all__ = ["COST", "time_removal"]

AGAIN = "a decomposition for each removal"
_WIDTHS, _QUICK_WIDTHS = (400, 800, 1600), (40, 80)
_LENGTHS, _QUICK_LENGTHS = (1000, 4000, 16000), (200, 400)
_ROWS, _QUICK_ROWS = 2000, 100  # while the columns grow; fewer would make them dependent
_COLUMNS, _QUICK_COLUMNS = 400, 40  # while the rows grow
_SQUARE = 2.35  # the power of n up to which it counts as n^2
_LINEAR = 1.15
_WHERE = "Abstract, Section III"
_TEXT = (
    "considering the effect of each removal of features with complexity about max(O(nm), O(n^2)) "
    "instead of O(n^3)"
)


def time_removal(*, method: str, n_samples: int, n_features: int) -> dict[str, Any]:
    """Give the seconds that a removal takes, on average over all removals of a table.

    The reading of the rows and the first decomposition are divided among the removals. Without
    updating by the paper's equations each would need a decomposition of its own.
    """
    X = np.random.default_rng(0).standard_normal((n_samples, n_features))
    if method == AGAIN:
        R = np.corrcoef(X.T)
        return {"seconds": measure_seconds(partial(np.linalg.eigh, R))}
    work = partial(tamis.select, X, 1, method=method)
    return {"seconds": measure_seconds(work) / (n_features - 1)}


def _key(method: str, n_samples: int, n_features: int) -> str:
    return f"{method}/{n_samples} x {n_features}"


def _plan(quick: bool) -> list[tuple[str, int, int]]:
    widths, lengths = (_QUICK_WIDTHS, _QUICK_LENGTHS) if quick else (_WIDTHS, _LENGTHS)
    rows, columns = (_QUICK_ROWS, _QUICK_COLUMNS) if quick else (_ROWS, _COLUMNS)
    wide = [(method, rows, width) for method in (UPDATING, AGAIN) for width in widths]
    return [*wide, *((UPDATING, length, columns) for length in lengths)]


def _cells(quick: bool) -> list[Cell]:
    return [
        Cell(_key(*one), partial(time_removal, method=one[0], n_samples=one[1], n_features=one[2]))
        for one in _plan(quick)
    ]


def _by_columns(results: Results, method: str) -> dict[int, float]:
    """Gather the times of a removal by the number of columns."""
    for quick in (False, True):
        rows = _QUICK_ROWS if quick else _ROWS
        keys = {d: _key(m, n, d) for m, n, d in _plan(quick) if m == method and n == rows}
        found = {d: results[key]["seconds"] for d, key in keys.items() if key in results}
        if len(found) > 1:
            return found
    return {}


def _by_rows(results: Results) -> dict[int, float]:
    """Gather the times of a removal by the number of rows."""
    for quick in (False, True):
        columns = _QUICK_COLUMNS if quick else _COLUMNS
        lengths = _QUICK_LENGTHS if quick else _LENGTHS
        keys = {n: _key(UPDATING, n, columns) for n in lengths}
        found = {n: results[key]["seconds"] for n, key in keys.items() if key in results}
        if len(found) > 1:
            return found
    return {}


def _figures(results: Results) -> list[Figure]:
    found = []
    for method, power in ((UPDATING, 2), (AGAIN, 3)):
        times = _by_columns(results, method)
        if times:
            widest = max(times)
            label = "power of the columns n in the time of a removal"
            found.append(Figure("generated", method, label, measure_power(times), power))
            label = f"milliseconds of a removal, {widest} columns"
            found.append(Figure("generated", method, label, 1000 * times[widest], None))
    rows = _by_rows(results)
    if rows:
        label = "power of the rows m in the time of a removal"
        found.append(Figure("generated", UPDATING, label, measure_power(rows), 1))
    return found


def _claims(results: Results) -> list[Claim]:
    own, again = (_by_columns(results, method) for method in (UPDATING, AGAIN))
    rows = _by_rows(results)
    if not (own and again and rows):
        return [Claim(_TEXT, _WHERE, "cannot be judged", "Not all sizes were timed.")]
    powers = [measure_power(times) for times in (own, again, rows)]
    widest = max(set(own) & set(again))
    reason = (
        f"The time of a removal grows with the power {powers[0]:.1f} of the columns n and "
        f"{powers[2]:.1f} of the rows m; a decomposition for each, with {powers[1]:.1f} of n, "
        f"takes {again[widest] / own[widest]:,.0f} times as long on {widest} columns. Up to "
        f"{_SQUARE} counts as n^2, up to {_LINEAR} as m."
    )
    good = powers[0] <= _SQUARE and powers[2] <= _LINEAR and again[widest] > own[widest]
    return [Claim(_TEXT, _WHERE, "holds" if good else "does not hold", reason)]


def _drawings(results: Results) -> list[Drawing]:
    series = [
        Series(method, list(times), [1000 * value for value in times.values()])
        for method in (UPDATING, AGAIN)
        if (times := _by_columns(results, method))
    ]
    title = "The time of a removal (the paper prints its order of growth)"
    return [Drawing(title, "columns", "milliseconds", series)] if series else []


COST = Protocol(
    id="yen-cost",
    paper=PAPER,
    title="The cost of a removal",
    about="The time of a removal with updating, while the columns and while the rows of a table "
    "grow, beside a decomposition for each removal.",
    tables=(),
    readings=(
        Reading(
            "time",
            "of all removals, divided by their number",
            "complexity proportional to max(O(nm), O(n^2))",
            "The library's `ufs` on one thread, from the rows to the order of all columns: the "
            "least of three runs. It updates the inner products of the paper's error vectors, "
            "n numbers for each of n columns, in the place of the vectors.",
        ),
    ),
    cells=_cells,
    figures=_figures,
    claims=_claims,
    drawings=_drawings,
    limits=lambda _: (
        ["Powers are measured between the two largest sizes of one machine: no orders of growth."]
    ),
)
