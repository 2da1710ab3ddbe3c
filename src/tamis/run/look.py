"""What columns are, which of them others determine, and which may not be what they seem."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.columns.judge import judge_columns, list_readable
from tamis.columns.judgement import NAMES_OF_ROWS, ColumnJudgement, TableJudgement
from tamis.columns.relations import MIN_RELATED_ROWS, find_leaks, find_relations, find_same_codes
from tamis.columns.tally import join_chunks
from tamis.columns.texts import has_few_rows
from tamis.facts.shared_answer import RelationFacts, SuspiciousColumn
from tamis.numerics.threads import one_thread_if_busy
from tamis.numerics.types import Floats, Indices
from tamis.run.beforehand import first_rows
from tamis.run.request import Request
from tamis.run.roles import find_label_columns, find_roles
from tamis.sources.arrow import as_arrow, as_floats
from tamis.sources.marked import Reading, read_column
from tamis.sources.positions import find_positions
from tamis.sources.read import Accumulator
from tamis.sources.source import Source
from tamis.statistics.classes import find_class_column
from tamis.statistics.row_hash import Hashes, hash_name, row_hashes
from tamis.statistics.speculative import SpeculativeSums

MAX_RELATED_ROWS = 5_000
MIN_SAMPLED_ROWS = 300
MAX_SAMPLED_CELLS = 2_000_000
MAX_RELATED_COLUMNS = 10_000
FEW_HASHED_COLUMNS = 16  # to hash all values of a long table takes as long as to read it
MAX_TEXT_BYTES = 200  # of a text, which may be a mark, a code or a number


# A row: where among those taken, where in the table, its hashes by a few and by all columns, and
# whether the second is known. It decides between rows that are alike in a few columns.
_SAMPLED_ROW = np.dtype(
    [("taken", "i8"), ("place", "i8"), ("few", "u8"), ("all", "u8"), ("hashed", "?")]
)


class RelationSample(Accumulator):
    """The rows of a table with the smallest hashes, taken while it is read for something else.

    Columns of text are kept as such: what is a number in them is known only when all was read.
    """

    def __init__(self, width: int) -> None:
        room = int(np.clip(MAX_SAMPLED_CELLS // max(width, 1), MIN_SAMPLED_ROWS, MAX_RELATED_ROWS))
        self._room = room if width <= MAX_RELATED_COLUMNS else 0
        self._fields: list[tuple[str, Any]] = []
        self._tables: list[Any] = []  # rows that were taken, some of which are needed no more
        self._tidy = True  # whether one table has just the rows needed, in their order
        self._rows = np.zeros(0, _SAMPLED_ROW)  # those needed, in the order of their hashes
        self._fresh = self._rows  # those of the last batch that may be among them
        self.seen = 0

    @property
    def takes_rows(self) -> bool:
        """Whether rows are sampled at all: not of a table of too many columns."""
        return self._room > 0

    def add(self, rows: Any) -> None:
        """Take those of some rows, an Arrow table, that may be among the ones to keep."""
        chosen = self._choose(rows)
        if chosen is not None:
            self._keep([_take(column, chosen) for column in rows.columns])

    def _choose(self, table: Any) -> Any:
        """Choose the rows of an Arrow table that may be among those with the smallest hashes.

        Nothing is sampled where parts of a table have other types.
        """
        start, self.seen = self.seen, self.seen + table.num_rows
        if not self._room or not table.num_rows:
            return None
        fields = [(field.name, _simplify_type(field.type)) for field in table.schema]
        if self._fields and self._fields != fields:
            self._room, self._tables = 0, []
            return None
        self._fields = fields
        # Names decide which few columns are hashed, and not their order.
        few = sorted(table.column_names, key=hash_name)[:FEW_HASHED_COLUMNS]
        simple = [_simplify(join_chunks(table.column(name))) for name in few]
        hashes = _hash_rows(pa.table(simple, few))
        near = self._find_near(hashes)
        few_are_all = table.num_columns <= FEW_HASHED_COLUMNS
        if few_are_all and len(near) > self._room:  # of rows that are alike, the first are kept
            near = near[np.sort(np.argsort(hashes[near], kind="stable")[: self._room])]
        self._fresh = np.zeros(len(near), _SAMPLED_ROW)
        self._fresh["place"], self._fresh["few"] = near + start, hashes[near]
        if few_are_all:
            self._fresh["all"], self._fresh["hashed"] = self._fresh["few"], True
        return as_arrow(near) if len(near) else None

    def _find_near(self, hashes: Hashes) -> Indices:
        """Give the rows that may be among those with the smallest hashes, by a few columns."""
        if len(self._rows) == self._room:
            return np.flatnonzero(hashes <= self._rows["few"][-1])
        most = min(self._room, len(hashes)) - 1
        return np.flatnonzero(hashes <= np.partition(hashes, most)[most])

    def _keep(self, columns: Sequence[Any]) -> None:
        """Keep the columns of the rows that were chosen."""
        fresh = pa.table(list(map(_simplify, columns)), [name for name, _ in self._fields])
        taken = sum(one.num_rows for one in self._tables)
        self._fresh["taken"] = taken + np.arange(len(self._fresh))
        self._tables.append(fresh)
        rows = np.concatenate([self._rows, self._fresh])
        self._rows = rows[self._order(rows)[: self._room]]
        self._tidy = False
        if taken > 2 * self._room:
            self._take_needed()

    def _order(self, rows: Any) -> Indices:
        """Give the order of the hashes; those by all columns are found where others are equal."""
        order = np.argsort(rows["few"], kind="stable")
        ordered = rows["few"][order]
        same = ordered[1:] == ordered[:-1]
        if not same.any():
            return order
        tied = order[np.append(same, False) | np.insert(same, 0, False)]
        tied = tied[~rows["hashed"][tied]]
        if len(tied):
            some = pa.concat_tables(self._tables).take(as_arrow(rows["taken"][tied]))
            rows["all"][tied], rows["hashed"][tied] = _hash_rows(some), True
        return np.lexsort((rows["all"], rows["few"]))

    def _take_needed(self) -> Any:
        """Give the sampled rows as one table, and forget all others; None where there are none."""
        if not self._tidy and self._tables:
            held = pa.concat_tables(self._tables).combine_chunks()
            self._tables = [held.take(as_arrow(self._rows["taken"]))]
            self._rows["taken"] = np.arange(len(self._rows))
            self._tidy = True
        return self._tables[0] if self._tables else None

    @property
    def places(self) -> Indices:
        """Which rows of the table were taken."""
        found: Indices = self._rows["place"].astype(np.intp)
        return found

    @property
    def is_whole(self) -> bool:
        """Whether all rows are there."""
        return len(self._rows) == self.seen

    def numbers(self, columns: Sequence[int], readings: Mapping[int, Reading | None]) -> Floats:
        """Give columns as numbers, NaN where there is none, each read as said."""
        found = np.full((len(self._rows), len(columns)), np.nan)
        held = self._take_needed()
        for i, j in enumerate(columns if held is not None else ()):
            column, reading = held.column(j), readings.get(j)
            found[:, i] = _as_floats(column if reading is None else read_column(column, reading))
        return found

    def texts(self, column: int) -> list[Any] | None:
        """Give the values of one column as they are, None where no rows were taken."""
        held = self._take_needed()
        return None if held is None else held.column(column).to_pylist()


def _take(column: Any, chosen: Any) -> Any:
    """Take the chosen rows of a column; long texts are cut before, as they may fill memory."""
    values = join_chunks(column)
    is_long = values.nbytes > MAX_TEXT_BYTES * len(values)
    return (_simplify(values) if is_long else values).take(chosen)


def _simplify_type(kind: Any) -> Any:
    """Give the type of a column once it is simplified."""
    if pa.types.is_dictionary(kind):
        return _simplify_type(kind.value_type)
    if pa.types.is_string_view(kind) or pa.types.is_large_string(kind):
        return pa.string()
    return kind if _is_plain(kind) else pa.float64()


def _simplify(column: Any) -> Any:
    """Give a column as numbers or plain strings, one of another type without values."""
    if pa.types.is_dictionary(column.type):
        # Long texts are cut where each stands once.
        short = pa.DictionaryArray.from_arrays(column.indices, _cut(column.dictionary))
        column = short.dictionary_decode()
    kind = column.type
    if pa.types.is_string_view(kind) or pa.types.is_large_string(kind):
        column = column.cast(pa.string())
    elif pa.types.is_decimal(kind):
        column = column.cast(pa.float64())
    elif not _is_plain(kind):
        column = pa.nulls(len(column), pa.float64())
    return _cut(column)


def _cut(column: Any) -> Any:
    """Cut long texts: a few of them may stand for more than there is memory."""
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        return column
    longest = pc.max(pc.binary_length(column)).as_py()
    if longest is None or longest <= MAX_TEXT_BYTES:
        return column
    return pc.utf8_slice_codeunits(column, 0, MAX_TEXT_BYTES)


def _is_plain(kind: Any) -> bool:
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    return number or pa.types.is_string(kind)


def _hash_rows(table: Any) -> Hashes:
    """Give every row a hash of a number for every value: itself, or the length of a text."""
    columns = [
        pc.utf8_length(column) if pa.types.is_string(column.type) else column
        for column in table.columns
    ]
    batch = pa.record_batch([join_chunks(one) for one in columns], table.column_names)
    return row_hashes(as_floats(batch), table.column_names)


def _as_floats(column: Any) -> Floats:
    if pa.types.is_string(column.type):
        return np.full(len(column), np.nan)
    return as_floats(pa.record_batch([join_chunks(column)], names=["values"]))[:, 0]


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
    # Rows that an engine reads are not sampled.
    sampled = sample.takes_rows and source.in_parts() is None
    others = [*([] if sums is None else [sums]), *([sample] if sampled else [])]
    judgement = judge_columns(source, wanted, others, beside, aims)
    columns_at = dict(zip(wanted, judgement.columns, strict=True))
    if sums is not None:
        sums.note_ends([columns_at[j] for j in read])
    if len(sample.places) < MIN_RELATED_ROWS:
        return judgement
    there = [columns_at[j] for j in read]
    # Numbers that vary, also if they are skipped as keys.
    numbers = [
        i
        for i, one in enumerate(there)
        if one.kind not in ("constant", "empty")
        and all(isinstance(v, float) for v in (one.smallest, one.largest))
    ]
    readings = {i: there[i].make_reading(guesses=read[i] not in plain) for i in numbers}
    names, values = [there[i].name for i in numbers], sample.numbers(numbers, readings)
    with one_thread_if_busy():  # products for each group of rows that have the same gaps
        judgement = replace(judgement, relations=_relate(sample, there, names, values))
    aim = _take_target(sample, len(read) if beside else target)
    if aim is None:
        return judgement
    leaks = _find_leaks(sample, there, dict(zip(names, values.T, strict=True)), aim)
    aim_name = source.names[target] if beside else "the target"
    made = _find_made(values, names, aim, aim_name, sampled=not sample.is_whole)
    return replace(judgement, leaks=leaks, made=made)


def _take_target(sample: RelationSample, target: Any) -> list[Any] | None:
    """Give the target of the sampled rows, None where there is none."""
    if isinstance(target, int):
        return sample.texts(target)
    if target is None or isinstance(target, str) or np.ndim(target) != 1:
        return None
    values = np.asarray(target, dtype=object)
    return values[sample.places].tolist() if len(values) == sample.seen else None


def _relate(
    sample: RelationSample, columns: Sequence[ColumnJudgement], names: Sequence[str], values: Floats
) -> tuple[RelationFacts, ...]:
    """Find the columns that others determine, in the order of the table.

    `values` are those of the columns of numbers, which have these `names`.
    """
    sampled = not sample.is_whole
    # Whatever is in order follows from the names or numbers of the rows, which says nothing.
    row_names = {one.name for one in columns if one.why == NAMES_OF_ROWS}
    plain = [
        j
        for j, (name, column) in enumerate(zip(names, values.T, strict=True))
        if name not in row_names and not _numbers_rows(column, sample.places)
    ]
    found = list(find_relations(values[:, plain], [names[j] for j in plain], sampled=sampled))
    known = {one.column for one in found}
    texts = {name: sample.texts(j) for j, name in _list_coded(columns) if name not in known}
    codes = find_same_codes({name: one for name, one in texts.items() if one is not None})
    found += [replace(one, sampled=sampled) for one in codes]
    place = {one.name: j for j, one in enumerate(columns)}
    return tuple(sorted(found, key=lambda one: place[one.column]))


def _numbers_rows(column: Floats, places: Indices) -> bool:
    return bool(np.array_equal(column, column[0] + (places - places[0])))


def _are_whole(column: ColumnJudgement) -> bool:
    """Whether numbers begin and end with integers, as codes do, and come again."""
    ends = (column.smallest, column.largest)
    repeated = 2 * column.distinct <= column.rows - column.missing
    return repeated and all(isinstance(end, float) and end.is_integer() for end in ends)


def _list_coded(columns: Sequence[ColumnJudgement]) -> list[tuple[int, str]]:
    """List the codes that have as many values as another column, which is one of text.

    Two columns of numbers with the same two values are functions of each other anyway.
    """
    coded = [
        (j, one)
        for j, one in enumerate(columns)
        if one.kind in _CODED or (one.kind == "number" and one.exact and _are_whole(one))
    ]
    texts = Counter(one.distinct for _, one in coded if isinstance(one.smallest, str))
    least = {j: 2 if isinstance(one.smallest, str) else 1 for j, one in coded}
    numbers = {one.distinct for _, one in coded if not isinstance(one.smallest, str)}
    return [
        (j, one.name)
        for j, one in coded
        if texts[one.distinct] >= least[j] or (texts[one.distinct] and one.distinct in numbers)
    ]


def _find_leaks(
    sample: RelationSample,
    columns: Sequence[ColumnJudgement],
    numbers: Mapping[str, Floats],
    target: Sequence[Any],
) -> dict[str, float]:
    """Find the columns that predict a target."""
    known: dict[str, Any] = {}
    for j, one in enumerate(columns):
        if one.name in numbers and one.kind not in _SET_ASIDE:
            known[one.name] = numbers[one.name]
        elif one.action == "categories":
            known[one.name] = sample.texts(j)
    return find_leaks({name: one for name, one in known.items() if one is not None}, target)


def _find_made(
    values: Floats, names: Sequence[str], target: Sequence[Any], aim_name: str, *, sampled: bool
) -> tuple[RelationFacts, ...]:
    """Say how columns make a target of numbers, if they do."""
    numbers = [isinstance(v, int | float) and not isinstance(v, bool) for v in target]
    if not all(there or v is None for there, v in zip(numbers, target, strict=True)):
        return ()
    aim = np.array([np.nan if v is None else float(v) for v in target])
    found = find_relations(np.column_stack([values, aim]), [*names, aim_name])
    return tuple(
        replace(one, sampled=sampled) for one in found if one.column == aim_name and not one.nearly
    )


_MAX_COUNTED_COLUMNS = 2_000  # columns whose pairs are counted in seconds


def has_repeating_text(source: Source, request: Request) -> bool:
    """Whether any text has several values that repeat; others are skipped in any case."""
    if not any(source.kinds[j] == "categorical" for j in find_analysed(source, request)):
        return False
    columns, first = _read_first(source, request)
    if first is None:
        return False
    texts = [i for i, j in enumerate(columns) if source.kinds[j] == "categorical"]
    rows, counts = first.num_rows, [len(first.column(i).unique()) for i in texts]
    return any(1 < count < rows and not has_few_rows(count, rows) for count in counts)


def suspect_columns(source: Source, request: Request) -> tuple[SuspiciousColumn, ...]:
    """Name the analysed columns that may not be what they seem, as `look` does.

    Of a table without names the first rows may show labels.
    """
    if source.named:
        analysed = {source.names[j] for j in find_analysed(source, request)}
        settled = {*request.judgement.categories, *request.judgement.numbers}
        return tuple(
            SuspiciousColumn(one.name, one.looks_like)
            for one in request.judgement.columns
            if one.looks_like
            and one.name in analysed
            and not (one.looks_like == "codes" and one.name in settled)
        )
    first = _read_first(source, request)[1]
    classes = None if first is None else find_class_column(first)
    return () if classes is None else (SuspiciousColumn(classes, "label"),)


def _read_first(source: Source, request: Request) -> tuple[list[int], Any]:
    """Read the first rows of the columns to analyse.

    There are none of a summary, or of a table of too many pairs.
    """
    columns = find_analysed(source, request)
    many = len(columns) > _MAX_COUNTED_COLUMNS
    if not columns or many or source.info.once or not source.has_rows:
        return columns, None
    return columns, first_rows(source, columns)


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
    ordered = sorted(request.judgement.leaks.items(), key=lambda leak: -leak[1])[:MAX_LEAKS]
    found = {
        name: SuspiciousColumn(
            name,
            "leak",
            "determines the target"
            if share >= _WHOLE
            else f"nearly determines the target ({share:.1%} of it on held-out rows)",
        )
        for name, share in ordered
    }
    for one in request.judgement.made:
        parts = list(one.parts)
        for name in parts[:MAX_LEAKS]:
            more = len(parts) - 1
            others = f"with {more} other{'' if more == 1 else 's'} " if more else ""
            found[name] = SuspiciousColumn(
                name, "leak", f"determines the target exactly {others}".rstrip()
            )
    return tuple(found.values())
