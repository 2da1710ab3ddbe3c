"""A picture: lines, bands, dots, cells and texts, which `svg` and `figure` (matplotlib) draw.

Marks are in pixels of the page, counted downwards, or in the units of the data: then a frame says
where they lie on a page, and matplotlib has axes for them. Roles are names of colours: class names
in the style sheets of the page, looks in `figure`.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from tamis.presentation.scenes.share_scale import WHOLE, ShareScale
from tamis.values import dataclass

Point = tuple[float, float]
Shape = Literal[
    "line", "rule", "path", "band", "dot", "cell", "text", "image", "glyph", "use", "defs", "group"
]


@dataclasses.dataclass(frozen=True, slots=True)  # made by the thousand, so with methods of its own
class Mark:
    """A part of a picture."""

    shape: Shape
    role: str = ""
    # The corners of a cell and of an image, both edges of a band, one point of others that are no
    # line.
    points: Sequence[Point] = ()
    runs: Sequence[Sequence[Point]] = ()  # the lines of a path, where it has several
    size: float = 0.0  # the radius of a dot, or of the dots at the points of a line; 0 for none
    text: str = ""  # what is written; of an image its bytes in base 64, of a glyph its outline
    label: str = ""  # what it is called, in a legend or when pointed at
    marks: "Sequence[Mark]" = ()  # the parts of a group
    # Attributes that only a page has, for its style and its scripts.
    more: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """A picture of this width and height in pixels; without them, in the units of the data."""

    role: str
    marks: Sequence[Mark]
    about: str = ""  # what it shows, for those who do not see it
    width: float = 0.0
    height: float = 0.0
    # Attributes of the drawing that scripts read.
    more: Mapping[str, str | float] = field(default_factory=dict)
    titles: tuple[str, str] = ("", "")  # what stands under and beside the axes of the data
    # The axis of heights; None for plain numbers, which matplotlib gives ticks.
    scale: ShareScale | None = None
    ticks: Sequence[tuple[float, str]] = ()  # texts under the axis
    names: Sequence[tuple[float, str]] = ()  # above it the best first, as far as there is room

    def points_of(self, role: str) -> Sequence[Point]:
        """Give the points of the line with this role; none where it is not drawn."""
        lines = (mark for mark in self.marks if mark.shape == "line" and mark.role == role)
        return next((mark.points for mark in lines), ())


def line(role: str, points: Iterable[Point], *, size: float = 0.0, label: str = "") -> Mark:
    """Connect points."""
    return Mark("line", role, list(points), size=size, label=label)


def rule(role: str, start: Point, end: Point, label: str = "") -> Mark:
    """Draw a straight line."""
    return Mark("rule", role, (start, end), label=label)


def path(role: str, *runs: Sequence[Point], closed: bool = False, **more: str | float) -> Mark:
    """Draw lines that belong together; `closed` ones are outlines."""
    return Mark("path", role, runs=runs, text="z" if closed else "", more=more)


def band(role: str, upper: Sequence[Point], lower: Sequence[Point]) -> Mark:
    """Fill what lies between two lines."""
    return Mark("band", role, [*upper, *reversed(lower)])


def dot(role: str, x: float, y: float, size: float, label: str = "") -> Mark:
    """Draw a dot with this radius."""
    return Mark("dot", role, ((x, y),), size=size, label=label)


def cell(
    role: str, corner: Point, width: float, height: float, label: str = "", **more: str | float
) -> Mark:
    """Draw a rectangle from its upper left corner on."""
    x, y = corner
    return Mark("cell", role, (corner, (x + width, y + height)), label=label, more=more)


def image(
    corner: Point, width: float, height: float, png: str, role: str = "", **more: str | float
) -> Mark:
    """Show an image, stretched over a rectangle."""
    shown = cell(role, corner, width, height)
    return replace(shown, shape="image", text=png, more=more)


def text(
    x: float,
    y: float,
    words: str,
    anchor: str = "",
    *,
    role: str = "",
    centred: bool = False,
    turn: float = 0.0,
    **more: str | float,
) -> Mark:
    """Write words at a point, `centred` on its height, turned about it by so many degrees."""
    given: dict[str, str | float] = {"dy": ".35em"} if centred else {}
    given |= {"text-anchor": anchor} if anchor else {}
    given |= {"transform": f"rotate({turn:g} {x:.1f} {y:.1f})"} if turn else {}
    return Mark("text", role, ((x, y),), text=words, more={**given, **more})


def group(role: str, marks: Iterable[Mark], label: str = "", **more: str | float) -> Mark:
    """Put marks together; `label` is shown when they are pointed at."""
    return Mark("group", role, label=label, marks=list(marks), more=more)


@dataclass(frozen=True)
class Frame:
    """Where data lie on a page: `first` to `last` across, the scale from the floor to the top.

    Dots keep a distance `pad` from both sides.
    """

    left: float
    right: float
    top: float
    floor: float
    first: float = 0.0
    last: float = 1.0
    scale: ShareScale = WHOLE
    pad: float = 0.0

    @property
    def code(self) -> str:
        """The box, as scripts read it."""
        return f"{self.left:g} {self.top:g} {self.right:g} {self.floor:g}"

    def x(self, value: float) -> float:
        """Give the distance of a value from the left of the page."""
        width = self.last - self.first
        share = (value - self.first) / width if width else 0.5
        return self.left + self.pad + (self.right - self.left - 2 * self.pad) * share

    def y(self, value: float) -> float:
        """Give the distance of a value from the top of the page."""
        return self.floor - (self.floor - self.top) * self.scale.place(value)

    def place(self, mark: Mark) -> Mark:
        """Move a mark from the units of the data to the page."""
        points = [(self.x(x), self.y(y)) for x, y in mark.points]
        parts = [self.place(part) for part in mark.marks]
        return Mark(
            *(mark.shape, mark.role, points, (), mark.size, mark.text, mark.label, parts, mark.more)
        )

    def draw_heights(self, ticks: Sequence[tuple[float, str]] | None = None) -> list[Mark]:
        """Draw lines at heights from 0 to 1, by default those of the scale, with their texts."""
        marks = []
        for height, words in self.scale.ticks if ticks is None else ticks:
            y = self.floor - (self.floor - self.top) * height
            marks.append(rule("grid", (self.left, y), (self.right, y)))
            marks.append(text(self.left - 6, y, words, "end", centred=True))
        return marks

    def write_below(
        self, ticks: Iterable[tuple[float, str]], title: str = "", down: float = 20
    ) -> list[Mark]:
        """Write texts under the axis, and a title under them."""
        marks = [text(self.x(at), self.floor + down, words, "middle") for at, words in ticks]
        middle = (self.left + self.right) / 2
        return [*marks, *([text(middle, self.floor + down + 20, title, "middle")] if title else [])]
