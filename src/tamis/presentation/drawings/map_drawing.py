"""How alike columns are, as a square of colours, similar ones together."""

from collections.abc import Collection, Sequence
from functools import cached_property

from tamis.facts.explorer import MapFacts
from tamis.values import dataclass

__all__ = ["ColourRange", "MapDrawing", "choose_colours", "describe_map"]

ALL_ALIKE = 50  # hundredths: where no pair is less similar, the colours begin at the least similar
FEW_BEYOND = 0.02  # share of the pairs that may be more similar than the dark ends of the colours


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
    end. `beyond` says that a few pairs are more similar still.
    """

    high: int = 100
    low: int | None = None
    beyond: bool = False

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

    Where all are alike the pale end is the least similar pair. Elsewhere the dark ends are where
    all but a few pairs lie: one pair of copies must not make all others pale.

    >>> choose_colours([[100, 12], [12, 100]]), choose_colours([[100, 93], [93, 100]])
    (ColourRange(high=20, low=None, beyond=False), ColourRange(high=100, low=90, beyond=False))
    """
    others = [value for i, row in enumerate(values) for j, value in enumerate(row) if i != j]
    if not others:
        return ColourRange()
    least = min(others)
    if least >= ALL_ALIKE:
        return ColourRange(100, 10 * (min(least, 95) // 10))
    sizes = sorted(abs(value) for value in others)
    usual = sizes[-1 - int(FEW_BEYOND * len(sizes))]
    high = min(max(10 * -(-usual // 10), 10), 100)
    return ColourRange(high, beyond=sizes[-1] > high)


def describe_map(found: MapFacts, kept: Collection[int], about: str = "") -> MapDrawing:
    """Describe the map of all columns, with those kept (by position) marked."""
    marked = tuple(column in kept for column in found.columns)
    return MapDrawing(found.names, found.values, about, marked)
