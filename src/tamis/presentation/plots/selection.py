"""Pictures of a selection: the curve, the fate of every column, the map of similarities."""

import math
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from tamis.errors import TamisError
from tamis.presentation.drawings.curve_drawing import CurveDrawing
from tamis.presentation.drawings.fate_drawing import FateDrawing
from tamis.presentation.drawings.map_drawing import MapDrawing
from tamis.presentation.drawings.share_scale import ShareScale
from tamis.presentation.prose.names import cut
from tamis.presentation.prose.numbers import WORSE
from tamis.presentation.prose.words import Words

__all__ = [
    "CEILING",
    "DROPPED",
    "HELD",
    "KEPT",
    "LOST_COLOUR",
    "axes",
    "curve_plot",
    "fate_plot",
    "legend_beside",
    "lift",
    "map_plot",
    "percent_axis",
    "share_axis",
]

_NAME_STYLE = {"fontsize": "x-small", "parse_math": False}  # a name with two $ is no formula
_SLANTED = {"rotation": 60, "ha": "right", "rotation_mode": "anchor", **_NAME_STYLE}
_MAX_PLOT_LETTERS = 24  # of a long name: its two ends
_NAME_ROOM = 0.035  # of the width, between two slanted names
_LOWEST = -0.1  # how worse than the mean is no figure to read off
_WITH_LEGEND = 7.6  # inches: the legend stands beside the data
_MAX_NAMED_COLUMNS = 30  # so many columns have room for their names, or steps for a point each


def curve_plot(drawing: CurveDrawing, ax: Any = None) -> Any:
    """Draw the share explained by 1..k columns, its ceiling, and the held-out share if known."""
    ax = axes(ax, width=_WITH_LEGEND)
    words, band, scale = drawing.words, drawing.held_out, drawing.scale
    steps = range(1, len(drawing.retained) + 1)
    ax.plot(
        steps, lift(scale, drawing.bound), color=CEILING, ls="--", lw=1.4, label=words.ceiling_key
    )
    mark = {"marker": "o", "ms": 3.5} if len(steps) <= _MAX_NAMED_COLUMNS else {}
    ax.plot(steps, lift(scale, drawing.retained), color=KEPT, lw=2, label="kept columns", **mark)
    lowest = 0.0
    if band:
        lowest = max(min(0.0, *band.low), _LOWEST)
        held = steps[: len(band.share)]
        low, high = lift(scale, band.low), lift(scale, band.high)
        ax.fill_between(held, low, high, color=HELD, alpha=0.16, lw=0)
        below = f";\nbelow 0: {WORSE}" if band.falls_below else ""
        label = f"on new rows (held out; 2 standard errors{below})"
        ax.plot(held, lift(scale, band.share), color=HELD, lw=1.6, label=label)
    if drawing.chance_line:
        level = drawing.chance[drawing.k - 1]
        text = f"by chance, of an unrelated column ({level:.1%} at {drawing.k:,})"
        ax.plot(steps, lift(scale, drawing.chance_line), color=DROPPED, ls=":", lw=1.2, label=text)
    note = f"\n({scale.note})" if scale.note else ""
    ax.set(xlabel="columns kept", ylabel=f"share {words.share}{note}")
    ax.xaxis.get_major_locator().set_params(integer=True)
    share_axis(ax, scale, lowest=lowest)
    legend_beside(ax)
    return ax


def fate_plot(drawing: FateDrawing, ax: Any = None) -> Any:
    """Draw one point for every column: where it stands, and how much of it is explained."""
    ax = axes(ax, width=_WITH_LEGEND)
    names, kinds, scale = drawing.names, drawing.kinds, drawing.scale
    looks = (
        ("kept", "kept", KEPT, "D", 26, 3),
        ("safe", "safe to drop", DROPPED, "o", 12, 2),
        ("partly", "partly lost", CEILING, "o", 12, 2),
        ("lost", "lost", LOST_COLOUR, "o", 14, 2),
    )
    for kind, text, colour, shape, size, layer in looks:
        some = [j for j, other in enumerate(kinds) if other == kind]
        if some:
            heights = lift(scale, (min(drawing.shares[j], scale.top) for j in some))
            label = f"{text} ({len(some):,})"
            places = [drawing.places[j] for j in some]
            look = {"color": colour, "marker": shape, "s": size, "linewidths": 0, "zorder": layer}
            ax.scatter(places, heights, label=label, **look)
    if drawing.chance:
        ax.axhline(
            lift(scale, [drawing.chance])[0], color=DROPPED, ls=":", lw=1.2, label="by chance"
        )
    if drawing.curve:
        _draw_means(drawing, ax)
    note = f"\n({scale.note})" if scale.note else ""
    where = "column, in table order" if names else "column (its name)"
    ax.set(xlabel=where, ylabel=f"share explained{note}")
    if names and len(names) <= _MAX_NAMED_COLUMNS:
        labels = [cut(name, _MAX_PLOT_LETTERS) for name in names]
        ax.set_xticks(range(len(labels)), labels, **_SLANTED)
    else:
        _name_kept(drawing, ax)
    share_axis(ax, scale, lowest=scale.low - 0.02)
    legend_beside(ax)
    return ax


def _name_kept(drawing: FateDrawing, ax: Any) -> None:
    """Write the names of kept columns above their points, those that find room."""
    (top,) = lift(drawing.scale, [drawing.scale.share_at(1.0)])
    taken: list[float] = []
    for j in drawing.kept if drawing.labels else ():
        if all(abs(drawing.across[j] - other) >= _NAME_ROOM for other in taken):
            taken.append(drawing.across[j])
            label = cut(drawing.labels[j], _MAX_PLOT_LETTERS)
            at = {"xytext": (0, 5), "textcoords": "offset points", "rotation": 45}
            ax.annotate(label, (drawing.places[j], top), color=KEPT, **at, **_NAME_STYLE)


