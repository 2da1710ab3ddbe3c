"""Backward elimination against forward selection, which Cunningham cites and does not show."""

import statistics
from functools import partial
from math import sqrt
from typing import Any

import numpy as np

import tamis
from tamis_papers.laboratory.protocol import (
    Cell,
    Claim,
    Figure,
    Protocol,
    Reading,
    Results,
    Table,
    Verdict,
)

__all__ = ["DIRECTIONS", "search_columns"]

FORWARD, BACKWARD = "wrapper-forward", "wrapper-backward"
_LEARNERS = ("naive-bayes", "knn")
_TABLES = ("iris", "x80", "breast_w", "ionosphere", "spectf", "sonar")
_QUICK, _QUICK_LEARNERS = ("iris", "x80"), ("naive-bayes",)
_SEEDS, _QUICK_SEEDS = range(5), range(2)
_FOLDS, _TEST = 5, 0.3
_ROUNDING = 0.005
_WHERE = "Section 3.1.2"
_TEXT = "Of the two simple wrapper strategies (BE and FS) BE is considered to be more effective"

_READINGS = (
    Reading(
        "tables, learners",
        "six small tables; naive Bayes and the nearest neighbours",
        "BE is considered to be more effective as it more effectively considers features in the "
        "context of other features",
        "The paper cites this and has no experiment for it. Tables on which both searches take "
        "seconds, and two classifiers of different kinds.",
    ),
    Reading(
        "effective",
        "accuracy on rows that the search has not seen",
        "more effective",
        "30% of the rows are set aside before the search, five times. The accuracy in "
        "cross-validation, which the search itself maximises, is shown as well.",
    ),
)


def search_columns(table: Table, *, method: str, learner: str, seed: int) -> dict[str, Any]:
    """Search the columns on some of the rows; give the accuracy there and on the others."""
    options = {"learner": learner, "cv": _FOLDS, "test_size": _TEST, "random_state": seed}
    if method == BACKWARD:
        options["accept_ties"] = False  # as the paper: it ends when nothing improves
    X = table.X[:, ~np.isnan(table.X).any(axis=0)]
    found = tamis.select(X, method=method, y=table.y, options=options).to_dict()["evidence"]
    return {
        "kept": len(found["kept"]),
        "inside": found["score"],
        "outside": found["test_score"],
        "sets": found["evaluations"],
    }


def _key(table: str, learner: str, method: str, seed: int) -> str:
    return f"{table}/{learner}/{method}/{seed}"


def _cells(quick: bool) -> list[Cell]:
    return [
        Cell(
            _key(table, learner, method, seed),
            partial(search_columns, method=method, learner=learner, seed=seed),
            (table,),
        )
        for table in (_QUICK if quick else _TABLES)
        for learner in (_QUICK_LEARNERS if quick else _LEARNERS)
        for method in (FORWARD, BACKWARD)
        for seed in (_QUICK_SEEDS if quick else _SEEDS)
    ]


_Known = dict[tuple[str, str], dict[str, list[Any]]]


def _known(results: Results) -> _Known:
    """Gather the runs of both directions with the same seeds, by table and learner."""
    found: _Known = {}
    for table in _TABLES:
        for learner in _LEARNERS:
            keys = {
                seed: [_key(table, learner, method, seed) for method in (FORWARD, BACKWARD)]
                for seed in _SEEDS
            }
            full = [pair for pair in keys.values() if all(key in results for key in pair)]
            if full:
                pairs = [[results[key] for key in pair] for pair in full]
                forward, backward = map(list, zip(*pairs, strict=True))
                found[table, learner] = {FORWARD: forward, BACKWARD: backward}
    return found


def _figures(results: Results) -> list[Figure]:
    names = {
        "outside": "accuracy on unseen rows",
        "inside": "accuracy in cross-validation",
        "kept": "columns kept",
        "sets": "sets tried",
    }
    found = []
    for (table, learner), runs in _known(results).items():
        for method, draws in runs.items():
            for name, label in names.items():
                values = [float(one[name]) for one in draws]
                spread = statistics.stdev(values) if len(values) > 1 else None
                row = f"{method}, {learner}"
                mean = statistics.fmean(values)
                found.append(Figure(table, row, label, mean, None, spread, len(values)))
    return found


def _claims(results: Results) -> list[Claim]:
    known = _known(results)
    if not known:
        return [Claim(_TEXT, _WHERE, "cannot be judged", "No table was run.")]
    inside, outside = (_compare(known, name) for name in ("inside", "outside"))
    better, worse = outside.count(1), outside.count(-1)
    verdict: Verdict = "cannot be judged"
    if max(better, worse) > outside.count(0):
        verdict = "holds" if better > worse else "does not hold"
    reason = (
        f"On unseen rows backward elimination is better in {better}, worse in {worse} and equal "
        f"in {outside.count(0)} of {len(outside)} pairs of table and classifier; in "
        f"cross-validation better in {inside.count(1)} and worse in {inside.count(-1)}. Equal is "
        "within two standard errors over the draws of the unseen rows; the paper cites this and "
        "has no experiment for it."
    )
    return [Claim(_TEXT, _WHERE, verdict, reason)]


def _compare(known: _Known, name: str) -> list[int]:
    """Give 1 where backward is better, -1 where it is worse and 0 where the draws leave it open."""
    found = []
    for runs in known.values():
        pairs = zip(runs[BACKWARD], runs[FORWARD], strict=True)
        leads = [float(one[name]) - float(other[name]) for one, other in pairs]
        error = statistics.stdev(leads) / sqrt(len(leads)) if len(leads) > 1 else 0.0
        lead = statistics.fmean(leads)
        found.append(0 if abs(lead) <= max(2 * error, _ROUNDING) else int(np.sign(lead)))
    return found


DIRECTIONS = Protocol(
    id="cunningham-directions",
    paper="Cunningham",
    title="Backward elimination against forward selection",
    about="The accuracy of a classifier on unseen rows, with the columns that each search keeps.",
    tables=_TABLES,
    readings=_READINGS,
    cells=_cells,
    figures=_figures,
    claims=_claims,
    limits=lambda _: (
        ["Six tables and two classifiers: others may decide otherwise, and none is the paper's."]
    ),
)
