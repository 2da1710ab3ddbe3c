"""What is known of a table before its rows are read."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from tamis.progress import Meter
from tamis.values import dataclass

Kind = Literal["numeric", "boolean", "categorical", "row names", "beside", "empty", "other"]

NUMBER_KINDS: tuple[Kind, ...] = ("numeric", "boolean")


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
    labels
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
    labels: tuple[Any, ...] | None = None
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
        """Say the same of a table that is written as columns of numbers with these names."""
        return replace(
            self,
            names=names,
            kinds=tuple("numeric" for _ in names),
            labels=None,
            blank=frozenset(),
            n_rows=n_rows,
        )

    @cached_property
    def place_of(self) -> dict[Any, int]:
        """The position of every column by its name, and by its label; a label goes first.

        It is made once: columns are also asked for one by one.
        """
        known: dict[Any, int] = {name: place for place, name in enumerate(self.names)}
        return known | {label: place for place, label in enumerate(self.labels or ())}

    def with_doubts(self, doubts: Iterable[str]) -> "SourceInfo":
        """Say what else may have been misread.

        >>> info = SourceInfo(names=("a",), kinds=("numeric",), doubts=("one",))
        >>> info.with_doubts(["two", "one"]).doubts
        ('one', 'two')
        """
        return replace(self, doubts=tuple(dict.fromkeys([*self.doubts, *doubts])))
