"""What a fitted estimator can say of its choice without holding the table."""

from dataclasses import dataclass, replace
from typing import Any

from tamis.numerics.types import Indices
from tamis.results.make_selection import make_selection
from tamis.results.selection import Selection
from tamis.run.selection import FoundColumns
from tamis.statistics.missing import Tally
from tamis.statistics.row_blocks import BlockedSummary

__all__ = ["without_rows"]

_MAX_STORED_COLUMNS = 2_000  # columns: their matrix then takes 32 MB


@dataclass(frozen=True, eq=False)
class _Known:
    """A summary less everything that grows with the rows."""

    n_rows: int
    varying: Indices
    refused: dict[int, str]
    tally: Tally
    statistic: Any

    @property
    def inputs(self) -> tuple[Any, ...]:
        """What a method of extraction would work on."""
        return (self.statistic,)


def without_rows(found: FoundColumns) -> Selection | None:
    """Make a result that holds no row of the table and no label; None where that cannot be.

    It cannot where rows stand for the Gram matrix, because they are fewer than the columns, and
    where the matrix of columns by columns would be large.
    """
    statistic = found.summary.statistic
    if statistic.deferred or len(found.used) > _MAX_STORED_COLUMNS:
        return None
    held = statistic.explained
    if held.samples is not None:
        return None
    made: Selection = make_selection(found, None)
    labels = None if made.labels is None else replace(made.labels, given=None)
    made = replace(made, labels=labels, reader=None)
    if held is statistic and not isinstance(found.summary, BlockedSummary):
        return made
    known = found.summary
    summary = _Known(known.n_rows, known.varying, dict(known.refused), known.tally, held)
    return replace(made, summary=summary, search=None)
