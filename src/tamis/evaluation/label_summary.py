"""What the labels of a table are, and whether the method used them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tamis.facts.shared_answer import LabelFacts, ResponseFacts
from tamis.run.label_column import column_of
from tamis.run.selection import FoundColumns
from tamis.sources.source import PartedSource
from tamis.statistics.cluster_labels import ClusterLabels
from tamis.statistics.label_codes import is_missing, label_text
from tamis.statistics.response_coding import Responses
from tamis.statistics.response_parts import see_responses
from tamis.statistics.rows import label_column
from tamis.statistics.target import are_measured


def describe_labels(found: FoundColumns) -> LabelFacts | None:
    """Count the labels of a selection; those a method did not use are read for this."""
    labels, position = found.labels, column_of(found.labels)
    request, method = found.request, found.request.method
    if labels is None:
        return None
    if isinstance(labels, ClusterLabels):
        counted = count_labels(labels.labels, None, "classification", used=True)
        return replace(counted, method=method.id, clusters=labels.quality)
    if isinstance(labels, Responses):
        return _describe_several(found, labels)
    target = found.summary.statistic.target if method.supervised else None
    column = None if position is None else found.source.names[position]
    marks = labels if position is None else None
    if target is not None:
        given = None if marks is None else np.asarray(marks)
        return LabelFacts(column, target.task, target.counts, True, method.id, given=given)
    parted = found.source.in_parts()
    if position is not None and parted is not None:
        known = found.summary.targets
        if known:
            task, counts = known[0].task, known[0].counts
        else:
            (tally,) = see_responses(parted, [], [position]).tallies
            task, counts = tally.decide(request.task), tally.counts
        return LabelFacts(column, task, counts, request.learns, method.id)
    read = labels if position is None else label_column(found.source, position)
    counted = count_labels(read, column, request.task, used=request.learns, given=marks)
    return replace(counted, method=method.id)


def _describe_several(found: FoundColumns, labels: Responses) -> LabelFacts:
    """Count the values of several responses."""
    parted, request = found.source.in_parts(), found.request
    if parted is not None and len(labels.columns) == len(labels.names):
        responses = _count_responses(found, parted, labels)
    else:
        responses = [
            _sum_up_response(found, name, part)
            for name, part in zip(labels.names, labels.parts, strict=True)
        ]
    given = None if labels.columns else np.column_stack(labels.parts)
    return LabelFacts(
        *(None, request.task, {}, request.learns, request.method.id),
        responses=tuple(responses),
        given=given,
    )


def count_labels(
    labels: Any, column: str | None, task: str, *, used: bool, given: Any = None
) -> LabelFacts:
    """Count labels that were read, whatever method they are for."""
    known = [label for label in labels if not is_missing(label)]
    counts = dict(sorted(Counter(map(label_text, known)).items()))
    given = None if given is None else np.asarray(given)
    return LabelFacts(column, _decide(task, known), counts, used, "", given=given)


def _sum_up_response(found: FoundColumns, name: str, part: Any) -> ResponseFacts:
    """Count the values of a response that is read here, or was given."""
    read = label_column(found.source, part) if isinstance(part, int) else part
    known = [label for label in read if not is_missing(label)]
    task = _decide(found.request.task, known)
    return ResponseFacts(name, task, len({label_text(one) for one in known}))


def _decide(task: str, known: Sequence[Any]) -> str:
    """Say what labels are: numbers of many values, or else classes."""
    if task != "auto":
        return task
    return "regression" if are_measured(known, len(known)) else "classification"


def _count_responses(
    found: FoundColumns, parted: PartedSource, labels: Responses
) -> list[ResponseFacts]:
    """Give what was counted of responses where an engine has them, or count it now."""
    if targets := found.summary.targets:
        known = zip(labels.names, targets, strict=True)
        return [ResponseFacts(name, one.task, one.distinct) for name, one in known]
    tallies = see_responses(parted, [], labels.columns).tallies
    pairs = zip(labels.names, tallies, strict=True)
    task = found.request.task
    return [ResponseFacts(name, tally.decide(task), tally.distinct) for name, tally in pairs]
