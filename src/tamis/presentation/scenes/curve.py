"""The share explained by 1, 2, ... kept columns, as a line under its ceiling."""

from collections.abc import Sequence
from itertools import pairwise

from tamis.facts.selection_answer import CurveFacts, HeldOutFacts
from tamis.presentation.prose.words import VARIANCE, Words
from tamis.presentation.prose.writing import is_worse
from tamis.presentation.scenes.scene import (
    Frame,
    Mark,
    Point,
    Scene,
    band,
    dot,
    group,
    line,
    path,
    rule,
    text,
)
from tamis.presentation.scenes.share_scale import WHOLE, choose_curve_scale, count_ticks
from tamis.presentation.scenes.svg import draw_svg
from tamis.rules.pictures import WORSE

_LETTER_WIDTH = 7  # of a label, about
_MAX_DOTS = 30  # steps, of which each has a dot


def curve_scene(
    curve: CurveFacts,
    k: int,
    held: HeldOutFacts | None = None,
    words: Words = VARIANCE,
    *,
    chance: bool = True,
) -> Scene:
    """Make the lines of a curve over the numbers of columns, of which `k` are chosen.

    The share on held-out rows may end before the others do, or go on. `words` are those of what is
    measured. The level of `chance`, if it is wanted, is drawn where the axis reaches down to it.
    """
    kept_count = len(curve.retained)
    shares, low, high = (
        [one[:kept_count] for one in (held.share, held.low, held.high)] if held else [(), (), ()]
    )
    scale = choose_curve_scale(k, curve.retained, curve.bound, (*shares, *high))
    ceiling, kept = _count(curve.bound), _count(curve.retained)
    marks = [band("gap", ceiling, kept)]
    levels = [level for level in curve.chance if level is not None] if chance else []
    if levels and scale.least is None:
        label = f"by chance, of an unrelated column ({levels[k - 1]:.1%} at {k:,})"
        marks.append(line("chance", _count(levels)[: len(kept)], label=label))
    marks.append(line("ceiling", ceiling, label=words.ceiling_key))
    if shares:
        below = f";\nbelow 0: {WORSE}" if is_worse(min(shares)) else ""
        label = f"on new rows (held out; band: nine times in ten{below})"
        marks += [band("band", _count(high), _count(low))]
        marks += [line("held", _count(shares), label=label)]
    few = len(kept) <= _MAX_DOTS
    marks.append(line("kept", kept, size=2.5 if few else 0.0, label="kept columns"))
    note = f" ({scale.note})" if scale.note else ""
    return Scene(
        "curve",
        marks,
        words.chart.format(len(kept)),
        titles=("columns kept", f"share {words.share}{note}"),
        scale=scale,
    )


def _count(shares: Sequence[float]) -> list[Point]:
    return [(float(k), share) for k, share in enumerate(shares, start=1)]


def curve_chart(
    scene: Scene, k: int, knee: int | None = None, *, width: int = 720, height: int = 300
) -> str:
    """Draw a curve as SVG, with a marker at `k` and a mark where it bends most, at the `knee`.

    Where the share on held-out rows is below 0 it is drawn at 0, with a label that says so. The box
    of the lines is in `data-box` and their axis in `data-scale`, so a script can draw others.
    """
    scale = scene.scale or WHOLE
    kept, ceiling, held = (scene.points_of(role) for role in ("kept", "ceiling", "held"))
    m = len(kept)
    left = 42 if scale.least is None else 76
    frame = Frame(left, width - 12, 24, height - 50, 1, m, scale)
    ticks = [(t, f"{t}") for t in count_ticks(m, width / 60)]
    marks = [
        *frame.draw_heights(),
        text(4, 11, scene.titles[1], role="axis"),
        *frame.write_below(ticks, scene.titles[0], 22),
        *map(frame.place, scene.marks),
        *_say_below(held, frame),
    ]
    at = min(max(k, 1), m) - 1
    x = frame.x(at + 1)
    if knee is not None:
        lines = [(frame.x(at), frame.y(y)) for part in (kept, ceiling, held) for at, y in part]
        marker = [(x, frame.floor - (frame.floor - frame.top) * part / 40) for part in range(41)]
        point = frame.x(knee), frame.y(kept[knee - 1][1])
        marks.append(_mark_knee(point, knee, [*_trace(lines), *marker], width))
    dots = [dot("ceiling", *ceiling[at], 4)]
    dots += [dot("held", *held[at], 4)] if at < len(held) else []
    dots.append(dot("kept", *kept[at], 8))
    upright = rule("", (x, frame.top), (x, frame.floor))
    foot = frame.floor + 1
    marks += [
        path("asked", [(x, foot), (x - 5, foot + 8), (x + 5, foot + 8)], closed=True),
        rule("hover", (0, frame.top), (0, frame.floor)),  # follows the pointer
        group("marker", [upright, *map(frame.place, dots)]),
    ]
    more = {"data-box": frame.code, "data-scale": scale.code}
    return draw_svg(Scene("curve", marks, scene.about, width, height, more))


def _trace(points: Sequence[Point]) -> list[Point]:
    """Put points between those of lines, so that what lies between two is seen."""
    traced = list(points)
    for (x, y), (u, v) in pairwise(points):
        steps = int(abs(u - x) // 6) if u > x else 0
        traced += [(x + (u - x) * i / steps, y + (v - y) * i / steps) for i in range(1, steps)]
    return traced


def _mark_knee(point: Point, knee: int, taken: Sequence[Point], width: float) -> Mark:
    """Mark the knee, its name where it covers least."""
    (x, y), words = point, f"knee: {knee}"
    room = _LETTER_WIDTH * len(words)
    places = []
    for down in (19, -10, 32, -24):
        for at, anchor in ((x + 9, "start"), (x - 9, "end")):
            left = at - (room if anchor == "end" else 0)
            if left >= 0 and left + room <= width and y + down - 11 >= 12:
                covered = sum(
                    left <= u <= left + room and y + down - 11 <= v <= y + down + 3
                    for u, v in taken
                )
                places.append((covered, at, y + down, anchor))
    _, at, up, anchor = min(places, key=lambda place: place[0], default=(0, x + 9, y + 19, "start"))
    sign = path("", [(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)], closed=True)
    return group("knee", [sign, text(at, up, words, anchor)])


def _say_below(held: Sequence[Point], frame: Frame) -> list[Mark]:
    """Say that the held-out share falls below the axis: there it is drawn at 0."""
    at, lowest = min(held, key=lambda point: point[1], default=(0.0, 0.0))
    if not is_worse(lowest):
        return []
    x = frame.x(at)
    words, foot = f"held-out: {WORSE}", frame.floor - 3
    room = _LETTER_WIDTH * len(words)
    at, anchor = (frame.left + frame.right) / 2, "middle"  # all the room of a narrow drawing
    if x + room <= frame.right:
        at, anchor = x, "start"
    elif x - room >= frame.left:
        at, anchor = x, "end"
    sign = path("", [(x, foot), (x - 4, foot - 7), (x + 4, foot - 7)], closed=True)
    return [group("held", [sign, text(at, frame.floor - 15, words, anchor)])]
