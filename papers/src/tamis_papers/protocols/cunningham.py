"""Cunningham, Dimension Reduction: the two figures of selection at work.

Figure 7 adds columns in the order of their information gain while a classifier improves; Figure 9
removes columns one by one while a score rises.
"""

from functools import partial
from itertools import pairwise
from typing import Any

import pyarrow

import tamis
from tamis_papers.laboratory.numbers import NEGLIGIBLE
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
from tamis_papers.protocols.backward_example import FIGURE_9

__all__ = ["FIGURE_7", "PROTOCOLS", "measure_accuracies"]

_LEARNERS = ("tree", "knn", "naive-bayes")
_RANKED = {"in folds": True, "once": False}
_SIZE, _NINTH = 8, "saturation-mean"
_WHERE = "Section 3.1.1, Figure 7"
_METHOD = "information-gain"

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
        "The number of folds is not given here; ten are named for wrappers.",
    ),
    Reading(
        "binning",
        "the default of information-gain",
        "These techniques can be applied to numeric features by discretising the data.",
        "How is not said.",
    ),
)


def measure_accuracies(table: Table, *, learner: str, rank_in_folds: bool) -> dict[str, Any]:
    """Rank the columns by information gain; give the accuracy with the first 1, 2, ... of them."""
    width = table.X.shape[1]
    options = {
        "policy": "incremental",
        "learner": learner,
        "rank_in_folds": rank_in_folds,
        "patience": width,  # the whole curve; where it would have stopped is read from it
    }
    names = [str(name) for name in table.extra["feature_names"]]
    columns = dict(zip(names, table.X.T, strict=True))
    found = tamis.select(pyarrow.table(columns), method=_METHOD, y=table.y, options=options)
    ranking = found.to_dict()["evidence"]
    return {
        "order": [bar["column"] for bar in ranking["bars"]],
        "gains": [bar["score"] for bar in ranking["bars"]],
        "accuracy": ranking["accuracy"],
    }


def _cells(quick: bool) -> list[Cell]:
    return [
        Cell(
            _key(learner, ranked),
            partial(measure_accuracies, learner=learner, rank_in_folds=in_folds),
            ("segment",),
        )
        for learner in (_LEARNERS[1:] if quick else _LEARNERS)
        for ranked, in_folds in _RANKED.items()
    ]


def _key(learner: str, ranked: str) -> str:
    return f"segment/{learner}/ranked {ranked}"


def _known(results: Results) -> dict[tuple[str, str], Any]:
    """Gather the curves that were computed, by learner and ranking."""
    pairs = [(learner, ranked) for learner in _LEARNERS for ranked in _RANKED]
    return {pair: results[_key(*pair)] for pair in pairs if _key(*pair) in results}


def _count_improving(accuracy: list[float]) -> int:
    """Give the number of columns before the first that does not improve.

    >>> _count_improving([0.5, 0.7, 0.6, 0.8])
    2
    """
    pairs = enumerate(pairwise(accuracy), 1)
    return next((m for m, (old, new) in pairs if new <= old + NEGLIGIBLE), len(accuracy))


def _figures(results: Results) -> list[Figure]:
    known = _known(results)
    found = [
        Figure(
            "segment",
            f"{_METHOD}, {learner}, ranked {ranked}",
            "columns kept",
            _count_improving(one["accuracy"]),
            _SIZE,
            tolerance=0,
        )
        for (learner, ranked), one in known.items()
    ]
    for one in list(known.values())[:1]:
        rank = one["order"].index(_NINTH) + 1
        found.append(Figure("segment", _METHOD, f"rank of {_NINTH}", rank, 9, tolerance=0))
    return found


def _claims(results: Results) -> list[Claim]:
    known = _known(results)
    return [_ninth(known), _eight(known), _improves(known)]


def _ninth(known: dict[tuple[str, str], Any]) -> Claim:
    text = f"the ninth feature ({_NINTH})"
    if not known:
        return Claim(text, _WHERE, "cannot be judged", "segment was not run.")
    order = next(iter(known.values()))["order"]
    rank = order.index(_NINTH) + 1
    reason = f"By information gain {_NINTH} has rank {rank} of {len(order)}."
    return Claim(text, _WHERE, "holds" if rank == 9 else "does not hold", reason)


def _eight(known: dict[tuple[str, str], Any]) -> Claim:
    text = (
        "after the ninth feature is added the accuracy drops slightly so the process would stop "
        "after selecting the first eight features"
    )
    if not known:
        return Claim(text, _WHERE, "cannot be judged", "segment was not run.")
    stops = {pair: _count_improving(one["accuracy"]) for pair, one in known.items()}
    falls = [one["accuracy"][8] < one["accuracy"][7] for one in known.values()]
    said = ", ".join(f"{learner} ranked {ranked} {n}" for (learner, ranked), n in stops.items())
    reason = (
        f"The ninth column lowers the accuracy of {sum(falls)} of {len(falls)} classifiers; "
        f"columns kept: {said}. The paper's classifier is not known."
    )
    return Claim(text, _WHERE, "holds" if _SIZE in stops.values() else "does not hold", reason)


def _improves(known: dict[tuple[str, str], Any]) -> Claim:
    text = "this strategy is straightforward and effective"
    if not known:
        return Claim(text, _WHERE, "cannot be judged", "segment was not run.")
    short = {
        pair: max(one["accuracy"]) - one["accuracy"][_count_improving(one["accuracy"]) - 1]
        for pair, one in known.items()
    }
    worst = max(short, key=lambda pair: short[pair])
    reason = (
        f"Where it stops, the accuracy is up to {100 * short[worst]:.1f} points below the best on "
        f"the curve ({worst[0]}, ranked {worst[1]}), and {100 * min(short.values()):.1f} at least."
    )
    good = short[worst] <= 0.01
    return Claim(text, _WHERE, "holds" if good else "does not hold", reason)


def _drawings(results: Results) -> list[Drawing]:
    known = _known(results)
    found = []
    for ranked in _RANKED:
        series = [
            Series(learner, list(range(1, len(one["accuracy"]) + 1)), one["accuracy"])
            for (learner, how), one in known.items()
            if how == ranked
        ]
        title = f"Figure 7: accuracy on segment, ranked {ranked} (the paper stops at 8)"
        if series:
            found.append(Drawing(title, "columns, by information gain", "accuracy", series))
    for one in list(known.values())[:1]:
        gains = Series(_METHOD, list(range(1, len(one["gains"]) + 1)), one["gains"])
        title = "Figure 7: information gain of the columns of segment"
        found.append(Drawing(title, "rank", "information gain, bits", [gains]))
    return found


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
    claims=_claims,
    drawings=_drawings,
    limits=_limits,
)

PROTOCOLS: tuple[Protocol, ...] = (FIGURE_7, FIGURE_9)
