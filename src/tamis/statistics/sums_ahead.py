"""Sums gathered while columns are judged, in the hope that these are what they seem.

To judge columns, to find the limits of extreme values and to sum up, a table would be read three
times. The first rows mostly show what the columns are: the sums of those that will be analysed are
gathered in the first read then. What the judgement contradicts at the end is forgotten, and read as
it would have been; the first rows with missing or extreme values end the sums at once.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tamis.columns.judge import judge_counts
from tamis.columns.judgement import ColumnJudgement
from tamis.columns.tally import count_table
from tamis.memory import batch_rows, get_budget
from tamis.numerics.types import Floats
from tamis.rules.search import N_BLOCKS
from tamis.sources.arrow import as_floats
from tamis.sources.source import Source
from tamis.statistics.clipping import Outliers
from tamis.statistics.columns_met import ColumnsMet
from tamis.statistics.encoding import Encoding, settle_encoding
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import Tally, are_harmless
from tamis.statistics.mixed import MixedRows
from tamis.statistics.read_blocks import HeldRows
from tamis.statistics.row_hash import row_hashes
from tamis.statistics.row_patterns import HeavyRows
from tamis.statistics.summary import Summary
from tamis.values import dataclass

__all__ = ["FoundAhead", "SumsAhead", "SumsWanted"]

_SUMS_IN_BUDGET = 8  # part of the memory budget that sums may take beside the judgement
_JUDGED_ROWS = 2_000  # of the first ones, that say what columns are
LEAST_CELLS = 1 << 20  # of a table: to read fewer again takes less than to judge their first rows


@dataclass(frozen=True)
class SumsWanted:
    """What a method will need: sums by block of rows or plain ones.

    `outliers` says how extreme values are treated, None where nothing is learnt of them.
    """

    blocks: bool
    outliers: Outliers | None = None


@dataclass(eq=False)
class FoundAhead:
    """What was gathered of columns: their sample, if it was wanted, and the sums of their rows.

    There are no sums (`blocks`, `plain`) where a value is missing, infinite or extreme. `ends` are
    the smallest and the largest value of every column.
    """

    columns: list[int]
    met: ColumnsMet | None
    blocks: HeldRows | None
    plain: GramRows | None
    tally: Tally
    ends: Floats

    def end_sums(self) -> None:
        """Forget the sums: the rows must be read again for them."""
        self.blocks = self.plain = None

    def summarise_blocks(
        self, encoding: Encoding, *, scale: bool, weighs_rows: bool
    ) -> Summary | None:
        """Give the summary of rows as they are; None if they must be read again.

        `weighs_rows` says whether rows that carry much of the variance are looked for.
        """
        if self.blocks is None or not encoding.is_plain:
            return None
        weighed = HeavyRows(*encoding.spread) if weighs_rows and encoding.spread else None
        if weighed is not None and weighed.may_be_any(*self.ends):
            return None
        return self.blocks.summary(scale, self.tally)

    def summarise_plain(self, scale: bool, blocks: bool) -> Summary | None:
        """Give the summary of rows of which nothing else is learnt; None if they must be read."""
        if blocks:
            return None if self.blocks is None else self.blocks.summary(scale, self.tally)
        if self.plain is None:
            return None
        return replace(self.plain.summary(scale, ""), tally=self.tally)


class SumsAhead:
    """Sums of the columns that will be analysed, by what the first rows show of them.

    `columns` are the positions of those that are judged. What was found can be taken once.
    """

    def __init__(self, source: Source, columns: Sequence[int], wanted: SumsWanted) -> None:
        self._names, self._columns, self._wanted = source.names, list(columns), wanted
        self._kinds, self._n_rows, self._named = source.kinds, source.n_rows, source.named
        self._guessed = source.info.guessed
        self._found: FoundAhead | None = None
        self._places: list[int] = []  # of the columns to sum up, among those judged
        self._waiting: list[Any] = []  # batches that are too small by themselves
        self._over = False

    def add(self, table: Any) -> None:
        """Take in the next rows of the columns that are judged, an Arrow table."""
        if self._over:
            return
        if self._found is None:
            self._found = self._begin(table)
        if self._found is None:
            self.end()
            return
        most = batch_rows(len(self._places))
        for batch in table.to_batches():
            if self._waiting and sum(map(len, self._waiting)) + len(batch) > most:
                self._add_waiting()
            if len(batch):
                self._waiting.append(batch.select(self._places))

    def note_ends(self, columns: Sequence[ColumnJudgement]) -> None:
        """Note the smallest and largest values of the columns, as all rows show them."""
        if self._found is not None:
            known = [(columns[i].smallest, columns[i].largest) for i in self._places]
            if all(isinstance(v, float) for pair in known for v in pair):
                self._found.ends = np.array(known, dtype=np.float64).T

    def end(self) -> None:
        """Forget everything."""
        self._found, self._waiting, self._over = None, [], True

    def take(self, source: Source, columns: Sequence[int]) -> FoundAhead | None:
        """Give what was found of just these columns, and forget it."""
        self._add_waiting()
        found = self._found
        self.end()
        same = found is not None and source.read_anew and source.names == self._names
        return found if found is not None and same and found.columns == list(columns) else None

    def _begin(self, table: Any) -> FoundAhead | None:
        """Choose the columns by what the first rows show; None if nothing can be hoped for."""
        if table.num_rows * table.num_columns < LEAST_CELLS:
            return None
        first = table.slice(0, _JUDGED_ROWS)
        judged = judge_counts(table.column_names, count_table(first), guessed=self._guessed)
        kinds = [self._kinds[j] for j in self._columns]
        aside = [one.action == "skipped" for one in judged]
        kept = [i for i, kind in enumerate(kinds) if kind != "row names" and not aside[i]]
        columns = [self._columns[i] for i in kept]
        names = tuple(self._names[j] for j in columns)
        changed = any(judged[i].absent or judged[i].decimal for i in kept)
        plain = not changed and all(kinds[i] == "numeric" for i in kept)
        # Without names of their own, columns would be called by other places.
        named = self._named or names == tuple(f"x{i}" for i in range(len(names)))
        whole = self._wanted.blocks or len(kept) == len(judged)  # batches end elsewhere then
        if not (plain and named and whole and len(kept) > 1 and self._have_room(len(kept))):
            return None
        self._places, width = kept, len(kept)
        own = names if self._named else None
        blocks = HeldRows(width, names=own) if self._wanted.blocks else None
        sums = None if self._wanted.blocks else GramRows(width, n_rows=self._n_rows)
        met = None if self._wanted.outliers is None else ColumnsMet()
        ends = np.stack([np.full(width, -np.inf), np.full(width, np.inf)])
        return FoundAhead(columns, met, blocks, sums, Tally(width), ends)

    def _have_room(self, width: int) -> bool:
        """Whether there is room for the sums, of a table that is not kept by its rows."""
        count = N_BLOCKS if self._wanted.blocks else 1
        few = self._n_rows is not None and self._n_rows < width
        return not few and 8 * count * width**2 <= get_budget() // _SUMS_IN_BUDGET

    def _add_waiting(self) -> None:
        """Sum up the rows that wait, and learn of them what is wanted."""
        found, batches = self._found, self._waiting
        self._waiting = []
        if found is None or not batches:
            return
        rows = as_floats(*batches, in_rows=self._wanted.blocks)
        names = [self._names[j] for j in found.columns]
        hashes = None
        if found.met is not None:
            numeric = tuple(range(len(names)))
            hashes = found.met.add_rows(MixedRows(numeric, rows, (), ()), names)
            if found.tally.rows == 0 and self._have_limits(found.met, names):
                found.end_sums()
        if not are_harmless(rows):
            found.end_sums()
        if found.met is None and found.blocks is None and found.plain is None:
            self.end()
            return
        found.tally.add(len(rows), len(rows))
        if found.plain is not None:
            found.plain.add(rows)
        if found.blocks is not None:
            hashes = row_hashes(rows, names) if hashes is None else hashes
            found.blocks.add(rows, hashes)

    def _have_limits(self, met: ColumnsMet, names: Sequence[str]) -> bool:
        """Whether columns of the first rows have extreme values: those of all will have, too."""
        assert self._wanted.outliers is not None
        return bool(settle_encoding(met, names, outliers=self._wanted.outliers).limits)
