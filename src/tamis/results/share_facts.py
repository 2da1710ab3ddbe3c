"""What becomes of every column at every number of kept ones: its share, and the drawer it is in."""

from collections.abc import Sequence

import numpy as np

from tamis.evaluation.measure import Known
from tamis.facts.explorer import Fate, FateFacts
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices

SAFE = 950  # thousandths: a column explained to at least this share is safe to drop
LOST = 100  # one explained to less than this, or than chance alone explains, is lost
_MAX_SHARES_STORED = 800_000  # so that the report of 12,500 columns stays below 1.5 MB


def share_facts(known: Known, k: int, chance: Sequence[float | None]) -> FateFacts:
    """Give the shares (steps x columns) for a page: counts at every step, values at some of them.

    `chance` is what chance alone explains at every step. The values are differences from step to
    step in thousandths, zigzag, low bytes before high ones: small once deflated.
    """
    limits, m = lost_limits(chance), len(known.kept)
    steps = choose_stored_steps(m, known.width, k)
    stored: dict[int, Indices] = {}
    counts: dict[str, list[int]] = {"safe": [], "partly": [], "lost": []}
    for part in row_blocks(m, known.width):  # all steps at once may be too large
        values = _thousandths(known.shares_between(part.start, part.stop), limits[part])
        here = _counts(values, known.kept, part, limits[part])
        for drawer, some in here.items():
            counts[drawer] += some
        wanted = {step for step in (*steps, k) if part.start < step <= part.stop}
        stored |= {step: values[step - 1 - part.start].copy() for step in wanted}
    return FateFacts(
        steps=tuple(steps),
        safe=SAFE,
        lost=tuple(limits),
        counts={drawer: tuple(found) for drawer, found in counts.items()},
        at=tuple(stored[k].tolist()),
        values=_pack_shares(np.array([stored[step] for step in steps])),
    )


def lost_limits(chance: Sequence[float | None]) -> list[int]:
    """Give, in thousandths, the share below which a column is lost.

    >>> lost_limits([None, 0.02, 0.3001, 1.0])
    [100, 100, 300, 950]
    """
    return [min(max(LOST, round(1000 * (level or 0.0))), SAFE) for level in chance]


def fate_of(share: float, chance: float | None) -> Fate:
    """Say what becomes of a dropped column, as the report does.

    >>> fate_of(0.97, 0.02), fate_of(0.5, 0.02), fate_of(0.5, 0.6)
    ('safe to drop', 'partly lost', 'lost')
    """
    if share >= SAFE / 1000:
        return "safe to drop"
    return "lost" if share < lost_limits([chance])[0] / 1000 else "partly lost"


def choose_stored_steps(m: int, width: int, k: int) -> list[int]:
    """Choose the numbers of kept columns for which a page holds every share: all if there is room.

    >>> choose_stored_steps(5, 100, 2), choose_stored_steps(70, 100_000, 30)
    ([1, 2, 3, 4, 5], [1, 2, 3, 6, 11, 21, 30, 38, 70])
    """
    return spread_steps(m, max(_MAX_SHARES_STORED // width, 4), k)


def spread_steps(m: int, room: int, k: int) -> list[int]:
    """Choose about `room` of `m` steps, close together where they are few, and always `k`.

    >>> spread_steps(3, 5, 2), spread_steps(60, 6, 30)
    ([1, 2, 3], [1, 2, 5, 12, 26, 30, 60])
    """
    if m <= room:
        return list(range(1, m + 1))
    spread = np.rint(np.geomspace(1, m, room)).astype(int).tolist()
    return sorted({*spread, k})


def _thousandths(shares: Floats, limits: Sequence[int]) -> Indices:
    """Round, but never across a limit, nor up to a false 1000: counts stay those of the shares."""
    values = np.rint(1000 * shares).astype(np.intp)
    for bound in (np.full((1, 1), SAFE), np.array(limits)[:, None]):
        under = shares < bound / 1000
        values = np.where(under, np.minimum(values, bound - 1), np.maximum(values, bound))
    return np.where(shares < 1 - 1e-9, np.minimum(values, 999), 1000)


def _counts(
    values: Indices, path: Indices, part: slice, limits: Sequence[int]
) -> dict[str, list[int]]:
    """Count the dropped columns in each drawer, at every step of a part of the path."""
    dropped = np.ones(values.shape, dtype=bool)
    dropped[:, path[: part.start]] = False
    for step, j in enumerate(path[part]):
        dropped[step:, j] = False
    safe = ((values >= SAFE) & dropped).sum(axis=1)
    lost = ((values < np.array(limits)[:, None]) & dropped).sum(axis=1)
    partly = dropped.sum(axis=1) - safe - lost
    return {"safe": safe.tolist(), "partly": partly.tolist(), "lost": lost.tolist()}


def _pack_shares(values: Indices) -> bytes:
    steps = np.diff(values, axis=0, prepend=np.zeros((1, values.shape[1]), dtype=np.intp))
    codes = np.where(steps < 0, -2 * steps - 1, 2 * steps).astype("<u2")
    pairs = codes.view(np.uint8).reshape(-1, 2)
    return pairs[:, 0].tobytes() + pairs[:, 1].tobytes()
