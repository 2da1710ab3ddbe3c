"""Table 4 of Yen, Chen and Lin, with their Figures 5 to 7: AUC while columns are removed."""

from collections.abc import Sequence
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
from tamis_papers.protocols.auc_curve import FRACTIONS, TOLERANCES, measure_auc
from tamis_papers.protocols.yen_claims import table_4_claims, table_4_limits
from tamis_papers.protocols.yen_curves import (
    BESIDE,
    FIGURES,
    METHODS,
    PRINTED,
    RANDOM,
    RUN_ON,
    SEEDS,
    Curves,
    curves_of,
    key_of,
)
from tamis_papers.protocols.yen_methods import OPTIONS, PAPER, mean_and_spread
from tamis_papers.protocols.yen_orders import order_randomly, run_on

__all__ = ["TABLE_4", "measure_curve"]

_ROWS = (*METHODS, *BESIDE)
_LEAST = 5.0  # percentage points that are never called a difference
_COARSE = (*(percent / 100 for percent in range(0, 100, 5)), 0.99)
_TENTHS = tuple(percent / 100 for percent in range(0, 100, 10))
# Folds, seeds of the folds, and shares of the columns to remove.
_PLANS: dict[str, tuple[int, Sequence[int], Sequence[float]]] = {
    "arcene": (2, SEEDS, FRACTIONS),
    "gisette": (5, SEEDS[:1], _COARSE),
    "arrhythmia": (5, SEEDS, FRACTIONS),
}

_READINGS = (
    Reading(
        "classifier, C",
        "L2-regularised squared-hinge SVM, 1",
        "the classifier package LibLinear is used as the learning algorithm",
        "No settings are given; these are LIBLINEAR's own.",
    ),
    Reading(
        "scale",
        "minmax",
        "nothing is said about the scale of the classifier's columns",
        "Each column from 0 to 1 on the training part, as LIBLINEAR's guide asks; comes nearer to "
        "the printed Arrhythmia than standardised columns. Methods see standardised columns.",
    ),
    Reading(
        "missing",
        "means of the training part",
        "we simply assign the mean of each dimension (feature) to those missing values",
        "Means of all rows would use the test part.",
    ),
    Reading(
        "labels",
        "normal against any arrhythmia",
        "only label each observation as 'present' or 'absent'",
        "The paper lists 450 rows, the public data set has 452; all are used.",
    ),
    Reading(
        "PFR",
        "first exit",
        "Percentage of Features Removed when there is 0.01 to 0.04 change of performance",
        "The share before the curve first leaves the band around its start, up or down: a curve "
        "shall hold the trend as long as possible.",
    ),
    Reading(
        "ACA",
        "from 0 to PFR",
        "normalizes the area by the range of x",
        "The table has one ACA for each tolerance, and equal ones where PFR is equal. It is shown "
        "and not judged.",
    ),
    Reading(
        "fold seeds",
        "6 (Gisette: 1)",
        "2-fold cross validation, 5-fold cross validation",
        "One draw of folds moves PFR by about ten points: means and deviations over six draws are "
        "compared, by five points or one deviation, whichever is more.",
    ),
    Reading(
        "removed",
        "0, 1, ..., 99% (Gisette: steps of 5%)",
        "x is the percentage of removed features",
        "Gisette in steps of 1% and six draws would take days.",
    ),
    Reading(
        "linkage, ties",
        "single; input order",
        "a clustering-based method; a PCA-based method",
        "As in Table 2. Columns that principal variables does not reach, as those before explain "
        "all of the training part, are removed from the last on.",
    ),
    Reading(
        "orders beside",
        "a random one; principal variables run on in its rounding errors",
        "nothing is said about exact dependencies, which are 99% of the removals from Arcene",
        "The methods define no order among them. The two rows stand beside the printed figures of "
        "the method with updating and of the PCA-based one; they are shown and not judged.",
    ),
)


