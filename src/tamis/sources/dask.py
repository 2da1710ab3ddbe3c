"""Dask arrays and data frames: a task for every partition, sums in a tree of tasks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell
from tamis.rules.kinds import NUMBER_KINDS, Kind
from tamis.sources.arrays import ArraySource, check_dimensions
from tamis.sources.frames import FrameSource
from tamis.sources.read import merge_values, on_workers
from tamis.sources.source import PartedSource, Source, Values, Work

_N_DASK_PARTS_ADDED = 4  # whose values are held together on a worker


def open_dask(data: Any) -> "DaskSource":
    """Wrap a Dask array or data frame."""
    kind = type(data).__name__
    try:
        if kind == "Array":
            check_dimensions(data.shape, "The table")
            return DaskSource(data.rechunk({1: -1}), ArraySource)
        if kind == "DataFrame":
            return DaskSource(data, FrameSource)
    except ImportError as error:
        raise TamisError(
            f"A Dask {kind} needs a package that is not installed ({error.name}): "
            "pip install 'tamis[dask]'."
        ) from error
    raise TamisError(f"Unsupported type {kind} of Dask: give an array or a data frame.")


class DaskSource(PartedSource):
    """A Dask collection; `wrap` makes a table of one of its parts once that is computed."""

    def __init__(self, data: Any, wrap: Any) -> None:
        self._data, self._wrap = data, wrap
        rows = data.shape[0]
        nothing = data._meta if wrap is FrameSource else np.empty((0, *data.shape[1:]), data.dtype)
        empty: Source = wrap(nothing)
        n_rows = int(rows) if isinstance(rows, int | np.integer) else None
        self.info = replace(empty.info, n_rows=n_rows)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, part by part, computed one after the other."""
        for number, part in enumerate(self._compute_partitions(columns)):
            _check_numbers(part, number, ["numeric"] * len(columns))
            yield from part.batches(range(len(columns)))

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables, part by part."""
        for part in self._compute_partitions(columns):
            yield from part.tables(range(len(columns)), mark_missing=mark_missing)

    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Bring the first rows of the first part home as an Arrow table."""
        with on_workers("Dask"):
            first = self._wrap(self._parts(columns)[0][:rows].compute())
        return next(iter(first.tables(range(len(columns)))), None)

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the collection with these columns only; nothing is computed."""
        if self._wrap is FrameSource:
            return self._data[[self._data.columns[j] for j in columns]]
        return self._data[:, list(columns)]

    def gather(self, columns: Sequence[int], work: Work) -> Values:
        """Send the work to the workers and bring merged values home."""
        import dask

        kinds = tuple(self.kinds[j] for j in columns)
        done = [
            dask.delayed(_done)(part, number, self._wrap, work, kinds)
            for number, part in enumerate(self._parts(columns))
        ]
        while len(done) > 1:
            groups = [
                done[i : i + _N_DASK_PARTS_ADDED] for i in range(0, len(done), _N_DASK_PARTS_ADDED)
            ]
            done = [dask.delayed(merge_values)(group) for group in groups]
        with on_workers("Dask"):
            (total,) = dask.compute(*done)
        return dict(total)

    def _parts(self, columns: Sequence[int]) -> list[Any]:
        return list(np.ravel(self.pick(columns).to_delayed()))

    def _compute_partitions(self, columns: Sequence[int]) -> Iterator[Any]:
        for part in self._parts(columns):
            with on_workers("Dask"):
                found = self._wrap(part.compute())
            yield found


def _done(part: Any, number: int, wrap: Any, work: Work, kinds: Sequence[Kind]) -> Values:
    source = wrap(part)
    _check_numbers(source, number, kinds)
    source.info = replace(source.info, kinds=tuple(kinds))  # a part may know less than the whole
    return work(number, source)


def _check_numbers(part: Source, number: int, kinds: Sequence[Kind]) -> None:
    """Refuse a part that has other values than the collection says it has."""
    for name, kind, wanted in zip(part.names, part.kinds, kinds, strict=True):
        if wanted in NUMBER_KINDS and kind not in (*NUMBER_KINDS, "empty"):
            raise TamisError(
                f"Column {name!r} holds numbers by its type in Dask, and text or other values in "
                f"partition {number} (counted from 0): convert it, or skip it with "
                f"{spell('exclude', [name])}."
            )
