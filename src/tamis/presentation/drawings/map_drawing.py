"""How alike columns are, as a square of colours, similar ones together."""

from collections.abc import Collection
from dataclasses import dataclass

from tamis.facts.explorer import MapFacts

__all__ = ["MapDrawing", "describe_map"]


@dataclass(frozen=True)
class MapDrawing:
    """Similarities in hundredths from top to bottom; rows in `marked` get a tick.

    `about` says what it shows, for those who do not see it.
    """

    names: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    about: str = ""
    marked: tuple[bool, ...] = ()

    def pick_marked(self, about: str) -> "MapDrawing":
        """Describe the map of the marked columns alone."""
        rows = [row for row, marked in enumerate(self.marked) if marked]
        return MapDrawing(
            names=tuple(self.names[i] for i in rows),
            values=tuple(tuple(self.values[i][j] for j in rows) for i in rows),
            about=about,
            marked=(True,) * len(rows),
        )


def describe_map(found: MapFacts, kept: Collection[int], about: str = "") -> MapDrawing:
    """Describe the map of all columns, with those kept (by position) marked."""
    marked = tuple(column in kept for column in found.columns)
    return MapDrawing(found.names, found.values, about, marked)
