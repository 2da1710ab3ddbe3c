"""Which methods enter a comparison, on what table; all that can be refused before it is read."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tamis import registry
from tamis.errors import TamisError, spell
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.contest import Contest, no_method
from tamis.evaluation.criteria import Criterion
from tamis.evaluation.trial import Trial
from tamis.registry import Method
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
from tamis.sources.source import Source
from tamis.statistics.label_codes import is_missing
from tamis.statistics.mixed_gram import GroupedSummary
from tamis.statistics.responses import Responses
from tamis.statistics.rows import label_column, name_labels, refuse_missing_labels
from tamis.statistics.scaled_source import look_for_counts
from tamis.statistics.summary_protocol import check_used
from tamis.statistics.target import Target

__all__ = ["check_contest", "common_ground", "enter_methods", "methods_named"]


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
    criteria: Sequence[Criterion],
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
    refused = {one.id: one.refusal(labelled=labelled, linear=linear) for one in criteria}
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
    if isinstance(read, GroupedSummary) and read.clipped.values:
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
