"""Several methods on one table: which suit it, their columns, and every criterion that applies."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from tamis import registry
from tamis.algorithms.wrappers.search_checkpoint import Checkpoint, hash_inputs
from tamis.errors import TamisError, spell
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.criteria import Figure, refuse_criterion
from tamis.evaluation.prediction import kind_of
from tamis.evaluation.trial import ListTrial, Trial
from tamis.facts.comparison_answer import AdviceFacts, CriterionFacts
from tamis.facts.selection_answer import weigh_folds
from tamis.numerics.types import Floats
from tamis.progress import check_at_progress, track
from tamis.registry import Method
from tamis.registry.command import LISTS_OPTION
from tamis.rules.search import CLEAR
from tamis.run.beforehand import check_label_kind
from tamis.run.candidates import find_candidates
from tamis.run.request import Request
from tamis.run.roles import columns_of, find_labels
from tamis.sources.positions import find_positions, match_columns
from tamis.sources.source import Source
from tamis.statistics.classes import Responses
from tamis.statistics.scaled_source import look_for_counts
from tamis.values import dataclass
from tamis.versions import version_of


def open_checkpoint(
    path: str | Path | None, ground: Ground, sizes: Sequence[int], lists: Any
) -> Checkpoint | None:
    """Open the file for a table and what is measured of it; None without a path."""
    if path is None:
        return None
    # A row's block follows from its values: the rows in each block know of all of them.
    rows = () if ground.blocks is None else ground.blocks.count.tolist()
    names = [ground.source.names[j] for j in ground.usable]
    labels = None if ground.labels is None else [str(label) for label in ground.labels]
    asked = ground.request
    settings = (str(asked.missing), asked.task, [str(name) for name in asked.exclude])
    sample = ground.sample.values if ground.blocks is not None else None
    text = hash_inputs(
        version_of("tamis"), names, rows, labels, settings, list(sizes), lists, sample
    )
    return Checkpoint(path, text, "comparison", list)


_WITHOUT = 30.0  # seconds for all repeats of one method where there is no budget


class OutOfTime(Exception):
    """The time is over; what is done is kept."""


class Deadline:
    """So many seconds from now on, or no limit."""

    def __init__(self, seconds: float | None) -> None:
        self.budget = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def part(self, share: float) -> "Deadline":
        """Give the deadline of work that may take this share of the time left."""
        return Deadline(None if self._end is None else share * self.left)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return float("inf") if self._end is None else self._end - time.monotonic()

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self.left <= 0

    def affords(self, seconds: float) -> bool:
        """Whether one method's repeats may take so long: half of what is left, or half a minute."""
        return seconds <= (_WITHOUT if self._end is None else self.left / 2)

    @contextmanager
    def limit_share(self, share: float = 1.0) -> Iterator[None]:
        """Let the block have this share of the time that is left, and raise `OutOfTime` then."""
        if self._end is None:
            yield
            return
        end = time.monotonic() + share * self.left

        def check() -> None:
            if time.monotonic() > end:
                raise OutOfTime

        with check_at_progress(check):
            check()
            yield


Cell = tuple[str, int]  # the id of a method, a number of columns

_MAX_NAMED_METHODS = 6
_MOST, _LONG = 0.5, 0.1  # of the time left, for one method to run and for one that may take long
_METHODS = 0.6  # of the budget, for all methods; the rest is for what they are compared by
# Methods that the first criterion is measured of in any case: fewer compare nothing.
_MIN_MEASURED_METHODS = 2


@dataclass(eq=False)
class Contest:
    """What was measured: `figures` by criterion and cell; what is missing there has its reason.

    `unsuitable` gives the reason of every method that did not run, `unmeasured` of every criterion
    that does not apply, `notes` says what else there is to know.
    """

    ground: Ground
    sizes: tuple[int, ...]
    trials: list[Trial] = field(default_factory=list)
    criteria: tuple[CriterionFacts, ...] = ()
    figures: dict[str, dict[Cell, Figure]] = field(default_factory=dict)
    unsuitable: dict[str, str] = field(default_factory=dict)
    unmeasured: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def figure(self, criterion: str, method: str, k: int) -> Figure | None:
        """Give one figure, None if it was not measured."""
        return self.figures.get(criterion, {}).get((method, k))


