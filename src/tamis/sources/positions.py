"""Names, labels and positions: which columns of a table are asked for."""

from collections.abc import Iterable, Sequence
from typing import Any

from tamis.errors import TamisError, spell_value
from tamis.registry import nearest
from tamis.sources.source import Source

__all__ = ["find_positions", "names_column"]

_MAX_UNKNOWN_NAMES = 5  # unknown names in a message
_SUGGESTION = ": did you mean"


def find_positions(source: Source, wanted: Iterable[Any]) -> list[int]:
    """Turn names, labels or positions into positions, suggesting the nearest name if unknown.

    Where labels of the table are integers, an integer is a label.
    """
    known, labels = source.info.place_of, source.info.labels or ()
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
    hints = {name: _hint(name, source.names) for name in unknown[:_MAX_UNKNOWN_NAMES]}
    suggested = {hint for hint in hints.values() if hint.startswith(_SUGGESTION)}
    parts_of_one = len(suggested) == 1 and set(hints.values()) == suggested
    if len(unknown) == 1 or parts_of_one:  # parts of one name with a comma
        raise TamisError(f"{source.label} has no column {unknown[0]!r}{hints[unknown[0]]}")
    asked = [
        f"{name!r} ({hint[2:]})" if hint in suggested else repr(name)
        for name, hint in hints.items()
    ]
    asked += (
        [f"{len(unknown) - _MAX_UNKNOWN_NAMES:,} more"] if len(unknown) > _MAX_UNKNOWN_NAMES else []
    )
    listed = f"{', '.join(asked[:-1])} and {asked[-1]}"
    raise TamisError(f"{source.label} does not have the columns {listed}: check the names.")


def _hint(column: str, names: Sequence[str]) -> str:
    """Suggest a name; of one that has a comma, also say how it is written."""
    for name in names:
        if "," in name and column in [part.strip() for part in name.split(",")]:
            return f": did you mean {name!r}, written {spell_value([name])}?"
    return nearest(column, names)


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
