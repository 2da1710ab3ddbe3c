"""The rows on the components of an extraction, as steps of round axes."""

from dataclasses import dataclass

__all__ = ["HISTOGRAM_BARS", "SHAPES", "STEPS", "RowGroup", "ScorePlotFacts"]

STEPS = 1200  # An axis has so many steps, so that a place on it is a short integer.
HISTOGRAM_BARS = 48  # A histogram has so many bars.
SHAPES = ("circle", "triangle", "square", "diamond", "wedge", "cross")


@dataclass(frozen=True)
class RowGroup:
    """Rows drawn alike: a name, how many there are, a class of the style sheet and a shape."""

    name: str
    count: int
    kind: str
    shape: str


@dataclass(frozen=True)
class ScorePlotFacts:
    """Groups of rows, and each row's step on every axis; one row in `every` is there.

    `places` has the group of each row, `ticks` the step and the text of each tick, `histograms` the
    rows of each group along the only axis, where there is one.
    """

    every: int
    groups: tuple[RowGroup, ...]
    places: tuple[int, ...]
    ticks: tuple[tuple[tuple[int, str], ...], ...]
    steps: tuple[tuple[int, ...], ...]
    histograms: tuple[tuple[int, ...], ...]
