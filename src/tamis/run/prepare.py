"""A table made ready: its columns judged once, read as what they are, keys set aside."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tamis.columns.judge import judge_columns
from tamis.columns.judgement import ColumnJudgement, TableJudgement
from tamis.columns.row_descriptions import DESCRIBES_ROWS
from tamis.errors import Unreadable
from tamis.run.column_texts import describe_columns
from tamis.run.hope import Hope, hope_for_sums
from tamis.run.label_column import find_label_columns
from tamis.run.named_values import NamedValues
from tamis.run.preparation_notes import note_preparation
from tamis.run.promise import promise_sums
from tamis.run.relate import judge_related
from tamis.run.request import Request
from tamis.run.row_roles import find_roles
from tamis.sources.info import Kind
from tamis.sources.marked import MarkedSource, Reading
from tamis.sources.patterns import match_columns
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.sums_ahead import SumsAhead

MIN_ROWS_TO_JUDGE = 2  # below, there is nothing to say of a column

__all__ = ["Preparation", "is_settled", "list_known_texts", "list_named_categories", "prepare"]


@dataclass(frozen=True, eq=False)
class Preparation:
    """How the columns of a table are read, by name; it can be applied to the table again.

    `unfit` are those set aside, each with the reason, `categories` those that the user calls such.
    `notes` say in a few sentences what was done, `texts_of` what columns mean. `ahead` are sums of
    the rows that were judged, until they are taken.
    """

    judgement: TableJudgement | None = field(default=None, repr=False)
    readings: Mapping[str, Reading] = field(default_factory=dict)
    unfit: Mapping[str, str] = field(default_factory=dict)
    categories: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    texts_of: Mapping[str, str] = field(default_factory=dict, repr=False)
    ahead: SumsAhead | None = field(default=None, repr=False)

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns that a text file must be opened with as text."""
        return tuple(name for name, one in self.readings.items() if one.decimal)

    @property
    def judged(self) -> frozenset[str]:
        """The columns that were judged."""
        return (
            frozenset(one.name for one in self.judgement.columns) if self.judgement else frozenset()
        )

    @property
    def carried(self) -> tuple[str, ...]:
        """The keys and texts that were set aside, to be copied to what is written."""
        columns = () if self.judgement is None else self.judgement.columns
        kinds = ("identifier", "key", "free text", "date")
        aside = [one for one in columns if one.name in self.unfit]
        return tuple(one.name for one in aside if one.kind in kinds or one.why == DESCRIBES_ROWS)

    def apply(self, source: Source) -> Source:
        """Give the table as it is to be analysed."""
        at = {name: j for j, name in enumerate(source.names)}
        readings = {at[name]: one for name, one in self.readings.items() if name in at}
        info = replace(source.info, unfit=self.unfit, texts=self.texts_of)
        counted = None if self.judgement is None else self.judgement.rows
        if info.n_rows is None and counted and counted < len(info.names):
            # A file that does not say it was counted: rows that are few are held, by block too.
            info = replace(info, n_rows=counted)
        source.info = info.with_doubts(self.notes)
        return MarkedSource(source, readings) if readings else source


def prepare(
    request: Request, source: Source, *, refuses_text: bool = False, sums_up: bool = False
) -> tuple[Request, Source]:
    """Judge the columns of a table, and give the request and the table ready to be analysed.

    Read as numbers are texts that are such but for marks; missing are values that stand for a
    missing one; set aside are keys and free text. Columns that the request names itself stay what
    it says. Where that is known already, from a first reading, the table is not read again.
    `refuses_text` says that texts far down a column of numbers are an error, unless they are marks;
    `sums_up` that the rows are summed up next, which is done at once where that can be hoped for.
    """
    known = request.preparation
    if known is None:
        named = NamedValues.of(source, request.na)
        judged = _can_be_judged(source)
        hope = partial(hope_for_sums, request, source) if sums_up else None
        if judged:
            known = _judge(request, source, named, hope)
        else:
            known = _prepare_named(source, named, _list_keys(request, source))
        late = source.info.late if refuses_text else {}
        for name, error in late.items():
            if name not in known.texts and name not in known.unfit and name in known.judged:
                raise error
        texts, doubt = describe_columns(source, request.names)
        known = replace(known, texts_of=texts, notes=(*known.notes, *([doubt] if doubt else ())))
    return replace(request, preparation=known), known.apply(source)


def is_settled(source: Source, y: Any = None) -> bool:
    """Whether no column can turn out to be another than it seems: all hold numbers, but labels."""
    beside = {*find_label_columns(source, y)}
    return all(kind != "categorical" for j, kind in enumerate(source.kinds) if j not in beside)


def list_known_texts(request: Request) -> tuple[str, ...]:
    """Give the columns that hold text, as far as the table was read before."""
    return () if request.preparation is None else request.preparation.texts


def list_named_categories(request: Request) -> tuple[str, ...]:
    """Give the columns that the user calls categories, by name."""
    return () if request.preparation is None else request.preparation.categories


