"""A search that adds or removes one column at a time: the sets tried, level by level."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tamis.presentation.prose.about_search import score_text
from tamis.presentation.scenes.scene import Frame, Mark, Scene, cell, group, line, path, text
from tamis.presentation.scenes.share_scale import ShareScale, round_steps
from tamis.presentation.scenes.svg import draw_svg, shorten_label

Facts = Mapping[str, Any]

_BOX, _GAP, _MORE = (124, 38), 10, 58  # a box, between two, for the number of those not drawn
_PITCH = 66  # of the levels
_MAX_LEVELS_DRAWN = 12  # that are drawn; of more, the first and the last
_MAX_NODE_LETTERS = 14  # of a name; in bold two fewer have room
_EDGE = 1  # room for the lines around the boxes


def search_tree(facts: Facts, width: int = 720) -> str:
    """Draw the start at the top and under it, level by level, the best sets that were tried.

    The set from which the search went on comes first and is marked.
    """
    room = max((width - _MORE + _GAP) // (_BOX[0] + _GAP), 1)
    size = f"{facts['start_size']:,} columns" if facts["start_size"] else "no columns"
    every = facts["start_size"] == facts["all"] and not facts["adding"]
    levels, half = facts["levels"], _MAX_LEVELS_DRAWN // 2
    hidden = max(facts["n_levels"] - _MAX_LEVELS_DRAWN, 0)
    marks, y = (
        [_draw_set(0, 0, f"all {size}" if every else size, facts["start"], facts, "start")],
        0,
    )
    for place, level in enumerate([*levels[:half], *levels[-half:]] if hidden else levels):
        if hidden and place == half:
            above, y = y + _BOX[1], y + _PITCH
            marks += _draw_gap(above, y, hidden)
        above, y = y + _BOX[1], y + _PITCH
        marks += _draw_level(level, facts, above, y, room)
    about = f"Search tree: {facts['n_levels']} levels; the set taken on each level comes first"
    height = y + _BOX[1] + 2 * _EDGE
    return draw_svg(Scene("search", marks, about, width + 2 * _EDGE, height))


def _draw_level(level: Facts, facts: Facts, above: float, y: float, room: int) -> list[Mark]:
    """Draw the boxes of a level and the lines to them from the set above."""
    marks, shown = [], level["sets"][:room]
    sign = "+" if facts["adding"] else "\N{MINUS SIGN}"
    for place, tried in enumerate(shown):
        x = place * (_BOX[0] + _GAP)
        kind = "taken" if tried["taken"] else "tried"
        ends = (_BOX[0] / 2, above), (x + _BOX[0] / 2, y)
        marks.append(path(kind, [(_EDGE + at, _EDGE + down) for at, down in ends]))
        letters = _MAX_NODE_LETTERS - 2 * tried["taken"]
        name = f"{sign} {shorten_label(tried['column'], letters)}"
        marks.append(_draw_set(x, y, name, tried["score"], facts, kind, tried["column"]))
    left = level["tried"] - len(shown)
    if left:
        x = _EDGE + len(shown) * (_BOX[0] + _GAP)
        marks.append(text(x, _EDGE + y + _BOX[1] // 2, f"{left:,} more", centred=True))
    return marks


def _draw_set(
    x: float, y: float, words: str, score: float, facts: Facts, kind: str, title: str = ""
) -> Mark:
    """Draw a set: what is new in it, and its score."""
    x, y = x + _EDGE, y + _EDGE
    middle, value = x + _BOX[0] // 2, score_text(score, facts["scorer"])
    parts = [
        cell("", (x, y), *_BOX, rx=5),
        text(middle, y + 15, words, "middle"),
        text(middle, y + 31, value, "middle", role="score"),
    ]
    return group(kind, parts, title)


def _draw_gap(above: float, y: float, hidden: int) -> list[Mark]:
    """Say how many levels are not drawn."""
    x, down = _EDGE + _BOX[0] // 2, _EDGE + y
    ends = [(x, _EDGE + above), (x, down + _BOX[1])]
    words = f"{hidden:,} levels not drawn"
    return [
        path("taken", ends, stroke_dasharray="3 5"),
        text(x + 12, down + _BOX[1] // 2, words, centred=True),
    ]


_COURSE_TICKS = 4


def search_course(facts: Facts, width: int = 720, height: int = 260) -> str:
    """Draw both lines over the number of different sets tried."""
    points = facts["points"]
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    ticks = _choose_ticks([score for point in points for score in point[1:]])
    scale = ShareScale(top=ticks[-1], low=ticks[0])
    frame = Frame(58, width - 12, 10, height - 48, first, last, scale)
    best = [(points[0][0], points[0][2])]
    for evaluations, _, score in points[1:]:
        best += [(evaluations, best[-1][1]), (evaluations, score)]
    step = next(s for s in round_steps() if (last - first) / s <= width / 90)
    counts = [(tick, f"{tick:,}") for tick in range(-(-first // step) * step, last + 1, step)]
    heights = [(scale.place(tick), score_text(tick, facts["scorer"])) for tick in ticks]
    marks = [
        *frame.draw_heights(heights),
        *frame.write_below(counts, "sets tried"),
        frame.place(line("current", [(e, score) for e, score, _ in points])),
        path("best", frame.place(line("", best)).points),
    ]
    about = f"Best score so far and {facts['current']}, by number of sets tried"
    return draw_svg(Scene("search", marks, about, width, height))


def _choose_ticks(scores: Sequence[float]) -> list[float]:
    """Give round numbers around the scores, two at least.

    >>> _choose_ticks([0.62, 0.91])
    [0.6, 0.7, 0.8, 0.9, 1.0]
    """
    low, high = min(scores), max(scores)
    raw = max(high - low, 1e-9 * max(abs(high), 1.0)) / _COURSE_TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= raw * (1 - 1e-9))
    start, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{i * step:.10g}") for i in range(start, max(end, start + 1) + 1)]
