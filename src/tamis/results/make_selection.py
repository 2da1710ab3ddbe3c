"""From what was found in a table to the result that is given to the user."""

from dataclasses import replace
from typing import Any, TypeVar

from tamis.algorithms.path import Path
from tamis.errors import TamisError
from tamis.evaluation.record import Record, describe_labels, describe_missing
from tamis.facts.selection_answer import PredictionFacts
from tamis.registry import DEFAULT_METHOD
from tamis.results.frame import frame_library
from tamis.results.selection import Selection
from tamis.run.again import Reader
from tamis.run.request import Request
from tamis.run.selection import FoundColumns, select_from
from tamis.statistics.summary import Summary
from tamis.values import dataclass

Made = TypeVar("Made", bound=Selection)


def make_selection(
    found: FoundColumns,
    data: Any,
    kind: type[Made] = Selection,  # type: ignore[assignment]  # mypy: a default for a type variable
    *,
    path: Path | None = None,
    predictions: tuple[PredictionFacts, ...] = (),
    notes: tuple[str, ...] = (),
    **more: Any,
) -> Made:
    """Make a result of what was found, or of another path on the same table."""
    labels = describe_labels(found)
    record = Record.of(found.source, found.request, labels.setting if labels else None)
    missing = describe_missing(
        found.request.missing,
        found.summary.tally,
        found.source,
        found.usable,
        codes_text=not found.summary.has_moments,
    )
    return kind(
        replace(record, library=frame_library(data), doubts=(*record.doubts, *notes)),
        found.path if path is None else path,
        found.summary,
        found.used,
        missing,
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


@dataclass(frozen=True, eq=False)
class Chooser:
    """Find columns in the table of a selection again, under other wishes."""

    found: Selection

    def __call__(
        self, k: int, pins: list[str], barred: list[str], prices: dict[str, float]
    ) -> Selection:
        """Give the selection of `k` columns with these wishes; the first one if there are none."""
        found = self.found
        if not (pins or barred or prices) and k == found.k:
            return found
        data = None if found.reader is None else found.reader.table()
        if data is None or found.reader is None:
            raise TamisError(
                "The table is no longer in memory to choose again: keep it in a variable, or "
                "select from its path."
            )
        return make_selection(
            select_from(_add_wishes(found.reader.request, k, pins, barred, prices), data), data
        )


def _add_wishes(
    request: Request, k: int, pins: list[str], barred: list[str], prices: dict[str, float]
) -> Request:
    """Put the wishes into a request; what a method cannot forbid is not analysed at all."""
    own, exclude = {**request.own}, [*request.exclude]
    include = [*request.include, *(name for name in pins if name not in request.include)]
    if barred and request.method.has("forbid"):
        own["forbid"] = [*(own.get("forbid") or []), *barred]
    else:
        exclude += barred
    if prices and not request.method.has("costs"):
        raise TamisError(
            f"Method {request.method.id!r} takes no prices: remove them, or use {DEFAULT_METHOD}."
        )
    if prices:
        own["costs"] = {**(own.get("costs") or {}), **prices}
    own = {name: None if name == "threshold" else value for name, value in own.items()}
    return replace(request, k=k, retain=None, auto=False, include=include, exclude=exclude, own=own)


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
