"""Columns of a table as codes, read as often as needed: here, or where the parts of it are.

Bins come from a sketch of quantiles that merges; of tables longer than it holds, quantiles of parts
are as near as where one is read in batches, and may differ from those in the last digits of a rank.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np

from tamis.numerics.types import Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.read import Accumulator, read
from tamis.sources.source import Source
from tamis.statistics.classes import ClassTally, RowLabels
from tamis.statistics.coding import LevelsRead
from tamis.statistics.joint_counts import JointCounts, Tile
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import MixedRows, clean_mixed, read_raw_rows


class TableRows:
    """Columns of a table and the labels of its rows: the position of a column, or all of them.

    Rows without a label are dropped where rows are. An engine's table is read where its parts are,
    unless it is to be read `here`.
    """

    def __init__(
        self,
        source: Source,
        columns: Sequence[int],
        missing: MissingPolicy,
        labels: int | RowLabels | None = None,
        *,
        here: bool = False,
    ) -> None:
        along = [labels] if isinstance(labels, int) else []
        given = None if isinstance(labels, int) else labels
        self.source, self.missing, self._columns = source, missing, [*columns, *along]
        self._read = partial(_read_raw, labelled=bool(along), labels=given)
        self.names, self._here = [source.names[j] for j in columns], here

    @property
    def in_parts(self) -> bool:
        """Whether rows are read where they are, and only counts come back."""
        return not self._here and self.source.in_parts() is not None

    def learn(
        self, tally: Tally, classes: ClassTally | None = None, gram: GramRows | None = None
    ) -> "FirstPass":
        """Learn values, levels and classes in one pass; count rows and missing values."""
        first = FirstPass(self.names, self.missing, classes, gram)
        found: FirstPass
        (found,) = read(self.source, self._columns, first, rows=self._read, here=self._here)
        tally.merge(found.tally)
        tally.check_left(self.names, MissingPolicy.filling(takes_text=True))
        return found

    def read_encoded(self, counts: Accumulator, encode: Callable[[MixedRows], Any]) -> Any:
        """Let something count all rows, as they are encoded."""
        rows = self.make_reader(encode)
        return read(self.source, self._columns, counts, rows=rows, here=self._here)[0]

    def make_reader(self, encode: Callable[[MixedRows], Any]) -> Callable[..., Iterator[Any]]:
        """Give what reads encoded rows of the table or of a part."""
        return partial(
            _read_encoded,
            read_rows=self._read,
            encode=encode,
            missing=self.missing,
            width=len(self.names),
        )

    def hold(self, encode: Callable[[MixedRows], Any]) -> list[Any]:
        """Give all rows, encoded."""
        return list(self.make_reader(encode)(self.source, self._columns))


def _read_raw(
    source: Source, columns: Sequence[int], *, labelled: bool, labels: RowLabels | None
) -> Iterator[MixedRows]:
    """Read rows as they are, with the labels of the last column if they are `labelled`."""
    width = len(columns) - labelled
    return read_raw_rows(source, columns[:width], columns[width] if labelled else labels)


def _read_encoded(
    source: Source,
    columns: Sequence[int],
    *,
    read_rows: Callable[..., Iterator[MixedRows]],
    encode: Callable[[MixedRows], Any],
    missing: MissingPolicy,
    width: int,
) -> Iterator[Any]:
    tally = Tally(width)
    for rows in read_rows(source, columns):
        yield encode(clean_mixed(rows, missing, tally))


class CodedRows:
    """Rows as codes, which are held in memory if `fits` says so and they are read here."""

    def __init__(
        self, table: TableRows, encode: Callable[[MixedRows], Any], *, fits: bool = False
    ) -> None:
        self._table, self._encode = table, encode
        self._fits = fits and not table.in_parts
        self._held: list[Any] | None = None

    def count(self, counts: Accumulator) -> Any:
        """Let something count all rows, and give what it found."""
        if not self._fits:
            return self._table.read_encoded(counts, self._encode)
        if self._held is None:
            self._held = self._table.hold(self._encode)
        for rows in self._held:
            counts.add(rows)
        return counts


class FirstPass(Accumulator):
    """Levels, missing values and classes of rows as they are; and their Gram matrix, if wanted.

    It is in vain (`lacks_rows`) where values are missing, which are not known yet.
    """

    def __init__(
        self,
        names: Sequence[str],
        missing: MissingPolicy,
        classes: ClassTally | None,
        gram: GramRows | None,
    ) -> None:
        self._missing, self.classes, self.gram = missing, classes, gram
        self.levels, self.tally = LevelsRead(names, missing), Tally(len(names))
        self.lacks_rows = False

    def begin(self, number: int) -> Self:
        """Begin the sums of a part of a table."""
        part = super().begin(number)
        part.gram = None if self.gram is None else self.gram.begin(number)
        return part

    def add(self, rows: MixedRows) -> None:
        """Take in some rows."""
        kept = clean_mixed(rows, self._missing, self.tally)
        if self.classes is not None and kept.labels is not None:
            self.classes.add(kept.labels)
        self.levels.add(kept)
        # Levels refuse infinite values first, and missing ones in the end.
        if self.gram is not None:
            if np.isnan(kept.numbers).any():
                self.lacks_rows = True
            else:
                self.gram.add(kept.numbers)

    def merge(self, other: "FirstPass") -> "FirstPass":
        """Take in what was found in other rows."""
        self.levels.merge(other.levels)
        self.tally.merge(other.tally)
        if self.classes is not None and other.classes is not None:
            self.classes.merge(other.classes)
        self.lacks_rows = self.lacks_rows or other.lacks_rows
        return self

    def split(self) -> dict[Any, Any]:
        """Give the Gram matrix by itself."""
        gram, self.gram = self.gram, None
        tiles = {} if gram is None or self.lacks_rows else gram.split()
        return {("first", ""): self, **{("gram", name): tile for name, tile in tiles.items()}}

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put the Gram matrix to the rest."""
        if ("first", "") in values:
            self.merge(values["first", ""])
            if self.gram is not None and not self.lacks_rows:
                tiles = {name: tile for (kind, name), tile in values.items() if kind == "gram"}
                self.gram.join(tiles)


