"""What the report of an extraction adds: the rows on its components, as steps of round axes."""

import math
from dataclasses import dataclass

import numpy as np

from tamis.evaluation.extraction_outcome import Extracted
from tamis.facts.score_plot import HISTOGRAM_BARS, STEPS, ScorePlotFacts
from tamis.numerics.types import Floats, Indices
from tamis.results.groups import group_labels

__all__ = ["Axis", "axis_of", "histograms", "score_facts"]

_PLOTTED = 12  # components that the plot offers
_SCORE_TICKS = 6
_EDGE = 0.03  # of the range, free at both ends
_UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def score_facts(found: Extracted) -> ScorePlotFacts:
    """Gather what the score plot needs: groups of rows, and each row's step on every axis."""
    sample = found.sample
    groups, places = group_labels(sample.labels, len(sample.scores))
    columns = sample.scores[:, :_PLOTTED].T
    axes = [axis_of(column) for column in columns]
    steps = [axis.steps(column) for axis, column in zip(axes, columns, strict=True)]
    bars = histograms(steps[0], places, len(groups)) if found.k == 1 else []
    return ScorePlotFacts(
        every=sample.step,
        groups=tuple(groups),
        places=tuple(places.tolist()),
        ticks=tuple(axis.ticks for axis in axes),
        steps=tuple(tuple(line.tolist()) for line in steps),
        histograms=tuple(map(tuple, bars)),
    )


def histograms(steps: Indices, places: Indices, groups: int) -> list[list[int]]:
    """Count the rows of each group in equal parts of an axis."""
    bins = np.minimum(steps * HISTOGRAM_BARS // STEPS, HISTOGRAM_BARS - 1)
    return [
        np.bincount(bins[places == one], minlength=HISTOGRAM_BARS).tolist() for one in range(groups)
    ]


@dataclass(frozen=True)
class Axis:
    """A range of scores, and its ticks: the step and what is written there."""

    low: float
    high: float
    ticks: tuple[tuple[int, str], ...]

    def steps(self, values: Floats) -> Indices:
        """Give the nearest step of each value."""
        return np.rint((values - self.low) / (self.high - self.low) * STEPS).astype(np.intp)


def axis_of(values: Floats) -> Axis:
    """Choose a range around these values, and round numbers in it.

    >>> axis = axis_of(np.array([-1.0, 3.0]))
    >>> [text for _, text in axis.ticks]
    ['\N{MINUS SIGN}1', '0', '1', '2', '3']
    """
    low, high = float(values.min()), float(values.max())
    room = (high - low) * _EDGE or max(abs(low), 1.0) * _EDGE
    low, high = low - room, high + room
    raw = (high - low) / _SCORE_TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= raw * (1 - 1e-9))
    ticks = []
    for i in range(math.ceil(low / step), math.floor(high / step) + 1):
        at = round((i * step - low) / (high - low) * STEPS)
        ticks.append((at, _short(i * step)))
    return Axis(low, high, tuple(ticks))


def _short(value: float) -> str:
    """Write a round number so that it fits beside an axis.

    >>> _short(0.25), _short(-20000.0), _short(3e-05), _short(0.1 + 0.2)
    ('0.25', '\N{MINUS SIGN}20k', '3e-05', '0.3')
    """
    size = abs(value)
    factor, unit = next((one for one in _UNITS if size >= max(one[0], 1e4)), (1.0, ""))
    text = f"{size / factor:.4g}{unit}" if size else "0"
    return f"\N{MINUS SIGN}{text}" if value < 0 else text
