"""From what was found in a table to the result that is given to the user."""

from dataclasses import replace
from typing import Any, TypeVar

from tamis.algorithms.path import Path
from tamis.evaluation.label_summary import LabelSummary
from tamis.evaluation.missing_values import MissingValues
from tamis.evaluation.prediction import HeldOutPrediction
from tamis.evaluation.record import Record
from tamis.results.frame import frame_library
from tamis.results.selection import Selection
from tamis.run.again import Reader
from tamis.run.selection import FoundColumns
from tamis.statistics.linear import TableSummary

__all__ = ["make_selection", "relabel_missing"]

Made = TypeVar("Made", bound=Selection)


def make_selection(
    found: FoundColumns,
    data: Any,
    kind: type[Made] = Selection,  # type: ignore[assignment]  # mypy: a default for a type variable
    *,
    path: Path | None = None,
    predictions: tuple[HeldOutPrediction, ...] = (),
    notes: tuple[str, ...] = (),
    **more: Any,
) -> Made:
    """Make a result of what was found, or of another path on the same table."""
    labels = LabelSummary.of(found)
    record = Record.of(
        found.source, found.request, labels.setting if labels else None, found.unread
    )
    missing = MissingValues.of(
        found.request.missing,
        found.summary.tally,
        found.source,
        found.usable,
        codes_text=not isinstance(found.summary, TableSummary),
    )
    return kind(
        replace(record, library=frame_library(data), doubts=(*record.doubts, *notes)),
        found.path if path is None else path,
        found.summary,
        found.used,
        relabel_missing(missing, record),
        tuple(record.relabel(found.constant)),
        record.relabel_keys(found.skipped),
        found.search if found.request.method.retains else None,  # a report does not search again
        labels,
        found.suspects,
        found.auto,
        Reader.of(found.request, found.usable, data),
        predictions,
        found.notes,
        **more,
    )


def relabel_missing(missing: MissingValues, record: Record) -> MissingValues:
    """Name the columns with missing values as the table does."""
    return replace(missing, shares=record.relabel_keys(missing.shares))
