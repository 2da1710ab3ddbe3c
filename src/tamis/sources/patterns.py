"""Patterns such as `gene_*` in lists of columns: `*`, `?` and `[...]`, as in names of files."""

import warnings
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from tamis.errors import TamisError, in_sentence, spell
from tamis.registry import nearest
from tamis.sources.positions import find_positions
from tamis.sources.source import Source

__all__ = ["has_patterns", "match_columns", "match_prices"]

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
    """Do the same for prices; a column named by itself has that price, whatever a pattern says."""
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
