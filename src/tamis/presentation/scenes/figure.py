"""Draw a scene with matplotlib (the extra `tamis[plot]`), on axes in the units of the data."""

import math
import sys
import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tamis.errors import TamisError
from tamis.facts.explorer import MapFacts
from tamis.presentation.prose.words import Words
from tamis.presentation.prose.writing import cut
from tamis.presentation.scenes.scene import Mark, Scene
from tamis.presentation.scenes.share_scale import ShareScale
from tamis.presentation.scenes.similarity import choose_colours

_KEPT, _CEILING, _HELD = "#1b6b68", "#a8701c", "#7a4a8f"
_DROPPED, _LOST, _UNKNOWN = "#8a9299", "#b2182b", "#5f7f9e"
_LINES: dict[str, dict[str, Any]] = {
    "kept": {"color": _KEPT, "lw": 2},
    "ceiling": {"color": _CEILING, "ls": "--", "lw": 1.4},
    "held": {"color": _HELD, "lw": 1.6},
    "chance": {"color": _DROPPED, "ls": ":", "lw": 1.2},
    "mean": {"color": _HELD, "alpha": 0.35, "lw": 1.0, "zorder": 1},
    "best": {"lw": 2.4},
}
_DOTS: dict[str, dict[str, Any]] = {
    "lost": {"color": _LOST, "s": 14},
    "partly": {"color": _CEILING, "s": 12},
    "safe": {"color": _DROPPED, "s": 12},
    "dropped": {"color": _UNKNOWN, "s": 12},
    "kept": {"color": _KEPT, "marker": "D", "s": 26},
}
_BANDS = {"band": {"color": _HELD, "alpha": 0.16, "lw": 0}}
_NAME_STYLE = {"fontsize": "x-small", "parse_math": False}  # a name with two $ is no formula
_SLANTED = {"rotation": 60, "ha": "right", "rotation_mode": "anchor", **_NAME_STYLE}
_MAX_PLOT_LETTERS = 24  # of a long name: its two ends
_NAME_ROOM = 0.035  # of the width, between two slanted names
_LOWEST = -0.1  # how worse than the mean is no figure to read off
_WITH_LEGEND = 7.6  # inches: the legend stands beside the data
_MAX_NAMED_COLUMNS = 30  # so many columns have room for their names
_MAX_BARS = 20
_LEGEND_LETTERS, _TITLE_LETTERS = 26, 28  # of a line
_WIDTH, _HEIGHT = 5.6, 3.4  # inches: a column and a half of a journal page


def draw_figure(scene: Scene, ax: Any = None) -> Any:
    """Draw a scene in the units of the data; bands that have no look here are only for pages."""
    ax = _make_axes(ax, width=_WITH_LEGEND if scene.role in ("curve", "fate") else _WIDTH)
    named: dict[str, Any] = {}
    dots: dict[str, list[Mark]] = {role: [] for role in _DOTS}
    for mark in scene.marks:
        xs, ys = [x for x, _ in mark.points], _lift(scene.scale, [y for _, y in mark.points])
        look = _find_look(_LINES, mark.role)
        match mark.shape:
            case "dot":
                dots.setdefault(mark.role, []).append(mark)
            case "line":
                look |= {"marker": "o", "ms": 1.4 * mark.size} if mark.size else {}
                label = "_" if mark.label in named else mark.label  # a curve in several pieces
                named[mark.label] = ax.plot(xs, ys, label=label, **look)[0]
            case "rule":
                named[mark.label] = ax.axhline(ys[0], label=mark.label, **look)
            case "band" if mark.role in _BANDS:
                half = len(xs) // 2  # the lower edge comes back from the right
                ax.fill_between(xs[:half], ys[half:][::-1], ys[:half], **_BANDS[mark.role])
    for role, marks in dots.items():
        if marks:
            look = (
                {**_DOTS[role]} if role in _DOTS else {"s": 9, "alpha": 0.7, **_find_look({}, role)}
            )
            xs, ys = map(list, zip(*(mark.points[0] for mark in marks), strict=True))
            look |= {"linewidths": 0, "zorder": 3, "label": marks[0].label}
            named[marks[0].label] = ax.scatter(xs, _lift(scene.scale, ys), **look)
    ax.set(xlabel=scene.titles[0], ylabel=textwrap.fill(scene.titles[1], _TITLE_LETTERS))
    _write_texts(scene, ax)
    if scene.role == "curve":
        ax.xaxis.get_major_locator().set_params(integer=True)
    if scene.scale is not None:
        lows = (y for mark in scene.marks for _, y in mark.points)
        below = max(min(0.0, *lows), _LOWEST) if scene.role == "curve" else 0.0
        lowest = scene.scale.low - 0.02 if scene.role == "fate" else below
        _draw_shares(ax, scene.scale, lowest)
    named.pop("", None)
    if len(named) > 1 or scene.role == "lines":
        lines = [textwrap.fill(label, _LEGEND_LETTERS) for label in named][::-1]
        place = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5)}  # where it covers no data
        ax.legend([*named.values()][::-1], lines, frameon=False, fontsize="small", **place)
    return ax


