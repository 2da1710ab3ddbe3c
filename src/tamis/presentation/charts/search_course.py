"""A search that draws lots: its current score and the best so far, by evaluation."""

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tamis.presentation.charts.svg import number
from tamis.presentation.drawings.axis_ticks import round_steps
from tamis.presentation.prose.about_search import score_text

__all__ = ["search_course"]

Facts = Mapping[str, Any]

_COURSE_TICKS = 4


def search_course(facts: Facts, width: int = 720, height: int = 260) -> str:
    """Draw both lines over the number of different sets tried."""
    left, right, top, floor = 58, 12, 10, height - 48
    points = facts["points"]
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    ticks = _ticks([score for point in points for score in point[1:]])
    low, high = ticks[0], ticks[-1]

    def x(evaluations: float) -> float:
        return left + (width - left - right) * (evaluations - first) / (last - first)

    def y(score: float) -> float:
        return floor - (floor - top) * (score - low) / (high - low)

    current = " ".join(f"{number(x(e))},{number(y(score))}" for e, score, _ in points)
    best = "".join(
        f"{'H' if i else 'M'}{number(x(e))}{'V' if i else ' '}{number(y(score))}"
        for i, (e, _, score) in enumerate(points)
    )
    label = html.escape(f"Best score so far and {facts['current']}, by number of sets tried")
    return (
        f'<svg class="search" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{_scores(ticks, facts, left, width - right, y)}{_counts(first, last, x, floor, width)}"
        f'<polyline class="current" points="{current}"/><path class="best" d="{best}"/></svg>'
    )


def _ticks(scores: Sequence[float]) -> list[float]:
    """Give round numbers around the scores, two at least.

    >>> _ticks([0.62, 0.91])
    [0.6, 0.7, 0.8, 0.9, 1.0]
    """
    low, high = min(scores), max(scores)
    raw = max(high - low, 1e-9 * max(abs(high), 1.0)) / _COURSE_TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= raw * (1 - 1e-9))
    start, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{i * step:.10g}") for i in range(start, max(end, start + 1) + 1)]


def _scores(ticks: Sequence[float], facts: Facts, left: float, right: float, y: Any) -> str:
    lines = []
    for tick in ticks:
        at = number(y(tick))
        lines.append(
            f'<line class="grid" x1="{left}" x2="{right}" y1="{at}" y2="{at}"/>'
            f'<text x="{left - 6}" y="{at}" dy=".35em" text-anchor="end">'
            f"{score_text(tick, facts['scorer'])}</text>"
        )
    return "".join(lines)


def _counts(first: int, last: int, x: Any, floor: float, width: float) -> str:
    step = next(s for s in round_steps() if (last - first) / s <= width / 90)
    ticks = range(-(-first // step) * step, last + 1, step)
    texts = "".join(
        f'<text x="{number(x(tick))}" y="{floor + 20}" text-anchor="middle">{tick:,}</text>'
        for tick in ticks
    )
    middle = number((x(first) + x(last)) / 2)
    return f'{texts}<text x="{middle}" y="{floor + 40}" text-anchor="middle">sets tried</text>'
