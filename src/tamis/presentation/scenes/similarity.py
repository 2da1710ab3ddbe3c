"""How alike columns are, as a square of colours, similar ones together."""

import html
from collections.abc import Sequence

from tamis.presentation.prose.words import VARIANCE, Words
from tamis.presentation.prose.writing import cut
from tamis.presentation.scenes.scene import Scene, cell, group, image, path, text
from tamis.presentation.scenes.svg import Colour, draw_svg, encode_png, palette_png
from tamis.rules.pictures import HEAT_COLOURS, LABEL_LETTERS, MAX_LABELLED_ROWS
from tamis.values import dataclass

_GUTTER, _SIDE = 112, 248  # of a heat map: room for the names, and the square
ALL_ALIKE = 50  # hundredths: where no pair is less similar, the colours begin at the least similar
FEW_BEYOND = 0.02  # share of the pairs that may be more similar than the dark ends of the colours


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


def diverging_palette(levels: int = 201) -> list[Colour]:
    """Return `levels` colours (red, green, blue) from blue over white to red.

    >>> diverging_palette(3)
    [(33, 102, 172), (247, 247, 247), (178, 24, 43)]
    """
    palette = []
    for level in range(levels):
        at = (len(HEAT_COLOURS) - 1) * level / (levels - 1)
        low = min(int(at), len(HEAT_COLOURS) - 2)
        pairs = zip(HEAT_COLOURS[low], HEAT_COLOURS[low + 1], strict=True)
        red, green, blue = (round(a + (at - low) * (b - a)) for a, b in pairs)
        palette.append((red, green, blue))
    return palette


def heat_png(values: Sequence[Sequence[int]]) -> bytes:
    """Encode similarity in hundredths (-100..100) as a PNG, one pixel each."""
    pixels = [[min(max(value, -100), 100) + 100 for value in row] for row in values]
    return palette_png(pixels, diverging_palette(201))


def heat_map(
    names: Sequence[str],
    values: Sequence[Sequence[int]],
    about: str,
    marked: Sequence[bool] = (),
    colours: ColourRange | None = None,
) -> str:
    """Draw similarities in hundredths as SVG, with names where they fit and ticks at marked rows.

    `about` says what it shows, for those who do not see it; `colours` may be those of a larger map.
    """
    n, colours = len(names), colours or choose_colours(values)
    # Every column is like itself: the diagonal is white.
    shades = [
        [0 if i == j else colours.place(value) for j, value in enumerate(row)]
        for i, row in enumerate(values)
    ]
    heights = [_SIDE * (row + 0.5) / n for row in range(n)]
    labels = [
        text(_GUTTER - 10, y, cut(name, LABEL_LETTERS))
        for y, name in zip(heights, names, strict=True)
        if n <= MAX_LABELLED_ROWS
    ]
    ticks = [
        [(_GUTTER - 7, y), (_GUTTER - 2, y)]
        for y, is_marked in zip(heights, marked, strict=False)
        if is_marked
    ]
    marks = [
        group("names", labels),
        path("ticks", *ticks),
        image((_GUTTER, 0), _SIDE, _SIDE, encode_png(heat_png(shades)), "diverging"),
        cell("cursor", (0, 0), 0, 0),
    ]
    more = {"data-colours": colours.code}
    return draw_svg(Scene("heat", marks, about, _GUTTER + _SIDE, _SIDE, more))


def colour_scale(words: Words = VARIANCE, reach: ColourRange | None = None) -> str:
    """Draw the legend of the heat maps: all colours, or their upper half where none are below."""
    reach = reach or ColourRange()
    upper = words.lowest >= 0 or reach.low is not None
    colours = HEAT_COLOURS[len(HEAT_COLOURS) // 2 :] if upper else HEAT_COLOURS
    stops = "".join(
        f'<stop offset="{100 * place / (len(colours) - 1)}%" stop-color="#{bytes(stop).hex()}"/>'
        for place, stop in enumerate(colours)
    )
    high, low = reach.high / 100, (reach.low or 0) / 100 if upper else -reach.high / 100
    ends = [f"{end:g}".replace("-", "\N{MINUS SIGN}") for end in (low, (low + high) / 2, high)]
    if reach.beyond:
        ends[2] = f"\N{GREATER-THAN OR EQUAL TO} {ends[2]}"
        ends[0] = ends[0] if upper else f"\N{LESS-THAN OR EQUAL TO} {ends[0]}"
    return (
        '<svg class="scale" viewBox="0 0 240 30" role="img" '
        f'aria-label="{html.escape(words.scale)}">'
        f'<defs><linearGradient id="diverging">{stops}</linearGradient></defs>'
        '<rect class="diverging" x="8" y="0" width="224" height="12" fill="url(#diverging)"/>'
        f'<text x="8" y="26" text-anchor="start">{ends[0]}</text>'
        f'<text x="120" y="26" text-anchor="middle">{ends[1]}</text>'
        f'<text x="232" y="26" text-anchor="end">{ends[2]}</text></svg>'
    )
