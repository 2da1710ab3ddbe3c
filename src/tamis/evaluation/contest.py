"""Several methods on one table: which suit it, their columns, and every criterion that applies."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tamis import registry
from tamis.errors import TamisError
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.criteria import Criterion, Figure
from tamis.evaluation.deadline import Deadline, OutOfTime
from tamis.evaluation.trial import Trial
from tamis.progress import track
from tamis.registry import Method
from tamis.run.columns import candidates, check_rows, named, took_part
from tamis.run.labels import column_of, find_labels
from tamis.run.request import Request
from tamis.run.shared import HeldSource, Summaries
from tamis.sources.source import Source
from tamis.statistics.collect import check_used
from tamis.statistics.rows import label_column

Cell = tuple[str, int]  # the id of a method, a number of columns

_NAMED = 6
_MOST, _LONG = 0.5, 0.1  # of the time left, for one method to run and for one that may take long


@dataclass(eq=False)
class Contest:
    """What was measured: `figures` by criterion and cell; what is missing there has its reason.

    `unsuitable` gives the reason of every method that did not run, `unmeasured` of every criterion
    that does not apply, `notes` says what else there is to know.
    """

    ground: Ground
    sizes: tuple[int, ...]
    trials: list[Trial] = field(default_factory=list)
    criteria: tuple[Criterion, ...] = ()
    figures: dict[str, dict[Cell, Figure]] = field(default_factory=dict)
    unsuitable: dict[str, str] = field(default_factory=dict)
    unmeasured: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def figure(self, criterion: str, method: str, k: int) -> Figure | None:
        """Give one figure, None if it was not measured."""
        return self.figures.get(criterion, {}).get((method, k))


def common_ground(request: Request, source: Source, empty: Sequence[str] = ()) -> Ground:
    """Read the table once, by the request of a method that all others are compared with."""
    labels = find_labels(source, request)
    column = column_of(labels)
    usable, skipped = candidates(request, source, column, empty)
    held = HeldSource(source, usable)
    summaries = Summaries()
    summary = summaries(
        request.method,
        held,
        usable,
        scale=request.scale,
        missing=request.missing,
        options=request.own,
        insist=named(source, usable, request.columns or ()),
        labels=None,
        task=request.task,
        blocks=request.blocks,
    )
    used, constant = took_part(held, usable, summary, skipped)
    check_rows(held, summary.n_rows)
    check_used(summary, len(usable), source.label)
    if column is not None:
        labels = label_column(source, column)
    exclude = (*request.exclude, *([] if column is None else [column]), *empty)
    common = replace(request, y=labels, exclude=exclude)
    return Ground(held, common, usable, used, summary, summaries, labels, constant, skipped)


def entered(
    ground: Ground, methods: Sequence[Method], sizes: tuple[int, ...], *, chosen: bool, long: bool
) -> Contest:
    """Enter the methods that suit the table; `chosen` if they were named, `long` for slow ones."""
    contest = Contest(ground, sizes)
    common = ground.request
    # Methods that take text analyse the same columns as the others.
    read = [ground.source.names[j] for j in ground.usable]  # an integer may be a label
    columns = common.columns if ground.blocks is None else read
    for method in methods:
        why = _unsuitable(ground, method, chosen=chosen, long=long)
        if why is not None:
            contest.unsuitable[method.id] = why
            continue
        try:
            request = Request.of(
                method.id,
                k=sizes[-1],
                columns=columns,
                exclude=common.exclude,
                missing=common.missing,
                y=common.y,
                task=common.task if method.supervised else "auto",
                held_out=method.resamples,
            )
        except TamisError as error:
            contest.unsuitable[method.id] = str(error)
        else:
            contest.trials.append(Trial(ground, request, sizes))
    return contest


def _unsuitable(ground: Ground, method: Method, *, chosen: bool, long: bool) -> str | None:
    if method.supervised and ground.labels is None:
        return "needs labels"
    if ground.blocks is None and not method.takes_text:
        return "needs numbers, and text or categories are analysed: exclude them"
    if method.supervised and ground.request.task not in ("auto", *method.tasks):
        return f"has no use for labels that are numbers ({ground.request.task})"
    if method.searches and not (chosen or long):
        return "fits a model to every set of columns it tries: name it, or give a budget"
    return None


def run_contest(contest: Contest, criteria: Sequence[Criterion], deadline: Deadline) -> None:
    """Run all methods, then measure one criterion after the other, until the time is over."""
    _run_methods(contest, deadline)
    applicable = []
    for criterion in criteria:
        why = criterion.refusal(contest.ground)
        if why is None:
            applicable.append(criterion)
        else:
            contest.unmeasured[criterion.id] = why
    contest.criteria = tuple(applicable)
    for criterion in track("criteria measured", applicable, len(applicable)):
        _measure(contest, criterion, deadline)
    if contest.ground.step > 1 and any("rows" in c.needs for c in applicable):
        contest.notes.append(
            f"Distances, clusters and predictions are measured on every "
            f"{_ordinal(contest.ground.step)} row ({contest.ground.sample.n_rows:,} rows)."
        )
    contest.notes.append(
        "Memory is not compared: all methods run in one process, which has one peak."
    )


def _run_methods(contest: Contest, deadline: Deadline) -> None:
    entries, contest.trials = contest.trials, []
    for trial in track("methods run", entries, len(entries)):
        try:
            share = _LONG if trial.method.searches else _MOST
            # The first method runs in any case, so that there is something to show.
            with deadline.limiting(share) if contest.trials else nullcontext():
                trial.run()
        except OutOfTime:
            over = deadline.over
            contest.unsuitable[trial.method.id] = (
                "not reached within the budget" if over else "too slow for the budget"
            )
        except TamisError as error:
            contest.unsuitable[trial.method.id] = str(error)
        else:
            contest.trials.append(trial)
    if not contest.trials:
        first = next(iter(contest.unsuitable.items()), ("", "there is none"))
        raise TamisError(f"No method can be compared on this table ({first[0]}: {first[1]}).")


def _measure(contest: Contest, criterion: Criterion, deadline: Deadline) -> None:
    figures = contest.figures.setdefault(criterion.id, {})
    lacking: dict[str, list[str]] = {}
    for trial in track(f"methods measured ({criterion.name})", contest.trials):
        why = _skipped(criterion, trial, deadline)
        try:
            if why is None:
                with deadline.limiting() if criterion.needs else nullcontext():
                    found = {k: criterion.measure(contest.ground, trial, k) for k in trial.sizes}
                figures.update({(trial.method.id, k): one for k, one in found.items()})
        except OutOfTime:
            why = "the budget is spent"
        except TamisError as error:
            why = str(error).rstrip(".")
        if why is not None:
            lacking.setdefault(why, []).append(trial.method.id)
    for why, ids in lacking.items():
        more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
        some = ", ".join(ids[:_NAMED]) + more
        some = "all methods" if len(ids) == len(contest.trials) else some
        contest.notes.append(f"No {criterion.name} of {some}: {why}.")


def _skipped(criterion: Criterion, trial: Trial, deadline: Deadline) -> str | None:
    """Say why a method is not measured by a criterion; None if it is."""
    if not criterion.needs:
        return None
    if deadline.over:
        return "the budget is spent"
    if "parts" in criterion.needs and not trial.can_repeat:
        return "the table is too long to repeat the search on parts of its rows"
    repeats = "parts" in criterion.needs or trial.method.supervised
    seconds = trial.slowest * criterion.repeats
    if repeats and criterion.repeats and not deadline.affords(seconds):
        return f"{criterion.repeats} repeats of the search would take too long"
    return None


def _ordinal(step: int) -> str:
    last = {1: "st", 2: "nd", 3: "rd"}.get(step % 10 if step // 10 % 10 != 1 else 0, "th")
    return f"{step:,}{last}"


def agreement(contest: Contest, k: int) -> list[list[float]]:
    """Give the Jaccard index of the columns that every two methods keep."""
    sets = [set(trial.kept(k).tolist()) for trial in contest.trials]
    return [[_jaccard(a, b) for b in sets] for a in sets]


def _jaccard(first: set[int], second: set[int]) -> float:
    every = len(first | second)
    return len(first & second) / every if every else 1.0


def mean_of(contest: Contest, criterion: str, method: str) -> float | None:
    """Give the mean of a figure over the numbers of columns; None if one was not measured."""
    found = [contest.figure(criterion, method, k) for k in contest.sizes]
    values: list[Any] = [one.value for one in found if one is not None]
    return float(np.mean(values)) if len(values) == len(contest.sizes) else None


def methods_named(asked: str | Sequence[str]) -> tuple[Method, ...]:
    """Give the methods of selection that were named, each once; all of them for "all"."""
    if isinstance(asked, str) and asked == "all":
        return registry.methods("selection")
    ids = [asked] if isinstance(asked, str) else list(dict.fromkeys(asked))
    if not ids:
        raise TamisError("The list of methods is empty: name at least one.")
    return tuple(registry.get(one) for one in ids)
