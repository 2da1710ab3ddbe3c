"""`look`: what each column of a table is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tamis.api.keywords import takes_shared
from tamis.columns.judgement import ColumnJudgement
from tamis.columns.tally import OtherTally, count_columns
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.registry import MEMORY, NA, NAMES, SKIP_CORRUPT
from tamis.results.frame import frame_library
from tamis.results.look import Look
from tamis.run.front import describe_columns, name_missing, read_table
from tamis.run.look import judge_related
from tamis.sources.marked import MarkedSource
from tamis.sources.source import Source


@takes_shared("look")
def look(data: Any, **asked: Any) -> Look:
    """Say what each column of a table is, what is unusual about it, and what will be done with it.

    Kinds are number, count, share, ordinal code, category, free text, identifier, key, date,
    constant and empty. They are judged by all rows, read once, whatever their order; counts are
    exact, but for the number of distinct values of long columns, which is then marked as an
    estimate. `select` acts on the same judgement.

    Parameters
    ----------
    data
        As for `select`.
    na
        Values that stand for a missing one, such as -999, or "column=-999" for one column; "none"
        takes every value as it is.
    names, memory, skip_corrupt
        As for `select`.

    Returns
    -------
    Look
        One row for each column: `frame`, `to_dict()`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"row": range(40), "iron": ["1.5", ".", "2.25", "3", "0.5"] * 8})
    >>> look(table).kinds
    {'row': 'identifier', 'iron': 'number'}
    """
    values, texts = NA.check(asked.get("na", ())), NAMES.check(asked.get("names"))
    skips = SKIP_CORRUPT.check(asked.get("skip_corrupt", False))
    with limit_memory(MEMORY.check(asked.get("memory"))):
        return read_table(
            data,
            lambda source: _judge_table(source, values, texts, frame_library(data)),
            skip_corrupt=skips,
        )


def _judge_table(source: Source, values: Sequence[Any], names: Any, library: str) -> Look:
    if not source.has_rows:
        raise TamisError(f"{source.label} has no rows to judge: give the table itself.")
    (named, aside), (texts, doubt) = name_missing(source, values), describe_columns(source, names)
    marked = MarkedSource(source, named) if named else source
    judged = judge_related(marked, plain=aside)
    columns = tuple(
        _look_closer(source, j, one) if one.kind == "other" and not source.info.once else one
        for j, one in enumerate(judged.columns)
    )
    plain = frozenset(source.names[j] for j in aside)
    doubts = (*source.info.doubts, *([doubt] if doubt else ()))
    judged = replace(judged, columns=columns)
    return Look(judged, source.label, doubts, plain, source.info.unread, texts, library)


def _look_closer(source: Source, column: int, judged: ColumnJudgement) -> ColumnJudgement:
    try:
        (tally,) = count_columns(source, [column]).columns
    except TamisError:
        return judged
    if tally is None:
        return replace(judged, kind="empty", missing=judged.rows, why="without any value")
    missing = judged.rows - tally.filled
    if isinstance(tally, OtherTally) and tally.dates:
        return replace(judged, kind="date", missing=missing)
    return replace(judged, missing=missing)
