"""Options of a method that name columns: from what the user gives to positions in a summary."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell
from tamis.numerics.types import Indices
from tamis.registry import Method
from tamis.run.request import Request
from tamis.sources.positions import find_positions, match_columns, match_prices
from tamis.sources.source import Source

_PLACED_KINDS = ("columns", "prices", "weights", "axis", "groups")


def match_request(request: Request, source: Source) -> Request:
    """Replace patterns by the columns that they stand for; refuse names that no column has.

    `score` calls the columns to keep `columns`, and there are as many as it names.
    """
    kinds = {option.name: option.kind for option in request.method.own_options}
    own = dict(request.own)
    for name, value in own.items():
        if value is not None and kinds.get(name) in _PLACED_KINDS:
            own[name] = _match(source, kinds[name], name, value)
    columns = request.columns
    found = replace(
        request,
        columns=None if columns is None else match_columns(source, "columns", columns),
        include=match_columns(source, request.include_name, request.include),
        exclude=match_columns(source, "exclude", request.exclude),
        own=own,
    )
    find_positions(source, [*(found.columns or ()), *found.include, *found.exclude])
    counted = request.judges and found.include != list(request.include)
    return replace(found, k=len(found.include)) if counted else found


def _match(source: Source, kind: str, name: str, value: Any) -> Any:
    """Put columns in the place of patterns in the value of one option."""
    if kind == "groups":
        groups = {group: _match(source, "columns", name, some) for group, some in value.items()}
        for group, columns in groups.items():
            if not columns:
                raise TamisError(
                    f"{spell(name, {group: value[group]})}: the group has no columns, as none "
                    f"matches; check the pattern, or omit it."
                )
        return groups
    found = (match_columns if kind == "columns" else match_prices)(source, name, value)
    find_positions(source, found)
    return found


def place_options(
    method: Method, own: Mapping[str, Any], source: Source, used: Indices, forced: Sequence[int]
) -> dict[str, Any]:
    """Turn names and positions in the table into positions among the columns `used`.

    Columns that are not analysed are dropped from them. `forced` are those kept in any case.
    """
    place_of = {int(j): place for place, j in enumerate(used)}
    found = _by_name(
        method, own, lambda given: [place_of.get(j) for j in find_positions(source, given)]
    )
    check_forbidden(found.get("forbid"), forced, [source.names[j] for j in used])
    return found


def move_positions(method: Method, own: Mapping[str, Any], varying: Indices) -> dict[str, Any]:
    """Turn positions among all columns into those among the ones that vary in some rows."""
    return _by_name(method, own, lambda given: find_places(varying, given))


def find_places(varying: Indices, columns: Sequence[int]) -> list[int | None]:
    """Give the places of columns among those that vary, which are in order; None if it is none."""
    asked = np.asarray(columns, dtype=np.intp)
    places = np.searchsorted(varying, asked)
    found = np.isin(asked, varying)
    return [place if known else None for place, known in zip(places.tolist(), found, strict=True)]


def _by_name(method: Method, own: Mapping[str, Any], find: Any) -> dict[str, Any]:
    """Replace the columns in every option that names some; what `find` does not know is dropped."""
    kinds = {option.name: option.kind for option in method.own_options}
    found = dict(own)
    for name, value in own.items():
        if value is None or kinds.get(name) not in _PLACED_KINDS:
            continue
        if kinds[name] == "groups":
            found[name] = {
                group: [place for place in find(some) if place is not None]
                for group, some in value.items()
            }
        elif kinds[name] != "columns":
            pairs = zip(find(list(value)), value.values(), strict=True)
            found[name] = {place: price for place, price in pairs if place is not None}
        else:
            found[name] = [place for place in find(value) if place is not None]
    return found


def check_forbidden(
    forbidden: Sequence[int] | None, forced: Sequence[int], names: Sequence[str]
) -> None:
    """Refuse a column that is both forbidden and forced, and a table without any other."""
    if not forbidden:
        return
    both = np.intersect1d(forbidden, forced)
    if both.size:
        asked = spell("forbid", [names[both[0]]])
        raise TamisError(f"{asked}: the column is also to be kept in any case, omit one of them.")
    if len(set(forbidden)) == len(names):
        raise TamisError(
            f"{spell('forbid', list(names[:3]))}: all {len(names)} columns that are analysed are "
            "forbidden, leave at least one to keep."
        )
