"""One reading of a table for several methods: rows that are held, summaries that are kept."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tamis.registry import Method
from tamis.registry.missing_policy import MissingPolicy
from tamis.registry.shared import Scale
from tamis.sources.source import Source
from tamis.statistics.collect import summarise
from tamis.statistics.linear import len_of
from tamis.statistics.summary import Summary

_HELD_BYTES = 1 << 30


class HeldSource(Source):
    """A table whose numbers are read once and held, if they fit into `most` bytes.

    A longer table is read again for every summary. Text among the columns is not held: whoever
    asks for the numbers of some columns is given these, though others beside them have none.
    """

    def __init__(self, inner: Source, columns: Sequence[int], most: int = _HELD_BYTES) -> None:
        self._inner, self._most = inner, most
        self._columns = [j for j in columns if inner.kinds[j] != "categorical"]
        # What comes from memory moves no meter, and may be asked for again.
        self.info = replace(inner.info, once=False, meter=None)
        self._held: list[Any] | None = None

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, from memory if they are there."""
        columns = list(columns)
        if not set(columns) <= set(self._columns):
            yield from self._inner.batches(columns)
            return
        places = [self._columns.index(j) for j in columns]
        for batch in self._read_and_hold() if self._held is None else self._held:
            yield batch if columns == self._columns else batch[:, places]

    def _read_and_hold(self) -> Iterator[Any]:
        held: list[Any] | None = []
        size = 0
        for batch in self._inner.batches(self._columns):
            size += batch.nnz * 12 if hasattr(batch, "nnz") else batch.nbytes
            held = None if held is None or size > self._most else [*held, batch]
            yield batch
        self._held = held
        if held is not None:
            self.info = replace(self.info, n_rows=sum(map(len_of, held)))

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, in the form it came in."""
        return self._inner.pick(columns)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns of any kind as Arrow tables."""
        return self._inner.tables(columns, mark_missing=mark_missing)


class ThinnedSource(Source):
    """Every n-th row of a table, from the first."""

    def __init__(self, inner: Source, step: int) -> None:
        self._inner, self._step = inner, step
        n_rows = None if inner.n_rows is None else -(-inner.n_rows // step)
        self.info = replace(inner.info, n_rows=n_rows, meter=None)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        seen = 0
        for batch in self._inner.batches(columns):
            yield batch[-seen % self._step :: self._step]
            seen += len_of(batch)

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, in the form it came in."""
        return self._inner.pick(columns)[:: self._step]

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns of any kind as Arrow tables."""
        seen = 0
        for table in self._inner.tables(columns, mark_missing=mark_missing):
            yield table.take(list(range(-seen % self._step, table.num_rows, self._step)))
            seen += table.num_rows


class Summaries:
    """The summaries of one table, each made once for all methods that need the same.

    `seconds` is the time that went into them.
    """

    def __init__(self) -> None:
        self._made: dict[Any, Summary] = {}
        self.seconds = 0.0

    def __call__(
        self,
        method: Method,
        source: Source,
        columns: Sequence[int],
        *,
        scale: Scale,
        missing: MissingPolicy,
        options: Mapping[str, Any],
        **how: Any,
    ) -> Summary:
        """Give the summary that the method needs, as `summarise` does."""
        reading = [(name, options[name]) for name in method.reads]
        if method.needs == "gram" and not method.mixed:
            # Most of these have no such option, and get the usual values.
            usual = {option.name: option.default for option in method.options}
            reading = [(name, value) for name, value in reading if value != usual[name]]
        more = (how.get("labels") is not None, how.get("task"), how.get("blocks"))
        key = (method.needs, scale, missing, tuple(columns), tuple(reading), more)
        if key not in self._made:
            start = time.perf_counter()
            found = summarise(
                method, source, columns, scale=scale, missing=missing, options=options, **how
            )
            self.seconds += time.perf_counter() - start
            self._made[key] = found
            # Where a mixed method limits no value and has no category, others need the same.
            mixed = found.encoded is not None and found.blocks is not None
            if mixed and found.groups.single and found.clipped is None:
                self._made.setdefault((*key[:4], (), more), found)
        return self._made[key]