def measure_curve(
    table: Table,
    *,
    method: str,
    seed: int,
    n_folds: int,
    fractions: Sequence[float],
) -> dict[str, Any]:
    """Give the AUC, averaged over the folds, for every share of the columns removed."""
    orders = {RANDOM: order_randomly(seed), RUN_ON: run_on}
    found = measure_auc(
        table.X,
        table.extra.get("y_binary", table.y),
        method,
        n_folds=n_folds,
        fractions=fractions,
        scale="minmax",
        options=OPTIONS.get(method),
        order=orders.get(method),
        random_state=seed,
    )
    return {"removed": found.removed.tolist(), "auc": found.auc.tolist()}


def _cells(quick: bool) -> list[Cell]:
    plans = {"arrhythmia": (5, SEEDS[:1], _TENTHS)} if quick else _PLANS
    return [
        Cell(
            key_of(name, method, seed),
            partial(measure_curve, method=method, seed=seed, n_folds=n_folds, fractions=fractions),
            (name,),
        )
        for name, (n_folds, seeds, fractions) in plans.items()
        for seed in seeds
        for method in (*METHODS, *(BESIDE if name == "arcene" else ()))
    ]


def _figures(results: Results) -> list[Figure]:
    return [
        figure
        for table in PRINTED
        for method, curves in curves_of(results, table, methods=_ROWS).items()
        for figure in _figures_of(table, method, curves)
    ]


def _figures_of(table: str, method: str, curves: Curves) -> list[Figure]:
    """Put PFR and ACA at each tolerance, and on average, beside the printed ones."""
    found = []
    printed = PRINTED[table][BESIDE.get(method, method)]
    for name, ours, paper, judged in (
        ("PFR, %", curves.pfr, printed[0], method in METHODS),
        ("ACA", curves.aca, printed[1], False),
    ):
        for place, tolerance in enumerate(TOLERANCES):
            mean, spread = mean_and_spread([row[place] for row in ours])
            limit = max(_LEAST, spread or 0.0) if judged else None
            label = f"{name} at {tolerance}"
            found.append(Figure(table, method, label, mean, paper[place], spread, len(ours), limit))
        mean, spread = mean_and_spread([mean_and_spread(row)[0] for row in ours])
        average = mean_and_spread(paper)[0]
        found.append(Figure(table, method, f"{name} on average", mean, average, spread, len(ours)))
    return found


def _drawings(results: Results) -> list[Drawing]:
    found = []
    for table, number in FIGURES.items():
        known = curves_of(results, table, methods=_ROWS)
        if not known:
            continue
        courses = [_course(method, curves) for method, curves in known.items()]
        title = f"Figure {number}: AUC on {table} (the paper prints no numbers of it)"
        found.append(Drawing(title, "columns removed, %", "AUC", courses))
        reached = [_reached(table, method, curves) for method, curves in known.items()]
        title = f"Table 4: columns removed from {table} within a tolerance"
        found.append(Drawing(title, "change of the AUC", "columns removed (PFR), %", reached))
    return found


def _course(method: str, curves: Curves) -> Series:
    points = [mean_and_spread(values) for values in zip(*curves.auc, strict=True)]
    return _series(method, [100 * share for share in curves.removed], points)


def _reached(table: str, method: str, curves: Curves) -> Series:
    points = [mean_and_spread(values) for values in zip(*curves.pfr, strict=True)]
    printed = PRINTED[table][BESIDE.get(method, method)][0]
    paper = [(tolerance, float(pfr)) for tolerance, pfr in zip(TOLERANCES, printed, strict=True)]
    return _series(method, TOLERANCES, points, paper)


def _series(
    name: str,
    x: Sequence[float],
    points: Sequence[tuple[float, float | None]],
    paper: Sequence[tuple[float, float]] = (),
) -> Series:
    spread = [deviation for _, deviation in points if deviation is not None]
    return Series(name, x, [mean for mean, _ in points], spread, paper)


TABLE_4 = Protocol(
    id="yen-table-4",
    paper=PAPER,
    title="Table 4 and Figures 5 to 7: AUC of a linear classifier while columns are removed",
    about="Columns are removed without labels, worst first: how many before the AUC of a "
    "linear classifier changes by 0.01 to 0.04 (PFR), and its average change up to there (ACA).",
    tables=tuple(_PLANS),
    readings=_READINGS,
    cells=_cells,
    figures=_figures,
    claims=table_4_claims,
    drawings=_drawings,
    limits=table_4_limits,
)
