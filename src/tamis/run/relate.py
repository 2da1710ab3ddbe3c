"""The columns of a table judged, and which of them others determine, in one pass."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tamis.columns.judge import judge_columns, list_readable
from tamis.columns.judgement import ColumnJudgement, Leak, TableJudgement
from tamis.columns.leaks import find_leaks
from tamis.columns.relations import MIN_RELATED_ROWS, find_relations, find_same_codes
from tamis.facts.shared_answer import RelationFacts
from tamis.numerics.threads import one_thread_if_busy
from tamis.numerics.types import Floats
from tamis.sources.marked import Reading
from tamis.sources.source import Source
from tamis.statistics.relation_sample import RelationSample
from tamis.statistics.speculative import SpeculativeSums

__all__ = ["judge_related"]

_CODED = ("category", "ordinal code", "key")
_SET_ASIDE = ("identifier", "key", "constant", "empty", "free text", "date", "other")


def judge_related(
    source: Source,
    columns: Sequence[int] | None = None,
    plain: Collection[int] = (),
    target: Any = None,
    aims: Sequence[int] = (),
    sums: SpeculativeSums | None = None,
) -> TableJudgement:
    """Judge columns, and find those that others determine in a sample of the rows.

    In columns that are `plain` every value counts. With a `target`, the position of a column or
    values for all rows, those that predict it are found, too. An engine counts `aims` with them.
    The same pass makes `sums`, if wanted.
    """
    wanted = list(range(len(source.names)) if columns is None else columns)
    read = list_readable(source, wanted)
    beside = list_readable(source, [target]) if isinstance(target, int) else []
    sample = RelationSample(len(read) + len(beside))
    others = [] if sums is None else [sums]
    watch = sample if sample.takes_rows else None
    judged = judge_columns(source, wanted, watch, beside, aims, others)
    known = dict(zip(wanted, judged.columns, strict=True))
    if sums is not None:
        sums.note_ends([known[j] for j in read])
    rows = _SampledRows(sample, [known[j] for j in read], [j in plain for j in read])
    if len(sample.places) < MIN_RELATED_ROWS:
        return judged
    with one_thread_if_busy():  # products for each group of rows that have the same gaps
        judged = replace(judged, relations=rows.relate())
    aim = _take_target(sample, len(read) if beside else target)
    if aim is None:
        return judged
    name = source.names[target] if beside else "the target"
    return replace(judged, leaks=tuple(rows.find_leaks(aim)), made=rows.find_made(name, aim))


def _take_target(sample: RelationSample, target: Any) -> list[Any] | None:
    """Give the target of the sampled rows, None where there is none."""
    if isinstance(target, int):
        return sample.texts(target)
    if target is None or isinstance(target, str) or np.ndim(target) != 1:
        return None
    values = np.asarray(target, dtype=object)
    return values[sample.places].tolist() if len(values) == sample.seen else None


class _SampledRows:
    """Sampled rows of judged columns, as numbers and as texts."""

    def __init__(
        self, sample: RelationSample, columns: Sequence[ColumnJudgement], plain: Sequence[bool]
    ) -> None:
        self._sample, self._columns = sample, columns
        numbers = [j for j, one in enumerate(columns) if _holds_numbers(one)]
        readings = {j: _reading(columns[j], plain=plain[j]) for j in numbers}
        self._names = [columns[j].name for j in numbers]
        self._values: Floats = sample.numbers(numbers, readings)

    def relate(self) -> tuple[RelationFacts, ...]:
        """Find the columns that others determine, in the order of the table."""
        sampled = not self._sample.is_whole
        found = list(find_relations(self._values, self._names, sampled=sampled))
        known = {one.column for one in found}
        texts = {name: self._sample.texts(j) for j, name in self._list_coded() if name not in known}
        codes = find_same_codes({name: one for name, one in texts.items() if one is not None})
        found += [replace(one, sampled=sampled) for one in codes]
        place = {one.name: j for j, one in enumerate(self._columns)}
        return tuple(sorted(found, key=lambda one: place[one.column]))

    def _list_coded(self) -> list[tuple[int, str]]:
        """List the codes that have as many values as another column, which is one of text.

        Two columns of numbers with the same two values are functions of each other anyway.
        """
        coded = [(j, one) for j, one in enumerate(self._columns) if one.kind in _CODED]
        texts = Counter(one.distinct for _, one in coded if isinstance(one.smallest, str))
        least = {j: 2 if isinstance(one.smallest, str) else 1 for j, one in coded}
        numbers = {one.distinct for _, one in coded if not isinstance(one.smallest, str)}
        return [
            (j, one.name)
            for j, one in coded
            if texts[one.distinct] >= least[j] or (texts[one.distinct] and one.distinct in numbers)
        ]

    def find_leaks(self, target: Sequence[Any]) -> list[Leak]:
        """Find the columns that predict a target."""
        numbers = dict(zip(self._names, self._values.T, strict=True))
        columns: dict[str, Any] = {}
        for j, one in enumerate(self._columns):
            if one.name in numbers and one.kind not in _SET_ASIDE:
                columns[one.name] = numbers[one.name]
            elif one.action == "categories":
                columns[one.name] = self._sample.texts(j)
        return find_leaks({name: one for name, one in columns.items() if one is not None}, target)

    def find_made(self, name: str, target: Sequence[Any]) -> tuple[RelationFacts, ...]:
        """Say how columns make a target of numbers, if they do."""
        numbers = [isinstance(v, int | float) and not isinstance(v, bool) for v in target]
        if not all(there or v is None for there, v in zip(numbers, target, strict=True)):
            return ()
        aim = np.array([np.nan if v is None else float(v) for v in target])
        found = find_relations(np.column_stack([self._values, aim]), [*self._names, name])
        sampled = not self._sample.is_whole
        return tuple(
            replace(one, sampled=sampled) for one in found if one.column == name and not one.nearly
        )


def _holds_numbers(column: ColumnJudgement) -> bool:
    """Whether a column is one of numbers that vary, also if it is skipped as a key."""
    ends = (column.smallest, column.largest)
    return column.kind not in ("constant", "empty") and all(isinstance(v, float) for v in ends)


def _reading(column: ColumnJudgement, *, plain: bool) -> Reading:
    absent = frozenset(() if plain else column.absent)
    return Reading(absent, frozenset(column.marks), column.decimal)
