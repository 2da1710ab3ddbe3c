"""Everything that is known about a comparison; no view computes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tamis.evaluation.contest import Contest, mean_of
from tamis.evaluation.prediction import kind_of
from tamis.facts.comparison_answer import (
    AdviceFacts,
    AgreementFacts,
    ComparedMethod,
    ComparisonFacts,
    CriterionFacts,
    FigureFacts,
    PopularColumn,
    UnmeasuredCriterion,
    UnsuitableMethod,
)
from tamis.facts.shared_answer import MethodFacts, UnreadFacts
from tamis.results.shared_facts import describe_options, list_skipped, list_ways, plain_call

if TYPE_CHECKING:
    from tamis.results.comparison import Comparison


def comparison_facts(found: "Comparison") -> ComparisonFacts:
    """Gather what the terminal, `--json` and the page show."""
    contest, request, advice = found.contest, found.request, found.advice
    # All methods that ran, best first; those not measured last.
    ids = list(dict.fromkeys([*advice.order, *(trial.method.id for trial in contest.trials)]))
    middle = contest.sizes[len(contest.sizes) // 2]
    labels, asked = found.labels, found.goals
    if labels and (labels.given is not None or labels.column is not None):
        asked = {"y": labels.given if labels.column is None else labels.column, **asked}
    return ComparisonFacts(
        title=request.label,
        method=MethodFacts(", ".join(ids)),
        missing=found.missing,
        unread=UnreadFacts(),
        doubts=tuple(request.doubts),
        labels=found.labels,
        warnings=(),
        columns=len(request.names),
        used=len(contest.ground.used),
        rows=contest.ground.summary.n_rows,
        skipped=list_skipped(found.skipped),
        constant=tuple(found.constant),
        sizes=tuple(contest.sizes),
        methods=tuple(_method(contest, advice, one) for one in ids),
        criteria=tuple(_name_criterion(contest, one) for one in contest.criteria),
        figures={c.id: _figures(contest, c, ids) for c in contest.criteria},
        best=advice.method,
        basis=advice.criterion,
        within_noise=tuple(advice.equal),
        advice=advice,
        ranks=_ranks(contest, advice, ids),
        names={one: {str(k): tuple(v) for k, v in found.names[one].items()} for one in ids},
        agreement=AgreementFacts(middle, _agreement(contest, ids, middle)),
        popular=_popular(found, ids, middle),
        unsuitable=tuple(UnsuitableMethod(*pair) for pair in contest.unsuitable.items()),
        unmeasured=tuple(UnmeasuredCriterion(*pair) for pair in contest.unmeasured.items()),
        notes=tuple(contest.notes),
        options=describe_options({n: v for n, v in asked.items() if n != "methods"}),
        repeat=list_ways(request, plain_call(request, "compare", asked)),
    )


def _method(contest: Contest, advice: AdviceFacts, one: str) -> ComparedMethod:
    method = next(trial.method for trial in contest.trials if trial.method.id == one)
    return ComparedMethod(
        id=one,
        name=method.name,
        about=method.about,
        supervised=method.supervised,
        best=one == advice.method,
        within_noise=one in advice.equal,
    )


def _name_criterion(contest: Contest, criterion: CriterionFacts) -> CriterionFacts:
    if criterion.id != "prediction" or contest.ground.task is None:
        return criterion
    head = kind_of(contest.ground.task)
    return replace(criterion, name=f"prediction ({head})", head=head)


def _figures(
    contest: Contest, criterion: CriterionFacts, ids: Sequence[str]
) -> dict[str, FigureFacts]:
    """Give by method its figures, their mean, and where that is from the worst (0) to the best."""
    found = {one: [contest.figure(criterion.id, one, k) for k in contest.sizes] for one in ids}
    means = {one: mean_of(contest, criterion.id, one) for one in ids}
    levels = _levels(means, larger=criterion.larger, logs=criterion.unit == "seconds")
    return {
        one: FigureFacts(
            values=tuple(None if cell is None else cell.value for cell in cells),
            std=tuple(None if cell is None else cell.std for cell in cells),
            mean=means[one],
            level=levels[one],
        )
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


def _ranks(
    contest: Contest, advice: AdviceFacts, ids: Sequence[str]
) -> dict[str, tuple[int | None, ...]]:
    """Give the place of every method for each number of columns; equal values share a place."""
    larger = next(c.larger for c in contest.criteria if c.id == advice.criterion)
    ranks: dict[str, list[int | None]] = {one: [] for one in ids}
    for k in contest.sizes:
        found = {one: contest.figure(advice.criterion, one, k) for one in ids}
        known = {o: round(f.value, 9) * (-1 if larger else 1) for o, f in found.items() if f}
        for one in ids:
            mine = known.get(one)
            ranks[one].append(None if mine is None else 1 + sum(v < mine for v in known.values()))
    return {one: tuple(places) for one, places in ranks.items()}


def _agreement(contest: Contest, ids: Sequence[str], k: int) -> tuple[tuple[float, ...], ...]:
    """Give the Jaccard index of the columns that every two methods keep."""
    kept = {trial.method.id: {*trial.list_kept(k).tolist()} for trial in contest.trials}
    sets = [kept[one] for one in ids]
    return tuple(tuple(len(a & b) / len(a | b) if a | b else 1.0 for b in sets) for a in sets)


def _popular(found: "Comparison", ids: Sequence[str], k: int) -> tuple[PopularColumn, ...]:
    keepers: dict[str, list[str]] = {}
    for one in ids:
        for name in found.names[one][k]:
            keepers.setdefault(name, []).append(one)
    order = sorted(keepers, key=lambda name: -len(keepers[name]))
    return tuple(PopularColumn(name, tuple(keepers[name])) for name in order)
