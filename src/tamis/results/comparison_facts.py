"""Everything that will be shown about a comparison, as one plain dict; no view computes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tamis.evaluation.contest import Contest, agreement, mean_of
from tamis.evaluation.criteria import Criterion
from tamis.evaluation.learnt import kind_of
from tamis.evaluation.recommend import Recommendation
from tamis.presentation.labels import labels_sentence
from tamis.presentation.numbers import WORSE, is_worse, percent
from tamis.presentation.words import words_of
from tamis.results.asked import plain_call, shown_options, ways
from tamis.results.shared_facts import missing_facts

if TYPE_CHECKING:
    from tamis.results.comparison import Comparison

Facts = dict[str, Any]

_NAMED = 3


def comparison_facts(found: "Comparison") -> Facts:
    """Gather what the terminal, `--json` and the page show."""
    contest, request, advice = found.contest, found.request, found.advice
    ids = ranked_ids(contest, advice)
    middle = contest.sizes[len(contest.sizes) // 2]
    asked = {**_settings(found), **found.goals}
    return {
        "title": request.label,
        "sentence": found.recommendation,
        "method": {"id": ", ".join(ids), "name": "", "about": "", "paper": "", "why": ""},
        "missing": missing_facts(found.missing),
        "unread": {"parts": [], "sentence": ""},
        "doubts": list(request.doubts),
        "labels": _labels(found),
        "warnings": [],
        "columns": len(request.names),
        "used": len(contest.ground.used),
        "rows": contest.ground.summary.n_rows,
        "skipped": [{"column": name, "why": why} for name, why in found.skipped.items()],
        "constant": list(found.constant),
        "sizes": list(contest.sizes),
        "methods": [_method(contest, advice, one) for one in ids],
        "criteria": [_criterion(contest, one) for one in contest.criteria],
        "figures": {c.id: _figures(contest, c, ids) for c in contest.criteria},
        "best": advice.method,
        "basis": advice.criterion,
        "within_noise": list(advice.equal),
        "ranks": _ranks(contest, advice, ids),
        "names": {one: {str(k): v for k, v in found.names[one].items()} for one in ids},
        "agreement": {"k": middle, "values": _agreement(contest, ids, middle)},
        "popular": _popular(found, ids, middle),
        "unsuitable": [{"method": one, "why": why} for one, why in contest.unsuitable.items()],
        "unmeasured": [{"criterion": one, "why": why} for one, why in contest.unmeasured.items()],
        "notes": list(contest.notes),
        "options": shown_options({n: v for n, v in asked.items() if n != "methods"}),
        "repeat": ways(request, plain_call(request, "compare", asked)),
    }


def recommendation_sentence(contest: Contest, advice: Recommendation) -> str:
    """Say which method to take, on what that rests, and which others are within noise."""
    k, ground = contest.sizes, contest.ground
    several = f"k = {', '.join(map(str, k[:-1]))} and {k[-1]}"
    sizes = f"k = {k[0]}" if len(k) == 1 else f"mean over {several}"
    value = percent(advice.value)
    if advice.criterion == "prediction":
        kind = kind_of(ground.task) if ground.task is not None else "score"
        score = WORSE if kind == "R^2" and is_worse(advice.value) else f"{kind} {advice.value:.3f}"
        basis = f"it predicts the labels of held-out rows best ({score}"
    elif advice.criterion == "held-out" and is_worse(advice.value):
        basis = f"it is best on held-out rows, where all are {WORSE} ({len(contest.trials)} methods"
    elif advice.criterion == "held-out":
        basis = f"it explains most on held-out rows ({value} of the variance"
    elif advice.criterion == "share":
        basis = f"it explains most ({value} {words_of(ground.measure.name).share}"
    else:
        name = next(c.name for c in contest.criteria if c.id == advice.criterion)
        basis = f"it is best by {name} ({advice.value:.3g}"
    basis += f", {sizes}" + (f"; {advice.folds} folds)" if advice.folds else ")")
    return f"Use {advice.method}: {basis}; {_others(advice)}."


def _others(advice: Recommendation) -> str:
    count, all_others = len(advice.equal), len(advice.order) - 1
    if not all_others:
        return "no other method was measured by this"
    if not count:
        if not advice.folds:
            return "how much of the difference is noise is not known"
        return "its lead over all others is larger than noise (2 standard errors over the folds)"
    shown = [*advice.equal[:_NAMED], *([f"{count - _NAMED} more"] if count > _NAMED else [])]
    names = " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
    verb = "is" if count == 1 else "are"
    if not advice.folds:
        return f"{names} {verb} equal"
    return f"{names} {verb} within noise of it (2 standard errors over the folds)"


def ranked_ids(contest: Contest, advice: Recommendation) -> list[str]:
    """List all methods that ran, best first; those not measured last."""
    ids = [trial.method.id for trial in contest.trials]
    return [*advice.order, *(one for one in ids if one not in advice.order)]


def _method(contest: Contest, advice: Recommendation, one: str) -> Facts:
    method = next(trial.method for trial in contest.trials if trial.method.id == one)
    return {
        "id": one,
        "name": method.name,
        "about": method.about,
        "supervised": method.supervised,
        "best": one == advice.method,
        "within_noise": one in advice.equal,
    }


def _criterion(contest: Contest, criterion: Criterion) -> Facts:
    name, head = criterion.name, criterion.head
    if criterion.id == "prediction" and contest.ground.task is not None:
        head = kind_of(contest.ground.task)
        name = f"prediction ({head})"
    return {
        "id": criterion.id,
        "name": name,
        "head": head,
        "about": criterion.about,
        "larger": criterion.larger,
        "unit": criterion.unit,
    }


def _figures(contest: Contest, criterion: Criterion, ids: Sequence[str]) -> Facts:
    """Give by method its figures, their mean, and where that is from the worst (0) to the best."""
    found = {one: [contest.figure(criterion.id, one, k) for k in contest.sizes] for one in ids}
    means = {one: mean_of(contest, criterion.id, one) for one in ids}
    levels = _levels(means, larger=criterion.larger, logs=criterion.unit == "seconds")
    return {
        one: {
            "values": [None if cell is None else cell.value for cell in cells],
            "std": [None if cell is None else cell.std for cell in cells],
            "mean": means[one],
            "level": levels[one],
        }
        for one, cells in found.items()
    }


def _levels(means: dict[str, float | None], *, larger: bool, logs: bool) -> dict[str, float | None]:
    """Put means on a scale from the worst, 0, to the best, 1; times by their logarithm."""
    known = {one: mean for one, mean in means.items() if mean is not None}
    shown = {one: float(np.log(max(m, 1e-6))) if logs else m for one, m in known.items()}
    low, high = min(shown.values(), default=0.0), max(shown.values(), default=0.0)
    width = high - low

    def level(value: float) -> float:
        at = (value - low) / width if width > 0 else 1.0
        return at if larger or not width > 0 else 1.0 - at

    return {one: level(shown[one]) if one in shown else None for one in means}


def _ranks(contest: Contest, advice: Recommendation, ids: Sequence[str]) -> Facts:
    """Give the place of every method for each number of columns; equal values share a place."""
    larger = next(c.larger for c in contest.criteria if c.id == advice.criterion)
    ranks: dict[str, list[int | None]] = {one: [] for one in ids}
    for k in contest.sizes:
        found = {one: contest.figure(advice.criterion, one, k) for one in ids}
        known = {o: round(f.value, 9) * (-1 if larger else 1) for o, f in found.items() if f}
        for one in ids:
            mine = known.get(one)
            place = None if mine is None else 1 + sum(v < mine for v in known.values())
            ranks[one].append(place)
    return ranks


def _agreement(contest: Contest, ids: Sequence[str], k: int) -> list[list[float]]:
    order = [[trial.method.id for trial in contest.trials].index(one) for one in ids]
    found = np.array(agreement(contest, k))[np.ix_(order, order)]
    values: list[list[float]] = found.tolist()
    return values


def _popular(found: "Comparison", ids: Sequence[str], k: int) -> list[Facts]:
    """List the columns by how many methods keep them."""
    keepers: dict[str, list[str]] = {}
    for one in ids:
        for name in found.names[one][k]:
            keepers.setdefault(name, []).append(one)
    order = sorted(keepers, key=lambda name: -len(keepers[name]))
    return [{"column": name, "methods": keepers[name]} for name in order]


def _labels(found: "Comparison") -> Facts | None:
    labels = found.labels
    if labels is None:
        return None
    facts = {
        "column": labels.column,
        "task": labels.task,
        "counts": labels.counts,
        "used": labels.used,
    }
    return {**facts, "sentence": labels_sentence({**facts, "method": ""})}


def _settings(found: "Comparison") -> Facts:
    """Give what was asked of the table, as keywords."""
    labels = found.labels
    y = None if labels is None else labels.given if labels.column is None else labels.column
    return {} if y is None else {"y": y}
