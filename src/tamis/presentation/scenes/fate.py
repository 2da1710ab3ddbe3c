"""What becomes of every column: a dot at its place, as high as the share explained.

On a page a histogram stands beside the dots, and many columns are an image of how many lie where.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from statistics import median
from typing import Literal

from tamis.facts.explorer import ExplorerFacts, FatePlotFacts
from tamis.presentation.prose.writing import cut
from tamis.presentation.scenes.scene import (
    Frame,
    Mark,
    Scene,
    cell,
    dot,
    group,
    image,
    line,
    path,
    rule,
    text,
)
from tamis.presentation.scenes.share_scale import (
    ShareScale,
    axis_ticks,
    choose_column_scale,
    count_ticks,
)
from tamis.presentation.scenes.svg import Colour, draw_svg, encode_png, number, palette_png
from tamis.values import dataclass

DOTS = 800  # more columns than this are drawn as an image
FATE_BINS = 20
_PIXELS = (300, 80)
_NAME_ROWS = 2  # of names above the strip
_NAME_HEIGHT = 13
_NAME_LETTER = 6.6  # width of a letter, about
_NAME_LETTERS = 16
_GROUP_COLOURS = 8
_LEFT, _RIGHT, _TOP, _BOTTOM = 66, 10, 56, 52
_SIDE_WIDTH = 90
_MAX_CURVE_POINTS = 400
_MAX_TICKS = 8
_SPIKES = 0.02  # share of the means at either end that may be left out
_SMOOTHED = 50  # a mean is the median of its neighbours: one of so many parts of the axis
_COLOURS: dict[str, Colour] = {
    "safe": (0x7E, 0x86, 0x8C),
    "partly": (0xC0, 0x84, 0x2B),
    "lost": (0xC9, 0x4A, 0x42),
}
_ALPHAS = (90, 150, 205, 255)
_LABELS = {"kept": "kept", "safe": "safe to drop", "partly": "partly lost", "lost": "lost"}

DrawerKind = Literal["safe", "partly", "lost"]
DotKind = Literal["kept", "safe", "partly", "lost"]


@dataclass(frozen=True)
class FateDrawing:
    """A dot for every analysed column.

    Attributes
    ----------
    places, shares
        Where each column stands on the axis, and how much of it is explained.
    kept
        The columns that are kept, the best first: names find room in this order.
    limits
        The share from which a column is safe to drop, and the one below which it is lost.
    names
        The columns where they stand in table order; none where the places are their names.
    chance
        What the kept columns would explain of an unrelated one.
    about
        What it shows, for those who do not see it.
    labels
        The names of all columns, to be written beside the kept ones.
    means
        The mean of every column, where the columns are points on an axis: the curve behind them.
    groups
        The group of every column where there are groups, None for none.
    """

    places: tuple[float, ...]
    shares: tuple[float, ...]
    kept: tuple[int, ...]
    limits: tuple[float, float]
    names: tuple[str, ...] = ()
    chance: float | None = None
    about: str = ""
    labels: tuple[str, ...] = ()
    means: tuple[float, ...] = ()
    groups: tuple[int | None, ...] = ()

    @cached_property
    def scale(self) -> ShareScale:
        """The axis of shares, chosen by the dropped columns."""
        return choose_column_scale([self.shares[j] for j in self.dropped])

    @cached_property
    def dropped(self) -> list[int]:
        """The columns that are not kept."""
        kept = set(self.kept)
        return [j for j in range(len(self.shares)) if j not in kept]

    @cached_property
    def curve(self) -> list[list[tuple[float, float]]]:
        """The mean curve, in pieces: where each column stands, and its mean from 0 to 1.

        Single extreme means, as of a dead pixel, must neither flatten all others nor hide the dots:
        the curve goes through the medians of neighbours, and has a gap where it would leave the
        picture.
        """
        if len(self.means) < 2:
            return []
        points = smooth_means(self.across, self.means)
        ordered = sorted(mean for _, mean in points)
        cut = int(_SPIKES * len(ordered))
        low, high = ordered[cut], ordered[-1 - cut]
        pieces: list[list[tuple[float, float]]] = [[]]
        for at, mean in points:
            height = (mean - low) / (high - low or 1.0)
            if 0.0 <= height <= 1.0:
                pieces[-1].append((at, height))
            elif pieces[-1]:
                pieces.append([])
        return [piece for piece in pieces if len(piece) > 1]

    @property
    def bands(self) -> list[tuple[float, float, int]]:
        """The stretches of neighbours of one group: from, to, and the group."""
        width = max(len(self.shares) - 1, 1)
        runs: list[tuple[int, int, int]] = []
        for j, place in enumerate(self.groups if self.names else ()):
            if place is not None and runs and runs[-1][1:] == (j - 1, place):
                runs[-1] = (runs[-1][0], j, place)
            elif place is not None:
                runs.append((j, j, place))
        return [
            (max(first - 0.5, 0) / width, min((last + 0.5) / width, 1.0), place)
            for first, last, place in runs
        ]

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Where numbers stand under the axis: those of the names, or columns counted from 1."""
        if not self.names:
            low, high = min(self.places), max(self.places)
            there = [tick for tick in axis_ticks(low, high) if low <= tick <= high]
            return [((tick - low) / ((high - low) or 1.0), f"{tick:g}") for tick in there]
        count = len(self.names)
        return [
            ((tick - 1) / max(count - 1, 1), f"{tick:,}") for tick in count_ticks(count, _MAX_TICKS)
        ]

    @cached_property
    def kinds(self) -> list[DotKind]:
        """What became of each column."""
        kept = set(self.kept)
        return [
            "kept" if j in kept else drawer(share, self.limits)
            for j, share in enumerate(self.shares)
        ]

    @cached_property
    def across(self) -> list[float]:
        """Where each column stands between both ends of the axis, 0 and 1."""
        low = min(self.places)
        width = max(self.places) - low or 1.0
        return [(place - low) / width for place in self.places]


