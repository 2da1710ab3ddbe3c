"""One pass over a table that counts what each column holds: numbers, texts, or something else."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse
from numpy.typing import NDArray

from tamis.columns.sketch import DistinctSketch, cut_texts, list_bytes
from tamis.columns.written import is_known_mark
from tamis.progress import track
from tamis.rules import texts as rules
from tamis.rules.kinds import DISTINCT_KEPT, MAX_DISTINCT_KEPT, MAX_EXTREMES
from tamis.sources.amounts import Notation, is_limit, notation_of
from tamis.sources.arrow import as_arrow, count_text_bytes
from tamis.sources.read import Accumulator, read
from tamis.sources.source import Source
from tamis.values import dataclass

Counts = tuple[Any, Any]  # values, and how often each comes

_PROBED = 512  # values that bound the ends of many
MAX_WAITING_ENDS = 8 * MAX_EXTREMES  # values that may be among them


class NumberTally:
    """Counts of a column of numbers: exact, but for the number of different values of long ones.

    `lowest` and `highest` are the values at both ends with their counts, outermost first. Of
    numbers written as text: `marks` are the texts that are missing values, and `limits` those that
    say that a value is below or above a number, as which they are read, both with their counts;
    `decimal` is the mark before decimals, "" where the type says that these are numbers.
    """

    def __init__(self, room: int) -> None:
        self.sketch = DistinctSketch(room)
        self.marks: dict[str, int] = {}
        self.limits: dict[str, int] = {}
        self.decimal = self.unit = ""
        self.filled = self.zeros = self.infinite = 0
        self.integers = True
        self._ends: tuple[Counts, Counts]
        self._outer: list[Counts] = []  # values that may be at an end, not yet counted
        self._known: tuple[dict[float, int], dict[float, int]] | None = None

    def add(self, values: NDArray[np.float64], counts: NDArray[np.int64] | None = None) -> None:
        """Count more numbers, with `counts` each so often; missing ones (NaN) are no values."""
        ends = _find_ends(values)
        if not all(map(isfinite, ends)):  # an infinite value is an end, a missing one is both
            finite = np.isfinite(values)
            self.infinite += _count_true(np.isinf(values), counts)
            values, counts = values[finite], None if counts is None else counts[finite]
            ends = _find_ends(values)
        if not values.size:
            return
        self.filled += values.size if counts is None else int(counts.sum())
        self._known = None
        if ends[0] <= 0.0 <= ends[1]:
            self.zeros += _count_true(values == 0.0, counts)
        if self.integers:
            self.integers = bool((values == np.rint(values)).all())
        self._note_extremes(values, ends, counts)

    def add_zeros(self, count: int) -> None:
        """Count zeros, of which a sparse column stores none."""
        if count:
            self.filled, self.zeros, self._known = self.filled + count, self.zeros + count, None
            self._note_extremes(np.zeros(1), (0.0, 0.0), np.array([count], dtype=np.int64))

    def join(self, other: "NumberTally") -> None:
        """Count the numbers of other rows, of which there is a tally with the same room."""
        ends = [one._own_ends for one in (self, other) if one.filled]
        self.filled, self.zeros = self.filled + other.filled, self.zeros + other.zeros
        self.infinite += other.infinite
        self.integers = self.integers and other.integers
        self.sketch.join(other.sketch)
        self._known = None
        if not self.sketch.whole:
            # A value at an end of all rows is at that end of the rows that have it.
            low, high = (_join_counts(side) for side in zip(*ends, strict=True))
            self._ends = _ends_of(*low)[0], _ends_of(*high)[1]

    @property
    def _own_ends(self) -> tuple[Counts, Counts]:
        sketch = self.sketch
        self._settle_ends()
        return _ends_of(sketch.values, sketch.counts) if sketch.whole else self._ends

    def _note_extremes(
        self,
        values: NDArray[np.float64],
        ends: tuple[float, float],
        counts: NDArray[np.int64] | None = None,
    ) -> None:
        """Count the values at both ends, where `ends` may be new ones.

        As long as all values are in the sketch, they are there.
        """
        sketch = self.sketch
        if sketch.whole:
            sketch.add_numbers(values, counts)
            overflown = sketch.take_overflown()
            if overflown is not None:
                self._ends = _ends_of(*overflown)
            return
        low, high = self._ends
        if ends[0] <= low[0][-1] or ends[1] >= high[0][0]:
            outer = (values <= low[0][-1]) | (values >= high[0][0])
            found = values[outer]
            once = np.ones(found.size, dtype=np.int64)
            self._outer.append((found, once if counts is None else counts[outer]))
            if sum(len(one) for one, _ in self._outer) > MAX_WAITING_ENDS:
                self._settle_ends()
        self.sketch.add_numbers(values, counts)

    def _settle_ends(self) -> None:
        """Count the values at the ends that wait."""
        if self._outer:
            self._ends = _ends_of(*_join_counts([*self._ends, *self._outer]))
            self._outer = []

    @property
    def lowest(self) -> dict[float, int]:
        """The smallest values with their counts, smallest first."""
        return self._both_ends[0]

    @property
    def highest(self) -> dict[float, int]:
        """The largest values with their counts, largest first."""
        return self._both_ends[1]

    @property
    def _both_ends(self) -> tuple[dict[float, int], dict[float, int]]:
        if self._known is None:
            low, high = self._own_ends
            self._known = _as_dict(low), _as_dict((high[0][::-1], high[1][::-1]))
        return self._known

    @property
    def distinct(self) -> int:
        """The number of different values; an estimate unless `sketch.whole`."""
        return min(self.sketch.distinct, self.filled)


def _find_ends(values: NDArray[np.float64]) -> tuple[float, float]:
    """Give the smallest and the largest value; both are NaN if one is missing."""
    if not values.size:
        return 0.0, 0.0
    with np.errstate(invalid="ignore"):  # a NaN of a damaged file may be one that signals
        return float(values.min()), float(values.max())


def _count_true(found: NDArray[np.bool_], counts: NDArray[np.int64] | None) -> int:
    return int(np.count_nonzero(found)) if counts is None else int(counts[found].sum())


def _ends_of(values: Any, counts: Any) -> tuple[Counts, Counts]:
    """Sum the counts of equal values, and give the smallest and the largest, in rising order."""
    if not values.size:
        return (values, counts), (values, counts)
    values, counts = _keep_outer(values, counts)
    order = np.argsort(values, kind="stable")
    values, counts = values[order], counts[order]
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    values, counts = values[starts], np.add.reduceat(counts, starts)
    low, high = slice(MAX_EXTREMES), slice(-MAX_EXTREMES, None)
    return (values[low], counts[low]), (values[high], counts[high])


def _keep_outer(values: Any, counts: Any) -> Counts:
    """Drop what some of the values show to be at neither end: to sort all takes too long."""
    if values.size <= MAX_WAITING_ENDS:
        return values, counts
    probe = np.sort(values[:: max(values.size // _PROBED, 1)])
    probe = probe[np.concatenate([[True], probe[1:] != probe[:-1]])]
    if probe.size < MAX_EXTREMES:
        return values, counts
    outer = (values <= probe[MAX_EXTREMES - 1]) | (values >= probe[-MAX_EXTREMES])
    return values[outer], counts[outer]


def _join_counts(parts: Sequence[Counts]) -> Counts:
    values, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
    return values, counts


def _as_dict(ends: Counts) -> dict[float, int]:
    return dict(zip(ends[0].tolist(), ends[1].tolist(), strict=True))


_PLAIN_NUMBER = rf"^{rules.PLAIN_NUMBER}$"
_SURE_POINT = rf"^{rules.SURE_POINT}$"
_OPEN_POINT = rf"^{rules.OPEN_POINT}$"


class TextTally:
    """Counts of a column of texts.

    `numbers` counts those that are plain numbers; `marks` are known marks for a missing value,
    `odd` other texts, `amounts` how many are written as amounts (1,234.50), `notation` how; of
    these, `limits` say that a value is below or above a number (<0.5). All of it is exact as long
    as `may_be_numbers`. `padded` says that blanks stand around some texts, `blank` that some are
    nothing else, `coded` that numbers have leading zeros.
    """

    def __init__(self, room: int) -> None:
        self.sketch = DistinctSketch(room)
        self.numbers = NumberTally(room)
        self.filled = self.amounts = 0
        self.marks: Counter[str] = Counter()
        self.odd: Counter[str] = Counter()
        self.limits: Counter[str] = Counter()
        self.notation = Notation()
        self.may_be_numbers = True
        self.padded = self.blank = self.coded = False

    def add(self, texts: Any) -> None:
        """Count more texts, an Arrow array; blanks are no values."""
        counted = pc.value_counts(texts.drop_null())
        different = counted.field("values")
        counts: Any = np.from_dlpack(counted.field("counts"))
        if not len(different):
            return
        bare = pc.utf8_trim_whitespace(different)
        self.padded = self.padded or not bare.equals(different)
        there = np.flatnonzero(np.from_dlpack(pc.binary_length(bare)))
        if there.size < len(bare):
            bare, counts = bare.take(as_arrow(there)), counts[there]
            self.blank = True
        self.filled += int(counts.sum())
        self.sketch.add_texts(cut_texts(bare), counts)
        if self.may_be_numbers and len(bare):
            self._read_numbers(bare, counts)

    def join(self, other: "TextTally") -> None:
        """Count the texts of other rows, of which there is a tally with the same room."""
        self.sketch.join(other.sketch)
        self.numbers.join(other.numbers)
        self.filled, self.amounts = self.filled + other.filled, self.amounts + other.amounts
        self.marks, self.odd = self.marks + other.marks, self.odd + other.odd
        self.notation += other.notation
        self.padded, self.coded = self.padded or other.padded, self.coded or other.coded
        self.limits += other.limits
        self.blank = self.blank or other.blank
        self.may_be_numbers = self.may_be_numbers and other.may_be_numbers and self._has_few()

    def _read_numbers(self, texts: Any, counts: Any) -> None:
        matched = pc.match_substring_regex(texts, _PLAIN_NUMBER)
        # `to_numpy` would load pandas where there is one.
        plain: Any = np.from_dlpack(matched.cast(pa.uint8())).astype(bool)
        self._note_others(texts.filter(pc.invert(matched)).to_pylist(), counts[~plain])
        if not plain.any() or not self.may_be_numbers:
            return
        found = texts.filter(matched)
        self._note_digits(found)
        values: Any = np.from_dlpack(pc.utf8_ltrim(found, "+").cast(pa.float64()))
        self.numbers.add(values, counts[plain])

    def _note_digits(self, numbers: Any) -> None:
        """See whether plain numbers are codes, and what their points are."""
        starts, data = list_bytes(numbers)
        first, last = starts[:-1], starts[1:] - 1
        if not self.coded:
            second = data[np.minimum(first + 1, last)]
            padded = (first < last) & (data[first] == ord("0"))
            self.coded = bool((padded & (ord("0") <= second) & (second <= ord("9"))).any())
        if "." not in self.notation.decimals and _any_matches(numbers, _SURE_POINT):
            self.notation += Notation(decimals=frozenset("."))
        # Patterns take long: most texts have no point before three last digits.
        open_ones = np.flatnonzero(data[np.maximum(last - 3, first)] == ord("."))
        is_open = open_ones.size and "." not in self.notation.either
        if is_open and _any_matches(numbers.take(as_arrow(open_ones)), _OPEN_POINT):
            self.notation += Notation(either=frozenset("."))

    def _note_others(self, texts: list[str], counts: Any) -> None:
        for text, count in zip(texts, counts.tolist(), strict=True):
            if text in self.odd:  # seen in other rows
                self.odd[text] += count
                continue
            if is_known_mark(text):
                self.marks[text] += count
                continue
            seen = notation_of([text])
            if seen.odd is None:
                self.amounts += count
                self.notation += seen
                if is_limit(text):
                    self.limits[text] += count
            else:
                self.odd[text] += count
            if not self._has_few():
                self.may_be_numbers = False
                return

    def _has_few(self) -> bool:
        """Whether other texts, limits and units are few enough for a column of numbers."""
        most = max(len(self.odd), len(self.limits))
        return most <= rules.MAX_ODD_TEXTS and len(self.notation.units) <= rules.MAX_UNITS

    @property
    def distinct(self) -> int:
        """The number of different texts; an estimate unless `sketch.whole`."""
        return min(self.sketch.distinct, self.filled)


def _any_matches(texts: Any, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())


_GATHERED_CELLS = 1 << 22  # of a batch: columns are counted one by one, which costs a little each
_GATHERED_BYTES = 1 << 25  # of the texts of a batch, written out: a cell may hold a whole book
_SKETCHED_VALUE_BYTES = 64  # of a value in a sketch, with hash and count
_STRIP_BYTES = 1 << 23  # that the sketches of some columns take on their way from a worker


@dataclass(eq=False)
class OtherTally:
    """Counts of a column that holds neither numbers nor texts."""

    filled: int = 0
    dates: bool = False

    def join(self, other: "OtherTally") -> None:
        """Count the values of other rows."""
        self.filled += other.filled


ColumnTally = NumberTally | TextTally | OtherTally


def count_columns(
    source: Source,
    columns: Sequence[int],
    others: Sequence[Accumulator] = (),
    target: Sequence[int] = (),
    aims: Sequence[int] = (),
) -> "ColumnCounts":
    """Read these columns once and count what they hold; none where a column has no value.

    The answer depends on the values alone: not on the order of the rows, nor on the batches.
    The pass fills `others`, too, with the columns of the `target`, which are not counted, behind.
    Without any, sparse columns are counted by their stored values. Where an engine has the table,
    `aims` are counted behind the columns, as if they were read by themselves, and no `target` is.
    """
    room = _share_room(len(columns))
    if source.in_parts() is not None:
        rooms = [*[room] * len(columns), *[_share_room(len(aims))] * len(aims)]
        counts = ColumnCounts(rooms)
        read(source, [*columns, *aims], counts, *others, rows=_read_tables)
        return counts
    # Written out, a sparse table may be a hundred times as large.
    rows, sparse = (0, {}) if others else count_sparse(source, columns, room)
    rest = [j for j in columns if j not in sparse]
    counts = ColumnCounts([room] * len(rest))
    if sparse and not rest:
        counts.rows = rows
    else:
        read(source, [*rest, *target], counts, *others, rows=_read_tables)
    dense = iter(counts.columns)
    counts.columns = [sparse.get(j) or next(dense) for j in columns]
    return counts


def count_table(table: Any) -> "ColumnCounts":
    """Count what the columns of an Arrow table hold."""
    counts = ColumnCounts([_share_room(table.num_columns)] * table.num_columns)
    counts.add(table)
    return counts


def _share_room(width: int) -> int:
    """Give how many different values are kept of each of so many columns."""
    return int(np.clip(MAX_DISTINCT_KEPT // max(width, 1), *DISTINCT_KEPT))


def _read_tables(source: Source, columns: Sequence[int]) -> Iterator[Any]:
    """Yield Arrow tables, missing values as nulls, small ones put together."""
    tables = source.tables(columns, mark_missing=True)
    read = track("rows", tables, source.n_rows, lambda t: t.num_rows, source.meter)
    return _gather(read, len(columns))


class ColumnCounts(Accumulator):
    """The rows of a table and what its first columns hold, with so much room for each."""

    def __init__(self, rooms: Sequence[int]) -> None:
        self._rooms = rooms
        self.rows = 0
        self.columns: list[ColumnTally | None] = [None] * len(rooms)

    def add(self, rows: Any) -> None:
        """Count some rows, an Arrow table."""
        self.rows += rows.num_rows
        for place, room in enumerate(self._rooms):
            values = join_chunks(rows.column(place))
            self.columns[place] = _add(self.columns[place], values, room)

    def merge(self, other: "ColumnCounts") -> "ColumnCounts":
        """Add the counts of the same columns in another part of a table."""
        self.rows += other.rows
        self.columns = list(map(_join_columns, self.columns, other.columns))
        return self

    def split(self) -> dict[Any, Any]:
        """Give the counts of some columns at a time, by the place of the first."""
        room = self._rooms[0] if self._rooms else 1
        step = max(_STRIP_BYTES // (_SKETCHED_VALUE_BYTES * room), 1)
        strips = {}
        for first in range(0, max(len(self.columns), 1), step):
            strips[first] = strip = ColumnCounts(self._rooms[first : first + step])
            strip.rows, strip.columns = self.rows, self.columns[first : first + step]
        return strips

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put the counts of all columns side by side."""
        for first, strip in values.items():
            self.rows = strip.rows
            self.columns[first : first + len(strip.columns)] = strip.columns


