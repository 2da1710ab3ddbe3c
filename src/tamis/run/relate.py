"""The columns of a table judged, and which of them others determine, in one pass."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from tamis.columns.judge import judge_columns, list_readable
from tamis.columns.judgement import ColumnJudgement, TableJudgement
from tamis.columns.relation import Relation
from tamis.columns.relations import MIN_RELATED_ROWS, find_relations
from tamis.columns.same_codes import find_same_codes
from tamis.sources.marked import Reading
from tamis.sources.source import Source
from tamis.statistics.relation_sample import RelationSample

__all__ = ["judge_related"]

_CODED = ("category", "ordinal code", "key")


def judge_related(
    source: Source, columns: Sequence[int] | None = None, plain: Collection[int] = ()
) -> TableJudgement:
    """Judge columns, and find those that others determine in a sample of the rows.

    In columns that are `plain` every value counts.
    """
    wanted = list(range(len(source.names)) if columns is None else columns)
    read = list_readable(source, wanted)
    sample = RelationSample(len(read))
    judged = judge_columns(source, wanted, sample.add)
    known = dict(zip(wanted, judged.columns, strict=True))
    found = _find(sample, [known[j] for j in read], [j in plain for j in read])
    return replace(judged, relations=found)


def _find(
    sample: RelationSample, columns: Sequence[ColumnJudgement], plain: Sequence[bool]
) -> tuple[Relation, ...]:
    if len(sample.places) < MIN_RELATED_ROWS:
        return ()
    numbers = [j for j, one in enumerate(columns) if _holds_numbers(one)]
    readings = {j: _reading(columns[j], plain=plain[j]) for j in numbers}
    values = sample.numbers(numbers, readings)
    names = [columns[j].name for j in numbers]
    sampled = not sample.is_whole
    found = list(find_relations(values, names, sampled=sampled))
    known = {one.column for one in found}
    texts = {
        one.name: sample.texts(j)
        for j, one in enumerate(columns)
        if one.name not in known and (_is_text(one) or one.kind in _CODED)
    }
    codes = find_same_codes({name: one for name, one in texts.items() if one is not None})
    found += [replace(one, sampled=sampled) for one in codes]
    place = {one.name: j for j, one in enumerate(columns)}
    return tuple(sorted(found, key=lambda one: place[one.column]))


def _holds_numbers(column: ColumnJudgement) -> bool:
    """Whether a column is one of numbers that vary, also if it is skipped as a key."""
    ends = (column.smallest, column.largest)
    return column.kind not in ("constant", "empty") and all(isinstance(v, float) for v in ends)


def _is_text(column: ColumnJudgement) -> bool:
    return isinstance(column.smallest, str) and column.kind in _CODED


def _reading(column: ColumnJudgement, *, plain: bool) -> Reading:
    absent = frozenset(() if plain else column.absent)
    return Reading(absent, frozenset(column.marks), column.decimal)
