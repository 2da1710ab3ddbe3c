"""What becomes of every column: a dot at its place, as high as the share explained.

On a page a histogram stands beside the dots, and many columns are an image of how many lie where.
"""

from collections import Counter
from collections.abc import Sequence
from statistics import median

from tamis.facts.explorer import Drawer
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
    WHOLE,
    ShareScale,
    axis_ticks,
    choose_column_scale,
    count_ticks,
)
from tamis.presentation.scenes.svg import draw_svg, encode_png, number, palette_png
from tamis.rules import pictures as rules

FATE_BINS = 20
_GROUP_COLOURS = 8
_LEFT, _RIGHT, _TOP, _BOTTOM = 66, 10, 56, 52
_SIDE_WIDTH = 90
_MAX_CURVE_POINTS = 400
_MAX_TICKS, _TICK_LETTER = 8, 7
_SPIKES = 0.02  # share of the means at either end that may be left out
_SMOOTHED = 50  # a mean is the median of its neighbours: one of so many parts of the axis
_DRAWERS = list(rules.DRAWER_COLOURS)


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


def fate_scene(
    names: Sequence[str],
    shares: Sequence[float],
    kept: Sequence[int],
    drawers: Sequence[Drawer],
    *,
    places: Sequence[float] | None = None,
    means: Sequence[float] = (),
    chance: float | None = None,
    about: str = "",
) -> Scene:
    """Make a dot for every analysed column, as high as its share, and the mean curve behind them.

    `kept` are positions, the best first: names find room in this order. `drawers` say what becomes
    of each column that is dropped: where it is "dropped" and no more, shares are those on these
    rows. `places` say where columns stand on the axis, by default in the order of the table;
    `means` are those of all, where they are points on an axis, `chance` what the kept ones would
    explain of an unrelated one.
    """
    at = range(len(names)) if places is None else places
    low, high, chosen = min(at), max(at), set(kept)
    kinds = ["kept" if j in chosen else drawer for j, drawer in enumerate(drawers)]
    scale = choose_column_scale([one for j, one in enumerate(shares) if j not in chosen])
    marks = [
        line(
            "mean",
            [(low + x * (high - low), scale.share_at(mean)) for x, mean in piece],
            label="mean of each column (own scale)",
        )
        for piece in (curve_of_means(_spread_out(at), means) if len(means) > 1 else ())
    ]
    if chance:
        marks.append(rule("chance", (low, chance), (high, chance), "by chance"))
    counts = Counter(kinds)
    labels = {kind: f"{rules.DRAWER_WORDS[kind]} ({counts[kind]:,})" for kind in counts}
    size = 3.5 if len(shares) <= 150 else 2.2
    marks += [
        dot(kind, place, share, size, labels[kind])
        for kind, place, share in zip(kinds, at, shares, strict=True)
    ]
    note = f", {scale.note}" if scale.note else ""
    where = "column, in the order of the table" if places is None else "name of the column"
    return Scene(
        "fate",
        marks,
        about,
        titles=(where, f"share explained on {'these' if 'dropped' in kinds else 'new'} rows{note}"),
        scale=scale,
        ticks=list(enumerate(names)) if places is None else (),
        names=[(at[j], names[j]) for j in kept],
    )


def _spread_out(places: Sequence[float]) -> list[float]:
    """Give where each column stands between both ends of the axis, 0 and 1."""
    low = min(places)
    width = max(places) - low or 1.0
    return [(place - low) / width for place in places]


def curve_of_means(
    across: Sequence[float], means: Sequence[float]
) -> list[list[tuple[float, float]]]:
    """Give the mean curve, in pieces: where each column stands, and its mean from 0 to 1.

    Single extreme means, as of a dead pixel, must neither flatten all others nor hide the dots: the
    curve goes through the medians of neighbours, and has a gap where it would leave the picture.
    """
    points = smooth_means(across, means)
    ordered = sorted(mean for _, mean in points)
    spikes = int(_SPIKES * len(ordered))
    low, high = ordered[spikes], ordered[-1 - spikes]
    pieces: list[list[tuple[float, float]]] = [[]]
    for at, mean in points:
        height = (mean - low) / (high - low or 1.0)
        if 0.0 <= height <= 1.0:
            pieces[-1].append((at, height))
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]


def list_bands(groups: Sequence[int | None]) -> list[tuple[float, float, int]]:
    """Give the stretches of neighbours of one group: from, to (of 0 to 1), and the group.

    >>> list_bands([0, 0, None, 1])
    [(0.0, 0.5, 0), (0.8333333333333334, 1.0, 1)]
    """
    width = max(len(groups) - 1, 1)
    runs: list[tuple[int, int, int]] = []
    for j, place in enumerate(groups):
        if place is not None and runs and runs[-1][1:] == (j - 1, place):
            runs[-1] = (runs[-1][0], j, place)
        elif place is not None:
            runs.append((j, j, place))
    return [
        (max(first - 0.5, 0) / width, min((last + 0.5) / width, 1.0), place)
        for first, last, place in runs
    ]


