"""What the columns of a table are, before anything is asked of them."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from tamis.columns.judgement import ColumnJudgement, TableJudgement
from tamis.columns.tally import OtherTally, count_columns
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.registry import MEMORY, NA, NAMES, SKIP_CORRUPT
from tamis.run.front import read_table
from tamis.run.prepare import NamedValues, describe_columns
from tamis.run.relate import judge_related
from tamis.sources.marked import MarkedSource
from tamis.sources.source import Source
from tamis.values import dataclass

__all__ = ["LookedAt", "look_at"]


@dataclass(frozen=True, eq=False)
class LookedAt:
    """The judgement of a table, what it is called, how values were read, what columns mean."""

    judgement: TableJudgement
    label: str
    doubts: tuple[str, ...]
    plain: frozenset[str]
    unread: tuple[tuple[str, str], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


def look_at(
    data: Any,
    *,
    na: Any = (),
    names: Any = None,
    memory: Any = None,
    skip_corrupt: bool = False,
) -> LookedAt:
    """Read a table and judge its columns.

    `na` are values that stand for a missing one, `names` says what columns mean.
    """
    values, skips, texts = NA.check(na), SKIP_CORRUPT.check(skip_corrupt), NAMES.check(names)
    with limit_memory(MEMORY.check(memory)):
        return read_table(data, lambda source: _look(source, values, texts), skip_corrupt=skips)


def _look(source: Source, values: Sequence[Any], names: Any) -> LookedAt:
    if not source.has_rows:
        raise TamisError(f"{source.label} has no rows to judge: give the table itself.")
    named, (texts, doubt) = NamedValues.of(source, values), describe_columns(source, names)
    marked = MarkedSource(source, named.readings) if named.readings else source
    judged = judge_related(marked, plain=named.plain)
    columns = judged.columns
    if not source.info.once:
        columns = tuple(
            _look_closer(source, j, one) if one.kind == "other" else one
            for j, one in enumerate(judged.columns)
        )
    plain = frozenset(source.names[j] for j in named.plain)
    doubts = (*source.info.doubts, *([doubt] if doubt else ()))
    return LookedAt(
        replace(judged, columns=columns), source.label, doubts, plain, source.info.unread, texts
    )


def _look_closer(source: Source, column: int, judged: ColumnJudgement) -> ColumnJudgement:
    """Separate dates from types that cannot be read at all."""
    try:
        (tally,) = count_columns(source, [column]).columns
    except TamisError:
        return judged
    if tally is None:
        return replace(judged, kind="empty", missing=judged.rows, why="without any value")
    missing = judged.rows - tally.filled
    if isinstance(tally, OtherTally) and tally.dates:
        return replace(
            judged, kind="date", missing=missing, why="dates or times, not supported yet"
        )
    return replace(judged, missing=missing)
