"""Which few kept columns explain each column, as the path grows: short records for a page."""

from typing import Any

import numpy as np

from tamis.evaluation.measure import Measure
from tamis.evaluation.reconstruction import Known
from tamis.facts.explorer import SourceFacts
from tamis.numerics.types import Indices
from tamis.progress import track
from tamis.results.share_facts import spread_steps

__all__ = ["source_facts", "source_steps"]

_MAX_SOURCES_STORED = 100_000  # columns times steps
_WORTH = 12  # with fewer steps than this, only the chosen one
_LARGEST_INT16 = 32_767


def source_steps(m: int, width: int, k: int) -> list[int]:
    """Choose the numbers of kept columns at which sources are looked up.

    >>> source_steps(3, 20, 2), source_steps(70, 100_000, 30)
    ([1, 2, 3], [30])
    """
    room = _MAX_SOURCES_STORED // width
    if m <= room:
        return list(range(1, m + 1))
    return [k] if room < _WORTH else spread_steps(m, room, k)


def source_facts(measure: Measure, known: Known, k: int, least: float) -> SourceFacts:
    """Give for each column from which step on which few path columns carry it.

    `columns` says whose record it is; a record is step, share carried (thousandths), number of
    sources, then for each its place on the path and its weight (hundredths). A column has a new
    record only where its sources change; weights below `least` are omitted.
    """
    m, width = len(known.kept), known.width
    steps = source_steps(m, width, k)
    before = np.full((width, 1), -2)
    columns, records = [], []
    for step in track("steps explained", steps, len(steps)):
        targets = np.setdiff1d(np.arange(width), known.kept[:step])
        if not targets.size:
            break
        found = measure.carriers(known, step, targets)
        fit = (found.positions >= 0) & (np.abs(found.weights) >= least)
        places = np.where(fit, found.positions, -1)
        if before.shape[1] != places.shape[1]:
            before = np.pad(before, ((0, 0), (0, places.shape[1] - before.shape[1])))
            before[:, -1] = -2
        new = (places != before[targets]).any(axis=1)
        before[targets] = places
        columns.append(targets[new])
        records.append(_records(step, places[new], found.weights[new], found.shares[new]))
    whose = np.concatenate(columns) if columns else np.zeros(0)
    return SourceFacts(
        complete=len(steps) == m,
        columns=whose.astype("<u4").tobytes(),
        records=b"".join(records),
    )


def _records(step: int, places: Indices, weights: Any, carried: Any) -> bytes:
    count, most = places.shape
    table = np.empty((count, 3 + 2 * most), dtype=np.int64)
    table[:, 0] = step
    table[:, 1] = np.where(carried < 1 - 1e-9, np.minimum(np.rint(1000 * carried), 999), 1000)
    table[:, 2] = (places >= 0).sum(axis=1)
    table[:, 3::2] = places
    table[:, 4::2] = np.rint(100 * weights)
    there = np.ones(table.shape, dtype=bool)
    there[:, 3:] = np.repeat(places >= 0, 2, axis=1)
    return np.clip(table[there], -_LARGEST_INT16, _LARGEST_INT16).astype("<i2").tobytes()