def fate_chart(
    scene: Scene, groups: Sequence[int | None] = (), *, width: int = 720, height: int = 296
) -> str:
    """Draw the share explained of every column at its place as SVG; `data-box` is that of dots.

    `groups` are the group of every column where there are groups and columns stand in table order,
    None for none.
    """
    right, scale = width - _RIGHT - _SIDE_WIDTH - 14, scene.scale or WHOLE
    dots = [mark for mark in scene.marks if mark.shape == "dot"]
    places = [mark.points[0][0] for mark in dots]
    low, high = min(places), max(places)
    last = high if high > low else low + 1
    frame = Frame(_LEFT, right, _TOP, height - _BOTTOM, low, last, scale, pad=4)
    across = Frame(_LEFT, right, _TOP, frame.floor, pad=4)
    ticks = [frame.x(mark.points[0][0]) for mark in dots if mark.role == "kept"]
    count = len(scene.ticks)
    if count:  # columns counted from 1
        room = (right - _LEFT) / (_TICK_LETTER * (len(f"{count:,}") + 1))
        counted = count_ticks(count, max(min(room, _MAX_TICKS), 1))
        numbers = [((tick - 1) / max(count - 1, 1), f"{tick:,}") for tick in counted]
    else:  # the numbers that are names
        there = [tick for tick in axis_ticks(low, high) if low <= tick <= high]
        numbers = [((tick - low) / ((high - low) or 1.0), f"{tick:g}") for tick in there]
    below = across.write_below(numbers, scene.titles[0])
    marks = [
        group("shares", frame.draw_heights()),
        *(frame.place(mark) for mark in scene.marks if mark.shape == "line"),
        _draw_image(dots, frame)
        if len(dots) > rules.MAX_DOTS
        else group("dots", [frame.place(mark) for mark in dots]),
        path("ticks", *([(x, _TOP - 9), (x, _TOP - 2)] for x in ticks)),
        group("names", _write_names(scene, frame)),
        _draw_histogram(dots, scale, right + 14, frame.floor),
        group("axis", [*below, text(4, 11, scene.titles[1], role="share-title")]),
    ]
    bands = [
        cell(
            f"group g{place % _GROUP_COLOURS}",
            (across.x(start), frame.floor + 2),
            max(across.x(end) - across.x(start) - 1, 1),
            5,
        )
        for start, end, place in list_bands(groups)
    ]
    marks += [group("bands", bands)] if bands else []
    more = {"data-box": frame.code, "data-scale": scale.code}
    return draw_svg(Scene("fate", marks, scene.about, width, height, more))


def _write_names(scene: Scene, frame: Frame) -> list[Mark]:
    """Write the names of kept columns above their ticks: the best first, as many as find room."""
    rows: list[list[tuple[float, float]]] = [[] for _ in range(rules.NAME_ROWS)]
    marks = []
    for place, name in scene.names:
        words = cut(name, rules.NAME_LETTERS)
        middle, half = frame.x(place), rules.NAME_LETTER * len(words) / 2
        for row, taken in enumerate(rows):
            if middle >= half and all(abs(middle - x) > half + other + 4 for x, other in taken):
                taken.append((middle, half))
                marks.append(text(middle, _TOP - 12 - rules.NAME_HEIGHT * row, words, "middle"))
                break
    return marks


def _draw_histogram(dots: Sequence[Mark], scale: ShareScale, left: float, floor: float) -> Mark:
    """Draw how many dropped columns are explained how well: of each drawer a part of a bar."""
    counts = Counter(
        (min(int(scale.place(mark.points[0][1]) * FATE_BINS + 1e-9), FATE_BINS - 1), mark.role)
        for mark in dots
        if mark.role != "kept"
    )
    sums = [sum(counts[i, name] for name in _DRAWERS) for i in range(FATE_BINS)]
    most, each = max(sums) or 1, (floor - _TOP) / FATE_BINS
    bars = []
    for i in range(FATE_BINS):
        start = left
        for name, count in [(name, counts[i, name]) for name in _DRAWERS if counts[i, name]]:
            wide = _SIDE_WIDTH * count / most
            bars.append(cell(name, (start, floor - each * (i + 1)), wide, each - 1))
            start += wide
    box = number(left)
    return group("counts", bars, data_left=box, data_wide=_SIDE_WIDTH, data_bins=FATE_BINS)


def _draw_image(dots: Sequence[Mark], frame: Frame) -> Mark:
    """Draw where columns lie: a pixel is the darker the more there are, in the colour of the worst.

    The worst lies in the drawer that is named last.
    """
    (wide, high), scale = rules.IMAGE_PIXELS, frame.scale
    counts = [[0] * wide for _ in range(high)]
    worst = [[0] * wide for _ in range(high)]
    across = _spread_out([mark.points[0][0] for mark in dots])
    for mark, x in zip(dots, across, strict=True):
        if mark.role != "kept":
            row = high - 1 - min(int(scale.place(mark.points[0][1]) * high), high - 1)
            column = min(int(x * wide), wide - 1)
            counts[row][column] += 1
            worst[row][column] = max(worst[row][column], _DRAWERS.index(mark.role))
    shades = len(rules.COUNT_ALPHAS)
    pixels = [
        [
            shades * name + min(count, shades) if count else 0
            for count, name in zip(*rows, strict=True)
        ]
        for rows in zip(counts, worst, strict=True)
    ]
    colours = [one for one in rules.DRAWER_COLOURS.values() for _ in rules.COUNT_ALPHAS]
    alphas = (0, *rules.COUNT_ALPHAS * len(_DRAWERS))
    png = encode_png(palette_png(pixels, [(0, 0, 0), *colours], alphas))
    corner = frame.left, frame.top
    return image(corner, frame.right - frame.left, frame.floor - frame.top, png)
