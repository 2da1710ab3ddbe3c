"""What was asked, and of which table: its labels, its missing values."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np

from tamis.errors import TamisError
from tamis.facts.shared_answer import LabelFacts, MissingFacts, ResponseFacts
from tamis.registry import Method, nearest
from tamis.registry.missing_policy import MissingPolicy
from tamis.run.request import Request
from tamis.run.roles import column_of
from tamis.run.selection import FoundColumns
from tamis.sources.source import PartedSource, Source
from tamis.statistics.classes import Responses
from tamis.statistics.labels import ClusterLabels, are_measured, is_missing, label_text
from tamis.statistics.missing import Tally, leaves_most
from tamis.statistics.rows import label_column
from tamis.values import dataclass

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Record:
    """What was asked, as given, and of which table.

    `named` is whether the names are the table's own, `origin` the path it was read from, if any,
    `why` the reason for the method where the user named none. `unread` are files, and places in
    them, that were damaged and skipped, `doubts` what may have been misread. `given_names` are the
    names as given where some are no text, `library` makes the frames of results, and `texts` say
    what columns mean.
    """

    method: Method
    k: float | None
    retain: float | None
    settings: dict[str, Any]
    label: str
    names: tuple[str, ...]
    named: bool
    origin: str | list[str] | None
    why: str = ""
    command: str | None = None
    unread: tuple[tuple[str, str], ...] = ()
    given_names: tuple[Any, ...] | None = None
    library: str = "pyarrow"
    doubts: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, source: Source, request: Request, labels: str | list[str] | None = None) -> Self:
        """Note what was asked of a table; `labels` names the column of labels, if there is one."""
        table = (source.label, source.names, source.named, source.origin)
        settings = request.settings(labels)
        asked = (request.method, request.k, request.retain, settings)
        return cls(
            *asked,
            *table,
            request.why,
            unread=source.info.unread,
            given_names=source.info.given_names,
            doubts=source.info.doubts,
            texts=source.info.texts,
        )

    @property
    def given(self) -> tuple[Any, ...]:
        """The names of the columns as the user writes them, text or not."""
        return self.names if self.given_names is None else self.given_names

    def relabel(self, names: Iterable[str]) -> list[Any]:
        """Turn names into those that were given."""
        if self.given_names is None:
            return list(names)
        given = dict(zip(self.names, self.given_names, strict=True))
        return [given[name] for name in names]

    def relabel_keys(self, values: dict[str, T]) -> dict[Any, T]:
        """Turn names that are keys into those that were given."""
        return dict(zip(self.relabel(values), values.values(), strict=True))

    @cached_property
    def _positions(self) -> dict[Any, int]:
        names = [*zip(self.names, range(len(self.names)), strict=True)]
        return dict([*names, *zip(self.given, range(len(self.names)), strict=True)])

    def position(self, column: Any) -> int:
        """Find a column by its label or by its name, and suggest the nearest if there is none."""
        try:
            return self._positions[column]
        except (KeyError, TypeError):  # a list is no name
            pass
        raise TamisError(f"{self.label} has no column {column!r}{nearest(str(column), self.names)}")


def describe_missing(
    policy: MissingPolicy,
    tally: Tally,
    source: Source,
    columns: Sequence[int],
    *,
    codes_text: bool = True,
) -> MissingFacts:
    """Read the counts of these columns; `codes_text` is whether missing text was a category.

    Columns have the names of the user: text, or labels of pandas.
    """
    gone = [source.kinds[columns[j]] for j in np.flatnonzero(tally.counts).tolist()]
    done = str(policy if codes_text else policy.of_numbers)
    if gone:
        done = policy.done_to(text="categorical" in gone, codes_text=codes_text)
    order = np.argsort(-tally.counts, kind="stable")
    names = source.info.given_names or source.names
    # A summary can be treated in no other way, so that complete rows do not matter.
    complete = None if tally.done else tally.complete
    return MissingFacts(
        done=tally.done or done,
        rows_read=tally.rows,
        rows_used=tally.used,
        rows_complete=complete,
        rows_unlabelled=tally.unlabelled,
        sparse=tally.sparse,
        shares={
            names[columns[j]]: int(tally.counts[j]) / tally.rows for j in order if tally.counts[j]
        },
        complete_rows_suffice=leaves_most(complete, tally.rows),
        infinite=tally.infinite,
        observed=1.0 - int(tally.counts.sum()) / max(tally.rows * len(columns), 1),
        fewest_common=tally.fewest_common,
    )


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
            from tamis.statistics.response import see_responses

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
    from tamis.statistics.response import see_responses

    tallies = see_responses(parted, [], labels.columns).tallies
    pairs = zip(labels.names, tallies, strict=True)
    task = found.request.task
    return [ResponseFacts(name, tally.decide(task), tally.distinct) for name, tally in pairs]
