"""What the first rows of a table, and the judgement of its columns, say of its columns."""

from collections.abc import Iterator
from typing import Any

from tamis.columns.suspects import (
    as_texts,
    find_suspects,
    find_written_numbers,
    judge_texts,
    looks_like_identifier,
)
from tamis.facts.shared_answer import SuspiciousColumn
from tamis.run.beforehand import first_rows
from tamis.run.request import Request
from tamis.run.roles import find_label_columns, find_roles
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.classes import find_class_column

_TRIED = 1_000_000  # rows on which advice is tried
_MAX_COUNTED_COLUMNS = 2_000  # columns whose pairs are counted in seconds


def has_repeating_text(source: Source, request: Request) -> bool:
    """Whether any text has several values that repeat; others are skipped in any case."""
    if not any(source.kinds[j] == "categorical" for j in find_analysed(source, request)):
        return False
    columns, first, _ = _read_first(source, request)
    if first is None:
        return False
    texts = [i for i, j in enumerate(columns) if source.kinds[j] == "categorical"]
    rows, counts = first.num_rows, [len(first.column(i).unique()) for i in texts]
    return any(1 < count < rows and not looks_like_identifier(count, rows) for count in counts)


def suspect_columns(source: Source, request: Request) -> tuple[SuspiciousColumn, ...]:
    """Find the columns that may not be what they seem, of those that a request asks for."""
    columns, first, more = _read_first(source, request)
    if first is None:
        return ()
    kinds = [source.kinds[j] for j in columns]
    suspects = {one.column: one for one in find_suspects(first, kinds)}
    classes = None if source.named else find_class_column(first)
    suspects |= {} if classes is None else {classes: SuspiciousColumn(classes, "label")}
    for name in find_written_numbers(first, kinds) if more else ():
        # Advice is tried before it is given: text may follow, or another unit.
        judged = judge_texts(name, _read_texts(source, columns[first.column_names.index(name)]))
        suspects.pop(name, None)
        suspects |= {} if judged is None else {name: judged}
    return tuple(suspects[name] for name in first.column_names if name in suspects)


def _read_first(source: Source, request: Request) -> tuple[list[int], Any, bool]:
    """Read the first rows of the columns to analyse, and say whether more can be read below.

    There are none of a summary, or of a table of too many pairs.
    """
    columns = find_analysed(source, request)
    many = len(columns) > _MAX_COUNTED_COLUMNS
    if not columns or many or source.info.once or not source.has_rows:
        return columns, None, False
    return columns, *first_rows(source, columns)


def _read_texts(source: Source, column: int) -> Iterator[Any]:
    read = 0
    for table in source.tables([column], mark_missing=True):
        yield as_texts(table.column(0))
        read += table.num_rows
        if read >= _TRIED:
            return


def find_analysed(source: Source, request: Request) -> list[int]:
    """Give the positions of the columns that are asked for and of a kind that can be analysed."""
    given = request.columns
    wanted = set(range(len(source.names)) if given is None else find_positions(source, given))
    roles = find_roles(source, request.row_groups, request.weights)
    unwanted = {*find_positions(source, [*request.exclude, *source.info.unfit]), *roles}
    return sorted(wanted - unwanted - {*find_label_columns(source, request.y)})


MAX_LEAKS = 6  # that are named
_WHOLE = 0.9995  # share predicted that is written as 100%


def suspect_leaks(request: Request) -> tuple[SuspiciousColumn, ...]:
    """Name the columns that predict the target, best first, and those that make it."""
    ordered = sorted(request.known.leaks, key=lambda leak: -leak.share)[:MAX_LEAKS]
    found = {
        leak.column: SuspiciousColumn(
            leak.column,
            "leak",
            "determines the target"
            if leak.share >= _WHOLE
            else f"nearly determines the target ({leak.share:.1%} of it on held-out rows)",
        )
        for leak in ordered
    }
    for one in request.known.made:
        parts = list(one.parts)
        for name in parts[:MAX_LEAKS]:
            more = len(parts) - 1
            others = f"with {more} other{'' if more == 1 else 's'} " if more else ""
            found[name] = SuspiciousColumn(
                name, "leak", f"determines the target exactly {others}".rstrip()
            )
    return tuple(found.values())