def _join_columns(a: ColumnTally | None, b: ColumnTally | None) -> ColumnTally | None:
    if a is None or b is None:
        return b if a is None else a
    if not isinstance(b, type(a)):  # what is no number in some part is text throughout
        return b if isinstance(a, NumberTally) else a
    joined: Any = a
    joined.join(b)
    return a


def _gather(tables: Iterator[Any], width: int) -> Iterator[Any]:
    """Put small tables together; parts of a table may have types of their own."""
    most = max(_GATHERED_CELLS // max(width, 1), 1)
    held: list[Any] = []
    taken = 0
    for table in tables:
        size = count_text_bytes(table)
        same = not held or held[0].schema.equals(table.schema)
        full = taken + size > _GATHERED_BYTES or sum(one.num_rows for one in held) >= most
        if held and (full or not same):
            yield pa.concat_tables(held)
            held, taken = [], 0
        held.append(table)
        taken += size
    if held:
        yield pa.concat_tables(held)


def join_chunks(column: Any) -> Any:
    """Give a column as one array, of a type that all functions of Arrow know."""
    joined = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(joined, pa.ChunkedArray):
        joined = pa.concat_arrays(joined.chunks)
    return joined.cast(pa.string()) if pa.types.is_string_view(joined.type) else joined


def _add(tally: ColumnTally | None, values: Any, room: int) -> ColumnTally | None:
    """Count more values of a column; what is no number from some part on is text throughout."""
    if values.null_count == len(values):
        return tally
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    types, kind = pa.types, values.type
    if types.is_boolean(kind):
        values = values.cast(pa.string())
    if types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind):
        tally = NumberTally(room) if tally is None else tally
        if isinstance(tally, NumberTally):
            there = values.drop_null() if values.null_count else values
            floats: Any = np.from_dlpack(there.cast(pa.float64(), safe=False))
            tally.add(floats)
        elif isinstance(tally, TextTally):
            tally.add(values.cast(pa.string()))
        return tally
    if types.is_string(values.type) or types.is_large_string(values.type):
        tally = tally if isinstance(tally, TextTally) else TextTally(room)
        tally.add(values.cast(pa.string()))
        return tally
    tally = tally if isinstance(tally, OtherTally) else OtherTally(dates=types.is_temporal(kind))
    tally.filled += len(values) - values.null_count
    return tally


