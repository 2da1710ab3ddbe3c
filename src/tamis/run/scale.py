"""Which of two scales is the better one for a table: what columns chosen by each say of new rows.

Shares of variance under two scales are shares of different things. What both have in common are
rows: those nearest to a new row in the full table, and those nearest to it in what the kept
columns give of the table by regressions. They are counted in both tables, the standardised one and
the other, so that neither scale judges alone.
"""

import numpy as np

from tamis.algorithms.fold import choose_ridge, regress
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.numerics.types import Floats, Indices
from tamis.registry.shared import Scale
from tamis.sources.source import Source
from tamis.statistics.linear import gram_of_rows
from tamis.statistics.neighbours import nearest_rows
from tamis.statistics.scaled_source import sample_rows, take_logarithms
from tamis.values import dataclass

NEAREST = 10  # rows of every row
_MOST_ROWS = 1024  # that are chosen on or judged
_LEAST_ROWS = 60
_CLEAR = 2.0  # standard errors, beyond which one scale keeps more


@dataclass(frozen=True)
class TriedScales:
    """The share of the nearest rows that `k` columns keep of new rows, by how they were chosen.

    `clear` is whether the difference is more than noise.
    """

    k: int
    standard: float
    other: float
    clear: bool


def try_scales(source: Source, columns: list[int], k: int, other: Scale) -> TriedScales | None:
    """Choose about `k` columns in half of some rows, standardised or not, and judge on the others.

    The rows are those with the smallest hashes. None where they are too few.
    """
    rows = sample_rows(source, columns, _MOST_ROWS)
    half = len(rows) // 2
    varies = np.nanmax(rows[:half], axis=0, initial=0) > np.nanmin(rows[:half], axis=0, initial=0)
    if len(rows) < _LEAST_ROWS or np.count_nonzero(varies) < 3:
        return None
    if other.counts:
        sums = np.nansum(rows, axis=1)
        written = take_logarithms(rows, float(sums.mean()))
    else:
        written = rows
    tables = [
        _Halves(values[:, varies], half, standard=standard)
        for values, standard in ((rows, True), (written, False))
    ]
    k = max(1, min(k, half // 4, int(np.count_nonzero(varies)) // 3))
    shares = np.zeros((2, len(rows) - half))
    for place, table in enumerate(tables):
        kept = greedy_reconstruction(table.gram, k).indices
        shares[place] = np.mean([judge.count_kept(kept) for judge in tables], axis=0)
    more = shares[1] - shares[0]
    noise = float(more.std(ddof=1)) / np.sqrt(len(more))
    standard, rest = shares.mean(axis=1).tolist()
    return TriedScales(k, standard, rest, bool(abs(more.mean()) > _CLEAR * noise))


class _Halves:
    """Rows to choose on, summed up, and rows to judge on, in one unit."""

    def __init__(self, values: Floats, half: int, *, standard: bool) -> None:
        with np.errstate(invalid="ignore"):
            mean, std = np.nanmean(values[:half], axis=0), np.nanstd(values[:half], axis=0)
        unit = std if standard else np.sqrt(np.square(std).mean())
        centred = np.nan_to_num((values - mean) / np.where(unit > 0, unit, 1.0))
        known = centred[:half] / np.sqrt(half)
        self._half, self._held = half, centred[half:]
        self.gram = gram_of_rows(known)
        self._near = nearest_rows(self._held, NEAREST)

    def count_kept(self, kept: Indices) -> Floats:
        """Give the share of the nearest rows of every row that regressions on `kept` find."""
        found = regress(self.gram, kept, choose_ridge(self.gram, kept, self._half), self._half)
        # Rows that are equal in the kept columns stay equal to the last digit.
        rows, at = np.unique(self._held[:, kept], axis=0, return_inverse=True)
        near = nearest_rows((rows @ found.weights)[at.ravel()], NEAREST)
        return np.array([np.isin(a, b).mean() for a, b in zip(self._near, near, strict=True)])
