"""A table of measurements with columns beside it that describe its rows: labels, batches, ages."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from tamis.memory import batch_rows
from tamis.rules.kinds import Kind
from tamis.sources.arrow import as_floats
from tamis.sources.source import JoinableSource


class AnnotatedSource(JoinableSource):
    """A source and an Arrow table of as many rows, whose columns come after those of the source.

    They are labels, and are carried along, but never analysed unless they are asked for.
    """

    def __init__(self, inner: JoinableSource, annotations: pa.Table) -> None:
        self._inner, self._annotations = inner, annotations
        self._width = len(inner.names)
        kinds: list[Kind] = ["beside"] * annotations.num_columns
        given = inner.info.given_names
        self.info = replace(
            inner.info,
            names=(*inner.names, *annotations.column_names),
            kinds=(*inner.kinds, *kinds),
            given_names=None if given is None else (*given, *annotations.column_names),
        )

    def _split(self, columns: Sequence[int]) -> tuple[list[int], list[int]]:
        """Separate the positions in the source from those in the table beside it."""
        ours = [j for j in columns if j < self._width]
        return ours, [j - self._width for j in columns if j >= self._width]

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        ours, theirs = self._split(columns)
        if not theirs:
            yield from self._inner.batches(ours)
            return
        for table in self.tables(columns):
            for batch in table.combine_chunks().to_batches():
                yield as_floats(batch)

    def pick(self, columns: Sequence[int]) -> Any:
        """Read these columns into an Arrow table, or as the source gives them."""
        ours, theirs = self._split(columns)
        return self._inner.pick(ours) if not theirs else super().pick(columns)

    def types(self, columns: Sequence[int], *, mark_missing: bool = False) -> list[Any]:
        """Give the types in which `tables` yields these columns."""
        types = self._annotations.schema.types
        return [
            self._inner.types([j], mark_missing=mark_missing)[0]
            if j < self._width
            else types[j - self._width]
            for j in columns
        ]

    def tables(
        self,
        columns: Sequence[int],
        *,
        mark_missing: bool = False,
        types: Sequence[Any] | None = None,
    ) -> Iterator[Any]:
        """Yield these columns as Arrow tables, of the `types` that other files have."""
        ours, theirs = self._split(columns)
        names = [self.names[j] for j in columns]
        annotations, start = self._annotations.select(theirs), 0
        wanted = pa.schema([*zip(names, types, strict=True)]) if types else None
        if not ours:
            step = batch_rows(len(theirs))
            for first in range(0, annotations.num_rows, step):
                table = annotations.slice(first, step)
                yield table if wanted is None else table.cast(wanted)
            return
        for part in self._inner.tables(ours, mark_missing=mark_missing):
            # Put together at once: of 30,000 columns each one appended copies the others.
            rows = annotations.slice(start, part.num_rows)
            start += part.num_rows
            arrays = dict(zip(annotations.column_names, rows.columns, strict=True))
            arrays |= dict(zip(part.column_names, part.columns, strict=True))
            table = pa.table([arrays[name] for name in names], names=names)
            yield table if wanted is None else table.cast(wanted)