def _can_be_judged(source: Source) -> bool:
    """Whether there are rows to read twice; an array in memory is what somebody made it."""
    return source.has_rows and not source.info.once and (source.named or source.origin is not None)


def _prepare_named(
    source: Source, named: NamedValues, unfit: Mapping[str, str] | None = None
) -> Preparation:
    readings = {source.names[j]: one for j, one in named.readings.items()}
    return Preparation(readings=readings, unfit=unfit or {})


def _list_keys(request: Request, source: Source) -> Mapping[str, str]:
    """Give the columns that a summary knows as keys of its rows, but for those that are named."""
    named = _find_asked(source, "numbers", request.numbers)
    named |= _find_asked(source, request.include_name, request.include)
    named |= _find_asked(source, "columns", request.columns or ())
    asked = {source.names[j] for j in named}
    found = {name: why for name, why in source.info.unfit.items() if name not in asked}
    return found if len(source.names) - len(found) >= request.least else {}


def _judge(request: Request, source: Source, named: NamedValues, hope: Hope | None) -> Preparation:
    categories = _find_asked(source, "categories", request.categories)
    asked = categories | _find_asked(source, "numbers", request.numbers)
    asked |= _find_asked(source, request.include_name, request.include)
    asked |= _find_asked(source, "columns", request.columns or ())
    labels = {*find_label_columns(source, request.y)}
    wanted = set(range(len(source.names)))
    if request.columns is not None:
        wanted = _find_asked(source, "columns", request.columns) | asked
    wanted -= labels | _find_asked(source, "exclude", request.exclude)
    wanted -= set(find_roles(source, request.row_groups, request.weights))
    try:
        marked = MarkedSource(source, named.readings) if named.readings else source
        target = next(iter(labels)) if len(labels) == 1 else request.y
        aims = sorted(labels - categories) if request.task != "classification" else []
        read = promise_sums(request, marked, wanted)
        ahead = hope(sorted(wanted)) if hope is not None and marked is source else None
        judged = judge_related(read, sorted(wanted), named.plain, target, aims, ahead)
    except Unreadable:  # it may be in a column that is not needed: the run says so, or not
        return _prepare_named(source, named)
    readings = {source.names[j]: one for j, one in named.readings.items()}
    unfit: dict[str, str] = {}
    free = [(j, one) for j, one in zip(sorted(wanted), judged.columns, strict=True)]
    free = [(j, one) for j, one in free if j not in categories]
    for j, column in free:
        one = _combine_reading(
            named.readings.get(j, Reading()), column, guesses=j not in named.plain
        )
        if one != Reading():
            readings[column.name] = one
        if j not in asked and _is_set_aside(column, source.kinds[j]):
            unfit[column.name] = column.why
    if len(wanted) - len(unfit) < request.least:  # that columns are empty is said where it matters
        empty = {one.name for one in judged.columns if one.kind == "empty"}
        unfit = {name: why for name, why in unfit.items() if name not in empty}
    measured = _judge_targets(marked, aims, judged, named.plain)
    for aim in measured:
        known = readings.get(aim.name, Reading())
        readings[aim.name] = _combine_reading(known, aim, guesses=True)
    notes = note_preparation([*(one for _, one in free), *measured], readings, unfit)
    recast = tuple(source.names[j] for j in categories)
    return Preparation(judged, readings, unfit, recast, tuple(notes), ahead=ahead)


def _judge_targets(
    source: Source, labels: Sequence[int], judged: TableJudgement, plain: Collection[int]
) -> list[ColumnJudgement]:
    """Give the targets that are measured and not read as they are written.

    Of texts each amount would be a class; of numbers, -999 would decide every sum.
    """
    found = judged.aims
    if source.in_parts() is None and labels:
        found = dict(zip(labels, judge_columns(source, labels).columns, strict=True))
    return [
        one
        for j, one in found.items()
        if one.kind in ("number", "count") and (one.decimal or (one.absent and j not in plain))
    ]


def _is_set_aside(column: ColumnJudgement, kind: Kind) -> bool:
    """Whether a column is skipped for what was seen in it; for its type it is so in any case."""
    empty = column.kind == "empty" and column.rows < MIN_ROWS_TO_JUDGE
    apart = kind == "beside" and column.why == DESCRIBES_ROWS
    aside = column.action == "skipped" and kind not in ("row names", "other")
    return aside and not empty and not apart


def _combine_reading(named: Reading, column: ColumnJudgement, *, guesses: bool) -> Reading:
    """Add what the judgement says to what the user said."""
    absent = {*named.absent, *(column.absent if guesses else ())}
    marks = column.marks if guesses or column.decimal else ()
    return Reading(frozenset(absent), named.marks | set(marks), column.decimal)


def _find_asked(source: Source, option: str, names: Iterable[str | int]) -> set[int]:
    return set(find_positions(source, match_columns(source, option, list(names))))
