"""What is known about every result, whether a selection or an extraction."""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from tamis.evaluation.extraction_outcome import Extracted
from tamis.evaluation.missing_values import MissingValues
from tamis.evaluation.outcome import Outcome
from tamis.facts.shared_answer import (
    MethodFacts,
    MissingFacts,
    RepeatFacts,
    SkippedColumn,
    UnreadFacts,
    UnreadPart,
)
from tamis.results.call_words import list_options, list_repeats
from tamis.statistics.missing import leaves_most

__all__ = ["SharedFacts", "collect_missing_facts", "collect_shared_facts", "list_skipped"]


class SharedFacts(TypedDict):
    """The facts that a selection and an extraction have from the same places."""

    title: str
    method: MethodFacts
    missing: MissingFacts
    unread: UnreadFacts
    doubts: tuple[str, ...]
    columns: int
    k: int
    names: tuple[str, ...]
    skipped: tuple[SkippedColumn, ...]
    constant: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    repeat: RepeatFacts


def collect_shared_facts(found: Outcome | Extracted, verb: str, **beside: Any) -> SharedFacts:
    """Give the table, the method and what was asked, with arrays given `beside` the table."""
    request, method = found.request, found.request.method
    return {
        "title": request.label,
        "method": MethodFacts(method.id, method.name, method.about, method.paper, request.why),
        "missing": collect_missing_facts(found.missing),
        "unread": UnreadFacts(tuple(UnreadPart(*part) for part in request.unread)),
        "doubts": tuple(request.doubts),
        "columns": len(request.names),
        "k": found.k,
        "names": tuple(found.names),
        "skipped": list_skipped(found.skipped),
        "constant": tuple(found.constant),
        "options": list_options(request),
        "repeat": list_repeats(request, verb, **beside),
    }


def list_skipped(skipped: Mapping[str, str]) -> tuple[SkippedColumn, ...]:
    """List the columns that were not analysed, each with the reason."""
    pairs: Iterable[tuple[str, str]] = skipped.items()
    return tuple(SkippedColumn(name, why) for name, why in pairs)


def collect_missing_facts(missing: MissingValues) -> MissingFacts:
    """Give the rows, and the share of missing values in every column that has any."""
    return MissingFacts(
        done=missing.done,
        rows_read=missing.rows,
        rows_used=missing.used,
        rows_complete=missing.complete,
        rows_unlabelled=missing.unlabelled,
        sparse=missing.sparse,
        infinite=missing.infinite,
        observed=missing.observed,
        fewest_common=missing.fewest_common,
        shares=missing.shares,
        complete_rows_suffice=leaves_most(missing.complete, missing.rows),
    )
