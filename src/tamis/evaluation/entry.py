"""Which methods enter a comparison, on what table; all that can be refused before it is read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tamis import registry
from tamis.algorithms.path import Path
from tamis.errors import TamisError, spell
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.contest import Contest, no_method
from tamis.evaluation.criteria import refuse_criterion
from tamis.evaluation.held_out import HeldOut, held_out
from tamis.evaluation.trial import Trial
from tamis.facts.comparison_answer import CriterionFacts
from tamis.numerics.types import Indices
from tamis.registry import Method
from tamis.registry.command import LISTS_OPTION
from tamis.run.beforehand import check_label_kind
from tamis.run.candidates import (
    NO_REASONS,
    Reasons,
    check_filled,
    check_rows,
    count_analysed,
    find_candidates,
    find_named,
)
from tamis.run.held_source import HeldSource, Summaries
from tamis.run.label_column import column_of, columns_of, find_labels
from tamis.run.request import Request
from tamis.sources.positions import find_positions, match_columns
from tamis.sources.source import Source
from tamis.statistics.classes import Responses
from tamis.statistics.labels import Target, is_missing
from tamis.statistics.rows import label_column, name_labels, refuse_missing_labels
from tamis.statistics.scaled_source import look_for_counts
from tamis.statistics.summary import Summary, check_used


def methods_named(asked: str | Sequence[str]) -> tuple[Method, ...]:
    """Give the methods of selection that were named, each once; all of them for "all"."""
    if isinstance(asked, str) and asked == "all":
        return registry.methods("selection")
    ids = [asked] if isinstance(asked, str) else list(dict.fromkeys(asked))
    if not ids:
        raise TamisError("The list of methods is empty: name at least one.")
    return tuple(registry.get(one) for one in ids)


def check_contest(
    request: Request,
    source: Source,
    methods: Sequence[Method],
    criteria: Sequence[CriterionFacts],
) -> int:
    """Refuse what no row can change; give the number of columns to choose from."""
    labels = find_labels(source, request)
    if isinstance(labels, Responses):
        raise TamisError(
            f"{spell('y', list(labels.names))}: methods are compared by one response: name one."
        )
    usable, _ = find_candidates(request, source, columns_of(labels))
    labelled, linear = labels is not None, request.method.resamples
    reasons = {one.id: _refusal(request, one, labelled=labelled) for one in methods}
    if None not in reasons.values():
        raise no_method(reasons)
    refused = {one.id: refuse_criterion(one, labelled=labelled, linear=linear) for one in criteria}
    if None not in refused.values():
        name, why = next(iter(refused.items()))
        raise TamisError(f"{spell('criteria', [name])}: {why}, so nothing can be measured.")
    if labels is not None:
        check_label_kind(source, labels, request.task, request.method)
    return len(usable)


def _refusal(request: Request, method: Method, *, labelled: bool) -> str | None:
    """Say why a method cannot be compared, whatever is in the rows; None if it may."""
    why = _unsuitable(request, method, labelled=labelled, chosen=True, long=True)
    if why is not None:
        return why
    try:
        _entry(request, method, 1, request.columns)
    except TamisError as error:
        return str(error)
    return None


def common_ground(request: Request, source: Source, empty: Reasons = NO_REASONS) -> Ground:
    """Read the table once, by the request of a method that all others are compared with.

    The labels come first: they may be refused.
    """
    labels = find_labels(source, request)
    column = column_of(labels)
    usable, skipped = find_candidates(request, source, columns_of(labels), empty)
    if column is not None:
        labels = label_column(source, column)
    unlabelled = _check_labels(
        request, labels, "y" if column is None else name_labels(source, column)
    )
    held = HeldSource(source, usable)
    summaries = Summaries()
    # Numbers are measured as the default takes them, so that what is recommended is what it says.
    reader = request.method
    if reader.resamples and held.has_rows:
        reader = registry.get(registry.DEFAULT_METHOD)
    summary = summaries(
        reader,
        held,
        usable,
        scale=request.scale,
        missing=request.missing,
        options=registry.check_options(reader, {}),
        insist=find_named(source, usable, request.columns or ()),
        labels=None,
        task=request.task,
        blocks=request.blocks,
    )
    check_filled(request, source, usable, summary.tally)
    used, constant = count_analysed(held, usable, summary, skipped)
    check_rows(held, summary.n_rows)
    check_used(summary, len(usable), source.label)
    exclude = (*request.exclude, *([] if column is None else [column]), *empty)
    common = replace(request, y=labels, exclude=exclude)
    return Ground(
        held, common, usable, used, summary, summaries, labels, constant, skipped, unlabelled
    )


def _check_labels(request: Request, labels: Any, what: str) -> int:
    """Refuse labels that nothing can learn from; count the missing ones, whose rows are dropped."""
    if labels is None:
        return 0
    gone = np.array([is_missing(label) for label in labels], dtype=bool)
    count = int(gone.sum())
    if count and not request.missing.drops:
        refuse_missing_labels(what, count, len(labels))
    if count < len(labels):
        Target.of(np.asarray(labels, dtype=object)[~gone], request.task, what=what)
    return count


def enter_methods(
    ground: Ground, methods: Sequence[Method], sizes: tuple[int, ...], *, chosen: bool, long: bool
) -> Contest:
    """Enter the methods that suit the table; `chosen` if they were named, `long` for slow ones."""
    contest = Contest(ground, sizes, notes=_note_reading(ground))
    common = ground.request
    # Methods that take text analyse the same columns as the others.
    read = [ground.source.names[j] for j in ground.usable]  # an integer may be a label
    columns = common.columns if ground.blocks is None else read
    labelled = ground.labels is not None
    for method in methods:
        why = _unsuitable(common, method, labelled=labelled, chosen=chosen, long=long)
        if why is not None:
            contest.unsuitable[method.id] = why
            continue
        try:
            request = _entry(common, method, sizes[-1], columns)
        except TamisError as error:
            contest.unsuitable[method.id] = str(error)
        else:
            contest.trials.append(Trial(ground, request, sizes))
    return contest


def _note_reading(ground: Ground) -> list[str]:
    """Say what the shares are of, where that is not the table as it is."""
    notes, read = [], ground.summary
    if read.clipped.values:
        n = len(read.clipped.values)
        said = f"the extreme values of {n:,} column{'s' if n > 1 else ''} limited"
        notes.append(f"Shares are measured with {said}, as select does by default.")
    if ground.blocks is not None and look_for_counts(ground.source, ground.usable):
        notes.append(
            "Sparse counts: all methods are compared on the standardised columns, and select takes "
            f"their logarithms; {spell('scale', 'standard')} there gives the columns shown here."
        )
    return notes


def _entry(common: Request, method: Method, k: int, columns: Any) -> Request:
    """Ask of one method what is asked of all."""
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


def _unsuitable(
    common: Request, method: Method, *, labelled: bool, chosen: bool, long: bool
) -> str | None:
    if method.supervised and not labelled:
        return "needs labels"
    if not common.method.resamples and not method.takes_text:
        return "needs numbers, and text or categories are analysed: exclude them"
    if method.supervised and common.task not in ("auto", *method.tasks):
        return f"has no use for labels that are numbers ({common.task})"
    if method.searches and not (chosen or long):
        return "fits a model to every set of columns it tries: name it, or give a budget"
    return None


class ListTrial(Trial):
    """A given list beside methods: its first columns where fewer are compared.

    Nothing is searched, so on any part of the rows it is the same.
    """

    def __init__(self, ground: Ground, name: str, places: Indices, sizes: tuple[int, ...]) -> None:
        super().__init__(ground, ground.request, sizes)
        self._name, self._places = name, places

    @property
    def method(self) -> registry.Method:
        """What stands in the place of a method: the list, by its name."""
        return registry.Method(
            id=self._name,
            name="a list that was given",
            kind="selection",
            needs="gram",
            paper="",
            about="the columns of this list, in the order given",
            kernel="",
            estimator="",
        )

    def run(self) -> None:
        """Note that nothing is searched."""
        self.seconds, self.work = dict.fromkeys(self.sizes, 0.0), dict.fromkeys(self.sizes, 0.0)

    @property
    def nested(self) -> bool:
        """The first columns of a list are a list."""
        return True

    def peak(self, k: int) -> float:  # noqa: ARG002 - as of a method
        """Refuse to say what memory a search takes that there is not."""
        raise TamisError("A given list is not searched for.")

    @property
    def can_repeat(self) -> bool:
        """Whether parts of the rows are known."""
        return self.ground.blocks is not None

    def list_kept(self, k: int) -> Indices:
        """Give the first `k` columns of the list."""
        return self._places[:k]

    def folds(self, k: int) -> HeldOut:
        """Give what the list explains on held-out rows."""
        size = min(k, len(self._places))
        return held_out(self.blocks, lambda part: self._find_in(part, k), size, ridge=None)

    def _find_in(self, part: Summary, k: int) -> Path:
        """Find the listed columns among those that vary in some rows."""
        listed = self._places[:k]
        there = np.searchsorted(part.varying, listed)
        there = np.minimum(there, len(part.varying) - 1)
        there = there[part.varying[there] == listed]
        return Path(there, np.zeros(len(there)))

    def sets(self, k: int) -> list[Indices]:  # noqa: ARG002 - as of a method
        """Refuse to say how stable a list is: it does not hang on the rows."""
        raise TamisError("A given list is the same on all rows.")


def check_lists(lists: Any) -> dict[str, list[Any]]:
    """Refuse lists that are none, and names that a method has."""
    checked = LISTS_OPTION.check(lists) or {}
    for name in checked:
        if name in {method.id for method in registry.methods("selection")}:
            raise TamisError(
                f"{spell('lists', {name: checked[name]})}: a method has this name, give another."
            )
    return {name: list(dict.fromkeys(columns)) for name, columns in checked.items()}


def enter_lists(contest: Contest, lists: Mapping[str, Sequence[Any]]) -> None:
    """Enter own lists; a column in them that is not analysed is refused with the reason."""
    ground = contest.ground
    for name, columns in lists.items():
        source = ground.source
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
