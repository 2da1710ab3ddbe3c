"""Where a picture is drawn: matplotlib, its axes, and the look that all pictures share."""

import sys
from typing import Any

from tamis.errors import TamisError

__all__ = ["CEILING", "DROPPED", "HELD", "KEPT", "LOST", "axes", "percent_axis"]

KEPT = "#1b6b68"
CEILING = "#a8701c"
HELD = "#7a4a8f"
DROPPED = "#8a9299"
LOST = "#b2182b"
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


def percent_axis(axis: Any, *, lowest: float = 0.0) -> None:
    """Label an axis of shares from 0 to 100%."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axis.axes.set_ylim(lowest, 1.04)
    axis.grid(visible=True, color="#d8d8d8", linewidth=0.6)
    axis.axes.set_axisbelow(True)