def _draw_means(drawing: FateDrawing, ax: Any) -> None:
    """Draw the mean curve behind the points, from the foot of the axis to its top."""
    low, high = min(drawing.places), max(drawing.places)
    foot, top = lift(drawing.scale, map(drawing.scale.share_at, (0.0, 1.0)))
    look = {"color": HELD, "alpha": 0.35, "lw": 1.0, "zorder": 1}
    label = "mean of each column (own scale)"
    for piece in drawing.curve:
        places = [low + at * (high - low) for at, _ in piece]
        ax.plot(places, [foot + mean * (top - foot) for _, mean in piece], label=label, **look)
        label = "_"  # the legend names one of the pieces


def map_plot(drawing: MapDrawing, words: Words, ax: Any = None) -> Any:
    """Draw how alike the columns are, similar ones together; kept ones have a tick."""
    ax = axes(ax, width=5.0, height=4.4)
    names = drawing.names
    high, low = drawing.colours.high / 100, drawing.colours.low
    middle = 0.0 if low is None else low / 100
    colours = {"cmap": "RdBu_r", "vmin": 2 * middle - high, "vmax": high}
    values = [[value / 100 for value in row] for row in drawing.values]
    image = ax.imshow(values, interpolation="nearest", **colours)
    ends = "neither" if not drawing.colours.beyond else "max" if words.lowest >= 0 else "both"
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.7, pad=0.03, extend=ends)
    bar.ax.set_ylim(middle if low is not None or words.lowest >= 0 else -high, high)
    bar.set_label("correlation" if words.lowest < 0 else "normalised mutual information")
    ticks = [place for place, marked in enumerate(drawing.marked) if marked]
    ax.set_xticks(ticks, [""] * len(ticks))
    shown = [
        cut(names[place], _MAX_PLOT_LETTERS) if len(ticks) <= _MAX_NAMED_COLUMNS else ""
        for place in ticks
    ]
    shown = _thin_out(ticks, shown, len(names) / _MAX_NAMED_COLUMNS)
    ax.set_yticks(ticks, shown, **_NAME_STYLE)
    ax.set_title(f"{len(names):,} columns by similarity; ticks: kept", fontsize="medium")
    return ax


def _thin_out(ticks: Sequence[int], texts: Sequence[str], room: float) -> list[str]:
    """Omit texts that would cover the one above.

    >>> _thin_out([0, 1, 9], ["a", "b", "c"], 2)
    ['a', '', 'c']
    """
    shown, last = [], -math.inf
    for tick, text in zip(ticks, texts, strict=True):
        fits = tick - last >= room
        shown.append(text if fits else "")
        last = tick if fits else last
    return shown


KEPT = "#1b6b68"
CEILING = "#a8701c"
HELD = "#7a4a8f"
DROPPED = "#8a9299"
LOST_COLOUR = "#b2182b"
LEGEND_LETTERS = 26  # of a line
_WIDTH, _HEIGHT = 5.6, 3.4  # inches: a column and a half of a journal page


def axes(ax: Any = None, *, height: float = _HEIGHT, width: float = _WIDTH) -> Any:
    """Give the axes to draw on; new ones, on a figure of their own, if none are given."""
    if ax is None:
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise TamisError(
                "A plot needs matplotlib, which is not installed: pip install 'tamis[plot]'."
            ) from error
        ax = _figure(Figure, width, height).add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _figure(plain: Any, width: float, height: float) -> Any:
    """Make a figure; in a notebook, and where pyplot is in use, one that it shows.

    Elsewhere no window is prepared, and nothing is kept open.
    """
    size = {"figsize": (width, height), "layout": "constrained"}
    if not {"ipykernel", "matplotlib.pyplot"} & sys.modules.keys():
        return plain(**size)
    from matplotlib import pyplot

    return pyplot.figure(**size)


def legend_beside(ax: Any) -> None:
    """Put the legend beside the data, where it covers none of them."""
    handles, labels = ax.get_legend_handles_labels()
    lines = [textwrap.fill(label, LEGEND_LETTERS) for label in labels]
    place = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5)}
    ax.legend(handles, lines, frameon=False, fontsize="small", **place)


def lift(scale: ShareScale, shares: Iterable[float]) -> list[float]:
    """Give the heights of shares: themselves, or their places on a scale of what is lost."""
    return [share if scale.least is None else scale.place(share) for share in shares]


def share_axis(ax: Any, scale: ShareScale, *, lowest: float = 0.0) -> None:
    """Label the axis of shares, straight or by the logarithm of what is lost."""
    if scale.least is None:
        percent_axis(ax.yaxis, lowest=lowest, highest=scale.top)
        return
    ax.set_yticks([at for at, _ in scale.ticks], [text for _, text in scale.ticks])
    ax.set_ylim(0.0, 1.02)
    ax.grid(visible=True, axis="y", color="#d8d8d8", linewidth=0.6)
    ax.set_axisbelow(True)


def percent_axis(axis: Any, *, lowest: float = 0.0, highest: float = 1.0) -> None:
    """Label an axis of shares from 0 to 100%, or to less where less is to be seen."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0, decimals=0 if highest >= 0.1 else 1))
    axis.axes.set_ylim(lowest * highest, 1.04 * highest)
    axis.grid(visible=True, color="#d8d8d8", linewidth=0.6)
    axis.axes.set_axisbelow(True)