_GATHERED_VALUES = 1 << 24  # columns are counted one by one, which costs a little each


def count_sparse(
    source: Source, columns: Sequence[int], room: int
) -> tuple[int, dict[int, NumberTally]]:
    """Count the rows and what the columns of numbers hold; nothing where these are not sparse."""
    numbers = [j for j in columns if source.kinds[j] == "numeric"]
    tallies, rows, stored = {j: NumberTally(room) for j in numbers}, 0, np.zeros(len(numbers), int)
    held: list[Any] = []

    def count_held() -> None:
        nonlocal stored
        values = scipy.sparse.csc_array(scipy.sparse.vstack(held, format="csr"), dtype=np.float64)
        held.clear()
        for place, tally in enumerate(tallies.values()):
            tally.add(values.data[values.indptr[place] : values.indptr[place + 1]])
        stored += np.diff(values.indptr)

    read = source.batches(numbers) if numbers else iter(())
    counted: Any = track(
        "rows", read, source.n_rows, lambda batch: int(batch.shape[0]), source.meter
    )
    with closing(counted) as batches:
        for batch in batches:
            if not scipy.sparse.issparse(batch):
                return 0, {}
            rows += batch.shape[0]
            held.append(batch)
            if sum(one.nnz for one in held) >= _GATHERED_VALUES:
                count_held()
    if held:
        count_held()
    for tally, count in zip(tallies.values(), stored, strict=True):
        tally.add_zeros(rows - int(count))
    return rows, tallies if rows else {}
