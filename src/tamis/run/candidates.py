"""Which columns of a table are analysed, and why the others are skipped."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import scipy.sparse

from tamis.errors import (
    InfiniteValues,
    NoValues,
    TamisError,
    in_sentence,
    spell,
    spell_name,
)
from tamis.numerics.types import Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.run.request import Request
from tamis.run.row_roles import find_roles
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.missing import Tally
from tamis.statistics.summary import Summary

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
    "beside": "describes the rows, beside what was measured",
    "other": OTHER_TYPE,
}


def find_candidates(
    request: Request,
    source: Source,
    labels: Sequence[int] = (),
    empty: Reasons = NO_REASONS,
) -> tuple[list[int], dict[str, str]]:
    """Separate the columns that can be analysed from the others, by the request.

    `labels` are the positions of columns that hold labels, `empty` are columns that turned out to
    have no value or too few, with the reason.
    """
    method = request.method
    advice = (
        "methods such as representatives take text as it is" if method.kind == "selection" else ""
    )
    marked = [source.names[j] for j in labels]
    roles = find_roles(source, request.row_groups, request.weights)
    exclude = [*request.exclude, *marked, *roles, *empty]
    usable, skipped = sort_out_columns(
        source,
        request.columns,
        exclude,
        categories=_takes_text(request),
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


def _takes_text(request: Request) -> bool:
    """Whether text is analysed: not where only sums of numbers are kept."""
    numbers_only = request.missing.pairs or (
        request.method.mixed and request.checkpoint is not None
    )
    return request.method.takes_text and not numbers_only


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
    ticked = [one.name for one in request.known.columns if one.ticked and request.missing.fills]
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
