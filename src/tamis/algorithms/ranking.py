"""What a ranking of columns was made from: scores, their spread, and how many were kept why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tamis.numerics.types import Floats, Indices


@dataclass(frozen=True, eq=False)
class Ranking:
    """Every column with its score, best first, as evidence for the columns kept.

    Attributes
    ----------
    order
        All columns, best first.
    scores
        Score of every column.
    kept
        How many of the order are kept.
    spread
        Standard deviation of every score over repetitions, where there are any.
    accuracy, metric, learner
        Cross-validated score of a learner on the first 1, 2, ... columns, what it is, and who
        learns.
    why
        How the number of columns was decided, in a sentence; empty where it was given.
    beside
        What else the method found, with a kind and facts of its own.
    """

    kind: ClassVar[str] = "ranking"

    order: Indices
    scores: Floats
    kept: int
    spread: Floats | None = None
    accuracy: Floats | None = None
    metric: str = "accuracy"
    learner: str = ""
    why: str = ""
    beside: Any = None

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Give it as plain values, by name.

        >>> found = Ranking(np.array([1, 0]), np.array([0.25, np.inf]), 1)
        >>> found.facts(["a", "b"])["bars"][1]
        {'column': 'a', 'score': 0.25, 'spread': None}
        """
        return {
            "kind": self.kind,
            "bars": [
                {
                    "column": names[j],
                    "score": _finite(self.scores[j]),
                    "spread": None if self.spread is None else _finite(self.spread[j]),
                }
                for j in self.order
            ],
            "kept": self.kept,
            "accuracy": None if self.accuracy is None else [_finite(a) for a in self.accuracy],
            "metric": self.metric,
            "learner": self.learner,
            "why": self.why,
            "beside": None if self.beside is None else dict(self.beside.facts(names)),
        }


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
