"""Trees: of columns, folded to rows that can be read; of similar columns; of concepts; of searches.

The leaves from left to right and their depths say all of a binary tree of columns, so that is what
comes in. Rows that hold columns of the path carry their places on it in `data-places`: a script can
mark the kept ones of any number without knowing the tree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import Any

from tamis.facts.explorer import MapFacts
from tamis.presentation.prose.about_search import mark_text, score_text
from tamis.presentation.prose.writing import count_words, cut
from tamis.presentation.scenes.scene import Mark, Point, Scene, cell, dot, group, path, rule, text
from tamis.presentation.scenes.svg import draw_svg, shorten_label
from tamis.values import dataclass

_MAX_LEAVES = 80  # a tree with more leaves than this is folded
_MOST_ROWS = 120  # for the sake of kept columns
_LEAF_HEIGHT = 16
_LEAF_LETTER_WIDTH = 7.2  # wide, in bold, on average


@dataclass(eq=False)
class TreeNode:
    """A split or a leaf: a concept of rows, a column, or several columns folded into one row."""

    level: int
    name: str = ""
    count: int = 1
    places: list[int] = field(default_factory=list)  # where its columns are on the path, from 1
    # What is known of the rows of a concept.
    concept: Mapping[str, Any] = field(default_factory=dict)
    children: "list[TreeNode]" = field(default_factory=list)
    parent: "TreeNode | None" = None
    y: float = 0.0


def _place_rows(root: TreeNode, height: float) -> list[TreeNode]:
    """Give every leaf a row, and put every split between its first and its last child.

    Lists the nodes from top to bottom, each before those under it.
    """
    nodes, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting += node.children[::-1]
    for place, leaf in enumerate(node for node in nodes if not node.children):
        leaf.y = height * (place + 0.5)
    for node in reversed(nodes):
        if node.children:
            node.y = (node.children[0].y + node.children[-1].y) / 2
    return nodes


def _bracket(x: float, ends: Sequence[Point]) -> list[Sequence[Point]]:
    """Connect parts by an upright line at `x` and an arm to each of them."""
    arms = [((x, y), (end, y)) for end, y in ends]
    return [((x, ends[0][1]), (x, ends[-1][1])), *(arm for arm in arms if arm[0] != arm[1])]


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """A tree of columns ready to be drawn at any width, with `k` of its path kept."""

    leaves: int  # how many columns the tree has
    folded: int  # how many of them have no row of their own
    lost: int  # how many of these are kept ones
    k: int
    root: TreeNode = field(repr=False)

    def draw(self, *, width: int = 720) -> str:
        """Draw the root on the left and the names on the right."""
        nodes = _place_rows(self.root, _LEAF_HEIGHT)
        rows = [node for node in nodes if not node.children]
        longest = max(len(_name_row(row, max(row.places, default=0))) for row in rows)
        tip = round(width - min(_LEAF_LETTER_WIDTH * longest + 16, 0.44 * width))
        splits = [node for node in nodes if node.children]
        step = (tip - 12) / (max((split.level for split in splits), default=0) + 1)
        letters = int((width - tip - 10) / _LEAF_LETTER_WIDTH)
        brackets = []
        for split in splits:
            x = 4 + step * split.level
            # The stretch before a row of the path is left to the row.
            ends = [
                (4 + step * child.level if child.children else x if child.places else tip, child.y)
                for child in split.children
            ]
            brackets += _bracket(x, ends)
        marks = [path("branches", *brackets)]
        for row in rows:
            label = text(tip + 10, row.y, shorten_label(_name_row(row, self.k), letters))
            if not row.places:
                marks.append(label)
                continue
            x = 4 + step * row.parent.level if row.parent else 0
            more = {"data-places": " ".join(map(str, row.places))}
            more |= {"data-folded": f"{row.count:,}"} if row.count > 1 else {}
            kind = "row kept" if _count_kept(row, self.k) else "row"
            arm = path("", [(x, row.y), (tip, row.y)])
            marks.append(group(kind, [arm, dot("", tip, row.y, 4), label], **more))
        about = f"Tree of {self.leaves} columns; kept ones have a dot and a bold name"
        return draw_svg(Scene("tree", marks, about, width, _LEAF_HEIGHT * len(rows)))


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
    on_path = ([places[name]] if name in places else [] for name in order)
    leaves = [TreeNode(depth[name], name, places=p) for name, p in zip(order, on_path, strict=True)]
    root, rows = _fold_leaves(_grow_tree(leaves), leaves, k)
    several = [row for row in rows if row.count > 1]
    lost = sum(_count_kept(row, k) for row in several)
    return Dendrogram(len(order), sum(row.count for row in several), lost, k, root)


def _grow_tree(leaves: Sequence[TreeNode]) -> TreeNode:
    """Join the leaves, from left to right, whenever two parts of the same level stand together."""
    open_parts: list[TreeNode] = []
    for leaf in leaves:
        open_parts.append(leaf)
        while len(open_parts) > 1 and open_parts[-1].level == open_parts[-2].level:
            pair = open_parts[-2:]
            joined = TreeNode(pair[0].level - 1, children=pair)
            pair[0].parent = pair[1].parent = joined
            open_parts[-2:] = [joined]
    (root,) = open_parts
    return root


def _fold_leaves(
    root: TreeNode, leaves: Sequence[TreeNode], k: int
) -> tuple[TreeNode, list[TreeNode]]:
    """Let neighbours share a row until the rows can be read: siblings first, the deepest first."""
    below: dict[TreeNode | None, TreeNode | None] = dict(pairwise([None, *leaves, None]))
    above = {low: high for high, low in below.items()}
    queue: list[tuple[tuple[bool, bool, int], int, TreeNode, TreeNode]] = []
    turns = count()

    def offer(first: TreeNode | None, second: TreeNode | None) -> None:
        if first and second:
            kept = _count_kept(first, k) + _count_kept(second, k) > 0
            reluctance = kept, first.parent is not second.parent, -max(first.level, second.level)
            heappush(queue, (reluctance, next(turns), first, second))

    for first, second in pairwise(leaves):
        offer(first, second)
    left = len(leaves)
    while left > _MAX_LEAVES and queue:
        (kept, *_), _, first, second = heappop(queue)
        if below.get(first) is not second:
            continue
        if kept and left <= _MOST_ROWS:
            break
        stays, goes = (second, first) if first.level > second.level else (first, second)
        root = _merge(stays, goes, root)
        high, low = above.pop(goes), below.pop(goes)
        below[high], above[low] = low, high
        offer(above[stays], stays)
        offer(stays, below[stays])
        left -= 1
    rows, row = [], below[None]
    while row is not None:
        rows.append(row)
        row = below[row]
    return root, rows


def _merge(stays: TreeNode, goes: TreeNode, root: TreeNode) -> TreeNode:
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


def _name_row(row: TreeNode, k: int) -> str:
    if row.count == 1:
        return row.name if row.name.strip() else "(no name)"
    kept = _count_kept(row, k)
    words = f"{kept:,} of {row.count:,} kept" if kept else f"{row.count:,} columns"
    return f"\N{HORIZONTAL ELLIPSIS} {words}"


def _count_kept(row: TreeNode, k: int) -> int:
    return sum(place <= k for place in row.places)


_CLUSTER_ROW_HEIGHT = 15
_TIP = 470
_CLUSTERS_WIDTH = 720
_TOP_MARGIN = 22


def cluster_chart(facts: MapFacts, kept: set[int]) -> str:
    """Draw which columns join at which similarity; a dot and a bold name mark the kept ones.

    `facts` has the columns from top to bottom with their names, and the joins: two parts, counted
    from the leaves on, and a similarity between 0 and 1, which is the axis.
    """
    n = len(facts.names)
    height = _TOP_MARGIN + _CLUSTER_ROW_HEIGHT * n + 4

    def place(similarity: float) -> float:
        return 14 + (_TIP - 14) * min(max(similarity, 0.0), 1.0)

    parts = [(place(1.0), _TOP_MARGIN + _CLUSTER_ROW_HEIGHT * (row + 0.5)) for row in range(n)]
    brackets = []
    for first, second, similarity in facts.merges:
        ends = [parts[first], parts[second]]
        brackets += _bracket(place(similarity), ends)
        parts.append((place(similarity), (ends[0][1] + ends[1][1]) / 2))
    marks: list[Mark] = []
    for tenth in (0, 2, 4, 6, 8, 10):
        x = place(tenth / 10)
        marks.append(rule("grid", (x, _TOP_MARGIN), (x, height)))
        marks.append(text(x, 12, f"{tenth / 10:g}", "middle"))
    marks.append(path("branches", *brackets))
    for (_, y), name, column in zip(parts, facts.names, facts.columns, strict=False):
        row = [dot("", _TIP + 4, y, 3.5), text(_TIP + 13, y, cut(name, 34))]
        marks.append(group("row kept" if column in kept else "row", row, data_column=column))
    about = f"Tree of {n} columns by similarity; kept ones have a dot and a bold name"
    return draw_svg(Scene("tree clusters", marks, about, _CLUSTERS_WIDTH, height))


_MAX_CONCEPTS = 18  # concepts at the right end; more are folded
_CONCEPT_HEIGHT = 40
_CONCEPT_LETTER_WIDTH = 6.4  # wide, on average
_NARROW = 500
_STYLE = (
    "<style>.concepts{max-width:46rem;font-family:system-ui,sans-serif}.concepts text"
    "{font-size:12px;fill:currentColor}.concepts path{fill:none;stroke:#8a9096}"
    ".concepts circle{fill:#1b6b68}.concepts .name{font-weight:600}</style>"
)


def hierarchy_drawing(tree: Mapping[str, Any]) -> str:
    """Draw a hierarchy of concepts with the style it needs, to stand alone."""
    return _STYLE + hierarchy_chart(tree, 720)


def hierarchy_chart(tree: Mapping[str, Any], width: int) -> str:
    """Draw all rows on the left and ever finer concepts to the right.

    A dot grows with the number of rows. The largest concepts are opened first, as long as what
    results can be read.

    Examples
    --------
    >>> part = {"rows": 2, "marks": [["width", 1.0]], "children": [], "hidden": 0}
    >>> tree = {"rows": 4, "marks": [], "children": [part, part], "hidden": 0}
    >>> hierarchy_chart(tree, 720).count("<circle")
    3
    """
    narrow = width < _NARROW
    root = _open_concepts(tree, 2 if narrow else 3)
    nodes = _place_rows(root, _CONCEPT_HEIGHT)
    deepest = max(node.level for node in nodes)
    step = (0.4 if narrow else 0.46) * width / max(deepest, 1)
    brackets: list[Sequence[Point]] = []
    marks: list[Mark] = []
    for node in nodes:
        x, end = 12 + step * node.level, 12 + step * (node.level + 1)
        if node.children:
            brackets.append(((x, node.y), (end - 14, node.y)))
            brackets += _bracket(end - 14, [(end, child.y) for child in node.children])
        marks.append(dot("", x, node.y, round(2.5 + 6 * (node.count / tree["rows"]) ** 0.5, 1)))
        marks += _write_concept(node, x, width)
    rows = sum(not node.children for node in nodes)
    about = f"Hierarchy of {count_words(tree['rows'], 'row')} in {len(root.children) or 1} clusters"
    marks = [path("", *brackets), *marks]
    return draw_svg(Scene("concepts", marks, about, width, _CONCEPT_HEIGHT * rows))


def _open_concepts(tree: Mapping[str, Any], levels: int) -> TreeNode:
    """Open the largest concepts until no further one fits; the first level is always open.

    Those of the first level are clusters, named by their number.
    """
    root = TreeNode(0, count=tree["rows"], concept=tree)
    closed, ends = [root], 1
    while closed:
        node = max(closed, key=lambda each: (each.level == 0, each.count))
        closed.remove(node)
        parts = node.concept["children"]
        crowded = node.level and ends + len(parts) - 1 > _MAX_CONCEPTS
        if not parts or node.level == levels or crowded:
            continue
        node.children = [
            TreeNode(node.level + 1, "" if node.level else f"{i}: ", part["rows"], concept=part)
            for i, part in enumerate(parts, start=1)
        ]
        closed += node.children
        ends += len(parts) - 1
    return root


def _write_concept(node: TreeNode, x: float, width: int) -> list[Mark]:
    """Write the rows of a concept and, at the right end, what its rows have in common."""
    at, rows = x + 13, count_words(node.count, "row")
    if node.children:
        rows = f"{node.count:,}" if width < _NARROW or not node.level else rows
        return [text(at, node.y - 5, f"{node.name}{rows}", role="name")]
    letters = int((width - x - 15) / _CONCEPT_LETTER_WIDTH)
    more = len(node.concept["children"]) + node.concept["hidden"]
    title = f"{node.name}{rows}" + (f" in {more} groups" if more else "")
    about = ", ".join(mark_text(mark) for mark in node.concept["marks"])
    return [
        text(at, node.y - 3, shorten_label(title, letters), role="name"),
        text(at, node.y + 12, shorten_label(about, letters)),
    ]


_BOX, _GAP, _MORE = (124, 38), 10, 58  # a box, between two, for the number of those not drawn
_PITCH = 66  # of the levels
_MAX_LEVELS_DRAWN = 12  # that are drawn; of more, the first and the last
_MAX_NODE_LETTERS = 14  # of a name; in bold two fewer have room
_EDGE = 1  # room for the lines around the boxes


def search_tree(facts: Mapping[str, Any], width: int = 720) -> str:
    """Draw the start at the top and under it, level by level, the best sets that were tried.

    The set from which the search went on comes first and is marked.
    """
    room = max((width - _MORE + _GAP) // (_BOX[0] + _GAP), 1)
    size = f"{facts['start_size']:,} columns" if facts["start_size"] else "no columns"
    every = facts["start_size"] == facts["all"] and not facts["adding"]
    start = f"all {size}" if every else size
    levels, half, y = facts["levels"], _MAX_LEVELS_DRAWN // 2, _EDGE
    hidden = max(facts["n_levels"] - _MAX_LEVELS_DRAWN, 0)
    marks = [_draw_set(_EDGE, y, start, score_text(facts["start"], facts["scorer"]), "start")]
    for place, level in enumerate([*levels[:half], *levels[-half:]] if hidden else levels):
        if hidden and place == half:
            x, above, y = _EDGE + _BOX[0] // 2, y + _BOX[1], y + _PITCH
            marks.append(path("taken", [(x, above), (x, y + _BOX[1])], stroke_dasharray="3 5"))
            words = f"{hidden:,} levels not drawn"
            marks.append(text(x + 12, y + _BOX[1] // 2, words, centred=True))
        above, y = y + _BOX[1], y + _PITCH
        marks += _draw_level(level, facts, above, y, room)
    about = f"Search tree: {facts['n_levels']} levels; the set taken on each level comes first"
    return draw_svg(Scene("search", marks, about, width + 2 * _EDGE, y + _BOX[1] + _EDGE))


def _draw_level(
    level: Mapping[str, Any], facts: Mapping[str, Any], above: float, y: float, room: int
) -> list[Mark]:
    marks, shown, x = [], level["sets"][:room], _EDGE
    sign = "+" if facts["adding"] else "\N{MINUS SIGN}"
    for tried in shown:
        kind = "taken" if tried["taken"] else "tried"
        marks.append(path(kind, [(_EDGE + _BOX[0] / 2, above), (x + _BOX[0] / 2, y)]))
        letters = _MAX_NODE_LETTERS - 2 * tried["taken"]
        name = f"{sign} {shorten_label(tried['column'], letters)}"
        score = score_text(tried["score"], facts["scorer"])
        marks.append(_draw_set(x, y, name, score, kind, tried["column"]))
        x += _BOX[0] + _GAP
    left = level["tried"] - len(shown)
    if left:
        marks.append(text(x, y + _BOX[1] // 2, f"{left:,} more", centred=True))
    return marks


def _draw_set(x: float, y: float, words: str, score: str, kind: str, title: str = "") -> Mark:
    middle = x + _BOX[0] // 2
    parts = [
        cell("", (x, y), *_BOX, rx=5),
        text(middle, y + 15, words, "middle"),
        text(middle, y + 31, score, "middle", role="score"),
    ]
    return group(kind, parts, title)