def run_contest(
    contest: Contest,
    criteria: Sequence[CriterionFacts],
    deadline: Deadline,
    known: Checkpoint | None = None,
) -> None:
    """Run all methods, then measure one criterion after the other, until the time is over."""
    measured = any(criterion.needs for criterion in criteria)
    _run_methods(contest, deadline.part(_METHODS) if measured else deadline)
    applicable = []
    ground = contest.ground
    labelled, linear = ground.labels is not None, ground.blocks is not None
    for criterion in criteria:
        if why := refuse_criterion(criterion, labelled=labelled, linear=linear):
            contest.unmeasured[criterion.id] = why
        else:
            applicable.append(criterion)
    # What labels are given for comes first.
    applicable.sort(key=lambda criterion: "labels" not in criterion.needs)
    contest.criteria = tuple(applicable)
    for place, criterion in enumerate(track("criteria measured", applicable, len(applicable))):
        # What decides is measured in any case: the first criterion, and what labels are given for.
        least = _MIN_MEASURED_METHODS if not place or "labels" in criterion.needs else 0
        _measure(contest, criterion, deadline, least, known)
    if known is not None:
        known.write(known.scores)
    step = ground.step
    if step > 1 and any("rows" in criterion.needs for criterion in applicable):
        ending = {1: "st", 2: "nd", 3: "rd"}.get(step % 10 if step // 10 % 10 != 1 else 0, "th")
        contest.notes.append(
            f"Distances, clusters and predictions are measured on every {step:,}{ending} row "
            f"({ground.sample.n_rows:,} rows)."
        )
    if ground.unlabelled:
        contest.notes.append(
            f"Where labels are needed, {ground.unlabelled:,} of {len(ground.labels):,} rows are "
            "dropped because their label is missing."
        )


def _run_methods(contest: Contest, deadline: Deadline) -> None:
    entries, contest.trials = contest.trials, []

    def turn(trial: Trial) -> int:
        """Those that labels are given for come after the first, those that take long last."""
        return 2 if trial.method.searches else 0 if trial.method.supervised else 1

    in_turn = [*entries[:1], *sorted(entries[1:], key=turn)]
    for trial in track("methods run", in_turn, len(entries)):
        try:
            share = _LONG if trial.method.searches else _MOST
            # The first method runs in any case, so that there is something to show.
            with deadline.limit_share(share) if contest.trials else nullcontext():
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
    contest.trials.sort(key=entries.index)
    if not contest.trials:
        raise no_method(contest.unsuitable)


def no_method(reasons: Mapping[str, object]) -> TamisError:
    """Say why none of the methods can be compared, by the first of them."""
    name, why = next(iter(reasons.items()), ("", "there is none"))
    return TamisError(f"No method can be compared on this table ({name}: {str(why).rstrip('.')}).")


def _measure(
    contest: Contest,
    criterion: CriterionFacts,
    deadline: Deadline,
    least: int,
    known: Checkpoint | None,
) -> None:
    figures = contest.figures.setdefault(criterion.id, {})
    lacking: dict[str, list[str]] = {}
    for trial in track(f"methods measured ({criterion.name})", contest.trials):
        key = f"{criterion.id} {trial.method.id}"
        before = {
            k: Figure(value, None if folds is None else np.array(folds))
            for k, value, folds in ([] if known is None else known.scores.get(key, []))
        }
        free = bool(before) or len({method for method, _ in figures}) < least
        why = _explain_skip(criterion, trial, Deadline(None) if free else deadline)
        try:
            if why is None:
                with deadline.limit_share() if criterion.needs and not free else nullcontext():
                    found = before or {
                        k: criterion.measure(contest.ground, trial, k) for k in trial.sizes
                    }
                figures.update({(trial.method.id, k): one for k, one in found.items()})
                if known is not None and criterion.needs:
                    known.scores[key] = [
                        [k, one.value, None if one.folds is None else one.folds.tolist()]
                        for k, one in found.items()
                    ]
                    if known.due():
                        known.write(known.scores)
        except OutOfTime:
            why = "the budget is spent"
        except TamisError as error:
            why = str(error).rstrip(".")
        if why is not None:
            lacking.setdefault(why, []).append(trial.method.id)
    for why, ids in lacking.items():
        more = f" and {len(ids) - _MAX_NAMED_METHODS} more" if len(ids) > _MAX_NAMED_METHODS else ""
        some = ", ".join(ids[:_MAX_NAMED_METHODS]) + more
        some = "all methods" if len(ids) == len(contest.trials) else some
        contest.notes.append(f"No {criterion.name} of {some}: {why}.")


def _explain_skip(criterion: CriterionFacts, trial: Trial, deadline: Deadline) -> str | None:
    if not criterion.needs:
        return None
    if deadline.over:
        return "the budget is spent"
    if "parts" in criterion.needs and not trial.can_repeat:
        return "the table is too long to repeat the search on parts of its rows"
    repeats = "parts" in criterion.needs or trial.method.supervised
    work = trial.work[trial.sizes[-1]] if trial.nested else sum(trial.work.values())
    seconds = work * criterion.repeats
    if repeats and criterion.repeats and not deadline.affords(seconds):
        return f"{criterion.repeats} repeats of the search would take too long"
    return None


def mean_of(contest: Contest, criterion: str, method: str) -> float | None:
    """Give the mean of a figure over the numbers of columns; None if one was not measured."""
    found = [contest.figure(criterion, method, k) for k in contest.sizes]
    values: list[Any] = [one.value for one in found if one is not None]
    return float(np.mean(values)) if len(values) == len(contest.sizes) else None


FIRST = ("prediction", "held-out", "share")  # what a recommendation rests on, if measured


def recommend(contest: Contest) -> AdviceFacts:
    """Compare by the first criterion that was measured for two methods, or for the only one.

    Folds share most of their training rows, so a difference over m folds has the variance of a
    fold's difference times 1/m + 1/(m - 1) (Nadeau and Bengio, 2003).
    """
    ids = [trial.method.id for trial in contest.trials]
    criteria = [*FIRST, *(criterion.id for criterion in contest.criteria)]
    for criterion in criteria:
        means = {one: mean_of(contest, criterion, one) for one in ids}
        known = {one: mean for one, mean in means.items() if mean is not None}
        if len(known) >= min(2, len(ids)):
            larger = next(c.larger for c in contest.criteria if c.id == criterion)
            return _best(contest, criterion, known, larger=larger)
    raise TamisError("The budget was spent before anything was measured: give more seconds.")


def _best(
    contest: Contest, criterion: str, means: dict[str, float], *, larger: bool
) -> AdviceFacts:
    sign = 1 if larger else -1
    # The first method of equals; means that differ by rounding are equal.
    order = sorted(means, key=lambda one: -sign * round(means[one], 9))
    best, *others = order
    mine, equal = _folds(contest, criterion, best), []
    for other in others:
        theirs, same = _folds(contest, criterion, other), False
        if mine is None:
            same = round(means[other], 9) == round(means[best], 9)
        elif theirs is not None and len(theirs) == len(mine):
            apart = sign * (means[best] - means[other])
            same = apart <= CLEAR * correct_error(mine - theirs)
        equal += [other] if same else []
    task = contest.ground.task
    return AdviceFacts(
        float(means[best]),
        folds=0 if mine is None else len(mine),
        measured=len(order),
        score="score" if task is None else kind_of(task),
        measure=contest.ground.measure.name,
        method=best,
        criterion=criterion,
        error=0.0 if mine is None else correct_error(mine),
        equal=tuple(equal),
        order=tuple(order),
    )


def correct_error(folds: Floats) -> float:
    """Give the standard error of a mean over folds that share training rows.

    >>> round(correct_error(np.array([0.0, 1.0])), 4)
    0.866
    """
    return float(np.sqrt(weigh_folds(len(folds)) * folds.var(ddof=1))) if len(folds) > 1 else 0.0


def _folds(contest: Contest, criterion: str, method: str) -> Floats | None:
    found = [contest.figure(criterion, method, k) for k in contest.sizes]
    rows = [one.folds for one in found if one is not None and one.folds is not None]
    if len(rows) < len(found):
        return None
    shortest = min(map(len, rows))
    return np.asarray(np.mean([row[:shortest] for row in rows], axis=0))


# Which methods enter, on what table; all that can be refused before it is read.
def methods_named(asked: str | Sequence[str]) -> tuple[Method, ...]:
    """Give the methods of selection that were named, each once; all of them for "all"."""
    if isinstance(asked, str) and asked == "all":
        return registry.methods("selection")
    ids = [asked] if isinstance(asked, str) else list(dict.fromkeys(asked))
    if not ids:
        raise TamisError("The list of methods is empty: name at least one.")
    return tuple(registry.get(one) for one in ids)


def check_contest(
    request: Request, source: Source, methods: Sequence[Method], criteria: Sequence[CriterionFacts]
) -> int:
    """Refuse what no row can change; give the number of columns to choose from."""
    labels = find_labels(source, request)
    if isinstance(labels, Responses):
        raise TamisError(
            f"{spell('y', list(labels.names))}: methods are compared by one response: name one."
        )
    usable, _ = find_candidates(request, source, columns_of(labels))
    labelled, linear = labels is not None, request.method.resamples
    reasons = {
        one.id: _enter(request, one, 1, request.columns, labelled=labelled, slow=True)
        for one in methods
    }
    if all(isinstance(why, str) for why in reasons.values()):
        raise no_method(reasons)
    refused = {one.id: refuse_criterion(one, labelled=labelled, linear=linear) for one in criteria}
    if None not in refused.values():
        name, why = next(iter(refused.items()))
        raise TamisError(f"{spell('criteria', [name])}: {why}, so nothing can be measured.")
    if labels is not None:
        check_label_kind(source, labels, request.task, request.method)
    return len(usable)


def enter_methods(
    ground: Ground, methods: Sequence[Method], sizes: tuple[int, ...], *, slow: bool
) -> Contest:
    """Enter the methods that suit the table, with `slow` also those that fit many models."""
    contest = Contest(ground, sizes, notes=_note_reading(ground))
    common = ground.request
    # Methods that take text analyse the same columns as the others.
    read = [ground.source.names[j] for j in ground.usable]  # an integer may be a label
    columns = common.columns if ground.blocks is None else read
    labelled = ground.labels is not None
    for method in methods:
        entry = _enter(common, method, sizes[-1], columns, labelled=labelled, slow=slow)
        if isinstance(entry, str):
            contest.unsuitable[method.id] = entry
        else:
            contest.trials.append(Trial(ground, entry, sizes))
    return contest


def _note_reading(ground: Ground) -> list[str]:
    """Say what the shares are of, where that is not the table as it is."""
    notes, read = [], ground.summary
    if read.clipped is not None:
        n = len(read.clipped.values)
        said = f"the extreme values of {n:,} column{'s' if n > 1 else ''} limited"
        notes.append(
            f"Shares are measured with {said}; select takes them as they are where limits would "
            "lose much of what is explained."
        )
    counts = None if ground.blocks is None else look_for_counts(ground.source, ground.usable)
    if counts is not None and counts.are_counts:
        notes.append(
            "Sparse counts: all methods are compared on the standardised columns, and select takes "
            f"their logarithms; {spell('scale', 'standard')} there gives the columns shown here."
        )
    return notes


def _enter(
    common: Request, method: Method, k: int, columns: Any, *, labelled: bool, slow: bool
) -> Request | str:
    """Ask of one method what is asked of all, or say why it cannot be compared."""
    if method.supervised and not labelled:
        return "needs labels"
    if not common.method.resamples and not method.takes_text:
        return "needs numbers, and text or categories are analysed: exclude them"
    if method.supervised and common.task not in ("auto", *method.tasks):
        return f"has no use for labels that are numbers ({common.task})"
    if method.searches and not slow:
        return "fits a model to every set of columns it tries: name it, or give a budget"
    try:
        return Request.of(
            method.id,
            k=k,
            columns=columns,
            exclude=common.exclude,
            missing=common.missing,
            max_missing=common.max_missing,
            y=common.y,
            task=common.task if method.supervised else "auto",
            # All are measured on the same columns, and these are standardised.
            scale=True if isinstance(method.scale, str) else None,
            held_out=method.resamples,
        )
    except TamisError as error:
        return str(error)


def check_lists(lists: Any) -> dict[str, list[Any]]:
    """Refuse lists that are none, and names that a method has."""
    checked = LISTS_OPTION.check(lists) or {}
    taken = {method.id for method in registry.methods("selection")}
    for name in checked:
        if name in taken:
            raise TamisError(
                f"{spell('lists', {name: checked[name]})}: a method has this name, give another."
            )
    return {name: list(dict.fromkeys(columns)) for name, columns in checked.items()}


def enter_lists(contest: Contest, lists: Mapping[str, Sequence[Any]]) -> None:
    """Enter own lists; a column in them that is not analysed is refused with the reason."""
    ground, source = contest.ground, contest.ground.source
    for name, columns in lists.items():
        positions = _find_listed(source, columns)
        used = set(ground.used.tolist())
        for j in positions:
            if j not in used:
                why = ground.skipped.get(source.names[j], "constant")
                raise TamisError(
                    f"{spell('lists', {name: [source.names[j]]})}: the column is not analysed, it "
                    f"is {why}: drop it from the list."
                )
        if not positions:
            raise TamisError(f"{spell('lists', {name: list(columns)})}: the list has no column.")
        places = ground.find_used(np.array(positions, dtype=np.intp))
        contest.trials.append(ListTrial(ground, name, places, contest.sizes))


def list_sizes(lists: Mapping[str, Sequence[Any]], ground: Ground) -> tuple[int, ...]:
    """Give the lengths of the lists: the numbers of columns to compare where none is asked for."""
    source = ground.source
    return tuple(sorted({len(_find_listed(source, columns)) for columns in lists.values()}))


def _find_listed(source: Source, columns: Sequence[Any]) -> list[int]:
    return find_positions(source, match_columns(source, "lists", columns))
