"""What is known about every result, whether a selection or an extraction."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tamis.evaluation.outcome import Outcome
from tamis.facts.shared_answer import (
    AnswerFacts,
    LabelFacts,
    MethodFacts,
    SkippedColumn,
    SuspiciousColumn,
    UnreadFacts,
    UnreadPart,
)
from tamis.results.call_words import list_options, list_repeats

if TYPE_CHECKING:
    from tamis.evaluation.extraction_outcome import Extracted


def collect_answer(
    found: "Outcome | Extracted",
    verb: str,
    *,
    used: int,
    rows: int,
    labels: LabelFacts | None,
    warnings: tuple[SuspiciousColumn, ...] = (),
    y: Any = None,
) -> AnswerFacts:
    """Give the table, the method and what was asked, with labels `y` given beside the table."""
    request, method = found.request, found.request.method
    return AnswerFacts(
        title=request.label,
        method=MethodFacts(method.id, method.name, method.about, method.paper, request.why),
        missing=found.missing,
        unread=UnreadFacts(tuple(UnreadPart(*part) for part in request.unread)),
        doubts=tuple(request.doubts),
        columns=len(request.names),
        used=used,
        rows=rows,
        skipped=list_skipped(found.skipped),
        constant=tuple(found.constant),
        labels=labels,
        warnings=warnings,
        options=list_options(request),
        repeat=list_repeats(request, verb, y),
    )


def list_skipped(skipped: Mapping[str, str]) -> tuple[SkippedColumn, ...]:
    """List the columns that were not analysed, each with the reason."""
    return tuple(SkippedColumn(name, why) for name, why in skipped.items())
