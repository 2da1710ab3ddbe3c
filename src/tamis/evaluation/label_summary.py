"""What the labels of a table are, and whether the method used them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tamis.run.label_column import column_of
from tamis.run.selection import FoundColumns
from tamis.sources.source import PartedSource
from tamis.statistics.cluster_labels import CLUSTERS, ClusterLabels, ClusterQuality
from tamis.statistics.label_codes import is_missing, label_text
from tamis.statistics.response_coding import Responses
from tamis.statistics.response_parts import meet_responses
from tamis.statistics.rows import label_column
from tamis.statistics.target import are_measured


@dataclass(frozen=True)
class ResponseSummed:
    """One of several responses: its name, its task, and how many different values it has."""

    name: str
    task: str
    values: int


@dataclass(frozen=True, eq=False)
class LabelSummary:
    """The labels that were given: their column (None for an array), the rows of each class.

    `used` is whether the method learnt from them, `given` the array that was given beside the
    table, `clusters` how firm the clusters of rows are that stand for labels. Where there are
    several, `responses` has them in place of the counts.
    """

    column: str | None
    task: str
    counts: dict[str, int]
    used: bool
    given: Any = None
    clusters: ClusterQuality | None = None
    responses: tuple[ResponseSummed, ...] = ()

    @property
    def setting(self) -> Any:
        """What `y` was: a column, several, or clusters; None for an array."""
        if self.responses and self.given is None:
            return [one.name for one in self.responses]
        return self.column if self.clusters is None else CLUSTERS

    @classmethod
    def of(cls, found: FoundColumns) -> "LabelSummary | None":
        """Count the labels of a selection; those a method did not use are read for this."""
        labels, position = found.labels, column_of(found.labels)
        if labels is None:
            return None
        if isinstance(labels, ClusterLabels):
            counted = cls.of_labels(labels.labels, None, "classification", used=True)
            return replace(counted, clusters=labels.quality)
        if isinstance(labels, Responses):
            return cls._of_several(found, labels)
        target = found.summary.statistic.target if found.request.method.supervised else None
        column = None if position is None else found.source.names[position]
        marks = labels if position is None else None
        if target is not None:
            given = None if marks is None else np.asarray(marks)
            return cls(column, target.task, target.counts, True, given)
        request, parted = found.request, found.source.in_parts()
        if position is not None and parted is not None:
            known = found.summary.targets
            if known:
                return cls(column, known[0].task, known[0].counts, request.learns)
            (tally,) = meet_responses(parted, [], [position]).tallies
            return cls(column, tally.decide(request.task), tally.counts, request.learns)
        read = labels if position is None else label_column(found.source, position)
        return cls.of_labels(read, column, request.task, used=request.learns, given=marks)

    @classmethod
    def _of_several(cls, found: FoundColumns, labels: Responses) -> "LabelSummary":
        """Count the values of several responses."""
        parted, used = found.source.in_parts(), found.request.learns
        if parted is not None and len(labels.columns) == len(labels.names):
            responses = _count_responses(found, parted, labels)
        else:
            responses = [
                _sum_up_response(found, name, part)
                for name, part in zip(labels.names, labels.parts, strict=True)
            ]
        beside = None if labels.columns else np.column_stack(labels.parts)
        return cls(None, found.request.task, {}, used, beside, responses=tuple(responses))

    @classmethod
    def of_labels(
        cls, labels: Any, column: str | None, task: str, *, used: bool, given: Any = None
    ) -> "LabelSummary":
        """Count labels that were read."""
        known = [label for label in labels if not is_missing(label)]
        counts = dict(sorted(Counter(map(label_text, known)).items()))
        task = _decide(task, known)
        return cls(column, task, counts, used, None if given is None else np.asarray(given))


def _sum_up_response(found: FoundColumns, name: str, part: Any) -> ResponseSummed:
    """Count the values of a response that is read here, or was given."""
    read = label_column(found.source, part) if isinstance(part, int) else part
    known = [label for label in read if not is_missing(label)]
    task = _decide(found.request.task, known)
    return ResponseSummed(name, task, len({label_text(one) for one in known}))


def _decide(task: str, known: Sequence[Any]) -> str:
    """Say what labels are: numbers of many values, or else classes."""
    if task != "auto":
        return task
    return "regression" if are_measured(known, len(known)) else "classification"


def _count_responses(
    found: FoundColumns, parted: PartedSource, labels: Responses
) -> list[ResponseSummed]:
    """Give what was counted of responses where an engine has them, or count it now."""
    if targets := found.summary.targets:
        known = zip(labels.names, targets, strict=True)
        return [ResponseSummed(name, one.task, one.distinct) for name, one in known]
    tallies = meet_responses(parted, [], labels.columns).tallies
    pairs = zip(labels.names, tallies, strict=True)
    task = found.request.task
    return [ResponseSummed(name, tally.decide(task), tally.distinct) for name, tally in pairs]
