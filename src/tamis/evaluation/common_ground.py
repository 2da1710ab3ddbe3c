"""A table as all methods of a comparison are measured on it: the same columns, the same rows."""

from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from tamis import registry
from tamis.algorithms.cluster_count import choose_clusters, kmeans
from tamis.evaluation.measure import Measure, measure_of
from tamis.evaluation.neighbour_agreement import distances_between, nearest_first
from tamis.numerics.types import Floats, Indices
from tamis.run.candidates import (
    NO_REASONS,
    Reasons,
    check_filled,
    check_rows,
    count_analysed,
    find_candidates,
    find_named,
)
from tamis.run.held_source import HeldSource, Summaries, ThinnedSource
from tamis.run.request import Request
from tamis.run.roles import column_of, columns_of, find_labels
from tamis.sources.source import Source
from tamis.statistics.labels import Target, is_missing
from tamis.statistics.linear import stack_batches
from tamis.statistics.row_blocks import Blocks
from tamis.statistics.row_hash import number_rows, row_hashes
from tamis.statistics.rows import (
    Rows,
    collect_rows,
    label_column,
    name_labels,
    refuse_missing_labels,
)
from tamis.statistics.summary import Summary, check_used
from tamis.values import dataclass

MAX_DISTANCE_ROWS = 1_000  # that distances are taken between
N_COMPARED_NEIGHBOURS = 5
MAX_PART_CELLS = 2_000_000  # of a table whose parts are given to methods that need rows
_SHARED_CELLS = 200_000  # of a table whose parts are summarised once for all methods


@dataclass(frozen=True, eq=False)
class Ground:
    """The common table: `usable` are the columns read, `used` those that vary, by position.

    `summary` is of the standardised columns by block of rows, or of their mutual information where
    text is analysed. `labels` has one for each row, or is None; `unlabelled` of them are missing.
    """

    source: Source
    request: Request
    usable: list[int]
    used: Indices
    summary: Summary
    summaries: Summaries
    labels: Any = None
    constant: tuple[str, ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)
    unlabelled: int = 0
    # What was computed before: clusters by the columns they are of, summaries by their rows.
    _clusters: dict[tuple[int, ...], Indices] = field(default_factory=dict, repr=False)
    _summaries: dict[bytes, Summaries] = field(default_factory=dict, repr=False)

    @cached_property
    def measure(self) -> Measure:
        """What the share explained is a share of."""
        return measure_of(self.summary.statistic)

    @property
    def blocks(self) -> Blocks | None:
        """The rows in blocks; None where text is analysed."""
        return self.summary.blocks

    @cached_property
    def _places(self) -> Indices:
        places = np.full(len(self.source.names), -1, dtype=np.intp)
        places[self.used] = np.arange(len(self.used))
        return places

    def find_used(self, positions: Indices) -> Indices:
        """Turn positions in the table into places among the used columns."""
        found = self._places[positions]
        return np.asarray(found[found >= 0])

    @property
    def step(self) -> int:
        """Every so many rows one is taken where distances or classifiers need rows."""
        return max(1, -(-self.summary.tally.rows // MAX_DISTANCE_ROWS))

    @cached_property
    def sample(self) -> Rows:
        """The rows that distances and classifiers work on, as they came."""
        return self._rows(self.step)

    def _rows(self, step: int) -> Rows:
        labels = None if self.labels is None else self.labels[::step]
        source = self.source if step == 1 else ThinnedSource(self.source, step)
        found = collect_rows(source, self.usable, missing=self.request.missing, labels=labels)
        values = found.values.toarray() if hasattr(found.values, "toarray") else found.values
        return Rows(values.astype(np.float64), found.labels, found.tally, found.what)

    @cached_property
    def rows(self) -> Floats:
        """The used columns of the sample, standardised; those constant in it are 0."""
        values = self.sample.values[:, np.searchsorted(np.asarray(self.usable), self.used)]
        std = values.std(axis=0)
        factor = np.divide(1.0, std, out=np.zeros_like(std), where=std > 0)
        return np.asarray((values - values.mean(axis=0)) * factor)

    @cached_property
    def near(self) -> Indices:
        """The nearest rows of every row of the sample, on all columns."""
        return nearest_first(self.rows, min(N_COMPARED_NEIGHBOURS, len(self.rows) - 1))

    @cached_property
    def distances(self) -> Floats:
        """Distances between the rows of the sample, on all columns."""
        return distances_between(self.rows)

    @cached_property
    def clusters(self) -> Indices:
        """Clusters of the sample on all columns; their number by the silhouette."""
        return kmeans(self.rows, choose_clusters(self.rows))[0]

    def clusters_of(self, kept: Indices) -> Indices:
        """Cluster the sample on some columns, into as many clusters."""
        key = tuple(sorted(kept.tolist()))
        if key not in self._clusters:
            count = int(self.clusters.max()) + 1
            self._clusters[key] = kmeans(np.ascontiguousarray(self.rows[:, list(key)]), count)[0]
        return self._clusters[key]

    @cached_property
    def target(self) -> Target | None:
        """The labels of the sample."""
        found = self.sample
        if found.labels is None:
            return None
        return Target.of(found.labels, self.request.task, what=found.what)

    @cached_property
    def task(self) -> Target | None:
        """The labels of all rows: the sample may lack a class."""
        if self.labels is None:
            return None
        known = [label for label in self.labels if not is_missing(label)]
        return Target.of(known, self.request.task, what="y")

    def summaries_of(self, rows: Indices) -> Summaries:
        """Give the summaries of some rows of the table: kept for all methods where it is small."""
        if self.summary.n_rows * len(self.usable) > _SHARED_CELLS:
            return Summaries()
        return self._summaries.setdefault(rows.tobytes(), Summaries())

    @cached_property
    def numbered(self) -> tuple[Rows, Indices]:
        """All rows, and the block of each, as in `blocks`."""
        found = self.sample if self.step == 1 else self._rows(1)
        raw = stack_batches(list(self.source.batches(self.usable)))
        assert self.blocks is not None
        # Values filled in do not count, rows dropped are not there: as when the blocks were made.
        rows = raw if raw.shape[0] == found.n_rows else found.values
        names = [self.source.names[j] for j in self.usable] if self.source.named else None
        numbers = number_rows(found.values, names, row_hashes(rows, names))
        return found, numbers % len(self.blocks.count)


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
