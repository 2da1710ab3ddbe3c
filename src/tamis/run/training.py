"""The rows of the analysed columns, for a learner, and rankings made from some of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.run.request import Request
from tamis.run.search import Search
from tamis.sources.arrays import ArraySource
from tamis.sources.source import Source
from tamis.statistics.collect import summarise
from tamis.statistics.fills import fill_alone
from tamis.statistics.labels import Target, mark_codes
from tamis.statistics.rows import collect_rows, complete_labels
from tamis.values import dataclass


class _HeldTable(NamedTuple):
    """Rows in memory: what a learner sees, which of it each column became, and the rows again."""

    values: Floats
    places: list[list[int]]
    target: Target
    of: Callable[[Indices], Source]
    missing: MissingPolicy


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """The columns used in a search, with the labels of the rows; read when they are needed.

    A learner sees numbers as they are, missing ones filled, and text as one column of zeros
    and ones for each of its values.
    """

    request: Request
    source: Source
    used: Indices
    labels: Any

    @property
    def values(self) -> Floats:
        """What a learner sees."""
        return self._held.values

    @property
    def target(self) -> Target:
        """What it learns."""
        return self._held.target

    def features(self, columns: Sequence[int] | Indices) -> list[int]:
        """Give the positions in `values` of some columns, in order."""
        return sorted(place for j in columns for place in self._held.places[int(j)])

    def rank_columns(
        self, search: Search, rows: Indices, order: Callable[[Search], Indices]
    ) -> Indices:
        """Rank the columns by these rows alone; those that do not vary in them are not ranked."""
        every = range(len(self.used))
        summary = summarise(
            search.method,
            self._held.of(rows),
            every,
            scale=self.request.scale,
            missing=self._held.missing,
            options=self.request.own,
            insist=every,
            labels=self.target.seen_from(rows).labels[rows] if search.method.supervised else None,
            task=self.target.task,
        )
        place = {int(j): i for i, j in enumerate(summary.varying)}
        include = tuple(place[j] for j in search.include if j in place)
        limits = search.limits.of_columns(summary.varying).clip()
        again = replace(search, summary=summary, include=include, refine=False, limits=limits)
        return summary.varying[order(again)]

    @cached_property
    def _held(self) -> _HeldTable:
        text = "categorical" in {self.source.kinds[j] for j in self.used}
        mixed = text or self.request.missing.codes_numbers
        return self._hold_mixed() if mixed else self._numbers()

    def _numbers(self) -> _HeldTable:
        columns, missing = self.used.tolist(), self.request.missing
        rows = collect_rows(self.source, columns, missing=missing, labels=self.labels)
        sparse = scipy.sparse.issparse(rows.values)
        values = np.asarray(rows.values.toarray() if sparse else rows.values)
        names = [self.source.names[j] for j in columns]
        target = rows.target(self.request.task)

        def of(some: Indices) -> Source:
            return ArraySource(values[some], names, self.source.label)

        places = [[j] for j in range(len(columns))]
        return _HeldTable(values.astype(np.float64), places, target, of, MissingPolicy.ERROR)

    def _hold_mixed(self) -> _HeldTable:
        """Hold a table of numbers and text, or one whose missing values are a category."""
        import pyarrow as pa
        import pyarrow.compute as pc

        from tamis.memory import check_size
        from tamis.sources.frames import FrameSource

        columns, missing = self.used.tolist(), self.request.missing
        parts, held = [], 0
        for part in self.source.tables(columns, mark_missing=True):
            held += part.nbytes
            check_size(held, f"{self.source.label}, held as a whole for this method,")
            parts.append(part)
        table = pa.concat_tables(parts)
        marks, known, what = complete_labels(self.source, self.labels, table.num_rows, missing)
        if missing.drops:
            gone = [pc.is_null(one, nan_is_null=not _is_text(one)) for one in table.columns]
            known = known & ~np.any([np.asarray(one) for one in gone], axis=0)
        table = table.filter(pa.array(known)).unify_dictionaries()
        values, places = encode_columns(table, missing)

        def of(some: Indices) -> Source:
            return FrameSource(table.take(pa.array(some)), self.source.label)

        target = Target.of_rows(self.labels, marks, known, self.request.task, what=what)
        return _HeldTable(values, places, target, of, missing)


def _is_text(column: Any) -> bool:
    import pyarrow as pa

    kind = column.type
    return not (
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    )


def encode_columns(table: Any, missing: MissingPolicy) -> tuple[Floats, list[list[int]]]:
    """Write the columns of an Arrow table as a learner sees them, and which each became."""
    blocks = [_encode_column(column, missing) for column in table.columns]
    ends = np.cumsum([0, *(block.shape[1] for block in blocks)])
    places = [list(range(ends[i], ends[i + 1])) for i in range(len(blocks))]
    return np.column_stack(blocks), places


def _encode_column(column: Any, missing: MissingPolicy) -> Floats:
    """Give numbers, filled, or a column for each text."""
    import pyarrow as pa

    if _is_text(column):
        whole = column if pa.types.is_dictionary(column.type) else column.cast(pa.string())
        coded = whole.dictionary_encode().combine_chunks()
        codes = np.asarray(coded.indices.fill_null(-1))
        return mark_codes(codes, len(coded.dictionary))
    numbers = column.cast(pa.float64(), safe=False).to_numpy()[:, None]
    return fill_alone(numbers, missing)
