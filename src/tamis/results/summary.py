"""What `summarise` returns: a summary that can be added, saved, and selected from."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from tamis.errors import TamisError, spelled
from tamis.evaluation.missing_values import MissingValues
from tamis.numerics.types import Floats
from tamis.results.shared_facts import missing_facts
from tamis.sources.summary_file import SUFFIX, StoredSummary, SummarySource, write_summary
from tamis.statistics.moments import Moments
from tamis.statistics.stored import check_same_columns, merged, tally_of, total


@dataclass(frozen=True, eq=False, repr=False)
class DataSummary:
    """Count, means and scatter matrix of the columns of a table, without its rows.

    `a + b` is the summary of the rows of both; `tamis.select` and `tamis.extract` take it in place
    of the table.

    Attributes
    ----------
    names
        The columns, all of numbers or booleans.
    n_rows
        Number of rows that count.
    mean, std
        Mean and standard deviation (divisor n) of every column.
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
        return list(self.stored.names)

    @property
    def n_rows(self) -> int:
        """Number of rows that count."""
        return self.stored.used

    @cached_property
    def _moments(self) -> Moments:
        return total(self.stored)

    @property
    def mean(self) -> Floats:
        """Mean of every column."""
        return self._moments.mean + self._moments.rest

    @property
    def std(self) -> Floats:
        """Standard deviation of every column (divisor n)."""
        return self._moments.std

    @property
    def missing(self) -> MissingValues:
        """What was done about missing values, as in `Selection`."""
        source, width = self.as_source(), len(self.stored.names)
        return MissingValues.of("error", tally_of(self.stored), source, range(width))

    def __repr__(self) -> str:
        return f"<DataSummary of {self.n_rows:,} rows x {len(self.names):,} columns>"

    def __add__(self, other: object) -> "DataSummary":
        if not isinstance(other, DataSummary):
            return NotImplemented
        check_same_columns(self.names, other.names, (self.label, other.label))
        skipped = {**self.skipped, **other.skipped}
        doubts = tuple(dict.fromkeys([*self.doubts, *other.doubts]))
        return DataSummary(merged(self.stored, other.stored), skipped, self.label, doubts)

    def save(self, path: str | FilePath, *, min_rows: int = 1) -> FilePath:
        """Write the summary to a `.tamis` file; with fewer than `min_rows` rows it is refused."""
        path = FilePath(path)
        if path.suffix.lower() != SUFFIX:
            raise TamisError(f"Cannot write {str(path)!r}: give a name ending in {SUFFIX}.")
        if self.n_rows < min_rows:
            raise TamisError(
                f"The summary is of {self.n_rows:,} rows and {spelled('min_rows', min_rows)} asks "
                "for more: nothing is written, because few rows can be guessed from it."
            )
        write_summary(self.stored, path)
        return path

    def as_source(self) -> SummarySource:
        """Give what stands for the table in `select` and `extract`."""
        return SummarySource(self.stored, self.label)

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about this summary as plain values, ready for JSON."""
        missing = missing_facts(self.missing)
        constant = int(np.count_nonzero(self.std == 0))
        text = f"{self.n_rows:,} rows x {len(self.names):,} columns"
        text += f" ({constant:,} constant)." if constant else "."
        return {
            "sentence": text,
            "rows": self.n_rows,
            "names": self.names,
            "parts": self.stored.parts,
            "missing": missing,
            "doubts": list(self.doubts),
            "left_out": [{"column": name, "why": why} for name, why in self.skipped.items()],
        }
