"""Everything that is known about an extraction; no view computes."""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tamis.evaluation.extraction_outcome import NO_LABEL, Extracted
from tamis.facts.extraction_answer import (
    HISTOGRAM_BARS,
    SHAPES,
    STEPS,
    ExtractionFacts,
    LoadingFacts,
    RowGroup,
    ScorePlotFacts,
)
from tamis.facts.json_schema import decimals
from tamis.facts.shared_answer import LabelFacts
from tamis.numerics.types import Floats, Indices
from tamis.results.shared_facts import collect_answer
from tamis.values import dataclass

_LOADED_COMPONENTS = 20
_LISTED_COLUMNS = 10  # for each of them


def extraction_facts(found: Extracted) -> ExtractionFacts:
    """Gather what the terminal, `--json` and the report show."""
    settings, asked = found.request.settings, found.request.k
    labels = None
    if found.clusters is not None:
        counts = dict(sorted(Counter(found.marks).items()))
        method = found.request.method.id
        labels = LabelFacts(None, "classification", counts, True, method, found.clusters)
    answer = collect_answer(
        found,
        "extract",
        used=len(found.used) - len(found.constant),
        rows=found.n_rows,
        labels=labels,
        y=None if found.marks is None else np.asarray(found.marks),
    )
    return ExtractionFacts(
        **answer,
        k=found.k,
        names=tuple(found.names),
        asked=None if asked is None else int(asked),
        note=found.note,
        separation=found.separation,
        held=float(found.shares.sum()),
        shares=tuple(found.shares.tolist()),
        cumulative=tuple(np.cumsum(found.shares).tolist()),
        values=None if found.values is None else tuple(np.asarray(found.values).tolist()),
        loadings=_loadings(found),
        scaled=bool(settings.get("scale", False)),
        labelled=found.marks is not None,
        label_column=settings.get("y"),
    )


def _loadings(found: Extracted) -> tuple[LoadingFacts, ...]:
    """List the largest weights of the first components; none for a kernel method."""
    if found.components is None:
        return ()
    listed = []
    for direction, name in enumerate(found.names[:_LOADED_COMPONENTS]):
        weights = found.loadings(direction, _LISTED_COLUMNS)
        # What would be written as 0.00 does not matter.
        least = 0.5 * 10.0 ** -decimals(max(map(abs, weights.values()), default=0.0))
        shown = {column: weight for column, weight in weights.items() if abs(weight) > least}
        others = len(found.used) - len(found.constant) - len(shown)
        listed.append(LoadingFacts(name, shown, max(others, 0)))
    return tuple(listed)


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


_MAX_GROUPS = 12
_N_GROUP_COLOURS = 6
_N_LABEL_BINS = 5


def group_labels(labels: Sequence[str] | None, count: int) -> tuple[list[RowGroup], Indices]:
    """Give the groups, and for each of `count` rows the place of its group.

    Up to 12 labels are groups of their own; of more, numbers are put into five bins and of names
    the most frequent stay and the others become one group.

    >>> groups, places = group_labels(["b", "a", "b"], 3)
    >>> [(group.name, group.count) for group in groups], places.tolist()
    ([('a', 1), ('b', 2)], [1, 0, 1])
    """
    if labels is None:
        return [RowGroup("", count, "c0", SHAPES[0])], np.zeros(count, dtype=np.intp)
    known = [label for label in labels if label != NO_LABEL]
    distinct = sorted(set(known), key=_order)
    values = _numbers(distinct)
    if values is not None and len(distinct) > _MAX_GROUPS:
        names, place = _bins(known, distinct)
        kinds = [f"s{i}" for i in range(len(names))]
    else:
        names, place = _name_groups(known, distinct)
        kinds = [f"c{i % _N_GROUP_COLOURS}" for i in range(len(names))]
        kinds[_MAX_GROUPS:] = ["rest"] * (len(names) - _MAX_GROUPS)
    if len(known) < len(labels):
        names, kinds = [*names, NO_LABEL], [*kinds, "rest"]
        place = {**place, NO_LABEL: len(names) - 1}
    places = np.array([place[label] for label in labels], dtype=np.intp)
    counts = np.bincount(places, minlength=len(names)).tolist()
    # Beyond six groups colours come again, each with the next shape.
    shapes = [SHAPES[(i + i // _N_GROUP_COLOURS) % len(SHAPES)] for i in range(len(names))]
    groups = [RowGroup(*one) for one in zip(names, counts, kinds, shapes, strict=True)]
    return groups, places


def _name_groups(known: list[str], distinct: list[str]) -> tuple[list[str], dict[str, int]]:
    frequent = {label for label, _ in Counter(known).most_common(_MAX_GROUPS)}
    names = [label for label in distinct if label in frequent]
    rest = len(distinct) - len(names)
    place = {label: i for i, label in enumerate(names)}
    if rest:
        place |= {label: len(names) for label in distinct if label not in frequent}
        names.append(f"{rest:,} other {'label' if rest == 1 else 'labels'}")
    return names, place


def _bins(known: list[str], distinct: list[str]) -> tuple[list[str], dict[str, int]]:
    edges = np.unique(
        np.quantile([float(label) for label in known], np.linspace(0, 1, _N_LABEL_BINS + 1))
    )
    inner = edges[1:-1]
    values = np.array([float(label) for label in distinct])
    at = np.searchsorted(inner, values, side="left")
    present = np.unique(at)
    names = [
        _span(float(values[at == one].min()), float(values[at == one].max())) for one in present
    ]
    return names, dict(zip(distinct, np.searchsorted(present, at).tolist(), strict=True))


def _span(low: float, high: float) -> str:
    return (
        f"{low:.5g}" if low == high else f"{low:.5g} to {high:.5g}".replace("-", "\N{MINUS SIGN}")
    )


def _numbers(labels: Sequence[str]) -> list[float] | None:
    try:
        values = [float(label) for label in labels]
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


def _order(label: str) -> list[tuple[int, float, str]]:
    """Sort names that hold numbers by these: t2 before t10."""
    parts = re.split(r"(\d+(?:\.\d+)?)", label)
    return [(0, float(part), "") if i % 2 else (1, 0.0, part) for i, part in enumerate(parts)]
