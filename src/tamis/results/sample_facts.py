"""What a page shows of rows: the values of a few of them, as one byte each."""

import numpy as np

from tamis.evaluation.outcome import Outcome
from tamis.facts.explorer import KindFacts, SampledValues, SampleFacts
from tamis.numerics.types import Floats, Indices
from tamis.run.row_sample import RowSample, SampledColumn, sample_rows

__all__ = ["sample_columns", "sample_facts"]

_MAX_SAMPLED_ROWS = 200
_BYTES = 160_000
_LARGEST_LEVEL = 254  # levels from the smallest to the largest value; 255 stands for a missing one


def sample_columns(
    outcome: Outcome, path: Indices, shares: Floats
) -> tuple[Indices, RowSample | None]:
    """Read some rows of the columns for which there is room, None where that cannot be done.

    Those of the path come first, then the least explained ones by `shares`.
    """
    order = np.argsort(shares, kind="stable")
    wanted = np.concatenate([path, np.setdiff1d(order, path, assume_unique=True)])
    wanted = wanted[: _BYTES // _MAX_SAMPLED_ROWS]
    found = sample_rows(outcome.reader, outcome.used[wanted].tolist(), _MAX_SAMPLED_ROWS)
    same = found is not None and len(found.kinds) == len(outcome.request.names)
    return wanted, found if same else None


def sample_facts(wanted: Indices, found: RowSample | None, *, rows: bool) -> SampleFacts:
    """Give kinds and distinct values, and with `rows` the values of some rows."""
    if found is None:
        return SampleFacts("unreadable", 0, 0, None, (), b"")
    pairs = zip(wanted, found.columns, strict=True)
    return SampleFacts(
        gap=None if rows else "omitted",
        rows=len(found.at) if rows else 0,
        seen=found.seen,
        kinds=_kinds(found),
        columns=tuple(_column(int(j), one, rows) for j, one in pairs),
        values=b"".join(map(_levels, found.columns)) if rows else b"",
    )


def _kinds(found: RowSample) -> KindFacts:
    """Give the kinds of all columns: those that occur, and for each column which."""
    kinds = sorted(set(found.kinds))
    each = tuple(kinds.index(kind) for kind in found.kinds)
    return KindFacts(tuple(kinds), None if len(kinds) == 1 else each)


def _column(column: int, found: SampledColumn, rows: bool) -> SampledValues:
    """Give column, distinct values, then for rows: range, mean and deviation, and labels."""
    if not rows:
        return SampledValues(column, found.distinct)
    low, high = _range(found.values)
    numbers = (_short(low), _short(high), _short(found.mean), _short(found.std))
    return SampledValues(column, found.distinct, numbers, tuple(found.labels))


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def _range(values: Floats) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)


def _levels(found: SampledColumn) -> bytes:
    low, high = _range(found.values)
    known = np.isfinite(found.values)
    width = high / 2 - low / 2 or 1.0  # halves: the largest numbers have no difference
    levels = np.rint(_LARGEST_LEVEL * ((np.where(known, found.values, low) / 2 - low / 2) / width))
    return np.where(known, levels, _LARGEST_LEVEL + 1).astype(np.uint8).tobytes()
