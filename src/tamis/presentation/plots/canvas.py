"""Where a picture is drawn: matplotlib, its axes, and the look that all pictures share."""

import sys
import textwrap
from collections.abc import Iterable
from typing import Any

from tamis.errors import TamisError
from tamis.presentation.drawings.share_scale import ShareScale

__all__ = [
    "CEILING",
    "DROPPED",
    "HELD",
    "KEPT",
    "LOST_COLOUR",
    "axes",
    "legend_beside",
    "lift",
    "percent_axis",
    "share_axis",
]

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
