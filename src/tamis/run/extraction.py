"""From a request and a table to its components."""

from typing import Any

import numpy as np

from tamis.algorithms.projection import Projection
from tamis.columns.judgement import TableJudgement
from tamis.errors import TamisError, in_sentence, spell
from tamis.numerics.threads import one_thread_if_busy
from tamis.run.candidates import (
    NO_REASONS,
    Reasons,
    check_filled,
    check_rows,
    find_candidates,
    match_request,
    skip_empty,
)
from tamis.run.front import is_settled, prepare, read_for
from tamis.run.request import Request
from tamis.run.roles import columns_of, find_labels, make_labels
from tamis.sources.source import Source
from tamis.statistics.collect import summarise
from tamis.statistics.summary import Summary
from tamis.values import dataclass

_BY_ROWS = ("kernel-pca", "spectral", "kda")  # they have as many components as rows, not as columns


@dataclass(frozen=True, eq=False)
class FoundComponents:
    """The projection that a method found on the `usable` columns of a table."""

    request: Request
    source: Source
    projection: Projection
    summary: Summary
    usable: list[int]
    constant: tuple[str, ...]
    skipped: dict[str, str]
    labels: Any

    @property
    def judgement(self) -> TableJudgement:
        """How the columns of the table are read."""
        return self.request.judgement.read_only({self.source.names[j] for j in self.usable})


def extract_from(request: Request, data: Any) -> FoundComponents:
    """Open a table and compute the components."""

    def run(source: Source) -> FoundComponents:
        matched = match_request(request, source)
        if is_settled(source, request.y):  # what can be refused unread
            _find_usable(matched, source, NO_REASONS)
        parts = source.in_parts() is not None
        return _find_matched(*prepare(matched, source, refuses_text=True, sums_up=parts))

    return read_for(request, data, run)


def find_components(request: Request, source: Source) -> FoundComponents:
    """Read the table into the summary that the method needs, and compute the components."""
    return _find_matched(match_request(request, source), source)


def _find_matched(request: Request, source: Source) -> FoundComponents:
    if not {"numeric", "boolean"} & set(source.kinds):
        raise TamisError(f"{source.label} has no numeric columns: turn text into numbers first.")
    return skip_empty(lambda empty: _find_components(request, source, empty))


def _find_components(request: Request, source: Source, empty: Reasons) -> FoundComponents:
    labels, usable, skipped = _find_usable(request, source, empty)
    labels = make_labels(request, source, usable, labels)
    method = request.method
    summary = summarise(
        method,
        source,
        usable,
        scale=request.scale,
        missing=request.missing,
        options=request.own,
        labels=labels if method.supervised else None,
        sums=request.judgement.sums,
    )
    check_filled(request, source, usable, summary.tally)
    check_rows(source, summary.n_rows)
    if not len(summary.varying):
        raise TamisError(
            f"All columns of {in_sentence(source.label)} are constant: there are no components to "
            "compute."
        )
    scale = {} if method.scale is None else {"scale": request.scale.divides}
    share = method.usual_retain if request.retain is None else request.retain
    with one_thread_if_busy():
        projection = method.load_kernel()(
            *summary.inputs, request.k, share=share, rule=request.rule, **request.own, **scale
        )
    still = np.setdiff1d(np.arange(len(usable)), [*summary.varying, *summary.refused])
    constant = tuple(source.names[usable[i]] for i in still)
    return FoundComponents(request, source, projection, summary, usable, constant, skipped, labels)


def _find_usable(
    request: Request, source: Source, empty: Reasons
) -> tuple[Any, list[int], dict[str, str]]:
    """Give where the labels are, the columns to analyse, and the others with their reasons."""
    labels = find_labels(source, request)
    usable, skipped = find_candidates(request, source, columns_of(labels), empty)
    k, width = request.k, len(usable)
    if k is not None and k > width and request.method.id not in _BY_ROWS:
        raise TamisError(
            f"{spell(request.k_name, k)}: {source.label} has {width} numeric columns, give at "
            f"most {width}."
        )
    return labels, usable, skipped
