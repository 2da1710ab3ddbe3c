"""The scores of ranked columns as bars, and how well a learner does with the first of them."""

import html
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tamis.presentation.charts.svg import number, shorten_label
from tamis.presentation.prose.numbers import percent
from tamis.values import dataclass

__all__ = ["count_drawn", "ranking_chart"]

_TOP, _LEFT, _SLOT, _NAMES = 22, 46, 13, 112
_RANKING_TICKS = 5


@dataclass(frozen=True)
class _Axis:
    """Round numbers over a range, and the height of any value in it."""

    low: float
    step: float
    count: int
    floor: float

    @classmethod
    def over(cls, low: float, high: float, floor: float) -> "_Axis":
        step = _round_up((high - low or abs(high) or 1.0) / _RANKING_TICKS)
        first = math.floor(low / step + 1e-9)
        return cls(first * step, step, math.ceil(high / step - 1e-9) - first or 1, floor)

    def height(self, value: float) -> float:
        share = (value - self.low) / (self.step * self.count)
        return self.floor - (self.floor - _TOP) * min(max(share, 0.0), 1.0)

    def ticks(self, x: float, anchor: str, text: Callable[[float], str]) -> str:
        values = [self.low + i * self.step for i in range(self.count + 1)]
        return "".join(
            f'<text x="{number(x)}" y="{number(self.height(value))}" dy=".35em" '
            f'text-anchor="{anchor}">{text(value)}</text>'
            for value in values
        )


def count_drawn(bars: int, width: int) -> int:
    """Count the bars that a chart of this width has room for."""
    return min(bars, (width - 2 * _LEFT) // _SLOT)


def ranking_chart(facts: Mapping[str, Any], width: int = 720) -> str:
    """Draw the scores, best first; those kept in colour, the accuracy as a line over them."""
    bars = facts["bars"][: count_drawn(len(facts["bars"]), width)]
    floor = 250
    scores = [bar["score"] for bar in bars if bar["score"] is not None]
    reach = [s + (bar["spread"] or 0.0) for bar in bars if (s := bar["score"]) is not None]
    axis = _Axis.over(min([0.0, *scores]), max([0.0, *reach]), floor)
    slot = (width - 2 * _LEFT) / len(bars)
    middles = [_LEFT + slot * (i + 0.5) for i in range(len(bars))]
    parts = [
        axis.ticks(_LEFT - 6, "end", _short),
        f'<text x="{_LEFT - 6}" y="10" text-anchor="end">score</text>',
        *(
            _bar(x, bar, axis, slot, i < facts["kept"])
            for i, (x, bar) in _place_bars(middles, bars)
        ),
        _end_of(facts["kept"], len(bars), slot, floor),
        _more(len(facts["bars"]) - len(bars), width, floor),
    ]
    if facts["accuracy"]:
        parts.append(_line(facts, middles, floor, width))
    label = html.escape(_describe_scores(facts, len(bars)))
    return (
        f'<svg class="ranking" viewBox="0 0 {width} {floor + _NAMES}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg>'
    )


def _place_bars(middles: Sequence[float], bars: Sequence[Any]) -> Any:
    return enumerate(zip(middles, bars, strict=True))


def _bar(x: float, bar: Mapping[str, Any], axis: _Axis, slot: float, kept: bool) -> str:
    """Draw one score from 0, its spread and the name of its column."""
    wide, score, zero = min(slot * 0.72, 40), bar["score"], axis.height(0.0)
    drawing = ""
    if score is not None:
        ends = sorted((zero, axis.height(score)))
        drawing = (
            f'<rect x="{number(x - wide / 2)}" y="{number(ends[0])}" width="{number(wide)}" '
            f'height="{number(ends[1] - ends[0])}"/>'
        )
        if bar["spread"]:
            low, high = (axis.height(score + sign * bar["spread"]) for sign in (-1, 1))
            drawing += f'<path d="M{number(x)} {number(low)}V{number(high)}"/>'
    name = shorten_label(bar["column"], 20)
    return (
        f'<g class="{"kept" if kept else "other"}">{drawing}<text text-anchor="end" dy=".35em" '
        f'transform="translate({number(x)} {axis.floor + 8}) rotate(-65)">{name}</text></g>'
    )


def _end_of(kept: int, shown: int, slot: float, floor: float) -> str:
    """Mark where the kept columns end."""
    if not 0 < kept <= shown:
        return ""
    x = _LEFT + slot * kept
    anchor = "end" if kept > shown / 2 else "start"
    shift = -5 if anchor == "end" else 5
    return (
        f'<path class="end" d="M{number(x)} {_TOP - 8}V{number(floor)}"/>'
        f'<text class="end" x="{number(x + shift)}" y="{_TOP - 12}" text-anchor="{anchor}">'
        f"{kept:,} kept</text>"
    )


def _more(count: int, width: int, floor: float) -> str:
    """Say how many columns there was no room for."""
    where = f"translate({width - _LEFT + 10} {floor + 8}) rotate(-65)"
    text = f'<text text-anchor="end" dy=".35em" transform="{where}">and {count:,} more</text>'
    return text if count else ""


def _line(facts: Mapping[str, Any], middles: Sequence[float], floor: float, width: int) -> str:
    """Draw the accuracy over the bars, with an axis of its own on the right."""
    steps = zip(middles, facts["accuracy"], strict=False)
    values = [(i, x, value) for i, (x, value) in enumerate(steps, 1) if value is not None]
    shares = facts["metric"] == "accuracy"
    heights = [value for _, _, value in values]
    axis = _Axis.over(min(heights), max(heights), floor - 30)
    points = [(i, number(x), number(axis.height(value))) for i, x, value in values]
    path = " ".join(f"{x},{y}" for _, x, y in points)
    dots = "".join(
        f'<circle cx="{x}" cy="{y}" r="{5 if i == facts["kept"] else 3}"/>' for i, x, y in points
    )
    right = width - _LEFT + 6
    return (
        f'<g class="accuracy"><polyline points="{path}"/>{dots}'
        f"{axis.ticks(right, 'start', _whole if shares else _short)}"
        f'<text x="{width}" y="10" text-anchor="end">{html.escape(facts["metric"])}</text></g>'
    )


def _describe_scores(facts: Mapping[str, Any], shown: int) -> str:
    text = f"Scores of the {shown:,} best columns, of which {facts['kept']:,} are kept"
    if not facts["accuracy"]:
        return text
    last = facts["accuracy"][min(facts["kept"], len(facts["accuracy"])) - 1]
    value = percent(last) if facts["metric"] == "accuracy" else f"{last:.3f}"
    return f"{text}, with {facts['metric']} {value} in cross-validation"


def _round_up(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= value * (1 - 1e-9))


def _whole(share: float) -> str:
    return f"{100 * share:.3g}%"


def _short(value: float) -> str:
    return f"{value:.3g}".replace("-", "\N{MINUS SIGN}")
