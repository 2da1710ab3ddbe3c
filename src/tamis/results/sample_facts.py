"""What a page shows of rows: the values of a few of them, as one byte each."""

from typing import Any

import numpy as np

from tamis.evaluation.outcome import Outcome
from tamis.numerics.types import Floats, Indices
from tamis.run.row_sample import RowSample, SampledColumn, sample_rows

__all__ = ["sample_facts"]

Facts = dict[str, Any]

_ROWS = 200
_BYTES = 160_000
_TOP = 254  # levels from the smallest to the largest value; 255 stands for a missing one
_KINDS = {
    "numeric": "numbers",
    "boolean": "true or false",
    "categorical": "text or categories",
    "row names": "names of the rows",
    "empty": "no values",
}
_GONE = (
    "The rows of this table could not be read a second time (a stream, a summary, or a table no "
    "longer there)."
)
_ASKED = "Values of rows were omitted on request."


def sample_facts(outcome: Outcome, path: Indices, shares: Floats, *, rows: bool) -> Facts:
    """Give kinds and distinct values, and with `rows` the values of some rows.

    There is room for some columns only: those of the path come first, then the least explained
    ones by `shares`.
    """
    order = np.argsort(shares, kind="stable")
    wanted = np.concatenate([path, np.setdiff1d(order, path, assume_unique=True)])
    wanted = wanted[: _BYTES // _ROWS]
    found = sample_rows(outcome.reader, outcome.used[wanted].tolist(), _ROWS)
    if found is None or len(found.kinds) != len(outcome.request.names):
        return {"why": _GONE, "rows": 0, "seen": 0, "kinds": None, "columns": [], "values": b""}
    return {
        "why": "" if rows else _ASKED,
        "rows": len(found.at) if rows else 0,
        "seen": found.seen,
        "kinds": _kinds(found),
        "columns": [_column(j, one, rows) for j, one in zip(wanted, found.columns, strict=True)],
        "values": b"".join(map(_levels, found.columns)) if rows else b"",
    }


def _kinds(found: RowSample) -> Facts:
    """Give the kinds of all columns: the words, and for each column which."""
    words = sorted({_KINDS.get(kind, "dates or another type") for kind in found.kinds})
    place = {word: i for i, word in enumerate(words)}
    each = [place[_KINDS.get(kind, "dates or another type")] for kind in found.kinds]
    return {"words": words, "each": None if len(words) == 1 else each}


def _column(column: int, found: SampledColumn, rows: bool) -> list[Any]:
    """Give column, distinct values, then for rows: range, mean and deviation, and labels."""
    facts = [int(column), found.distinct]
    if not rows:
        return facts
    low, high = _range(found.values)
    numbers = [float(f"{value:.6g}") for value in (low, high, found.mean, found.std)]
    return [*facts, *numbers, *([list(found.labels)] if found.labels else [])]


def _range(values: Floats) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)


def _levels(found: SampledColumn) -> bytes:
    low, high = _range(found.values)
    known = np.isfinite(found.values)
    width = high - low or 1.0
    levels = np.rint(_TOP * ((np.where(known, found.values, low) - low) / width))
    return np.where(known, levels, _TOP + 1).astype(np.uint8).tobytes()
