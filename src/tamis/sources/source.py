"""What a table is to everything else: a `Source` with names, kinds and batches of rows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tamis.progress import Meter
from tamis.rules.kinds import Kind
from tamis.sources.stored_summary import StoredSummary
from tamis.values import dataclass


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceInfo:
    """All that a source says of itself; one that wraps another takes this and replaces a part.

    Parameters
    ----------
    names
        The names of the columns, as text.
    kinds
        What each column holds; one "beside" the others describes the rows and is not analysed.
    label
        What the table is called in messages.
    named
        Whether the names are the table's own; an array has none, only numbered columns.
    origin
        The path the table was read from, as it was given (a string, a list of them or a
        `TableFile`), None for what is no file.
    given_names
        The names as they were given, where some are no text (numbers, dates, tuples).
    n_rows
        Number of rows, None if it is known only after reading.
    once
        Whether the table can be read only once.
    files
        The files that the table is read from, None where some of it is in no file.
    meter
        Counts the bytes read, where their number is known.
    doubts
        Sentences on what may have been misread, each with what decides it.
    undecided
        Columns whose commas are read as decimal marks, and may be thousands.
    guessed
        Whether the kinds rest on the first rows, as those of a text file do.
    texts
        What columns mean, where the file says it: the question of an item, a unit.
    blank
        Columns of a text file without a value in the first rows: their kind is open.
    unfit
        Columns that are not analysed unless they are asked for, each with the reason.
    late
        Columns of a text file that begin with numbers and have text far below, each with the error
        that ends a run which takes no text.
    unread
        Files, and places in them, that are damaged and skipped.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    label: str = "The table"
    named: bool = True
    origin: Any = None
    given_names: tuple[Any, ...] | None = None
    n_rows: int | None = None
    once: bool = False
    files: tuple[Path, ...] | None = None
    meter: Meter | None = None
    doubts: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    guessed: bool = False
    blank: frozenset[str] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict)
    unfit: Mapping[str, str] = field(default_factory=dict)
    late: Mapping[str, Exception] = field(default_factory=dict)
    unread: tuple[tuple[str, str], ...] = ()

    def as_numbers(self, names: tuple[str, ...], n_rows: int | None) -> "SourceInfo":
        """Describe the table once it is written as columns of numbers with these names."""
        return replace(
            self,
            names=names,
            kinds=tuple("numeric" for _ in names),
            given_names=None,
            blank=frozenset(),
            n_rows=n_rows,
        )

    @cached_property
    def place_of(self) -> dict[Any, int]:
        """The position of every column by its name, and by that as given, which goes first.

        It is made once: columns are also asked for one by one.
        """
        known: dict[Any, int] = {name: place for place, name in enumerate(self.names)}
        return known | {name: place for place, name in enumerate(self.given_names or ())}

    def with_doubts(self, doubts: Iterable[str]) -> "SourceInfo":
        """Say what else may have been misread.

        >>> info = SourceInfo(names=("a",), kinds=("numeric",), doubts=("one",))
        >>> info.with_doubts(["two", "one"]).doubts
        ('one', 'two')
        """
        return replace(self, doubts=tuple(dict.fromkeys([*self.doubts, *doubts])))


# Files and their units (row groups) that are damaged and done without, each with the reason.
Unread = dict[tuple[str, str], str]

# What is known of one part of an engine's table: values by name, each with a `merge` of its own.
Values = dict[Any, Any]
Work = Callable[[int, "Source"], Values]


class Source(ABC):
    """A table that can be read again and again, a batch of rows at a time.

    `info` is all that is known before reading; names, kinds and the like are taken from there.
    `summary` is what stands for the rows where there are none, None for a table. `read_anew` says
    that every pass reads a file or a stream again, or computes parts anew.
    """

    info: SourceInfo
    summary: StoredSummary | None = None
    read_anew: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.info.names

    @property
    def named(self) -> bool:
        """Whether the names are the table's own."""
        return self.info.named

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What each column holds."""
        return self.info.kinds

    @property
    def label(self) -> str:
        """What the table is called in messages."""
        return self.info.label

    @property
    def origin(self) -> Any:
        """The path the table was read from, as it was given."""
        return self.info.origin

    @property
    def n_rows(self) -> int | None:
        """Number of rows, None if it is known only after reading."""
        return self.info.n_rows

    @property
    def meter(self) -> Meter | None:
        """The meter of the bytes read, if their number is known."""
        return self.info.meter

    @property
    def has_rows(self) -> bool:
        """Whether the rows can be read: a summary stands for a table and has none."""
        return self.summary is None

    def in_parts(self) -> "PartedSource | None":
        """Give the table as one whose parts take work, None where its rows are read here."""
        return None

    def as_part(self) -> "JoinableSource | None":
        """Give the table as one that can be put under others, None where that is impossible."""
        return None

    @abstractmethod
    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, as dense or sparse arrays of some rows each."""

    def hashed_batches(self, columns: Sequence[int]) -> Iterator[tuple[Any, Any]]:
        """Yield the same with a hash of each row as it was before it was written anew, or None."""
        return ((batch, None) for batch in self.batches(columns))

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, in the form it came in: an Arrow table."""
        import pyarrow as pa

        return pa.concat_tables(self.tables(columns))

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns of any kind as Arrow tables.

        They are as they were written, unless `mark_missing` is set: then text for a missing value
        (nothing, NA) is null. A table of numbers alone has none.
        """
        import pyarrow as pa

        del mark_missing
        names = [self.names[j] for j in columns]
        for batch in self.batches(columns):
            yield pa.table(dict(zip(names, map(pa.array, batch.T), strict=True)))

    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Give so many of the first rows as an Arrow table, missing values as nulls, or fewer.

        None where there are no rows.
        """
        first = next(iter(self.tables(columns, mark_missing=True)), None)
        return None if first is None else first.slice(0, rows)


class JoinableSource(Source):
    """A table that can be put under others of the same columns, whose types may differ."""

    def as_part(self) -> "JoinableSource":
        """Give the table itself."""
        return self

    @abstractmethod
    def types(self, columns: Sequence[int], *, mark_missing: bool = False) -> list[Any]:
        """Give the Arrow types in which `tables` yields these columns."""

    @abstractmethod
    def tables(
        self,
        columns: Sequence[int],
        *,
        mark_missing: bool = False,
        types: Sequence[Any] | None = None,
    ) -> Iterator[Any]:
        """Yield these columns as Arrow tables, of these `types` where other files have others."""


class PartedSource(Source):
    """A table in the hands of an engine.

    `work` takes the number of a part and the part, a source of the columns asked for, and gives
    values by name; those of one name merge, in the order of the parts (`merge_values` of
    `sources/read.py`). Only these come home: `work` is a function of a module, or a partial one,
    that a worker can import, and no value is large. A part may know less than the whole, as of a
    column that is empty there: its kinds are those of the whole.
    """

    read_anew = True

    def in_parts(self) -> "PartedSource":
        """Give the table itself: work can be sent to its parts."""
        return self

    @abstractmethod
    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Bring the first rows of these columns home as an Arrow table, and no others."""

    @abstractmethod
    def gather(self, columns: Sequence[int], work: Work) -> Values:
        """Do this work on these columns of every part, where the part is, and merge its values."""


class GivesSource(ABC):
    """What stands for a table and makes its source itself, as a summary in memory does."""

    @abstractmethod
    def as_source(self) -> Source:
        """Give the source."""
