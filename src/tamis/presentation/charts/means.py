"""The means of clusters as a heat map: a line for each column, a field for each cluster."""

from collections.abc import Sequence

from tamis.presentation.charts.heat import diverging_palette
from tamis.presentation.charts.svg import number, shorten_label

__all__ = ["means_chart"]

_HEIGHT, _HEAD = 26, 40
_MEANS_LETTER_WIDTH = 6.6
_END = 2.0  # standard deviations at which the colours end
_MAX_MEANS_DRAWN = 30  # more are not drawn


def means_chart(
    columns: Sequence[str], means: Sequence[Sequence[float]], sizes: Sequence[int], width: int
) -> str:
    """Draw the mean of each column in each cluster, in standard deviations of all rows.

    >>> means_chart(["width"], [[-1.0], [2.0]], [20, 10], 340).count("<rect")
    2
    """
    columns = columns[:_MAX_MEANS_DRAWN]
    longest = max(map(len, columns))
    left = min(_MEANS_LETTER_WIDTH * longest + 14, 0.4 * width)
    side = min((width - left) / len(sizes), 110)
    palette = diverging_palette(201)
    parts = []
    for cluster, (size, values) in enumerate(zip(sizes, means, strict=True)):
        x = left + side * cluster
        middle = number(x + side / 2)
        parts.append(
            f'<text class="name" x="{middle}" y="14" text-anchor="middle">{cluster + 1}</text>'
            f'<text x="{middle}" y="31" text-anchor="middle">{size:,}</text>'
        )
        parts += [
            _cell(x, row, side, value, palette)
            for row, value in enumerate(values[:_MAX_MEANS_DRAWN])
        ]
    names = "".join(
        f'<text x="{number(left - 8)}" y="{number(_HEAD + _HEIGHT * (row + 0.5))}" dy=".35em" '
        f'text-anchor="end">{shorten_label(name, int((left - 12) / _MEANS_LETTER_WIDTH))}</text>'
        for row, name in enumerate(columns)
    )
    heads = (
        f'<text x="{number(left - 8)}" y="14" text-anchor="end">cluster</text>'
        f'<text x="{number(left - 8)}" y="31" text-anchor="end">rows</text>'
    )
    height = _HEAD + _HEIGHT * len(columns)
    label = f"Means of {len(columns)} columns in {len(sizes)} clusters"
    return (
        f'<svg class="means" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{heads}{names}{''.join(parts)}</svg>"
    )


def _cell(
    x: float, row: int, side: float, value: float, palette: Sequence[tuple[int, int, int]]
) -> str:
    """Draw one field with its number, dark on light or light on dark."""
    level = round(100 * min(max(value / _END, -1.0), 1.0))
    y = _HEAD + _HEIGHT * row
    ink = "#ffffff" if abs(level) > 65 else "#24282c"
    sign = "\N{MINUS SIGN}" if round(value, 1) < 0 else ""
    return (
        f'<g class="diverging"><rect x="{number(x + 1)}" y="{y + 1}" width="{number(side - 2)}" '
        f'height="{_HEIGHT - 2}" fill="#{bytes(palette[level + 100]).hex()}"/>'
        f'<text x="{number(x + side / 2)}" y="{y + _HEIGHT / 2}" dy=".35em" text-anchor="middle" '
        f'style="fill:{ink}">{sign}{abs(value):.1f}</text></g>'
    )
