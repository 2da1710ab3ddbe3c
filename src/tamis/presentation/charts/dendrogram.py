"""A binary tree of columns as inline SVG, folded to a number of rows that can be read.

The leaves from left to right and their depths say all of a binary tree, so that is what comes in.
Rows that hold columns of the path carry their places on it in `data-places`: a script can mark the
kept ones of any number without knowing the tree.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from heapq import heappop, heappush
from itertools import count, pairwise

from tamis.presentation.charts.svg import number, shorten_label
from tamis.values import dataclass

__all__ = ["Dendrogram", "dendrogram"]

_MAX_LEAVES = 80  # a tree with more leaves than this is folded
_MOST = 120  # rows for the sake of kept columns
_LEAF_HEIGHT = 16
_LEAF_LETTER_WIDTH = 7.2  # wide, in bold, on average


@dataclass(eq=False)
class _DendrogramNode:
    """A split with two children, or a row: one column, or several folded."""

    level: int
    name: str = ""
    count: int = 1
    places: list[int] = field(default_factory=list)  # on the path, from 1
    children: "list[_DendrogramNode]" = field(default_factory=list)
    parent: "_DendrogramNode | None" = None
    y: float = 0.0


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """A tree ready to be drawn at any width: its root, its rows from top to bottom, what is kept.

    Attributes
    ----------
    leaves
        How many columns the tree has.
    folded
        How many of them have no row of their own.
    lost
        How many of these are kept ones.
    """

    leaves: int
    folded: int
    lost: int
    k: int
    _root: _DendrogramNode = field(repr=False)
    _rows: list[_DendrogramNode] = field(repr=False)

    def draw(self, *, width: int = 720) -> str:
        """Draw the root on the left and the names on the right."""
        longest = max(len(_label(row, max(row.places, default=0))) for row in self._rows)
        tip = round(width - min(_LEAF_LETTER_WIDTH * longest + 16, 0.44 * width))
        for place, row in enumerate(self._rows):
            row.y = _LEAF_HEIGHT * (place + 0.5)
        splits = _splits(self._root)
        for split in reversed(splits):
            split.y = sum(child.y for child in split.children) / 2
        deepest = max((split.level for split in splits), default=0)
        step = (tip - 12) / (deepest + 1)
        letters = int((width - tip - 10) / _LEAF_LETTER_WIDTH)
        label = f"Tree of {self.leaves} columns; kept ones have a dot and a bold name"
        return (
            f'<svg class="tree" viewBox="0 0 {width} {_LEAF_HEIGHT * len(self._rows)}" role="img" '
            f'aria-label="{label}"><path class="branches" d="{_branches(splits, step, tip)}"/>'
            f"{''.join(_row(row, self.k, step, tip, letters) for row in self._rows)}</svg>"
        )


def dendrogram(
    order: Sequence[str], depth: Mapping[str, int], path: Sequence[str], k: int
) -> Dendrogram:
    """Make a drawing of the tree whose leaves, from left to right, lie at these depths.

    The first `k` columns of the path are kept. Beyond about 80 leaves, neighbours in the tree that
    are not kept share a row, the deepest first.

    Examples
    --------
    >>> tree = dendrogram(["a", "b", "c"], {"a": 1, "b": 2, "c": 2}, path=["b"], k=1)
    >>> tree.leaves, tree.folded, tree.draw().count("<text")
    (3, 0, 3)
    """
    places = {name: place for place, name in enumerate(path, start=1)}
    leaves = [
        _DendrogramNode(depth[name], name, places=[places[name]] if name in places else [])
        for name in order
    ]
    root, rows = _fold_leaves(_grow_tree(leaves), leaves, k)
    several = [row for row in rows if row.count > 1]
    lost = sum(_kept(row, k) for row in several)
    return Dendrogram(len(order), sum(row.count for row in several), lost, k, root, rows)


def _grow_tree(leaves: Sequence[_DendrogramNode]) -> _DendrogramNode:
    """Join the leaves, from left to right, whenever two parts of the same level stand together."""
    open_parts: list[_DendrogramNode] = []
    for leaf in leaves:
        open_parts.append(leaf)
        while len(open_parts) > 1 and open_parts[-1].level == open_parts[-2].level:
            pair = open_parts[-2:]
            joined = _DendrogramNode(pair[0].level - 1, children=pair)
            pair[0].parent = pair[1].parent = joined
            open_parts[-2:] = [joined]
    (root,) = open_parts
    return root


def _fold_leaves(
    root: _DendrogramNode, leaves: Sequence[_DendrogramNode], k: int
) -> tuple[_DendrogramNode, list[_DendrogramNode]]:
    """Let neighbours share a row until the rows can be read: siblings first, the deepest first."""
    below: dict[_DendrogramNode | None, _DendrogramNode | None] = dict(
        pairwise([None, *leaves, None])
    )
    above = {low: high for high, low in below.items()}
    queue: list[tuple[tuple[bool, bool, int], int, _DendrogramNode, _DendrogramNode]] = []
    turns = count()

    def offer(first: _DendrogramNode | None, second: _DendrogramNode | None) -> None:
        if first and second:
            heappush(queue, (_reluctance(first, second, k), next(turns), first, second))

    for first, second in pairwise(leaves):
        offer(first, second)
    left = len(leaves)
    while left > _MAX_LEAVES and queue:
        (kept, *_), _, first, second = heappop(queue)
        if below.get(first) is not second:
            continue
        if kept and left <= _MOST:
            break
        stays, goes = (second, first) if first.level > second.level else (first, second)
        root = _merge(stays, goes, root)
        high, low = above.pop(goes), below.pop(goes)
        below[high], above[low] = low, high
        offer(above[stays], stays)
        offer(stays, below[stays])
        left -= 1
    return root, list(_chain(below))


def _reluctance(first: _DendrogramNode, second: _DendrogramNode, k: int) -> tuple[bool, bool, int]:
    kept = _kept(first, k) + _kept(second, k) > 0
    return kept, first.parent is not second.parent, -max(first.level, second.level)


def _merge(stays: _DendrogramNode, goes: _DendrogramNode, root: _DendrogramNode) -> _DendrogramNode:
    """Put the columns of one row into another, and the sibling it had into their parent's place."""
    stays.count += goes.count
    stays.places = sorted(stays.places + goes.places)
    split = goes.parent
    assert split is not None  # only the root has no parent, and two rows are never the root
    (sibling,) = (child for child in split.children if child is not goes)
    sibling.parent = split.parent
    if sibling is stays:
        stays.level = split.level
    if split.parent is None:
        return sibling
    split.parent.children = [sibling if c is split else c for c in split.parent.children]
    return root