class LevelCounts(Accumulator):
    """The rows of every level of every column."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.counts = [np.zeros(size, dtype=np.intp) for size in sizes]

    def add(self, rows: Any) -> None:
        """Count the codes of some rows."""
        for j, counts in enumerate(self.counts):
            counts += np.bincount(rows[:, j], minlength=len(counts))

    def merge(self, other: "LevelCounts") -> "LevelCounts":
        """Add those of other rows."""
        for counts, more in zip(self.counts, other.counts, strict=True):
            counts += more
        return self


class TileCounts(Accumulator):
    """The pairs of levels of every tile, of some columns, or class by class.

    A class without rows has none.
    """

    def __init__(
        self, tiles: Sequence[Tile], columns: Indices | None = None, n_classes: int = 1
    ) -> None:
        self._tiles, self._columns = tiles, columns
        self.counts: list[list[JointCounts]] = [[] for _ in range(n_classes)]

    def add(self, rows: Any) -> None:
        """Count the codes of some rows; codes and classes where no columns are given."""
        codes, classes = rows if self._columns is None else (rows[:, self._columns], None)
        for own, counts in enumerate(self.counts):
            some = codes if classes is None else codes[classes == own]
            if len(some):
                fresh = [JointCounts.from_batch(some, *tile) for tile in self._tiles]
                merged = [a.merge(b) for a, b in zip(counts, fresh, strict=True)] if counts else []
                self.counts[own] = merged or fresh

    def split(self) -> dict[Any, Any]:
        """Give each tile of each class by itself."""
        return {(own, i): one for own, some in enumerate(self.counts) for i, one in enumerate(some)}

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put the tiles of the classes in order."""
        for own, i in sorted(values):
            self.counts[own].append(values[own, i])
