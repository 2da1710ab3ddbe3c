"""What a selection method returns, and the rule that breaks ties."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any, TypedDict

import numpy as np

from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.values import dataclass

NO_GOAL = np.inf  # for `retain`: take as many columns as asked, whatever they reproduce
REPRODUCED = "the kept columns explain all others completely, so more would add nothing"
COPIES = "all others are copies of kept columns, up to shift and scale"
N_EVIDENCE_COLUMNS = 8
_SHARE_ROUNDING = 1e-6  # of a share


class Goal(TypedDict, total=False):
    """What every method is given beside its statistic and `k`.

    It stops once `retain` is explained, and takes the columns of `include` first.
    """

    retain: float
    include: Sequence[int]


@dataclass(frozen=True, eq=False)
class Removals:
    """Columns in the order of their removal, each with the equation that removed it.

    `errors` are on the scale of the Gram matrix they came from. `positions` and `weights` are the
    largest coefficients of each equation, solved for the removed column; -1 and 0 where there are
    fewer.
    """

    columns: Indices
    errors: Floats
    positions: Indices
    weights: Floats


def no_removals(count: int) -> Removals:
    """Make room for `count` removals."""
    return Removals(
        np.zeros(count, dtype=np.intp),
        np.zeros(count),
        np.full((count, N_EVIDENCE_COLUMNS), -1, dtype=np.intp),
        np.zeros((count, N_EVIDENCE_COLUMNS)),
    )


def note_equations(found: Removals, steps: slice, weights: Floats, names: Indices) -> None:
    """Note the largest coefficients of the equations of some steps, one a row, all at once."""
    few = min(N_EVIDENCE_COLUMNS, weights.shape[1])
    size = np.abs(weights)
    top, rows = np.argpartition(-size, few - 1, axis=1)[:, :few], np.arange(len(size))[:, None]
    top = top[rows, np.argsort(-size[rows, top], axis=1, kind="stable")]
    there = size[rows, top] > NEGLIGIBLE
    found.positions[steps, :few] = np.where(there, names[top], -1)
    found.weights[steps, :few] = np.where(there, weights[rows, top], 0.0)


def note_equation(found: Removals, step: int, weights: Floats, names: Indices) -> None:
    """Note the largest coefficients of the equation of one step, in half the time of a panel."""
    few, size = min(N_EVIDENCE_COLUMNS, weights.size), np.abs(weights)
    top = np.argpartition(-size, few - 1)[:few]
    top = top[np.argsort(-size[top], kind="stable")]
    top = top[size[top] > NEGLIGIBLE]
    found.positions[step, : top.size], found.weights[step, : top.size] = names[top], weights[top]


@dataclass(frozen=True, eq=False)
class Path:
    """Columns in order of merit, and what they reproduce together.

    Attributes
    ----------
    indices
        Columns, best first: those taken, or all of them for a backward method.
    retained
        Share of the total variance that the first 1, 2, ... of them reproduce.
    scores
        The method's own score of every column: when it was taken or removed or, for a column
        neither taken nor removed, when the path ended. Variances in it are relative to the mean
        variance of the columns, so they do not depend on the unit of the table.
    nested
        Whether a shorter request gives the head of this path.
    optimal
        Whether an exact search has proven that no other columns of this number reproduce more.
    size
        How many of the columns to keep; None for all.
    removals
        What was removed and by which equation, for a backward method.
    tree
        The spectral tree of all columns, for a method that grows one.
    evidence
        What else the method found, for its own picture: it has a `kind` and `facts(names)`.
    weighing
        By what a dropped column is called irrelevant or redundant, where both counted.
    importance
        How much of what is to be explained each group of the statistic is; None where all count.
    stopped
        Why the method keeps no more columns, if it could not keep as many as requested.
    """

    indices: Indices
    retained: Floats
    scores: Floats = field(repr=False, default_factory=lambda: np.zeros(0))
    nested: bool = field(repr=False, default=True)
    optimal: bool = field(repr=False, default=False)
    size: int | None = field(repr=False, default=None)
    removals: Removals | None = field(repr=False, default=None)
    tree: Any = field(repr=False, default=None)
    evidence: Any = field(repr=False, default=None)
    weighing: Any = field(repr=False, default=None)
    importance: Floats | None = field(repr=False, default=None)
    stopped: str = field(repr=False, default="")

    @property
    def kept(self) -> Indices:
        """The columns to keep, best first."""
        return self.indices[: self.size]

    @property
    def share(self) -> float:
        """Share of the variance that the columns to keep reproduce."""
        return float(self.retained[len(self.kept) - 1])

    def shortfall(self, requested: float | None, retain: float | None = None) -> str | None:
        """Say why fewer columns are kept, or less is explained, than requested; else None.

        >>> Path(np.array([4]), np.array([1.0]), stopped=REPRODUCED).shortfall(1)
        >>> Path(np.array([4]), np.array([1.0]), stopped="the rest are constant").shortfall(2)
        'Kept 1 of the 2 columns requested: the rest are constant.'
        >>> Path(np.array([4]), np.array([0.8]), stopped="so it is").shortfall(None, 0.9)
        'The 90% requested cannot be reached: so it is.'
        """
        count = len(self.kept)
        if requested is None and retain is not None and self.share < retain - _SHARE_ROUNDING:
            said = f"The {100 * retain:.6g}% requested cannot be reached: {self.stopped}."
            return said if self.stopped else None
        if requested is None or count >= requested:
            return None
        return f"Kept {count:,} of the {requested:,} columns requested: {self.stopped}."


def best_first(removals: Removals, d: int, include: Sequence[int] | Indices) -> Indices:
    """Reverse an order of removal: `include`, what was never removed, then last removed first."""
    others = np.setdiff1d(np.arange(d), [*removals.columns, *include])
    return np.concatenate([include, others, removals.columns[::-1]]).astype(np.intp)


def count_enough(retained: Floats, retain: float) -> int:
    """Count the columns that reach `retain`, or all that can be reached; all without a goal."""
    if retain > 1.0:
        return len(retained)
    return int(np.argmax(retained >= min(retain, retained[-1]) - NEGLIGIBLE)) + 1


def head_size(shares: Floats, threshold: float, rule: str) -> int:
    """Count the shares whose sum comes up to the threshold, or as near as it can from below.

    Examples
    --------
    >>> shares = np.array([0.5, 0.4, 0.08, 0.02])
    >>> head_size(shares, 0.95, "ceil"), head_size(shares, 0.95, "floor")
    (3, 2)
    """
    summed = np.cumsum(shares)
    if rule == "floor":
        return max(1, int(np.count_nonzero(summed <= threshold + NEGLIGIBLE)))
    return min(int(np.count_nonzero(summed < threshold - NEGLIGIBLE)) + 1, len(summed))