def _chain(
    below: Mapping[_DendrogramNode | None, _DendrogramNode | None],
) -> Iterator[_DendrogramNode]:
    row = below[None]
    while row is not None:
        yield row
        row = below[row]


def _splits(root: _DendrogramNode) -> list[_DendrogramNode]:
    """List the splits, each before those under it."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        if node.children:
            found.append(node)
            waiting += node.children
    return found


def _branches(splits: Sequence[_DendrogramNode], step: float, tip: float) -> str:
    """Draw each split as a bracket; the stretch before a row of the path is left to the row."""
    parts = []
    for split in splits:
        x = _x(split, step)
        high, low = (number(child.y) for child in split.children)
        parts.append(f"M{x} {high}V{low}")
        for child in split.children:
            if child.children:
                parts.append(f"M{x} {number(child.y)}H{_x(child, step)}")
            elif not child.places:
                parts.append(f"M{x} {number(child.y)}H{number(tip)}")
    return "".join(parts)


def _row(row: _DendrogramNode, k: int, step: float, tip: float, letters: int) -> str:
    """Write a row's name; for columns of the path also the line and the dot that mark it."""
    label = shorten_label(_label(row, k), letters)
    y, end = number(row.y), number(tip)
    text = f'<text x="{number(tip + 10)}" y="{y}">{label}</text>'
    if not row.places:
        return text
    kind = "row kept" if _kept(row, k) else "row"
    folded = f' data-folded="{row.count:,}"' if row.count > 1 else ""
    x = _x(row.parent, step) if row.parent else "0"
    return (
        f'<g class="{kind}" data-places="{" ".join(map(str, row.places))}"{folded}>'
        f'<path d="M{x} {y}H{end}"/><circle cx="{end}" cy="{y}" r="4"/>{text}</g>'
    )


def _label(row: _DendrogramNode, k: int) -> str:
    if row.count == 1:
        return row.name if row.name.strip() else "(no name)"
    kept = _kept(row, k)
    text = f"{kept:,} of {row.count:,} kept" if kept else f"{row.count:,} columns"
    return f"\N{HORIZONTAL ELLIPSIS} {text}"


def _kept(row: _DendrogramNode, k: int) -> int:
    return sum(place <= k for place in row.places)


def _x(node: _DendrogramNode, step: float) -> str:
    return number(4 + step * node.level)
