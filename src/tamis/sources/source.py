"""What a table is to everything else: a `Source` with names, kinds and batches of rows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tamis.errors import TamisError, spelled_value
from tamis.memory import budget
from tamis.progress import Meter
from tamis.registry import nearest
from tamis.sources.info import Kind, SourceInfo
from tamis.sources.stored_summary import StoredSummary

# Files and their units (row groups) that are damaged and done without, each with the reason.
Unread = dict[tuple[str, str], str]

_BATCH_BYTES = 1 << 25
_UNKNOWN = 5  # unknown names in a message
_SUGGESTION = ": did you mean"
_SHARE = 32  # of the budget that a batch may take: some are on their way at the same time


# What an engine computes: groups of arrays by name, of one part, and the sum of such groups.
Arrays = dict[str, Any]
Work = Callable[[int, Iterable[Any]], dict[str, Arrays]]
Add = Callable[[Sequence[Arrays]], Arrays]


class Source(ABC):
    """A table that can be read again and again, a batch of rows at a time.

    `info` is all that is known before reading; names, kinds and the like are taken from there.
    `summary` is what stands for the rows where there are none, None for a table.
    """

    info: SourceInfo
    summary: StoredSummary | None = None

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

    @abstractmethod
    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, as dense or sparse arrays of some rows each."""

    @abstractmethod
    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, in the form it came in."""

    @abstractmethod
    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns of any kind as Arrow tables.

        They are as they were written, unless `mark_missing` is set: then text for a missing value
        (nothing, NA) is null.
        """


class PartedSource(Source):
    """A table in the hands of an engine.

    `work` takes the number of a part and its batches, and gives named groups of arrays; groups
    of one name are added by `add`, in the order of the parts. Only the sums come home. Both are
    functions of a module, or partial ones, that a worker can import; no array they give is large.
    """

    def in_parts(self) -> "PartedSource":
        """Give the table itself: work can be sent to its parts."""
        return self

    @abstractmethod
    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Bring the first rows of these columns home as an Arrow table, and no others."""

    @abstractmethod
    def gather(self, columns: Sequence[int], work: Work, add: Add) -> dict[str, Arrays]:
        """Do this work on these columns of every part, where the part is, and add it up."""


class GivesSource(ABC):
    """What stands for a table and makes its source itself, as a summary in memory does."""

    @abstractmethod
    def as_source(self) -> Source:
        """Give the source."""


def positions(source: Source, wanted: Iterable[Any]) -> list[int]:
    """Turn names, labels or positions into positions, suggesting the nearest name if unknown.

    Where labels of the table are integers, an integer is a label.
    """
    known: dict[Any, int] = {name: position for position, name in enumerate(source.names)}
    labels = source.info.labels or ()
    known.update({label: position for position, label in enumerate(labels)})
    numbered = any(_is_position(label) for label in labels)
    wanted, found = list(wanted), []
    unknown = dict.fromkeys(c for c in wanted if isinstance(c, str) and c not in known)
    _check_names(source, list(unknown))
    for column in wanted:
        if _is_label(column, known):
            found.append(known[column])
        elif numbered and _is_position(column):
            raise TamisError(
                f"{source.label} has no column {column!r}{nearest(str(column), source.names)}"
            )
        else:
            position = _as_position(column)
            if not 0 <= position < len(source.names):
                raise TamisError(
                    f"{source.label} has no column at position {column!r}: positions go from 0 to "
                    f"{len(source.names) - 1}."
                )
            found.append(position)
    return list(dict.fromkeys(found))


def _check_names(source: Source, unknown: list[str]) -> None:
    """Refuse names that no column has, all at once."""
    if not unknown:
        return
    hints = {name: _hint(name, source.names) for name in unknown[:_UNKNOWN]}
    suggested = {hint for hint in hints.values() if hint.startswith(_SUGGESTION)}
    parts_of_one = len(suggested) == 1 and set(hints.values()) == suggested
    if len(unknown) == 1 or parts_of_one:  # parts of one name with a comma
        raise TamisError(f"{source.label} has no column {unknown[0]!r}{hints[unknown[0]]}")
    asked = [
        f"{name!r} ({hint[2:]})" if hint in suggested else repr(name)
        for name, hint in hints.items()
    ]
    asked += [f"{len(unknown) - _UNKNOWN:,} more"] if len(unknown) > _UNKNOWN else []
    listed = f"{', '.join(asked[:-1])} and {asked[-1]}"
    raise TamisError(f"{source.label} does not have the columns {listed}: check the names.")


def _hint(column: str, names: Sequence[str]) -> str:
    """Suggest a name; of one that has a comma, also say how it is written."""
    for name in names:
        if "," in name and column in [part.strip() for part in name.split(",")]:
            return f": did you mean {name!r}, written {spelled_value([name])}?"
    return nearest(column, names)


def batch_rows(n_columns: int) -> int:
    """Give how many rows of float64 make a batch of moderate size."""
    return max(1, batch_bytes() // (8 * max(n_columns, 1)))


def batch_bytes() -> int:
    """Give the size of a batch: moderate, and a small share of the memory budget."""
    return min(_BATCH_BYTES, budget() // _SHARE)


def names_column(source: Source, y: Any) -> bool:
    """Whether this names a column, by name, label or position, and is no array of values."""
    if isinstance(y, str) or _is_position(y):
        return True
    return _is_label(y, dict.fromkeys(source.info.labels or ()))


def _is_label(column: Any, known: dict[Any, Any]) -> bool:
    """Whether this is a key: arrays and lists are none."""
    if isinstance(column, bool):
        return False
    try:
        return column in known
    except TypeError:  # a list, or a tuple of lists
        return False


def _is_position(column: Any) -> bool:
    scalar = hasattr(column, "__index__") and not hasattr(column, "__len__")
    return scalar and not isinstance(column, bool)


def _as_position(column: Any) -> int:
    if not _is_position(column):
        raise TamisError(f"{column!r} is neither a column name nor a position: give one of these.")
    return int(column.__index__())
