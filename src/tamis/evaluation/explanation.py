"""Why a column was dropped: how much of it the kept columns explain, and which of them."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamis.algorithms.path import Path
from tamis.errors import as_term
from tamis.evaluation.measure import Measure
from tamis.numerics.types import Indices

__all__ = ["Explanation", "explain_dropped"]

_LEAST_PERCENT = 0.005  # written as 1%; less would be 0%


@dataclass(frozen=True)
class Explanation:
    """Why one column was dropped: how much of it the kept columns explain, and which.

    `share` is what all kept columns explain. `weights` names the few that carry it, the largest
    first, with the coefficients of standardised columns; `carried` is what these few explain alone.
    Of a method on mutual information, shares and weights are normalised mutual information, and
    what unrelated columns of so many values share by chance is not counted. With
    `redundancy="drop"`, `reason` is "irrelevant" (low score) or "redundant" (well scored, but
    explained by kept columns); of a column in `forbid` it is "forbidden". Where categories are
    among the columns, the weights are no coefficients (`signed`), but what each explains alone.

    Examples
    --------
    >>> print(Explanation("bmi", 0.992, {"weight": 0.98, "height": -0.31}, 0.991))
    bmi: 99.2% explained by the kept columns; mostly 0.98 x weight, -0.31 x height (SD units)
    >>> print(Explanation("city", 0.51, {"region": 0.48, "tax": 0.12}, 0.48, signed=False))
    city: 51.0% explained by the kept columns; mostly 48% by region, 12% by tax (each alone)
    """

    column: Hashable
    share: float
    weights: dict[Hashable, float] = field(hash=False)
    carried: float
    measure: str = "variance"
    reason: str = ""
    signed: bool = True

    @property
    def by(self) -> str:
        """The few kept columns that carry it, with their weights, as text."""
        pattern = "{1:.2f} x {0}" if self.signed else "{1:.0%} by {0}"
        pattern = "{0} ({1:.2f})" if self.measure == "information" else pattern
        least = 0.0 if self.signed else _LEAST_PERCENT
        pairs = [
            (as_term(str(name)), weight)
            for name, weight in self.weights.items()
            if abs(weight) >= least or self.measure == "information"
        ]
        return ", ".join(pattern.format(*pair) for pair in pairs)

    def __str__(self) -> str:
        why = f"{self.reason}, " if self.reason else ""
        if self.measure == "information" and not self.by:
            return f"{self.column}: {why}nothing explained above chance"
        said = f"{self.column}: {why}{self.share:.1%} explained"
        if self.measure == "information":
            return f"{said} by {self.by}"
        unit = "SD units" if self.signed else "each alone"
        return f"{said} by the kept columns" + (f"; mostly {self.by} ({unit})" if self.by else "")


def explain_dropped(
    measure: Measure, path: Path, dropped: Indices, names: Sequence[Any]
) -> list[Explanation]:
    """Say for every dropped column how much of it the kept ones explain, and which of them.

    `names` are those of all columns analysed.
    """
    if not dropped.size:
        return []
    known, kept = measure.reproduction(path.kept), [names[j] for j in path.kept]
    shares = measure.explain_beyond_chance(known).shares_at(len(kept))
    found = measure.carriers(known, len(kept), dropped)
    rows = []
    for i, j in enumerate(dropped.tolist()):
        # By size as it is written: the page holds hundredths, and must give the same order.
        order = np.argsort(-np.rint(100 * np.abs(found.weights[i])), kind="stable")
        pairs = zip(found.positions[i][order], found.weights[i][order], strict=True)
        weights = {kept[place]: float(weight) for place, weight in pairs if place >= 0}
        share, carried = float(shares[j]), float(found.shares[i])
        why = path.weighing.reason(j, share) if path.weighing else ""
        rows.append(
            Explanation(names[j], share, weights, carried, measure.name, why, measure.signed)
        )
    return rows
