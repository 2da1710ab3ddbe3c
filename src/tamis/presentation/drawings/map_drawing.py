"""How alike columns are, as a square of colours, similar ones together."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from tamis.facts.explorer import MapFacts

__all__ = ["ColourRange", "MapDrawing", "choose_colours", "describe_map"]

ALL_ALIKE = 50  # hundredths: where no pair is less similar, the colours begin at the least similar
ANY_ALIKE = 70  # where no pair is more similar, they end at the most similar


@dataclass(frozen=True)
class MapDrawing:
    """Similarities in hundredths from top to bottom; rows in `marked` get a tick.

    `about` says what it shows, for those who do not see it; `reach` are the colours of a larger
    map.
    """

    names: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    about: str = ""
    marked: tuple[bool, ...] = ()
    reach: "ColourRange | None" = None

    @cached_property
    def colours(self) -> "ColourRange":
        """The similarities at both ends of the colours; by default those of these values."""
        return self.reach or choose_colours(self.values)

    def pick_marked(self, about: str) -> "MapDrawing":
        """Describe the map of the marked columns alone."""
        rows = [row for row, marked in enumerate(self.marked) if marked]
        return MapDrawing(
            names=tuple(self.names[i] for i in rows),
            values=tuple(tuple(self.values[i][j] for j in rows) for i in rows),
            about=about,
            marked=(True,) * len(rows),
            reach=self.colours,
        )


@dataclass(frozen=True)
class ColourRange:
    """Similarities in hundredths between which colours change; beyond they stay.

    From -`high` to `high` about a pale middle; with `low`, all are above it, and it is the pale
    end.
    """

    high: int = 100
    low: int | None = None

    def place(self, value: int) -> int:
        """Give the place of a similarity on the scale of all colours, -100 to 100.

        >>> ColourRange(50).place(-25), ColourRange(100, 80).place(90)
        (-50, 50)
        """
        if self.low is None:
            return round(100 * min(max(value / self.high, -1.0), 1.0))
        return round(100 * min(max((value - self.low) / (self.high - self.low), 0.0), 1.0))

    @property
    def code(self) -> str:
        """The numbers with which a script draws the same colours."""
        return f"{self.high} {'' if self.low is None else self.low}".strip()


def choose_colours(values: Sequence[Sequence[int]]) -> ColourRange:
    """Stretch the colours over the similarities of different columns.

    Where all are alike the pale end is the least similar pair; where none are, the dark ends are
    the most similar one.

    >>> choose_colours([[100, 12], [12, 100]]), choose_colours([[100, 93], [93, 100]])
    (ColourRange(high=20, low=None), ColourRange(high=100, low=90))
    """
    others = [value for i, row in enumerate(values) for j, value in enumerate(row) if i != j]
    if not others:
        return ColourRange()
    least, most = min(others), max(abs(value) for value in others)
    if least >= ALL_ALIKE:
        return ColourRange(100, 10 * (min(least, 95) // 10))
    if most >= ANY_ALIKE:
        return ColourRange()
    return ColourRange(max(10 * -(-most // 10), 10))


def describe_map(found: MapFacts, kept: Collection[int], about: str = "") -> MapDrawing:
    """Describe the map of all columns, with those kept (by position) marked."""
    marked = tuple(column in kept for column in found.columns)
    return MapDrawing(found.names, found.values, about, marked)
