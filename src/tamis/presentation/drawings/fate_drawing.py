"""What becomes of every column: a dot at its place, as high as the share explained."""

from collections.abc import Sequence
from functools import cached_property
from statistics import median
from typing import Literal

from tamis.facts.explorer import ExplorerFacts, FatePlotFacts
from tamis.presentation.drawings.share_scale import (
    ShareScale,
    axis_range,
    choose_column_scale,
    round_steps,
)
from tamis.values import dataclass

__all__ = [
    "DotKind",
    "DrawerKind",
    "FateDrawing",
    "describe_fates",
    "describe_plotted_fates",
    "drawer",
]

MAX_CURVE_POINTS = 400
MAX_TICKS = 8
SPIKES = 0.02  # share of the means at either end that may be left out
SMOOTHED = 50  # a mean is the median of its neighbours: one of so many parts of the axis

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
        cut = int(SPIKES * len(ordered))
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
        for j, group in enumerate(self.groups if self.names else ()):
            if group is not None and runs and runs[-1][1:] == (j - 1, group):
                runs[-1] = (runs[-1][0], j, group)
            elif group is not None:
                runs.append((j, j, group))
        return [
            (max(first - 0.5, 0) / width, min((last + 0.5) / width, 1.0), group)
            for first, last, group in runs
        ]

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Where numbers stand under the axis: those of the names, or columns counted from 1."""
        if not self.names:
            low, high = min(self.places), max(self.places)
            _, _, marks = axis_range(low, high)
            there = [mark for mark in marks if low <= mark <= high]
            return [((mark - low) / ((high - low) or 1.0), f"{mark:g}") for mark in there]
        count = len(self.names)
        step = next(one for one in round_steps() if count / one <= MAX_TICKS)
        marks = [1, *range(step, count + 1, step)] if step > 1 else list(range(1, count + 1))
        return [((mark - 1) / max(count - 1, 1), f"{mark:,}") for mark in dict.fromkeys(marks)]

    @property
    def axis_title(self) -> str:
        """What the numbers under the axis are."""
        return "column, in the order of the table" if self.names else "name of the column"

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
    half = max(len(pairs) // (2 * SMOOTHED), 1)
    step = max(len(pairs) // MAX_CURVE_POINTS, 1)
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
    table, fates = explorer.table, explorer.fates
    names = table.used_names
    in_order = table.axis is None
    places = range(len(names)) if in_order else map(float, names)
    return FateDrawing(
        places=tuple(places),
        shares=tuple(share / 1000 for share in fates.at),
        kept=tuple(table.path[:k]),
        limits=fates.limits_at(k),
        names=tuple(names) if in_order else (),
        about=f"Share explained of each of {len(fates.at):,} columns when {k:,} are kept",
        labels=tuple(names),
        means=() if in_order else table.means,
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
