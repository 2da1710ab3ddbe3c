"""The share explained by 1, 2, ... kept columns, as a line under its ceiling."""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from tamis.facts.selection_answer import CurveFacts, SelectionFacts
from tamis.presentation.prose.words import VARIANCE, Words, words_of
from tamis.presentation.prose.writing import WORSE, is_worse
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
from tamis.presentation.scenes.share_scale import ShareScale, choose_curve_scale, count_ticks
from tamis.presentation.scenes.svg import draw_svg
from tamis.values import dataclass

_ERRORS = 2.0  # A band reaches so many standard errors to either side.
_LETTER_WIDTH = 7  # of a label, about
_MAX_DOTS = 30  # steps, of which each has a dot


@dataclass(frozen=True)
class CurveDrawing:
    """What a curve shows of the numbers of columns 1, 2, ..., with a mark at `k`.

    Attributes
    ----------
    retained, bound
        The share explained and its ceiling, for every number.
    held, low, high
        The share on held-out rows, which may end before the others do, and the band around it.
    chance
        What chance alone explains of an unrelated column.
    knee
        Where the curve bends most.
    words
        The words of its measure: what the share is a share of, the name of the ceiling.
    """

    k: int
    retained: tuple[float, ...]
    bound: tuple[float, ...]
    held: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    chance: tuple[float, ...] = ()
    knee: int | None = None
    words: Words = VARIANCE

    @cached_property
    def scale(self) -> ShareScale:
        """The axis of shares, chosen by what is shown."""
        return choose_curve_scale(self.k, self.retained, self.bound, (*self.held, *self.high))

    @property
    def chance_line(self) -> tuple[float, ...]:
        """The level of chance, where the axis reaches down to it."""
        return self.chance if self.scale.least is None else ()

    @property
    def falls_below(self) -> bool:
        """Whether the held-out share is somewhere worse than the mean: no share of anything."""
        return is_worse(min(self.held, default=0.0))


def describe_curve(
    facts: SelectionFacts,
    curve: CurveFacts | None = None,
    *,
    knee: int | None = None,
    chance: bool = True,
) -> CurveDrawing:
    """Describe the curve of a selection, or a longer one, with or without the level of `chance`."""
    curve = curve or facts.curve
    levels = tuple(level for level in curve.chance if level is not None) if chance else ()
    held = facts.held_out
    pairs = list(zip(held.share, held.standard_errors, strict=True)) if held else []
    pairs = pairs[: len(curve.retained)]
    return CurveDrawing(
        k=facts.k,
        retained=curve.retained,
        bound=curve.bound,
        held=tuple(share for share, _ in pairs),
        low=tuple(share - _ERRORS * error for share, error in pairs),
        high=tuple(share + _ERRORS * error for share, error in pairs),
        chance=levels,
        knee=knee,
        words=words_of(facts.measure, facts.weights_are),
    )


def curve_scene(drawing: CurveDrawing) -> Scene:
    """Make the lines, over the numbers of columns."""
    ceiling, kept, held = map(_count, (drawing.bound, drawing.retained, drawing.held))
    few = len(kept) <= _MAX_DOTS
    marks = [band("gap", ceiling, kept)]
    if drawing.chance_line:
        level = drawing.chance[drawing.k - 1]
        label = f"by chance, of an unrelated column ({level:.1%} at {drawing.k:,})"
        marks.append(line("chance", _count(drawing.chance_line)[: len(kept)], label=label))
    marks.append(line("ceiling", ceiling, label=drawing.words.ceiling_key))
    if held:
        below = f";\nbelow 0: {WORSE}" if drawing.falls_below else ""
        label = f"on new rows (held out; 2 standard errors{below})"
        marks += [band("band", _count(drawing.high), _count(drawing.low))]
        marks += [line("held", held, label=label)]
    marks.append(line("kept", kept, size=2.5 if few else 0.0, label="kept columns"))
    note = f" ({drawing.scale.note})" if drawing.scale.note else ""
    return Scene(
        "curve",
        marks,
        drawing.words.chart.format(len(kept)),
        titles=("columns kept", f"share {drawing.words.share}{note}"),
        scale=drawing.scale,
    )


def _count(shares: Sequence[float]) -> list[Point]:
    return [(float(k), share) for k, share in enumerate(shares, start=1)]


def curve_chart(drawing: CurveDrawing, *, width: int = 720, height: int = 300) -> str:
    """Draw a curve as SVG, with a marker at `k`.

    Where the share on held-out rows is below 0 it is drawn at 0, with a label that says so. The box
    of the lines is in `data-box` and their axis in `data-scale`, so a script can draw others.
    """
    scene, scale, m = curve_scene(drawing), drawing.scale, len(drawing.retained)
    left = 42 if scale.least is None else 76
    frame = Frame(left, width - 12, 24, height - 50, 1, m, scale)
    kept, ceiling, held = map(_count, (drawing.retained, drawing.bound, drawing.held))
    ticks = [(t, f"{t}") for t in count_ticks(m, width / 60)]
    marks = [
        *frame.draw_heights(),
        text(4, 11, scene.titles[1], role="axis"),
        *frame.write_below(ticks, scene.titles[0], 22),
        *map(frame.place, scene.marks),
        *_say_below(drawing, frame),
    ]
    at = min(max(drawing.k, 1), m) - 1
    x = frame.x(at + 1)
    if drawing.knee is not None:
        lines = [
            (frame.x(k), frame.y(share)) for part in (kept, ceiling, held) for k, share in part
        ]
        marker = [(x, frame.floor - (frame.floor - frame.top) * part / 40) for part in range(41)]
        point = frame.x(drawing.knee), frame.y(drawing.retained[drawing.knee - 1])
        marks.append(_mark_knee(point, drawing.knee, [*_trace(lines), *marker], width))
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


def _say_below(drawing: CurveDrawing, frame: Frame) -> list[Mark]:
    """Say that the held-out share falls below the axis: there it is drawn at 0."""
    if not drawing.falls_below:
        return []
    x = frame.x(1 + drawing.held.index(min(drawing.held)))
    words, foot = f"held-out: {WORSE}", frame.floor - 3
    room = _LETTER_WIDTH * len(words)
    at, anchor = (frame.left + frame.right) / 2, "middle"  # all the room of a narrow drawing
    if x + room <= frame.right:
        at, anchor = x, "start"
    elif x - room >= frame.left:
        at, anchor = x, "end"
    sign = path("", [(x, foot), (x - 4, foot - 7), (x + 4, foot - 7)], closed=True)
    return [group("held", [sign, text(at, frame.floor - 15, words, anchor)])]
