"""What `summarise` returns: a summary that can be added, saved, and selected from."""

import warnings
from dataclasses import replace
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell
from tamis.evaluation.record import describe_missing
from tamis.facts.shared_answer import MissingFacts, SummaryFacts
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.registry.shared import MIN_ROWS
from tamis.results.shared_facts import list_skipped
from tamis.run.candidates import EMPTY
from tamis.sources.source import GivesSource
from tamis.sources.stored_summary import StoredSummary, mark_empty
from tamis.sources.summary_file import SUFFIX, SummarySource, write_summary
from tamis.statistics.merging import (
    add_blocks,
    check_rows_shown,
    check_same_columns,
    limit_blocks,
    merge_summaries,
)
from tamis.statistics.moments import Moments
from tamis.statistics.stored import tally_of
from tamis.values import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class DataSummary(GivesSource):
    """Count, means and scatter matrix of the columns of a table, without its rows.

    `a + b` is the summary of the rows of both; `tamis.select` and `tamis.extract` take it in place
    of the table.

    Attributes
    ----------
    names
        The columns, of numbers, booleans, or text by its levels.
    n_rows
        Number of rows that count.
    n_blocks
        Number of blocks of rows that are summarised apart; 1 if they are not.
    mean, std
        Mean and standard deviation (divisor n) of every column; NaN where it has no value, or text.
    skipped
        Columns of the table that are not in the summary, each with the reason.
    """

    stored: StoredSummary
    skipped: dict[str, str]
    label: str = "the summary"
    doubts: tuple[str, ...] = ()  # what may have been misread

    @property
    def names(self) -> list[str]:
        """The columns."""
        return list(self.stored.table)

    @property
    def n_rows(self) -> int:
        """Number of rows that count."""
        return self.stored.used

    @property
    def n_blocks(self) -> int:
        """Number of blocks of rows that are summarised apart."""
        return len(self.stored.blocks)

    @cached_property
    def _moments(self) -> Moments:
        return add_blocks(self.stored)

    @property
    def mean(self) -> Floats:
        """Mean of every column."""
        return self._blank_empty(self._moments.mean + self._moments.rest)

    @property
    def std(self) -> Floats:
        """Standard deviation of every column (divisor n)."""
        return self._blank_empty(self._moments.std)

    def _blank_empty(self, values: Floats) -> Floats:
        values = np.where(mark_empty(self.stored), np.nan, values)
        text = {one.name for one in self.stored.categories}
        table = self.stored.table.items()
        return np.array([np.nan if name in text else values[at[0]] for name, at in table])

    @property
    def missing(self) -> MissingFacts:
        """What was done about missing values, as in `Selection`."""
        source, width = self.as_source(), len(self.stored.table)
        tally = tally_of(self.stored)
        return describe_missing(MissingPolicy.ERROR, tally, source, range(width))

    def __repr__(self) -> str:
        return f"<DataSummary of {self.n_rows:,} rows x {len(self.names):,} columns>"

    def __add__(self, other: object) -> "DataSummary":
        return self.merge(other) if isinstance(other, DataSummary) else NotImplemented

    def __radd__(self, other: object) -> "DataSummary":
        # The built-in `sum` starts with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def merge(self, other: "DataSummary", *, again: bool = False) -> "DataSummary":
        """Give the summary of the rows of both.

        Summaries with rows of the same file are refused, unless `again` says that these count
        twice.
        """
        labels = (self.label, other.label)
        empty = [n for one in (self, other) for n, why in one.skipped.items() if why == EMPTY]
        check_same_columns(self.names, other.names, labels, empty)
        shared = len({*self.stored.inputs} & {*other.stored.inputs})
        if shared and not again:
            what = "one file" if shared == 1 else f"{shared:,} files"
            raise TamisError(
                f"The rows of {what} are both in {labels[0]} and in {labels[1]} and would count "
                f"twice: take them once, or insist with {spell('again', True)}."
            )
        whole = DataSummary(
            merge_summaries(self.stored, other.stored),
            {**self.skipped, **other.skipped},
            self.label,
            tuple(dict.fromkeys([*self.doubts, *other.doubts])),
        )
        counts = (self.n_blocks, other.n_blocks)
        if whole.n_blocks == 1 < max(counts):
            place = labels[counts.index(max(counts))]
            warnings.warn(
                f"The {max(counts)} blocks of rows of {place} become one, as the other summary has "
                f"{min(counts)}: make both with {spell('blocks', True)} to keep them.",
                stacklevel=3,
            )
        return whole

    def save(
        self, path: str | FilePath, *, min_rows: int = 1, fingerprints: bool = True
    ) -> FilePath:
        """Write the summary to a `.tamis` file; with fewer than `min_rows` rows it is refused.

        Blocks of rows are put together until each has as many. `fingerprints=False` omits the
        hashes of the files that were read, by which a file that comes again is known.
        """
        path, min_rows = FilePath(path), MIN_ROWS.check(min_rows)
        if path.suffix.lower() != SUFFIX:
            raise TamisError(f"Cannot write {str(path)!r}: give a name ending in {SUFFIX}.")
        stored = self.limit_blocks(min_rows).stored
        write_summary(stored if fingerprints else replace(stored, inputs=()), path)
        return path

    def limit_blocks(self, min_rows: int) -> "DataSummary":
        """Give the summary with blocks of at least so many rows; refuse one of fewer rows."""
        check_rows_shown(self.stored, min_rows)
        return replace(self, stored=limit_blocks(self.stored, min_rows))

    def as_source(self) -> SummarySource:
        """Give what stands for the table in `select` and `extract`."""
        return SummarySource(self.stored, self.label)

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about this summary as plain values, ready for JSON."""
        from tamis.presentation.prose.document import write_document

        return write_document(self._facts)

    @property
    def _facts(self) -> SummaryFacts:
        return SummaryFacts(
            rows=self.n_rows,
            names=tuple(self.names),
            constant=int(np.count_nonzero(self.std == 0)),
            parts=self.stored.parts,
            blocks=self.n_blocks,
            missing=self.missing,
            doubts=self.doubts,
            skipped=list_skipped(self.skipped),
        )
