"""Columns as a request names them: found in a table, analysed or skipped, each with the reason."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import scipy.sparse

from tamis.errors import InfiniteValues, NoValues, TamisError, in_sentence, spell, spell_name
from tamis.numerics.types import Indices
from tamis.registry import Method
from tamis.registry.missing_policy import MissingPolicy
from tamis.run.request import Request
from tamis.run.roles import find_roles
from tamis.sources.positions import find_positions, match_columns, match_prices
from tamis.sources.source import Source
from tamis.statistics.missing import Tally
from tamis.statistics.summary import Summary

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


T = TypeVar("T")
Reasons = Mapping[str, str]  # why a column is skipped, by name
NO_REASONS: Reasons = MappingProxyType({})

_MAX_EXACT_INTEGER = 2.0**53  # beyond it float64 does not hold every integer
_ROUNDED = "integers beyond 2^53 that float64 rounds to one value, subtract a constant first"
EMPTY = "without any value"
LABELS = "the labels"
_ANALYSED_KINDS = ("numeric", "boolean")
NOT_NUMBERS = "text or categories, not numbers"
OTHER_TYPE = "dates or another type not supported yet"
_WHY = {
    "empty": EMPTY,
    "categorical": NOT_NUMBERS,
    "row names": "first column without a name, taken as the names of the rows",
    "beside": "describes the rows (not a measurement)",
    "other": OTHER_TYPE,
}


def find_candidates(
    request: Request, source: Source, labels: Sequence[int] = (), empty: Reasons = NO_REASONS
) -> tuple[list[int], dict[str, str]]:
    """Separate the columns that can be analysed from the others, by the request.

    `labels` are the positions of columns that hold labels, `empty` are columns that turned out to
    have no value or too few, with the reason.
    """
    method = request.method
    advice = (
        "methods such as representatives take text as it is" if method.kind == "selection" else ""
    )
    # Where only sums of numbers are kept, no text is analysed.
    sums = request.missing.pairs or (method.mixed and request.checkpoint is not None)
    marked = [source.names[j] for j in labels]
    roles = find_roles(source, request.row_groups, request.weights)
    exclude = [*request.exclude, *marked, *roles, *empty]
    usable, skipped = sort_out_columns(
        source,
        request.columns,
        exclude,
        categories=method.takes_text and not sums,
        advice=advice,
        least=request.least,
    )
    skipped.update(empty)
    skipped.update({source.names[j]: why for j, why in roles.items()})
    skipped.update(dict.fromkeys(marked, LABELS))
    return usable, skipped


def note_unjudged(source: Source, skipped: Reasons) -> None:
    """Say which columns no method, or not this one, can judge: they stay in what is given back."""
    parts, count = [], 0
    for reason in (NOT_NUMBERS, OTHER_TYPE):
        names = [repr(name) for name, why in skipped.items() if why == reason]
        more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
        parts += [f"{', '.join(names[:5])}{more} ({reason})"] if names else []
        count += len(names)
    if parts:
        stay = "it stays" if count == 1 else "they stay"
        said = f"Not judged: {', '.join(parts)}; {stay} in the table that is given back."
        source.info = source.info.with_doubts([said])


def skip_empty(run: Callable[[Reasons], T]) -> T:
    """Run, and again without the columns that turn out to have no value, each with the reason."""
    empty: dict[str, str] = {}
    while True:
        try:
            return run(empty)
        except NoValues as found:
            empty |= dict.fromkeys(found.columns, found.why)


def check_filled(request: Request, source: Source, usable: Sequence[int], tally: Tally) -> None:
    """Refuse columns that are mostly missing, unless they are named or hardly any other is left."""
    if request.missing.codes_numbers or not tally.counts.any():
        return
    # A blank beside a tick is an answer of its own.
    ticked = [one.name for one in request.judgement.columns if one.ticked and request.missing.fills]
    insist = find_named(source, usable, [*(request.columns or ()), *request.include, *ticked])
    most = request.max_missing * tally.rows
    empty = [i for i in np.flatnonzero(tally.counts > most).tolist() if i not in insist]
    if not empty or len(usable) - len(empty) < max(request.least, 2):
        return
    columns, limit = [source.names[usable[i]] for i in empty], request.max_missing
    why = f"more than {limit:.0%} missing, {spell('max_missing', 1)} analyses them"
    raise NoValues(f"{len(columns)} columns are skipped: {why}.", columns, why)


@contextmanager
def advise_auto() -> Iterator[None]:
    """Name the option that takes infinite values as missing, where one is refused."""
    try:
        yield
    except InfiniteValues as found:
        if found.sparse:  # it is not filled
            raise
        auto = spell("missing", MissingPolicy.filling(takes_text=True))
        raise TamisError(f"{found.sentence}, or pass {auto}, which fills them.") from found


def sort_out_columns(
    source: Source,
    columns: Sequence[str | int] | None,
    exclude: Sequence[str | int],
    *,
    categories: bool = False,
    advice: str = "",
    least: int = 2,
) -> tuple[list[int], dict[str, str]]:
    """Separate the columns that can be analysed from the others, each with its reason.

    `advice` says what to do about text where it is skipped.
    """
    wanted = set(range(len(source.names)) if columns is None else find_positions(source, columns))
    unwanted = set(find_positions(source, exclude))
    kinds = (*_ANALYSED_KINDS, "categorical") if categories else _ANALYSED_KINDS
    usable: list[int] = []
    skipped: dict[str, str] = {}
    unfit = source.info.unfit
    for j, (name, kind) in enumerate(zip(source.names, source.kinds, strict=True)):
        if j in unwanted:
            skipped[name] = "excluded"
        elif j not in wanted:
            skipped[name] = "not among the chosen columns"
        elif name in unfit:
            skipped[name] = unfit[name]
        elif kind not in kinds:
            skipped[name] = _WHY[kind]
        else:
            usable.append(j)
    if len(usable) < least:
        _refuse_keys(source, usable, unfit.keys() & skipped.keys())
        found = f"only {source.names[usable[0]]!r}" if usable else "none"
        what = "numbers or categories" if categories else "numbers"
        text = not categories and "categorical" in source.kinds
        hint = f"; {advice}" if text and advice else ""
        raise TamisError(
            f"{source.label} has too few columns of {what} to choose from ({found}): at least 2 "
            f"are needed{hint}."
        )
    return usable, skipped


def _refuse_keys(source: Source, usable: Sequence[int], aside: Collection[str]) -> None:
    """Say that nothing is to be chosen where all other columns are keys, dates or free text."""
    if not aside:
        return
    first = next(name for name in source.names if name in aside)
    left = f"one column is left ({source.names[usable[0]]!r})" if usable else "no column is left"
    raise TamisError(
        f"{source.label}: {left}, nothing to choose; {first!r} is set aside "
        f"({source.info.unfit[first]})"
        + (f", as are {len(aside) - 1} more" if len(aside) > 1 else "")
        + f": name columns to analyse in any case with {spell_name('columns')}."
    )


def find_named(source: Source, usable: Sequence[int], wanted: Sequence[str | int]) -> set[int]:
    """Give the positions, among the usable columns, of the wanted ones."""
    asked = set(find_positions(source, wanted))
    return {position for position, j in enumerate(usable) if j in asked}


def count_analysed(
    source: Source, usable: Sequence[int], summary: Summary, skipped: dict[str, str]
) -> tuple[Indices, tuple[str, ...]]:
    """Give the columns analysed and the constant ones; add the others to `skipped`."""
    refused = summary.refused
    skipped.update({source.names[usable[i]]: why for i, why in refused.items()})
    analysed = {*summary.varying.tolist(), *refused}
    still = [i for i in range(len(usable)) if i not in analysed]
    lost = _find_rounded_to_one([usable[i] for i in still], source)
    skipped.update({source.names[j]: _ROUNDED for j in lost})
    if lost and not len(summary.varying):
        raise TamisError(
            f"Column {source.names[lost[0]]!r} of {in_sentence(source.label)} has {_ROUNDED}."
        )
    constant = tuple(source.names[usable[i]] for i in still if usable[i] not in lost)
    return np.asarray(usable, dtype=np.intp)[summary.varying], constant


def _find_rounded_to_one(columns: list[int], source: Source) -> list[int]:
    """Find among constant columns those that vary as integers, and only not in float64."""
    columns = [j for j in columns if source.kinds[j] == "numeric"]
    if not columns or source.info.once or not source.has_rows:
        return []
    values = _first_row(columns, source)
    large = [
        columns[i] for i in np.flatnonzero(np.abs(values[0].astype(float)) >= _MAX_EXACT_INTEGER)
    ]
    return [j for j in large if _integers_vary(j, source)]


def _first_row(columns: list[int], source: Source) -> Any:
    """Read the numbers of the first row; of an engine's table no more than that comes home."""
    if (parted := source.in_parts()) is not None:
        from tamis.sources.arrow import as_floats

        return as_floats(parted.head(columns, 1).combine_chunks().to_batches()[0])
    first: Any = next(iter(source.batches(columns)))[:1]
    return first.toarray() if scipy.sparse.issparse(first) else first


def _integers_vary(column: int, source: Source) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = [table.column(0) for table in source.tables([column])]
    if not all(pa.types.is_integer(part.type) for part in parts):
        return False
    return len(pc.unique(pa.chunked_array(parts)).drop_null()) > 1


def check_rows(source: Source, n_rows: int) -> None:
    """Refuse a table too short to compare anything."""
    if n_rows < 2:
        rows = "1 row" if n_rows == 1 else "no rows"
        raise TamisError(f"{source.label} has {rows} to work with: at least 2 are needed.")
