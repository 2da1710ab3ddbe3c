"""What a fitted estimator can say of its choice without holding the table."""

from dataclasses import replace

from tamis.results.make_selection import make_selection
from tamis.results.selection import Selection
from tamis.run.selection import FoundColumns
from tamis.statistics.summary import Summary

_MAX_STORED_COLUMNS = 2_000  # columns: their matrix then takes 32 MB


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
    if held is statistic and found.summary.blocks is None:
        return made
    known = found.summary
    unfit = dict(known.refused)
    summary = Summary(known.n_rows, known.varying, table=held, unfit=unfit, tally=known.tally)
    return replace(made, summary=summary, search=None)