def smooth_means(places: Sequence[float], means: Sequence[float]) -> list[tuple[float, float]]:
    """Give the medians of neighbours, from left to right, no more than a picture can show.

    >>> smooth_means([0.0, 0.5, 1.0], [1.0, 90.0, 2.0])
    [(0.0, 1.0), (0.5, 2.0), (1.0, 2.0)]
    """
    pairs = sorted(zip(places, means, strict=True))
    half = max(len(pairs) // (2 * _SMOOTHED), 1)
    step = max(len(pairs) // _MAX_CURVE_POINTS, 1)
    smoothed = []
    for i in range(0, len(pairs), step):
        reach = min(half, i, len(pairs) - 1 - i)  # as many neighbours on either side
        smoothed.append((pairs[i][0], median(m for _, m in pairs[i - reach : i + reach + 1])))
    return smoothed


def drawer(share: float, limits: tuple[float, float]) -> DrawerKind:
    """Say in which drawer a dropped column lies.

    >>> [drawer(share, (0.95, 0.1)) for share in (0.95, 0.5, 0.09)]
    ['safe', 'partly', 'lost']
    """
    safe, lost = limits
    return "safe" if share >= safe else "lost" if share < lost else "partly"


def describe_fates(explorer: ExplorerFacts, k: int) -> FateDrawing:
    """Describe what becomes of the columns of a report; shares are those that it stores."""
    names, fates = explorer.analysed_names, explorer.fates
    in_order = explorer.axis is None
    places = range(len(names)) if in_order else map(float, names)
    return FateDrawing(
        places=tuple(places),
        shares=tuple(share / 1000 for share in fates.at),
        kept=explorer.path[:k],
        limits=fates.limits_at(k),
        names=tuple(names) if in_order else (),
        about=f"Share explained of each of {len(fates.at):,} columns when {k:,} are kept",
        labels=tuple(names),
        means=() if in_order else explorer.means,
        groups=explorer.rules.group_of if explorer.rules else (),
    )


def describe_plotted_fates(facts: FatePlotFacts) -> FateDrawing:
    """Describe what becomes of the columns of a selection, by their exact shares."""
    return FateDrawing(
        places=facts.places,
        shares=facts.shares,
        kept=facts.kept,
        limits=facts.limits,
        names=facts.names,
        chance=facts.chance,
        labels=facts.names or tuple(f"{place:g}" for place in facts.places),
        means=facts.means,
    )


def fate_scene(drawing: FateDrawing) -> Scene:
    """Make the dots and the mean curve behind them, over the places of the columns."""
    low, high = min(drawing.places), max(drawing.places)
    kinds, scale = drawing.kinds, drawing.scale
    marks = [
        line(
            "mean",
            [(low + at * (high - low), scale.share_at(mean)) for at, mean in piece],
            label="mean of each column (own scale)",
        )
        for piece in drawing.curve
    ]
    if drawing.chance:
        marks.append(rule("chance", (low, drawing.chance), (high, drawing.chance), "by chance"))
    counts = Counter(kinds)
    labels = {kind: f"{_LABELS[kind]} ({count:,})" for kind, count in counts.items()}
    size = 3.5 if len(drawing.shares) <= 150 else 2.2
    marks += [
        dot(kind, place, share, size, labels[kind])
        for kind, place, share in zip(kinds, drawing.places, drawing.shares, strict=True)
    ]
    note = f", {scale.note}" if scale.note else ""
    where = "column, in the order of the table" if drawing.names else "name of the column"
    return Scene(
        "fate",
        marks,
        drawing.about,
        titles=(where, f"share explained{note}"),
        scale=scale,
        ticks=list(enumerate(drawing.names)),
        names=[(drawing.places[j], drawing.labels[j]) for j in drawing.kept if drawing.labels],
    )


def fate_chart(drawing: FateDrawing, *, width: int = 720, height: int = 296) -> str:
    """Draw the share explained of every column at its place as SVG; `data-box` is that of dots."""
    scene, right = fate_scene(drawing), width - _RIGHT - _SIDE_WIDTH - 14
    low, high = min(drawing.places), max(drawing.places)
    last = high if high > low else low + 1
    frame = Frame(_LEFT, right, _TOP, height - _BOTTOM, low, last, drawing.scale, pad=4)
    across = Frame(_LEFT, right, _TOP, frame.floor, pad=4)
    dots = [frame.place(mark) for mark in scene.marks if mark.shape == "dot"]
    ticks = [frame.x(drawing.places[j]) for j in sorted(drawing.kept)]
    below = across.write_below(drawing.ticks, scene.titles[0])
    marks = [
        group("shares", frame.draw_heights()),
        *(frame.place(mark) for mark in scene.marks if mark.shape == "line"),
        _draw_image(drawing, frame) if len(dots) > DOTS else group("dots", dots),
        path("ticks", *([(x, _TOP - 9), (x, _TOP - 2)] for x in ticks)),
        group("names", _write_names(scene, frame)),
        _draw_histogram(drawing, right + 14, frame.floor),
        group("axis", [*below, text(4, 11, scene.titles[1], role="share-title")]),
    ]
    groups = [
        cell(
            f"group g{place % _GROUP_COLOURS}",
            (across.x(start), frame.floor + 2),
            max(across.x(end) - across.x(start) - 1, 1),
            5,
        )
        for start, end, place in drawing.bands
    ]
    marks += [group("bands", groups)] if groups else []
    more = {"data-box": frame.code, "data-scale": drawing.scale.code}
    return draw_svg(Scene("fate", marks, scene.about, width, height, more))


def _write_names(scene: Scene, frame: Frame) -> list[Mark]:
    """Write the names of kept columns above their ticks: the best first, as many as find room."""
    rows: list[list[tuple[float, float]]] = [[] for _ in range(_NAME_ROWS)]
    marks = []
    for place, name in scene.names:
        words = cut(name, _NAME_LETTERS)
        middle, half = frame.x(place), _NAME_LETTER * len(words) / 2
        for row, taken in enumerate(rows):
            if middle >= half and all(abs(middle - x) > half + other + 4 for x, other in taken):
                taken.append((middle, half))
                marks.append(text(middle, _TOP - 12 - _NAME_HEIGHT * row, words, "middle"))
                break
    return marks


def _draw_histogram(drawing: FateDrawing, left: float, floor: float) -> Mark:
    """Draw how many columns are explained how well, as bars beside the dots."""
    scale, limits = drawing.scale, drawing.limits
    counts = [0] * FATE_BINS
    for j in drawing.dropped:
        place = scale.place(drawing.shares[j])
        counts[min(int(place * FATE_BINS + 1e-9), FATE_BINS - 1)] += 1
    most, each = max(counts) or 1, (floor - _TOP) / FATE_BINS
    bars = [
        cell(
            drawer(scale.share_at((i + 0.5) / FATE_BINS), limits),
            (left, floor - each * (i + 1)),
            _SIDE_WIDTH * count / most,
            each - 1,
        )
        for i, count in enumerate(counts)
    ]
    return group("counts", bars, data_left=number(left), data_wide=_SIDE_WIDTH)


def _draw_image(drawing: FateDrawing, frame: Frame) -> Mark:
    wide, high = _PIXELS
    scale, limits, across = drawing.scale, drawing.limits, drawing.across
    counts = [[0] * wide for _ in range(high)]
    for j in drawing.dropped:
        row = high - 1 - min(int(scale.place(drawing.shares[j]) * high), high - 1)
        counts[row][min(int(across[j] * wide), wide - 1)] += 1
    order = list(_COLOURS)
    pixels = []
    for row, cells in enumerate(counts):
        base = 1 + 4 * order.index(drawer(scale.share_at((high - row - 0.5) / high), limits))
        pixels.append([base + min(count, 4) - 1 if count else 0 for count in cells])
    palette = [(0, 0, 0)] + [_COLOURS[name] for name in order for _ in _ALPHAS]
    png = encode_png(palette_png(pixels, palette, (0, *_ALPHAS * 3)))
    corner = frame.left, frame.top
    return image(corner, frame.right - frame.left, frame.floor - frame.top, png)
