"""What becomes of every column: a dot at its place, as high as the share explained."""

from dataclasses import dataclass
from typing import Literal

from tamis.facts.explorer import ExplorerFacts
from tamis.facts.plots import FatePlotFacts

__all__ = [
    "DotKind",
    "DrawerKind",
    "FateDrawing",
    "describe_fates",
    "describe_plotted_fates",
    "drawer",
]

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
        The columns that are kept.
    limits
        The share from which a column is safe to drop, and the one below which it is lost.
    names
        The columns where they stand in table order; none where the places are their names.
    chance
        What the kept columns would explain of an unrelated one.
    about
        What it shows, for those who do not see it.
    """

    places: tuple[float, ...]
    shares: tuple[float, ...]
    kept: frozenset[int]
    limits: tuple[float, float]
    names: tuple[str, ...] = ()
    chance: float | None = None
    about: str = ""

    @property
    def kinds(self) -> list[DotKind]:
        """What became of each column."""
        return [
            "kept" if j in self.kept else drawer(share, self.limits)
            for j, share in enumerate(self.shares)
        ]

    @property
    def across(self) -> list[float]:
        """Where each column stands between both ends of the axis, 0 and 1."""
        low = min(self.places)
        width = max(self.places) - low or 1.0
        return [(place - low) / width for place in self.places]

    @property
    def ends(self) -> tuple[str, str]:
        """What is written at both ends of the axis."""
        if self.names:
            return "first column", "last column"
        return f"{min(self.places):g}", f"{max(self.places):g}"


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
        kept=frozenset(table.path[:k]),
        limits=fates.limits_at(k),
        names=tuple(names) if in_order else (),
        about=f"Share explained of each of {len(fates.at):,} columns when {k:,} are kept",
    )


def describe_plotted_fates(facts: FatePlotFacts) -> FateDrawing:
    """Describe what becomes of the columns of a selection, by their exact shares."""
    return FateDrawing(
        places=facts.places,
        shares=facts.shares,
        kept=frozenset(facts.kept),
        limits=facts.limits,
        names=facts.names,
        chance=facts.chance,
    )
