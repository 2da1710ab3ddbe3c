"""What is shown about every result, whether a selection or an extraction."""

from typing import Any

from tamis.evaluation.extracted import Extracted
from tamis.evaluation.missing_values import MissingValues
from tamis.evaluation.outcome import Outcome
from tamis.presentation.missing import missing_sentence
from tamis.presentation.unread import unread_sentence
from tamis.results.asked import options, repeat

__all__ = ["missing_facts", "shared_facts"]


def shared_facts(
    found: Outcome | Extracted, sentence: str, verb: str, **beside: Any
) -> dict[str, Any]:
    """Give the table, the answer, the method and what was asked, with arrays given `beside` it."""
    request, method = found.request, found.request.method
    return {
        "title": request.label,
        "sentence": sentence,
        "method": {
            "id": method.id,
            "name": method.name,
            "about": method.about,
            "paper": method.paper,
            "why": request.why,
        },
        "missing": missing_facts(found.missing),
        "unread": _unread(request.unread),
        "doubts": list(request.doubts),
        "columns": len(request.names),
        "k": found.k,
        "names": found.names,
        "skipped": [{"column": name, "why": why} for name, why in found.skipped.items()],
        "constant": list(found.constant),
        "options": options(request),
        "repeat": repeat(request, verb, **beside),
    }


def _unread(parts: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Give the damaged parts that were skipped, with the sentence that the views show."""
    listed = [{"file": file, "place": place} for file, place in parts]
    return {"parts": listed, "sentence": unread_sentence(listed)}


def missing_facts(missing: MissingValues) -> dict[str, Any]:
    """Give rows and shares as plain values, with the sentence that the views show."""
    facts = {
        "done": missing.done,
        "rows_read": missing.rows,
        "rows_used": missing.used,
        "rows_complete": missing.complete,
        "rows_unlabelled": missing.unlabelled,
        "sparse": missing.sparse,
        "infinite": missing.infinite,
        "observed": missing.observed,
        "fewest_common": missing.fewest_common,
        "shares": missing.shares,
    }
    return {**facts, "sentence": missing_sentence(facts)}
