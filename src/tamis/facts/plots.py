"""What the pictures of a result show, where a page does not show the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Fate", "FatePlotFacts", "LoadingPlotFacts", "RowsPlotFacts", "ScoredRows"]

Fate = Literal["kept", "safe to drop", "partly lost", "lost"]


@dataclass(frozen=True)
class FatePlotFacts:
    """All analysed columns: their places on an axis, the share explained, and which are kept.

    `names` are in table order, or none where the places are the names. `limits` are the share from
    which a column is safe to drop, and the one below which it is lost. `means` are those of the
    columns where the places are their names.
    """

    names: tuple[str, ...]
    places: tuple[float, ...]
    shares: tuple[float, ...]
    kept: tuple[int, ...]
    limits: tuple[float, float]
    chance: float | None
    means: tuple[float, ...] = ()


@dataclass(frozen=True)
class ScoredRows:
    """The scores of rows with the same label on two components."""

    label: str
    first: tuple[float, ...]
    second: tuple[float, ...]


@dataclass(frozen=True)
class RowsPlotFacts:
    """Rows on the first two components, which have these names and shares."""

    groups: tuple[ScoredRows, ...]
    components: tuple[tuple[str, float], tuple[str, float]]


@dataclass(frozen=True)
class LoadingPlotFacts:
    """The largest weights of a component."""

    component: str
    weights: Mapping[str, float] = field(hash=False)
