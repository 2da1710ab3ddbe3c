"""Figure 7 of Cunningham: columns added by information gain while a classifier improves."""

import statistics
from functools import partial
from typing import Any

import numpy as np
import pyarrow

import tamis
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
from tamis_papers.protocols.gain_claims import judge_claims
from tamis_papers.protocols.gain_curves import (
    DRAWS,
    LEARNERS,
    METHOD,
    NINTH,
    RANKED,
    RANKS,
    SIZE,
    GainCurves,
    average_stops,
    count_stops,
    gather_curves,
    key_of,
)

__all__ = ["FIGURE_7", "measure_accuracies", "rank_ninth"]

_QUICK_DRAWS = range(2)
# What information gain can cut numbers into, by the library's options.
_BINNINGS: dict[str, dict[str, Any]] = {
    "10 of equal depth": {"binning": "depth"},
    "5 of equal depth": {"binning": "depth", "bins": 5},
    "20 of equal depth": {"binning": "depth", "bins": 20},
    "10 of equal width": {"binning": "width"},
    "10 by k-means": {"binning": "kmeans"},
    "MDL": {"binning": "mdl"},
    "ChiMerge": {"binning": "chimerge"},
}

_READINGS = (
    Reading(
        "learner",
        "tree, knn and naive-bayes",
        "the accuracies of classifiers built with the top feature, the top two features and so on",
        "The classifier is not named; three of different kinds are tried.",
    ),
    Reading(
        "rank_in_folds",
        "both",
        "evaluate using cross-validation the performance of a classifier built with that feature",
        "Whether columns are ranked once or in each fold is not said. Once is simpler and too "
        "optimistic, in each fold is the library's default.",
    ),
    Reading(
        "cv",
        10,
        "using cross-validation",
        "The number of folds is not given here; ten are named for wrappers. The rows are drawn "
        "into folds five times: where the curve stops hangs on it.",
    ),
    Reading(
        "binning",
        "the default of information-gain",
        "These techniques can be applied to numeric features by discretising the data.",
        "How is not said; the rank of the ninth column is given for seven ways.",
    ),
)


def measure_accuracies(
    table: Table, *, learner: str, rank_in_folds: bool, draw: int
) -> dict[str, Any]:
    """Rank the columns by information gain; give the accuracy with the first 1, 2, ... of them.

    Rows in another order are drawn into other folds: the first draw has them as they are.
    """
    width = table.X.shape[1]
    rows = np.arange(len(table.X))
    if draw:
        rows = np.random.default_rng(draw).permutation(rows)
    options = {
        "policy": "incremental",
        "learner": learner,
        "rank_in_folds": rank_in_folds,
        "patience": width,  # the whole curve; where it would have stopped is read from it
    }
    named = _name_columns(table).take(rows)
    found = tamis.select(named, method=METHOD, y=np.asarray(table.y)[rows], options=options)
    ranking = found.to_dict()["evidence"]
    return {
        "order": [bar["column"] for bar in ranking["bars"]],
        "gains": [bar["score"] for bar in ranking["bars"]],
        "accuracy": ranking["accuracy"],
    }


def rank_ninth(table: Table) -> dict[str, Any]:
    """Give the rank of the column that the paper names, for every way to bin."""
    named = _name_columns(table)
    ranks = {}
    for binning, options in _BINNINGS.items():
        found = tamis.select(named, 1, method=METHOD, y=table.y, options=options)
        order = np.argsort(-np.nan_to_num(found.scores, nan=-1.0), kind="stable")
        ranks[binning] = 1 + [named.column_names[j] for j in order].index(NINTH)
    return {"ranks": ranks}


def _name_columns(table: Table) -> pyarrow.Table:
    names = [str(name) for name in table.extra["feature_names"]]
    return pyarrow.table(dict(zip(names, table.X.T, strict=True)))


def _cells(quick: bool) -> list[Cell]:
    return [
        Cell(RANKS, rank_ninth, ("segment",)),
        *(
            Cell(
                key_of(learner, ranked, draw),
                partial(measure_accuracies, learner=learner, rank_in_folds=in_folds, draw=draw),
                ("segment",),
            )
            for learner in (LEARNERS[1:] if quick else LEARNERS)
            for ranked, in_folds in RANKED.items()
            for draw in (_QUICK_DRAWS if quick else DRAWS)
        ),
    ]


def _figures(results: Results) -> list[Figure]:
    known = gather_curves(results)
    found = [
        Figure(
            "segment",
            f"{METHOD}, {learner}, ranked {ranked}",
            "columns kept",
            *average_stops(count_stops(draws)),
            runs=len(draws),
        )
        for (learner, ranked), draws in known.items()
    ]
    if known:
        found.append(_figure_of_stop(known))
    if RANKS in results:
        rank = next(iter(results[RANKS]["ranks"].values()))
        found.append(Figure("segment", METHOD, f"rank of {NINTH}", rank, 9, tolerance=0))
    return found


def _figure_of_stop(known: GainCurves) -> Figure:
    """Put the one printed number beside the mean of all classifiers.

    It may be away by what the draw of the folds alone moves the stop of a classifier by.
    """
    stops = [count_stops(draws) for draws in known.values()]
    noise = statistics.fmean(average_stops(one)[2] or 0.0 for one in stops)
    mean = statistics.fmean(statistics.fmean(one) for one in stops)
    runs = sum(map(len, stops))
    label = "columns kept, mean of all classifiers"
    return Figure("segment", METHOD, label, mean, SIZE, noise, runs, tolerance=noise)


def _drawings(results: Results) -> list[Drawing]:
    known = gather_curves(results)
    found = []
    for ranked in RANKED:
        series = [
            _draw_curve(learner, [one["accuracy"] for one in draws])
            for (learner, how), draws in known.items()
            if how == ranked
        ]
        title = f"Figure 7: accuracy on segment, ranked {ranked} (the paper stops at 8)"
        if series:
            found.append(Drawing(title, "columns, by information gain", "accuracy", series))
    for one, *_ in list(known.values())[:1]:
        gains = Series(METHOD, list(range(1, len(one["gains"]) + 1)), one["gains"])
        title = "Figure 7: information gain of the columns of segment"
        found.append(Drawing(title, "rank", "information gain, bits", [gains]))
    return found


def _draw_curve(learner: str, curves: list[list[float]]) -> Series:
    """Draw the mean of the draws, with their deviation."""
    columns = list(zip(*curves, strict=True))
    spread = [statistics.stdev(one) for one in columns] if len(curves) > 1 else []
    sizes = list(range(1, len(columns) + 1))
    return Series(learner, sizes, [statistics.fmean(one) for one in columns], spread)


def _limits(_: Results) -> list[str]:
    return [
        "The figure is a picture without numbers, and its classifier, folds and binning are not "
        "named: only the name of the ninth column and the stop after eight can be compared.",
    ]


FIGURE_7 = Protocol(
    id="cunningham-figure-7",
    paper="Cunningham",
    title="Figure 7: columns added by information gain while a classifier improves",
    about="The columns of segment are added in the order of their information gain; the accuracy "
    "in cross-validation says where to stop.",
    tables=("segment",),
    readings=_READINGS,
    cells=_cells,
    figures=_figures,
    claims=judge_claims,
    drawings=_drawings,
    limits=_limits,
)
