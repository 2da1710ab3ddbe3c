"""What a table is to everything else: a `Source` with names, kinds and batches of rows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol

from tamis.errors import TamisError, spelled_value
from tamis.memory import budget
from tamis.progress import Meter
from tamis.registry import nearest

Kind = Literal["numeric", "boolean", "categorical", "row names", "empty", "other"]

# Files and their units (row groups) that are damaged and done without, each with the reason.
Unread = dict[tuple[str, str], str]

_BATCH_BYTES = 1 << 25
_UNKNOWN = 5  # unknown names in a message
_SUGGESTION = ": did you mean"
_SHARE = 32  # of the budget that a batch may take: some are on their way at the same time


class Source(Protocol):
    """A table that can be read again and again, a batch of rows at a time.

    `named` is whether the names are the table's own; an array has none, only numbered columns.
    `origin` is the path the table was read from, as it was given (a string, a list of them or a
    `TableFile`), None for what is no file.
    A source may also have a `meter` of the bytes read, say that it can be read only `once`, and
    have `labels`: the names as they were given, where some are no text. `doubts` are sentences on
    what may have been misread.
    """

    names: tuple[str, ...]
    named: bool
    kinds: tuple[Kind, ...]
    label: str
    origin: Any

    @property
    def n_rows(self) -> int | None:
        """Number of rows, None if it is known only after reading."""

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, as dense or sparse arrays of some rows each."""

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, in the form it came in."""

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns of any kind as Arrow tables.

        They are as they were written, unless `mark_missing` is set: then text for a missing value
        (nothing, NA) is null.
        """


def has_rows(source: Source) -> bool:
    """Whether the rows can be read: a summary stands for a table and has none."""
    return not hasattr(source, "summary")


def positions(source: Source, wanted: Iterable[Any]) -> list[int]:
    """Turn names, labels or positions into positions, suggesting the nearest name if unknown.

    Where labels of the table are integers, an integer is a label.
    """
    known: dict[Any, int] = {name: position for position, name in enumerate(source.names)}
    labels = labels_of(source) or ()
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


def meter_of(source: Source) -> Meter | None:
    """Give the meter of the bytes read, if the source has one."""
    return getattr(source, "meter", None)


def labels_of(source: Source) -> tuple[Any, ...] | None:
    """Give the names as they were given, where some are no text: numbers, dates, tuples."""
    return getattr(source, "labels", None)


def doubts_of(source: Source) -> tuple[str, ...]:
    """Give what may have been misread, each with what decides it."""
    return getattr(source, "doubts", ())


def undecided_in(source: Source) -> tuple[str, ...]:
    """Name the columns whose commas are read as decimal marks, and may be thousands."""
    return tuple(getattr(source, "undecided", ()))


def add_doubts(source: Any, doubts: Iterable[str]) -> None:
    """Let a source say what else may have been misread."""
    source.doubts = tuple(dict.fromkeys([*doubts_of(source), *doubts]))


def names_column(source: Source, y: Any) -> bool:
    """Whether this names a column, by name, label or position, and is no array of values."""
    if isinstance(y, str) or _is_position(y):
        return True
    return _is_label(y, dict.fromkeys(labels_of(source) or ()))


def read_once(source: Source) -> bool:
    """Whether the source can be read only once."""
    return bool(getattr(source, "once", False))


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
