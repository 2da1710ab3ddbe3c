"""What is known of a selection from rows held out, and from the search done on parts of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "AutoFacts",
    "HeldOutFacts",
    "OverfitFacts",
    "PeakFacts",
    "PredictionFacts",
    "StabilityFacts",
    "Substitute",
]


@dataclass(frozen=True)
class HeldOutFacts:
    """Share explained on held-out rows by 1, 2, ... columns, and its spread over the folds.

    `random` is that of as many columns drawn at random as are kept, None where that was not
    measured; `beats_random` whether the kept ones explain clearly more.
    """

    share: tuple[float, ...]
    std: tuple[float, ...]
    folds: int
    random: float | None = None
    beats_random: bool | None = None

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """The standard error of each share."""
        return tuple(std / self.folds**0.5 for std in self.std)


@dataclass(frozen=True)
class AutoFacts:
    """The number found by `k="auto"`, its interval, the reason, what each column is worth."""

    k: int
    low: int
    high: int
    reason: str
    worth: tuple[float, ...]


@dataclass(frozen=True)
class PeakFacts:
    """A smaller number of columns that explains clearly more on held-out rows."""

    k: int
    share: float


@dataclass(frozen=True)
class OverfitFacts:
    """What the kept columns explain here and on held-out rows, and whether that is overfitted.

    `remedy` is "auto" where `k="auto"` would find a number that the rows support.
    """

    k: int
    retained: float
    share: float
    overfitted: bool
    standard_error: float
    peak: PeakFacts | None
    remedy: Literal["auto"] | None


@dataclass(frozen=True)
class Substitute:
    """A column in place of a kept one, and the change of the share explained."""

    column: str
    change: float


@dataclass(frozen=True)
class StabilityFacts:
    """How often columns are kept over half-samples, and what could replace each kept one.

    `explained` is the share, of what the kept columns explain, that those of a half-sample explain;
    `stand_ins` says which columns half-samples keep in the place of each kept one, and how often.
    """

    index: float
    low: float
    high: float
    samples: int
    frequency: Mapping[str, float] = field(hash=False)
    substitutes: Mapping[str, tuple[Substitute, ...]] = field(hash=False)
    explained: float | None = None
    stand_ins: Mapping[str, Mapping[str, float]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class PredictionFacts:
    """How well a linear model on the kept columns predicts a response on held-out rows.

    `score` is "R²", "AUC" or "accuracy"; `with_all` is that of all columns, if it was measured.
    """

    response: str | None
    score: str
    value: float
    std: float
    folds: int
    rows: int
    selected_again: bool
    with_all: float | None
