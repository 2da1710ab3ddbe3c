"""Sums made speculatively, in the pass that judges the columns.

To judge columns, to find the limits of extreme values and to sum up, a table would be read three
times. The first rows mostly show what the columns are: the sums of those that will be analysed are
made in the first read then. What the judgement contradicts at the end is thrown away, and read as
it would have been; the first rows with missing or extreme values end the sums at once. In the parts
of an engine's table, of which nobody sees the first rows, all numbers are summed up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from tamis.columns.judge import judge_counts
from tamis.columns.judgement import ColumnJudgement
from tamis.columns.tally import count_table
from tamis.errors import TamisError
from tamis.memory import batch_rows, get_budget
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.kinds import NUMBER_KINDS
from tamis.rules.search import N_BLOCKS
from tamis.sources.arrow import as_floats
from tamis.sources.read import Accumulator, Refusal
from tamis.sources.source import Source
from tamis.statistics.clipping import Outliers
from tamis.statistics.encoding import ColumnsSeen, Encoding, settle_encoding
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import CleanRows, are_harmless
from tamis.statistics.mixed import MixedRows
from tamis.statistics.read_blocks import HeldRows
from tamis.statistics.row_hash import row_hashes
from tamis.statistics.row_patterns import HeavyRows
from tamis.values import dataclass

_REFUSED = ("refused", "")
_SUMS_IN_BUDGET = 8  # part of the memory budget that sums may take beside the judgement
_JUDGED_ROWS = 2_000  # of the first ones, that say what columns are
LEAST_CELLS = 1 << 20  # of a table: to read fewer again takes less than to judge their first rows


def is_small(source: Source) -> bool:
    """Whether a table is known, before it is read, to have too few values for such sums."""
    if source.n_rows is not None:
        return source.n_rows * len(source.names) < LEAST_CELLS
    if source.meter is None or not source.info.guessed:
        return False
    packed = any(path.suffix.lower() in (".gz", ".bz2") for path in source.info.files or ())
    return not packed and source.meter.total < LEAST_CELLS  # in a text each takes a byte


@dataclass(eq=False)
class SummedColumns:
    """What is known of columns: their sample, if it was wanted, and the sums of their rows.

    There are no sums (`rows`), by `blocks` or not, where a value is infinite or extreme, or missing
    in a table that is read here. `ends` are the smallest and the largest value of every column.
    """

    columns: list[int]
    seen: ColumnsSeen | None
    rows: CleanRows | None
    ends: Floats
    blocks: bool

    def take_rows(self, *, blocks: bool) -> CleanRows | None:
        """Give the sums, if they are of this kind."""
        return self.rows if blocks == self.blocks else None

    def take_encoded(self, encoding: Encoding, *, weighs_rows: bool) -> CleanRows | None:
        """Give the sums by block if they are those of encoded rows, so that these need not be read.

        `weighs_rows` says whether rows that carry much of the variance are looked for.
        """
        if not encoding.is_plain:
            return None
        weighed = HeavyRows(*encoding.spread) if weighs_rows and encoding.spread else None
        if weighed is not None and weighed.may_be_any(*self.ends):
            return None
        return self.take_rows(blocks=True)


class SpeculativeSums(Accumulator):
    """Sums of the columns that will be analysed, by what the first rows show of them.

    `columns` are the positions of those that are judged, the first of every table that is added.
    Sums are by block of rows (`blocks`) or plain ones. `outliers` says how extreme values are
    treated, None where nothing is learnt of them. What was found can be taken once.
    """

    def __init__(
        self,
        source: Source,
        columns: Sequence[int],
        missing: MissingPolicy,
        *,
        blocks: bool,
        outliers: Outliers | None = None,
    ) -> None:
        self._names, self._columns = source.names, list(columns)
        self._blocks, self._outliers = blocks, outliers
        self._kinds, self._n_rows, self._named = source.kinds, source.n_rows, source.named
        self._guessed, self._missing = source.info.guessed, missing
        self._in_parts = source.in_parts() is not None
        self._refusal: Refusal | None = None
        self._found: SummedColumns | None = None
        self._places: list[int] = []  # of the columns to sum up, among those judged
        self._waiting: list[Any] = []  # batches that are too small by themselves
        if self._in_parts:
            numbers = [self._kinds[j] in NUMBER_KINDS for j in columns]
            self._places = [i for i, number in enumerate(numbers) if number]
            self._found = self._start()

    def begin(self, number: int) -> Self:
        """Begin the sums of a part of a table."""
        part = super().begin(number)
        if part._found is not None and part._found.rows is not None:
            part._found.rows = part._found.rows.begin(number)
        return part

    def add(self, rows: Any) -> None:
        """Take in the next rows of the columns that are judged, an Arrow table."""
        if self.done:
            return
        if self._found is None:
            self._found = self._choose(rows)
        if self._found is None:
            self.end()
            return
        most = batch_rows(len(self._places))
        for batch in rows.to_batches():
            if self._waiting and sum(map(len, self._waiting)) + len(batch) > most:
                self._add_waiting()
            if len(batch):
                self._waiting.append(batch.select(self._places))

    def split(self) -> Mapping[Any, Any]:
        """Give the sums of a part, or that there are none."""
        self._add_waiting()
        if self._found is None or self._found.rows is None:
            return {_REFUSED: self._refusal}
        return self._found.rows.split()

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put the sums of all parts together."""
        if _REFUSED in values or not values:
            self.end()
        elif self._found is not None and self._found.rows is not None:
            self._found.rows.join(values)

    def note_ends(self, columns: Sequence[ColumnJudgement]) -> None:
        """Note the smallest and largest values of the columns, as all rows show them."""
        if self._found is not None:
            known = [(columns[i].smallest, columns[i].largest) for i in self._places]
            if all(isinstance(v, float) for pair in known for v in pair):
                self._found.ends = np.array(known, dtype=np.float64).T

    def end(self) -> None:
        """Throw everything away."""
        self._found, self._waiting, self.done = None, [], True

    def take(self, source: Source, columns: Sequence[int]) -> SummedColumns | None:
        """Give what was found of just these columns, and forget it.

        Of an engine's table they may be some of those summed up.
        """
        self._add_waiting()
        found = self._found
        self.end()
        if found is None or not source.read_anew or source.names != self._names:
            return None
        if found.rows is not None and not found.rows.tally.rows:
            return None  # the pass was not made
        if found.columns == list(columns):
            return found
        if not self._in_parts or not {*columns} <= {*found.columns} or found.rows is None:
            return None
        places = [found.columns.index(j) for j in columns]
        rows = found.rows.of_columns(places)
        return None if rows is None else replace(found, columns=list(columns), rows=rows)

    def _start(self) -> SummedColumns:
        columns, width = [self._columns[i] for i in self._places], len(self._places)
        names = [self._names[j] for j in columns]
        own = names if self._named else None
        sums = (
            HeldRows(width, columns=names, names=own)
            if self._blocks
            else GramRows(width, n_rows=self._n_rows)
        )
        seen = None if self._outliers is None else ColumnsSeen(names, sampled=True)
        ends = np.stack([np.full(width, -np.inf), np.full(width, np.inf)])
        # What is read here ends with the first missing value, so that nothing is learnt.
        rows = CleanRows(sums, names, self._missing, learns=self._in_parts)
        return SummedColumns(columns, seen, rows, ends, self._blocks)

    def _choose(self, table: Any) -> SummedColumns | None:
        """Choose the columns by what the first rows show; None if nothing will be of use."""
        if table.num_rows * table.num_columns < LEAST_CELLS:
            return None
        width = len(self._columns)
        first = table.select(range(width)).slice(0, _JUDGED_ROWS)
        counted = count_table(first)
        judged = judge_counts(
            first.column_names, counted.columns, counted.rows, guessed=self._guessed
        )
        kinds = [self._kinds[j] for j in self._columns]
        aside = [one.action == "skipped" for one in judged]
        kept = [i for i, kind in enumerate(kinds) if kind != "row names" and not aside[i]]
        names = tuple(self._names[self._columns[i]] for i in kept)
        changed = any(judged[i].absent or judged[i].decimal for i in kept)
        plain = not changed and all(kinds[i] == "numeric" for i in kept)
        # Without names of their own, columns would be called by other places.
        named = self._named or names == tuple(f"x{i}" for i in range(len(names)))
        whole = self._blocks or len(kept) == len(judged)  # batches end elsewhere then
        # There is room for the sums, of a table that is not kept by its rows.
        few = self._n_rows is not None and self._n_rows < len(kept)
        size = 8 * (N_BLOCKS if self._blocks else 1) * len(kept) ** 2
        room = not few and size <= get_budget() // _SUMS_IN_BUDGET
        if not (plain and named and whole and len(kept) > 1 and room):
            return None
        self._places = kept
        return self._start()

    def _add_waiting(self) -> None:
        """Sum up the rows that wait; what is refused may be of a column that is not wanted."""
        try:
            self._sum_up_waiting()
        except TamisError as error:
            self.end()
            self._refusal = Refusal(str(error))

    def _sum_up_waiting(self) -> None:
        """Sum up the rows that wait, and learn of them what is wanted."""
        found, batches = self._found, self._waiting
        self._waiting = []
        if found is None or not batches:
            return
        rows = as_floats(*batches, in_rows=self._blocks)
        names, hashes = [self._names[j] for j in found.columns], None
        if found.seen is not None:
            first = not found.seen.n_rows
            hashes = found.seen.see(MixedRows(tuple(range(len(names))), rows, (), ()))
            # Columns of the first rows that have extreme values: those of all will have, too.
            outliers = self._outliers or "keep"
            if first and settle_encoding(found.seen, names, outliers=outliers).limits:
                found.rows = None
        if not self._in_parts and not are_harmless(rows):
            found.rows = None
        if found.seen is None and found.rows is None:
            self.end()
        elif found.rows is not None:
            if self._blocks and hashes is None:
                hashes = row_hashes(rows, names)
            found.rows.add((rows, hashes))
