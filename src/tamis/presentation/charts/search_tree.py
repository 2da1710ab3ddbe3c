"""A search that adds or removes one column at a time: the sets tried, level by level."""

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tamis.presentation.charts.svg import number, shorten_label
from tamis.presentation.drawings.share_scale import round_steps
from tamis.presentation.prose.about_search import score_text

__all__ = ["search_course", "search_tree"]

Facts = Mapping[str, Any]

_BOX, _GAP, _MORE = (124, 38), 10, 58  # a box, between two, for the number of those not drawn
_PITCH = 66  # of the levels
_MAX_LEVELS_DRAWN = 12  # that are drawn; of more, the first and the last
_MAX_NODE_LETTERS = 14  # of a name; in bold two fewer have room


def search_tree(facts: Facts, width: int = 720) -> str:
    """Draw the start at the top and under it, level by level, the best sets that were tried.

    The set from which the search went on comes first and is marked.
    """
    room = max((width - _MORE + _GAP) // (_BOX[0] + _GAP), 1)
    drawn = _choose_levels(facts)
    parts, y = [_box(0, 0, _draw_start(facts), facts["start"], facts, "start")], 0
    for level in drawn:
        above, y = y + _BOX[1], y + _PITCH
        if level is None:
            parts.append(_draw_gap(above, y, facts, len(drawn) - 1))
            continue
        parts += _level(level, facts, above, y, room)
    label = html.escape(
        f"Search tree: {facts['n_levels']} levels; the set taken on each level comes first"
    )
    return (
        f'<svg class="search" viewBox="-1 -1 {width + 2} {y + _BOX[1] + 2}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg>'
    )


def _choose_levels(facts: Facts) -> list[Facts | None]:
    """Choose the levels to draw; None stands for those not drawn."""
    levels, half = facts["levels"], _MAX_LEVELS_DRAWN // 2
    if facts["n_levels"] <= _MAX_LEVELS_DRAWN:
        return list(levels)
    return [*levels[:half], None, *levels[-half:]]


def _level(level: Facts, facts: Facts, above: int, y: int, room: int) -> list[str]:
    """Draw the boxes of a level and the lines to them from the set above."""
    parts, shown = [], level["sets"][:room]
    sign = "+" if facts["adding"] else "\N{MINUS SIGN}"
    for place, one in enumerate(shown):
        x = place * (_BOX[0] + _GAP)
        ends = f"M{_BOX[0] // 2} {above}L{number(x + _BOX[0] / 2)} {y}"
        kind = "taken" if one["taken"] else "tried"
        parts.append(f'<path class="{kind}" d="{ends}"/>')
        name = f"{sign} {shorten_label(one['column'], _MAX_NODE_LETTERS - 2 * one['taken'])}"
        parts.append(_box(x, y, name, one["score"], facts, kind, one["column"]))
    left = level["tried"] - len(shown)
    if left:
        x = len(shown) * (_BOX[0] + _GAP)
        parts.append(f'<text x="{x}" y="{y + _BOX[1] // 2}" dy=".35em">{left:,} more</text>')
    return parts


def _box(x: int, y: int, text: str, score: float, facts: Facts, kind: str, title: str = "") -> str:
    """Draw a set: what is new in it, and its score."""
    middle = x + _BOX[0] // 2
    full = f"<title>{html.escape(title)}</title>" if title else ""
    return (
        f'<g class="{kind}">{full}<rect x="{x}" y="{y}" width="{_BOX[0]}" height="{_BOX[1]}" '
        f'rx="5"/><text x="{middle}" y="{y + 15}" text-anchor="middle">{text}</text>'
        f'<text class="score" x="{middle}" y="{y + 31}" text-anchor="middle">'
        f"{score_text(score, facts['scorer'])}</text></g>"
    )


def _draw_start(facts: Facts) -> str:
    size = facts["start_size"]
    if not size:
        return "no columns"
    return (
        f"{size:,} columns" if facts["adding"] or size < facts["all"] else f"all {size:,} columns"
    )


def _draw_gap(above: int, y: int, facts: Facts, drawn: int) -> str:
    left = facts["n_levels"] - drawn
    middle = y + _BOX[1] // 2
    return (
        f'<path class="taken" stroke-dasharray="3 5" d="M{_BOX[0] // 2} {above}V{y + _BOX[1]}"/>'
        f'<text x="{_BOX[0] // 2 + 12}" y="{middle}" dy=".35em">{left:,} levels not drawn</text>'
    )


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
