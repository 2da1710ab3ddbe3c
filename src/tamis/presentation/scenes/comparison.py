"""Pictures of a comparison: a figure over the number of columns, places, and who agrees."""

import math
from collections.abc import Mapping, Sequence

from tamis.facts.comparison_answer import ComparisonFacts
from tamis.presentation.scenes.scene import Frame, Mark, Scene, cell, dot, group, line, text
from tamis.presentation.scenes.share_scale import ShareScale, axis_ticks
from tamis.presentation.scenes.svg import draw_svg, shorten_label

_LOWEST = -0.1  # of a share: what is worse than predicting the mean is drawn just below 0
_SHARES = ("share", "held-out")  # criteria that are shares of all columns


def criterion_scene(facts: ComparisonFacts, criterion: str) -> Scene:
    """Make a line for each method measured by a criterion, named by its id; the best on top."""
    title = next(row for row in facts.criteria if row.id == criterion).name
    marks = []
    for place, method in reversed(list(enumerate(facts.methods))):
        values = facts.figures[criterion][method.id].values
        points = [(k, v) for k, v in zip(facts.sizes, values, strict=True) if v is not None]
        role = f"best c{place}" if method.best else f"c{place}"
        marks += [line(role, points, size=2.5, label=method.id)] if points else []
    scale = ShareScale() if criterion in _SHARES else None
    about = f"{title} of {len(facts.methods)} methods"
    return Scene("lines", marks, about, titles=("columns kept", title), scale=scale)


def line_chart(
    facts: ComparisonFacts,
    criterion: str,
    kinds: Mapping[str, str],
    *,
    width: int = 300,
    height: int = 200,
) -> str:
    """Draw the same as SVG, seconds on a log scale; `kinds` has the classes of each method."""
    scene = criterion_scene(facts, criterion)
    unit = next(row for row in facts.criteria if row.id == criterion).unit
    log = unit == "seconds"
    if not scene.marks:
        return ""

    def place(value: float) -> float:
        if log:
            return math.log10(max(value, 1e-4))
        return max(value, _LOWEST) if unit == "share" else value

    lines = [[(k, place(value)) for k, value in mark.points] for mark in scene.marks]
    shown = [value for points in lines for _, value in points]
    ticks = axis_ticks(min(shown), max(shown), powers=log)
    scale, ends = ShareScale(top=ticks[-1], low=ticks[0]), _spread(facts.sizes, 48, width - 18)
    frame = Frame(40, width - 10, 8, height - 24, scale=scale)
    heights = [(scale.place(tick), _write_tick(tick, unit)) for tick in ticks]
    marks = frame.draw_heights(heights)
    marks += [text(ends[k], frame.floor + 17, f"{k}", "middle") for k in facts.sizes]
    for mark, values in zip(scene.marks, lines, strict=True):
        points = [(ends[int(k)], frame.y(value)) for k, value in values]
        marks.append(_draw_method(mark.label, kinds[mark.label], points, len(ends) == 1))
    return draw_svg(Scene("lines", marks, scene.about, width, height, {"width": width}))


def place_chart(facts: ComparisonFacts, kinds: Mapping[str, str], *, width: int = 720) -> str:
    """Draw the rank of every method for each size, with its name at the last one."""
    each, top, right = 17, 30, 150
    ranks = {method.id: facts.ranks[method.id] for method in facts.methods}
    ends = _spread(facts.sizes, 34, width - right)

    def y(rank: float) -> float:
        return top + each * (rank - 0.5)

    marks = [text(x, 14, f"k = {size}", "middle") for size, x in ends.items()]
    taken: set[int] = set()
    for name, places in ranks.items():
        pairs = zip(ends.values(), places, strict=True)
        points = [(x, y(rank)) for x, rank in pairs if rank is not None]
        marks.append(_draw_method(name, kinds[name], points, dots=True))
        last = places[-1]
        if last is not None:
            row = next(r for r in range(last, last + len(ranks) + 1) if r not in taken)
            taken.add(row)
            x, role = width - right + 12, f"end {kinds[name]}"
            marks.append(text(x, y(row), shorten_label(name, 20), role=role, centred=True))
    lowest = max([rank or 1 for places in ranks.values() for rank in places] + [*taken], default=1)
    about = f"Places of {len(ranks)} methods for each number of columns"
    return draw_svg(
        Scene("places", marks, about, width, top + each * (lowest + 1), {"width": width})
    )


def agreement_map(names: Sequence[str], values: Sequence[Sequence[float]], about: str) -> str:
    """Draw a square matrix of shares, the names on its left and numbers above."""
    n, gutter, top = len(names), 158, 18
    each = max(18, min(44, 560 / n))
    marks = []
    for i, name in enumerate(names):
        label, down = f"{shorten_label(name, 20)}\N{NO-BREAK SPACE}{i + 1}", top + each * i
        marks.append(text(gutter - 6, down + each / 2, label, "end", centred=True))
        marks.append(text(gutter + each * (i + 0.5), 12, f"{i + 1}", "middle"))
        for j, value in enumerate(values[i]):
            said, shade = f"{name}, {names[j]}: {value:.2f}", f"{max(value, 0.03):.2f}"
            corner = gutter + each * j, down
            marks.append(cell("", corner, each - 1, each - 1, said, fill_opacity=shade))
    width = round(gutter + each * n)
    return draw_svg(Scene("agree", marks, about, width, round(top + each * n), {"width": width}))


def _spread(sizes: Sequence[int], left: float, right: float) -> dict[int, float]:
    """Give every size its place between both ends, at equal distances."""
    if len(sizes) == 1:
        return {sizes[0]: (left + right) / 2}
    return {k: left + (right - left) * i / (len(sizes) - 1) for i, k in enumerate(sizes)}


def _write_tick(tick: float, unit: str) -> str:
    if unit == "share":
        return f"{100 * tick:.3g}%" if tick >= 0 else "< 0"
    if unit == "seconds":
        return f"{10**tick:g} s"
    return f"{tick:.3g}".replace("-", "\N{MINUS SIGN}")


def _draw_method(name: str, kind: str, points: Sequence[tuple[float, float]], dots: bool) -> Mark:
    marks = [line("", points)]
    return group(kind, [*marks, *(dot("", x, y, 3.5) for x, y in points if dots)], name)
