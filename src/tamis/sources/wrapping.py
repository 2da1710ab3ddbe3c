"""Sources around others, of a table in the hands of an engine too: the work goes to its parts.

What a wrapper does to the rows of a table it does to those of a part: a part stands in the place of
the table, with the columns that were asked for at the places they have there.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

from tamis.sources.source import PartedSource, Source, SourceInfo, Values, Work


class ViewSource(Source):
    """Columns of a source under other positions: `places` gives the position of each in it."""

    def __init__(self, inner: Source | None, places: Mapping[int, int], info: SourceInfo) -> None:
        self._inner, self._places, self.info = inner, places, info

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        return self._source.batches([self._places[j] for j in columns])

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the columns in the form they came in."""
        return self._source.pick([self._places[j] for j in columns])

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables."""
        places = [self._places[j] for j in columns]
        return self._source.tables(places, mark_missing=mark_missing)

    @property
    def _source(self) -> Source:
        assert self._inner is not None, "the source of a view that is on its way has no rows"
        return self._inner


def choose_view(source: Source, columns: Sequence[int]) -> Source:
    """Give a source with these columns only, in this order; itself if these are all."""
    if list(columns) == list(range(len(source.names))):
        return source
    info = replace(
        source.info,
        names=tuple(source.names[j] for j in columns),
        kinds=tuple(source.kinds[j] for j in columns),
        given_names=None,
    )
    return ViewSource(source, dict(enumerate(columns)), info)


class WrappingSource(Source):
    """A source that writes the columns of another anew, in the parts of an engine's table too.

    `counts` is what was counted while the last pass was read, a value that merges, or None.
    """

    _inner: Source
    counts: Any = None

    def in_parts(self) -> "WrappedParts | None":
        """Give the table as one whose parts take work, if the one behind it is."""
        parts = self._inner.in_parts()
        return None if parts is None else WrappedParts(self, parts)

    def around(self, inner: Source) -> Self:
        """Wrap another source in the way this one is."""
        other = copy.copy(self)
        other._inner = inner
        return other

    def needed_columns(self, columns: Sequence[int]) -> list[int]:
        """Give the columns of the source behind it that these are made of."""
        return list(columns)


class WrappedParts(PartedSource):
    """A table in the hands of an engine behind a source that writes its columns anew."""

    def __init__(self, wrapping: WrappingSource, parts: PartedSource) -> None:
        self._wrapping, self._parts = wrapping, parts
        self.info = wrapping.info

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Bring the numbers of these columns home, part by part."""
        return self._wrapping.batches(columns)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Bring these columns home as Arrow tables, part by part."""
        return self._wrapping.tables(columns, mark_missing=mark_missing)

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, in the form it came in."""
        return self._wrapping.pick(columns)

    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Bring the first rows of these columns home as an Arrow table."""
        from tamis.sources.frames import FrameSource

        front, needed = self._front(columns)
        first = self._parts.head(needed, rows)
        if first is None:
            return None
        wrapped = _place(front, FrameSource(first), needed)
        return next(iter(wrapped.tables(columns, mark_missing=True)), None)

    def gather(self, columns: Sequence[int], work: Work) -> Values:
        """Do this work on these columns of every part, and merge what it finds."""
        front, needed = self._front(columns)
        within = partial(_work_within, front=front, needed=needed, columns=list(columns), work=work)
        values = self._parts.gather(needed, within)
        counts = values.pop(_name_counts(front), None)
        if counts is not None:
            self._wrapping.counts = counts
        return values

    def _front(self, columns: Sequence[int]) -> tuple[WrappingSource, list[int]]:
        """Give the source in front, as it goes to the workers, and the columns that it needs."""
        nothing = ViewSource(None, {}, self._parts.info)
        return self._wrapping.around(nothing), self._wrapping.needed_columns(columns)


def _place(front: WrappingSource, part: Source, needed: list[int]) -> WrappingSource:
    """Put a part of the table behind, which has the needed columns only, in its place."""
    places = {j: place for place, j in enumerate(needed)}
    return front.around(ViewSource(part, places, front._inner.info))


def _name_counts(front: WrappingSource) -> tuple[str, str]:
    """Name what is counted alongside, for each kind of source another."""
    return ("counted", type(front).__name__)


def _work_within(
    number: int,
    part: Source,
    *,
    front: WrappingSource,
    needed: list[int],
    columns: list[int],
    work: Work,
) -> Values:
    wrapped = _place(front, part, needed)
    found = work(number, choose_view(wrapped, columns))
    return found if wrapped.counts is None else {**found, _name_counts(front): wrapped.counts}