def _find_look(looks: Mapping[str, dict[str, Any]], role: str) -> dict[str, Any]:
    """Give the look of a role of several words; c0, c1, ... are the colours of matplotlib."""
    look: dict[str, Any] = {}
    for word in role.split():
        colour = {"color": word.upper()} if word[1:].isdigit() else {}
        look |= looks.get(word, colour)
    return look


def _lift(scale: ShareScale | None, shares: Sequence[float]) -> list[float]:
    """Give the heights of values: themselves, or their places on a scale of what is lost."""
    if scale is None:
        return list(shares)
    if scale.least is None:
        return [min(share, scale.top) for share in shares]
    return [scale.place(share) for share in shares]


def _write_texts(scene: Scene, ax: Any) -> None:
    """Name all columns under the axis, or else those above it that find room."""
    if 0 < len(scene.ticks) <= _MAX_NAMED_COLUMNS:
        labels = [cut(name, _MAX_PLOT_LETTERS) for _, name in scene.ticks]
        ax.set_xticks([at for at, _ in scene.ticks], labels, **_SLANTED)
        return
    if not scene.names or scene.scale is None:
        return
    places = [x for mark in scene.marks if mark.shape == "dot" for x, _ in mark.points]
    room = _NAME_ROOM * (max(places) - min(places))
    (top,) = _lift(scene.scale, [scene.scale.share_at(1.0)])
    taken: list[float] = []
    for place, name in scene.names:
        if all(abs(place - other) >= room for other in taken):
            taken.append(place)
            at = {"xytext": (0, 5), "textcoords": "offset points", "rotation": 45}
            label = cut(name, _MAX_PLOT_LETTERS)
            ax.annotate(label, (place, top), color=_KEPT, **at, **_NAME_STYLE)


def _draw_shares(ax: Any, scale: ShareScale, lowest: float) -> None:
    """Label the axis of shares, straight or by the logarithm of what is lost."""
    if scale.least is None:
        from matplotlib.ticker import PercentFormatter

        digits = 0 if scale.top >= 0.1 else 1
        ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=digits))
        ax.set_ylim(lowest * scale.top, 1.04 * scale.top)
    else:
        ax.set_yticks([at for at, _ in scale.ticks], [text for _, text in scale.ticks])
        ax.set_ylim(0.0, 1.02)
    ax.grid(visible=True, axis="y", color="#d8d8d8", linewidth=0.6)
    ax.set_axisbelow(True)


def loadings_plot(component: str, weights: Mapping[Any, float], ax: Any = None) -> Any:
    """Draw the largest loadings of a component as bars."""
    ax = _make_axes(ax)
    pairs = list(weights.items())[:_MAX_BARS][::-1]
    colours = ["#2166ac" if weight < 0 else _LOST for _, weight in pairs]
    ax.barh([str(name) for name, _ in pairs], [weight for _, weight in pairs], color=colours)
    ax.axvline(0, color="#5c636a", lw=0.8)
    ax.set(xlabel=f"loading on {component}")
    return ax


def map_plot(facts: MapFacts, kept: Collection[int], words: Words, ax: Any = None) -> Any:
    """Draw how alike the columns are, similar ones together; kept ones have a tick."""
    ax = _make_axes(ax, width=5.0, height=4.4)
    names, reach = facts.names, choose_colours(facts.values)
    high, low = reach.high / 100, reach.low
    middle = 0.0 if low is None else low / 100
    colours = {"cmap": "RdBu_r", "vmin": 2 * middle - high, "vmax": high}
    values = [[value / 100 for value in row] for row in facts.values]
    image = ax.imshow(values, interpolation="nearest", **colours)
    ends = "neither" if not reach.beyond else "max" if words.lowest >= 0 else "both"
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.7, pad=0.03, extend=ends)
    bar.ax.set_ylim(middle if low is not None or words.lowest >= 0 else -high, high)
    bar.set_label("correlation" if words.lowest < 0 else "normalised mutual information")
    ticks = [place for place, column in enumerate(facts.columns) if column in kept]
    ax.set_xticks(ticks, [""] * len(ticks))
    shown, last, few = [], -math.inf, len(ticks) <= _MAX_NAMED_COLUMNS
    for tick in ticks:  # a text that would cover the one above is omitted
        fits = few and tick - last >= len(names) / _MAX_NAMED_COLUMNS
        last = tick if fits else last
        shown.append(cut(names[tick], _MAX_PLOT_LETTERS) if fits else "")
    ax.set_yticks(ticks, shown, **_NAME_STYLE)
    ax.set_title(f"{len(names):,} columns by similarity; ticks: kept", fontsize="medium")
    return ax


def _make_axes(ax: Any = None, *, height: float = _HEIGHT, width: float = _WIDTH) -> Any:
    """Give the axes to draw on; new ones, on a figure of their own, if none are given.

    In a notebook, and where pyplot is in use, it shows the figure. Elsewhere no window is prepared,
    and nothing is kept open.
    """
    if ax is None:
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise TamisError(
                "A plot needs matplotlib, which is not installed: pip install 'tamis[plot]'."
            ) from error
        make: Any = Figure
        if {"ipykernel", "matplotlib.pyplot"} & sys.modules.keys():
            from matplotlib import pyplot

            make = pyplot.figure
        ax = make(figsize=(width, height), layout="constrained").add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    return ax
