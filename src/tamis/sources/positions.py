"""Names, labels and positions: which columns of a table are asked for."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from tamis.errors import TamisError, in_sentence, spell, spell_value
from tamis.registry import nearest
from tamis.sources.source import Source

_MAX_UNKNOWN_NAMES = 5  # unknown names in a message
_SUGGESTION = ": did you mean"


def find_positions(source: Source, wanted: Iterable[Any]) -> list[int]:
    """Turn names, labels or positions into positions, suggesting the nearest name if unknown.

    Where names were given as integers, an integer is a name.
    """
    place_of = source.info.place_of
    numbered = any(_is_position(name) for name in source.info.given_names or ())
    wanted, found = list(wanted), []
    unknown = dict.fromkeys(c for c in wanted if isinstance(c, str) and c not in place_of)
    _check_names(source, list(unknown))
    for column in wanted:
        if _is_key(column, place_of):
            found.append(place_of[column])
        elif numbered and _is_position(column):
            raise TamisError(
                f"{source.label} has no column {column!r}{nearest(str(column), source.names)}"
            )
        else:
            if not _is_position(column):
                raise TamisError(
                    f"{column!r} is neither a column name nor a position: give one of these."
                )
            position = int(column.__index__())
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
    if len(unknown) > _MAX_UNKNOWN_NAMES:
        asked.append(f"{len(unknown) - _MAX_UNKNOWN_NAMES:,} more")
    listed = f"{', '.join(asked[:-1])} and {asked[-1]}"
    raise TamisError(f"{source.label} does not have the columns {listed}: check the names.")


def _hint(column: str, names: Sequence[str]) -> str:
    """Suggest a name; of one that has a comma, also say how it is written."""
    for name in names:
        if "," in name and column in [part.strip() for part in name.split(",")]:
            return f": did you mean {name!r}, written {spell_value([name])}?"
    return nearest(column, names)


def names_column(source: Source, y: Any) -> bool:
    """Whether this names a column, by its name or position, and is no array of values."""
    if isinstance(y, str) or _is_position(y):
        return True
    return _is_key(y, dict.fromkeys(source.info.given_names or ()))


def _is_key(column: Any, places: dict[Any, Any]) -> bool:
    """Whether this is a key: arrays and lists are none."""
    if isinstance(column, bool):
        return False
    try:
        return column in places
    except TypeError:  # a list, or a tuple of lists
        return False


def _is_position(column: Any) -> bool:
    scalar = hasattr(column, "__index__") and not hasattr(column, "__len__")
    return scalar and not isinstance(column, bool)


_WILDCARDS = frozenset("*?[")


def has_patterns(wanted: Iterable[Any]) -> bool:
    """Whether any of these may be a pattern.

    >>> has_patterns(["gene_*"]), has_patterns(["gene_a", 3])
    (True, False)
    """
    return any(isinstance(column, str) and _WILDCARDS & set(column) for column in wanted)


def match_columns(source: Source, option: str, wanted: Iterable[Any]) -> list[Any]:
    """Put the columns that match in the place of every pattern; nothing else is changed.

    A column of that very name comes before what a pattern matches. One that matches nothing is
    worth a warning, or an error where nothing else is asked for to analyse.
    """
    wanted = list(wanted)
    if not has_patterns(wanted):
        return wanted
    each = [_match_pattern(source, option, column) for column in wanted]
    found = list(dict.fromkeys(column for columns in each for column in columns))
    if option == "columns" and wanted and not found:
        raise TamisError(_no_match(source, option, wanted[0]))
    return found


def match_prices(source: Source, option: str, prices: Mapping[Any, float]) -> dict[Any, float]:
    """Match names to prices; a column named by itself has that price, whatever a pattern says."""
    patterns = {key for key in prices if _is_pattern(source, key)}
    exact = [key for key in prices if key not in patterns]
    if not patterns and len(find_positions(source, exact)) == len(exact):
        return dict(prices)
    found: dict[int, tuple[Any, float]] = {}
    for key in [*exact, *(key for key in prices if key in patterns)]:
        for j in find_positions(source, _match_pattern(source, option, key)):
            first, price = found.setdefault(j, (key, prices[key]))
            if price != prices[key] and (first in patterns or key not in patterns):
                one = "price" if option == "costs" else "number"
                raise TamisError(
                    f"{spell(option, {first: price, key: prices[key]})}: both are column "
                    f"{source.names[j]!r}, give it one {one}."
                )
    return {source.names[j]: price for j, (_, price) in found.items()}


def _is_pattern(source: Source, column: Any) -> bool:
    return has_patterns([column]) and column not in source.names


def _match_pattern(source: Source, option: str, column: Any) -> list[Any]:
    if not _is_pattern(source, column):
        return [column]
    found = [name for name in source.names if fnmatchcase(name, column)]
    if not found and option != "columns":
        warnings.warn(_no_match(source, option, column), stacklevel=4)
    return found


def _no_match(source: Source, option: str, pattern: str) -> str:
    bare = "".join(c for c in pattern if c not in _WILDCARDS)
    label = in_sentence(source.label)
    return f"{spell(option, [pattern])}: no column of {label} matches{nearest(bare, source.names)}"
