"""What a method gives besides columns: scores, clusters, their means, the course of a search.

Over the bars of the scores a line says how well a learner does with the first of the columns.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from tamis.presentation.prose.about_search import score_text
from tamis.presentation.prose.writing import percent
from tamis.presentation.scenes.scene import (
    Frame,
    Mark,
    Point,
    Scene,
    cell,
    dot,
    group,
    image,
    line,
    path,
    text,
)
from tamis.presentation.scenes.share_scale import ShareScale, list_ticks, round_steps
from tamis.presentation.scenes.similarity import diverging_palette, heat_png
from tamis.presentation.scenes.svg import draw_svg, encode_png, shorten_label

_TOP, _LEFT, _SLOT, _NAMES = 22, 46, 13, 112
_FLOOR = 250
_RANKING_TICKS, _DIGITS = 5, (1, 2, 5, 10)


def count_drawn(bars: int, width: int) -> int:
    """Count the bars that a chart of this width has room for."""
    return min(bars, (width - 2 * _LEFT) // _SLOT)


def ranking_chart(facts: Mapping[str, Any], width: int = 720) -> str:
    """Draw the scores, best first; those kept in colour, the accuracy as a line over them."""
    bars, kept = facts["bars"][: count_drawn(len(facts["bars"]), width)], facts["kept"]
    scores = [bar["score"] for bar in bars if bar["score"] is not None]
    reach = [s + (bar["spread"] or 0.0) for bar in bars if (s := bar["score"]) is not None]
    scale, ticks = _choose_axis(min([0.0, *scores]), max([0.0, *reach]))
    frame = Frame(_LEFT, width - _LEFT, _TOP, _FLOOR, 0.5, len(bars) + 0.5, scale)
    marks = [
        *_write_ticks(frame, ticks, _LEFT - 6, "end", _write_short),
        text(_LEFT - 6, 10, "score", "end"),
        *(_draw_bar(i, bar, frame, i <= kept) for i, bar in enumerate(bars, start=1)),
    ]
    if 0 < kept <= len(bars):  # where the kept columns end
        x, late = frame.x(kept + 0.5), kept > len(bars) / 2
        marks.append(path("end", [(x, _TOP - 8), (x, _FLOOR)]))
        at, anchor = (x - 5, "end") if late else (x + 5, "start")
        marks.append(text(at, _TOP - 12, f"{kept:,} kept", anchor, role="end"))
    if more := len(facts["bars"]) - len(bars):
        words, x = f"and {more:,} more", width - _LEFT + 10
        marks.append(text(x, _FLOOR + 8, words, "end", centred=True, turn=-65))
    about = f"Scores of the {len(bars):,} best columns, of which {kept:,} are kept"
    if facts["accuracy"]:
        marks.append(_draw_accuracy(facts, frame, width))
        last = facts["accuracy"][min(kept, len(facts["accuracy"])) - 1]
        value = percent(last) if facts["metric"] == "accuracy" else f"{last:.3f}"
        about += f", with {facts['metric']} {value} in cross-validation"
    return draw_svg(Scene("ranking", marks, about, width, _FLOOR + _NAMES))


def _choose_axis(low: float, high: float) -> tuple[ShareScale, list[float]]:
    ticks = list_ticks(low, high, (high - low or abs(high) or 1.0) / _RANKING_TICKS, _DIGITS)
    return ShareScale(low=ticks[0], top=ticks[-1]), ticks


def _write_ticks(
    frame: Frame, ticks: Sequence[float], x: float, anchor: str, write: Callable[[float], str]
) -> list[Mark]:
    return [text(x, frame.y(tick), write(tick), anchor, centred=True) for tick in ticks]


def _draw_bar(place: int, bar: Mapping[str, Any], frame: Frame, kept: bool) -> Mark:
    """Draw one score from 0, its spread and the name of its column."""
    x, score, marks = frame.x(place), bar["score"], []
    if score is not None:
        wide = min((frame.x(2) - frame.x(1)) * 0.72, 40)
        top, foot = sorted((frame.y(0.0), frame.y(score)))
        marks.append(cell("", (x - wide / 2, top), wide, foot - top))
        if bar["spread"]:
            marks.append(path("", [(x, frame.y(score + by * bar["spread"])) for by in (-1, 1)]))
    name = shorten_label(bar["column"], 20)
    marks.append(text(x, _FLOOR + 8, name, "end", centred=True, turn=-65))
    return group("kept" if kept else "other", marks)


def _draw_accuracy(facts: Mapping[str, Any], bars: Frame, width: int) -> Mark:
    """Draw the accuracy over the bars, with an axis of its own on the right."""
    room = range(1, int(bars.last) + 1)
    steps = zip(room, facts["accuracy"], strict=False)
    points = [(float(i), value) for i, value in steps if value is not None]
    heights = [value for _, value in points]
    scale, ticks = _choose_axis(min(heights), max(heights))
    frame = replace(bars, floor=_FLOOR - 30, scale=scale)
    shares = facts["metric"] == "accuracy"
    write = (lambda share: f"{100 * share:.3g}%") if shares else _write_short
    marks = [line("", points), *(dot("", *p, 5 if p[0] == facts["kept"] else 3) for p in points)]
    words = _write_ticks(frame, ticks, width - _LEFT + 6, "start", write)
    title = text(width, 10, facts["metric"], "end")
    return group("accuracy", [*map(frame.place, marks), *words, title])


def _write_short(value: float) -> str:
    return f"{value:.3g}".replace("-", "\N{MINUS SIGN}")


_MAX_LABELLED_COLUMNS = 48  # more columns than this have no room for names
_BLOCK_ROW_HEIGHT = 14  # of a column with a name
_MOST_HEIGHT = 400  # of all columns without one
_BLOCK_LETTER_WIDTH = 6.4
_TAG_WIDTH = 15


def block_map(picture: Mapping[str, Any], *, width: int) -> str:
    """Draw columns as lines and rows of the table from left to right, clusters framed and numbered.

    Examples
    --------
    >>> picture = {"values": [[100, 0], [0, -9]], "columns": ["a", "b"], "frames": [[[0, 1, 0, 1]]]}
    >>> block_map(picture, width=340).count("<rect")
    2
    """
    names, values, frames = picture["columns"], picture["values"], picture["frames"]
    down, across = len(values), len(values[0])
    letters = min(max(map(len, names)), 24 if width > 500 else 13)
    left = round(_BLOCK_LETTER_WIDTH * letters) + 8 if down <= _MAX_LABELLED_COLUMNS else 0
    each = _BLOCK_ROW_HEIGHT if left else max(min(_MOST_HEIGHT / down, _BLOCK_ROW_HEIGHT), 1)
    step = (width - left - 2) / across

    def frame(start: int, end: int, first: int, last: int) -> tuple[Point, float, float]:
        corner = left + 1 + step * start, 1 + each * first
        return corner, step * (end - start), each * (last - first)

    boxes = [[frame(*ends) for ends in cluster] for cluster in frames]
    room = int((left - 8) / _BLOCK_LETTER_WIDTH)
    marks = [
        text(left - 5, 1 + each * (row + 0.5), shorten_label(name, room))
        for row, name in enumerate(names if left else ())
    ]
    png = encode_png(heat_png(values))
    marks.append(image((left + 1, 1), step * across, each * down, png, "diverging"))
    marks += [cell("", *box) for box in chain.from_iterable(boxes)]
    for cluster, parts in enumerate(boxes, start=1):
        if parts:  # the number stands in the corner of the largest part
            (x, y), *_ = max(parts, key=lambda part: part[1] * part[2])
            wide = _TAG_WIDTH + 7 * (len(str(cluster)) - 1)
            tag = cell("", (x, y), wide, _TAG_WIDTH)
            marks.append(group("tag", [tag, text(x + wide / 2, y + _TAG_WIDTH / 2, f"{cluster}")]))
    about = f"Heat map of the table in the order of {len(frames)} clusters"
    return draw_svg(Scene("blocks", marks, about, width, each * down + 2))


_HEIGHT, _HEAD = 26, 40
_MEANS_LETTER_WIDTH = 6.6
_END = 2.0  # standard deviations at which the colours end
_MAX_MEANS_DRAWN = 30  # more are not drawn


def means_chart(
    columns: Sequence[str], means: Sequence[Sequence[float]], sizes: Sequence[int], width: int
) -> str:
    """Draw the mean of each column in each cluster, in standard deviations of all rows.

    >>> means_chart(["width"], [[-1.0], [2.0]], [20, 10], 340).count("<rect")
    2
    """
    columns = columns[:_MAX_MEANS_DRAWN]
    longest = max(map(len, columns))
    left = min(_MEANS_LETTER_WIDTH * longest + 14, 0.4 * width)
    side = min((width - left) / len(sizes), 110)
    letters = int((left - 12) / _MEANS_LETTER_WIDTH)
    palette = diverging_palette(201)
    marks = [text(left - 8, 14, "cluster", "end"), text(left - 8, 31, "rows", "end")]
    for row, name in enumerate(columns):
        y = _HEAD + _HEIGHT * (row + 0.5)
        marks.append(text(left - 8, y, shorten_label(name, letters), "end", centred=True))
    for cluster, (size, values) in enumerate(zip(sizes, means, strict=True)):
        x = left + side * cluster
        marks.append(text(x + side / 2, 14, f"{cluster + 1}", "middle", role="name"))
        marks.append(text(x + side / 2, 31, f"{size:,}", "middle"))
        for row, value in enumerate(values[:_MAX_MEANS_DRAWN]):
            y, level = _HEAD + _HEIGHT * row, round(100 * min(max(value / _END, -1.0), 1.0))
            fill = f"#{bytes(palette[level + 100]).hex()}"
            ink = "fill:#ffffff" if abs(level) > 65 else "fill:#24282c"  # dark on light, or light
            sign = "\N{MINUS SIGN}" if round(value, 1) < 0 else ""
            words, at = f"{sign}{abs(value):.1f}", (x + side / 2, y + _HEIGHT / 2)
            field = cell("", (x + 1, y + 1), side - 2, _HEIGHT - 2, fill=fill)
            number = text(*at, words, "middle", centred=True, style=ink)
            marks.append(group("diverging", [field, number]))
    about = f"Means of {len(columns)} columns in {len(sizes)} clusters"
    return draw_svg(Scene("means", marks, about, width, _HEAD + _HEIGHT * len(columns)))


_COURSE_TICKS = 4


def search_course(facts: Mapping[str, Any], width: int = 720, height: int = 260) -> str:
    """Draw both lines over the number of different sets tried."""
    points = facts["points"]
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    scores = [score for point in points for score in point[1:]]
    low, high = min(scores), max(scores)
    distance = max(high - low, 1e-9 * max(abs(high), 1.0)) / _COURSE_TICKS
    ticks = list_ticks(low, high, distance, _DIGITS)
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
