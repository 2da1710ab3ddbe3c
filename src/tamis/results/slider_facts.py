"""What the report of a selection adds: the path beyond k, and every column at every step."""

import numpy as np

from tamis.evaluation.outcome import Outcome
from tamis.facts.explorer import ExplorerFacts, LiveFacts, PathStep, TableFacts
from tamis.facts.rounding import SHOWN_FROM
from tamis.numerics.types import Floats, Indices
from tamis.results.list_facts import list_facts, rule_facts
from tamis.results.live_facts import live_facts
from tamis.results.map_facts import map_facts
from tamis.results.plot_facts import list_means
from tamis.results.repeat_facts import repeat_patterns
from tamis.results.sample_facts import sample_columns, sample_facts
from tamis.results.selection_facts import beside, chance_facts, curve_facts, weight_kind
from tamis.results.share_facts import share_facts
from tamis.results.source_facts import source_facts

__all__ = ["knee", "number_axis", "slider_facts"]

_MAX_STEPS_SHOWN = 60
_AHEAD = 2
_MAX_PATH_ON_PAGE = 200
_SWAPS = 3_000_000  # kept columns times columns, for which substitutes are looked up
_MIN_AXIS_NAMES = 3  # names that make an axis
_SHARED = 600  # columns, where every swap needs the whole matrix


def slider_facts(
    outcome: Outcome, *, rows: bool = True, gram: bool = True, live: bool = True
) -> ExplorerFacts:
    """Gather what the explorer of the report needs; its curve replaces the shorter one.

    `rows` says whether values of a few rows may be in it, `gram` whether the correlations may: as a
    map, and with `live` as numbers with which the page can choose columns again.
    """
    path, retained = _longer(outcome)
    known, k = outcome.measure.reproduction(path), outcome.k
    explained = outcome.measure.explain_beyond_chance(known)
    chance = chance_facts(outcome, len(path))
    gains = np.diff(retained, prepend=0.0)
    wanted, sample = sample_columns(outcome, path, explained.shares_at(k))
    return ExplorerFacts(
        curve=curve_facts(outcome.curve_of(retained), chance),
        knee=knee(retained),
        path=tuple(
            PathStep(name, max(float(gain), 0.0))
            for name, gain in zip(outcome.names_of(path), gains, strict=True)
        ),
        table=_table(outcome, path),
        fates=share_facts(explained, k, chance),
        sources=source_facts(outcome.measure, known, k, SHOWN_FROM[weight_kind(outcome)]),
        sample=sample_facts(wanted, sample, rows=rows),
        listed=list_facts(outcome, sample, rows=rows),
        rules=rule_facts(outcome),
        swaps=_swaps(outcome),
        map=map_facts(outcome, path) if gram else None,
        gram=gram,
        patterns=repeat_patterns(outcome.request, **beside(outcome)),
        live=_live(outcome, path, explained.shares_at(k)) if gram and live else None,
    )


def _live(outcome: Outcome, path: Indices, shares: Floats) -> LiveFacts | None:
    """Give what the page needs to choose again."""
    return live_facts(outcome, path, shares, _steps(outcome), **beside(outcome))


def _table(outcome: Outcome, path: Indices) -> TableFacts:
    """Give all columns of the table, which of them were analysed, and the path among these."""
    names = list(outcome.request.names)
    every = len(outcome.used) == len(names)
    axis = number_axis([names[j] for j in outcome.used])
    return TableFacts(
        names=tuple(names),
        used=None if every else tuple(outcome.used.tolist()),
        path=tuple(path.tolist()),
        axis=axis,
        means=list_means(outcome) if axis else (),
    )


def number_axis(names: list[str]) -> tuple[float, float] | None:
    """Give the ends of the axis where all names are numbers, as the wavelengths of a spectrum.

    >>> number_axis(["400", "402.5", "405"]), number_axis(["400", "red"])
    ((400.0, 405.0), None)
    """
    try:
        values = [float(name) for name in names]
    except ValueError:
        return None
    steps = np.diff(values)
    rising = bool((steps > 0).all() or (steps < 0).all())
    known = len(values) >= _MIN_AXIS_NAMES and bool(np.isfinite(values).all())
    return (min(values), max(values)) if known and rising else None


def knee(retained: Floats) -> int | None:
    """Give the number of columns after which each further one adds much less.

    The point of the curve farthest above the line from its first to its last point.

    >>> knee(np.array([0.5, 0.8, 0.85, 0.88, 0.9]))
    2
    """
    m = len(retained)
    rise = float(retained[-1] - retained[0]) if m else 0.0
    if m < 5 or rise <= 0:
        return None
    above = (retained - retained[0]) / rise - np.arange(m) / (m - 1)
    return int(np.argmax(above)) + 1


def _steps(outcome: Outcome) -> int:
    """Give the largest number of columns that the slider shows."""
    used, k = len(outcome.used), outcome.k
    return (
        used if used <= _MAX_STEPS_SHOWN else max(k, min(_AHEAD * k + 10, _MAX_PATH_ON_PAGE, used))
    )


def _longer(outcome: Outcome) -> tuple[Indices, Floats]:
    """Follow the path beyond the columns kept, where a longer path has the same head."""
    path, k, steps = outcome.path, outcome.k, _steps(outcome)
    if len(path.indices) == k and path.nested and outcome.longer is not None and steps > k:
        longer = outcome.longer(steps)
        path = longer if np.array_equal(longer.indices[:k], path.indices) else path
    return path.indices[:steps], path.retained[:steps]


def _swaps(outcome: Outcome) -> dict[str, tuple[tuple[str, float], ...]] | None:
    """Give for each kept column what could replace it; None where that would take long."""
    width = len(outcome.used)
    if outcome.k * width > _SWAPS or outcome.k == width:
        return None
    if outcome.measure.name == "information" and width > _SHARED:
        return None
    return {name: tuple(pairs) for name, pairs in outcome.substitutes(n=3).items()}
