"""Add a column to a tree of concepts without growing it again (AICC; Devaney & Ram, 1997).

Their operators are not published in enough detail; these are ours. Every concept is counted again
with the new column. Rows that a leaf held together, because the old columns do not separate them,
are grown into a tree of their own. Then leaves move between the concepts of the first level, two of
these are merged, or one is replaced by its own children, with leaves moving after: whatever raises
the category utility of the first level most, while it rises.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tamis.algorithms.clustering.cobweb import Concept, ConceptTree, grow
from tamis.algorithms.clustering.concepts import Features
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats

_MAX_LEAF_PASSES = 10  # over the leaves, at most, before children are merged or split


def add_column(tree: ConceptTree, features: Features, vectors: Floats) -> ConceptTree:
    """Give the tree of the same rows with one column more, whose vectors are given.

    Examples
    --------
    The first column separates nothing; the second has two values far apart.

    >>> first, second = Features(1), Features(2)
    >>> rows = np.array([[0.0, 0.0], [0.1, 9.0], [0.0, 0.1], [0.1, 9.1]])
    >>> tree = grow(first, first.vectors(rows[:, :1]), np.arange(4))
    >>> add_column(tree, second, second.vectors(rows)).clusters()
    [[0, 2], [1, 3]]
    """
    root = _count_columns(tree.root, features, vectors)
    total = vectors.sum(axis=0)
    _restructure(root, features, total)
    return ConceptTree(root, total, features)


def _count_columns(node: Concept, features: Features, vectors: Floats) -> Concept:
    """Copy a concept with the counts of the new columns; a leaf is grown by itself."""
    if not node.children:
        rows = np.array(node.rows)
        fresh = grow(features, vectors[rows], np.arange(len(rows))).root
        return _place_in_table(fresh, rows.tolist())
    copy = Concept([])
    children = [_count_columns(child, features, vectors) for child in node.children]
    sums = np.stack([vectors[list(child.members())].sum(axis=0) for child in children])
    copy.adopt(children, sums, _worth(features, sums))
    return copy


def _place_in_table(node: Concept, names: list[int]) -> Concept:
    """Put the positions in the table in place of those in the leaf."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        one.rows = [names[row] for row in one.rows]
        waiting += one.children
    return node


@dataclass(frozen=True, eq=False)
class _Level:
    """The children that a concept might have, with the vector of each."""

    features: Features
    children: tuple[Concept, ...]
    sums: Floats
    whole: float

    @property
    def worth(self) -> Floats:
        return _worth(self.features, self.sums)

    @property
    def value(self) -> float:
        """Category utility times the number of rows."""
        return (float(self.worth.sum()) - self.whole) / len(self.children)


def _restructure(node: Concept, features: Features, total: Floats) -> None:
    """Move leaves, merge and split children while the category utility of the node rises."""
    if len(node.children) < 2:
        return
    whole = float(_worth(features, total[None])[0])
    level = _redistribute_leaves(_Level(features, tuple(node.children), node.sums, whole))
    while True:
        tried = [*_merge_children(level), *(_redistribute_leaves(split) for split in _split(level))]
        values = np.array([one.value for one in tried])
        if not len(values) or values.max() <= level.value + TIE * whole:
            break
        level = tried[first_best(values)]
    node.adopt(level.children, level.sums, level.worth)


def _merge_children(level: _Level) -> Iterator[_Level]:
    """Give the level with the two children merged whose union guesses best."""
    k = len(level.children)
    if k < 3:
        return
    a, b = np.triu_indices(k, 1)
    worth = level.worth
    gains = _worth(level.features, level.sums[a] + level.sums[b]) - worth[a] - worth[b]
    best = first_best(gains - gains.min())
    pair = [int(a[best]), int(b[best])]
    union = Concept([])
    union.adopt([level.children[i] for i in pair], level.sums[pair], worth[pair])
    yield _replace_children(level, pair, [union], level.sums[pair].sum(axis=0, keepdims=True))


def _split(level: _Level) -> Iterator[_Level]:
    """Give the level with each child in turn replaced by its own children."""
    for a, child in enumerate(level.children):
        if child.children:
            yield _replace_children(level, [a], child.children, child.sums)


def _replace_children(level: _Level, gone: list[int], fresh: list[Concept], sums: Floats) -> _Level:
    kept = [child for i, child in enumerate(level.children) if i not in gone]
    together = np.concatenate([np.delete(level.sums, gone, axis=0), sums])
    return _Level(level.features, (*kept, *fresh), together, level.whole)


def _redistribute_leaves(level: _Level) -> _Level:
    """Move leaves, one after the other, to the child where they are guessed best."""
    units = [
        (leaf, z, home)
        for home, (child, own) in enumerate(zip(level.children, level.sums, strict=True))
        for leaf, z in _leaves(child, own)
    ]
    home = [unit[2] for unit in units]
    sums, worth = level.sums.copy(), level.worth.copy()
    for _ in range(_MAX_LEAF_PASSES):
        before = list(home)
        for u, (_, z, _) in enumerate(units):
            a = home[u]
            if sums[a, 0] <= z[0]:
                continue  # the last leaf of a child
            less = float(_worth(level.features, (sums[a] - z)[None])[0])
            more = _worth(level.features, sums + z)
            gains = more - worth
            gains[a] = worth[a] - less
            b = int(np.argmax(gains))
            if gains[b] > gains[a] + TIE * level.whole:
                sums[a], sums[b], home[u] = sums[a] - z, sums[b] + z, b
                worth[a], worth[b] = less, more[b]
        if home == before:
            break
    return _rebuilt(level, units, home)


def _rebuilt(level: _Level, units: list[tuple[Concept, Floats, int]], home: list[int]) -> _Level:
    """Take the leaves that moved out of their children, and put them under others."""
    moved = [u for u, unit in enumerate(units) if home[u] != unit[2]]
    if not moved:
        return level
    gone = {id(units[u][0]) for u in moved}
    children, sums = [], []
    for i, (child, own) in enumerate(zip(level.children, level.sums, strict=True)):
        parts = [(units[u][0], units[u][1]) for u in moved if home[u] == i]
        rest = _prune_leaves(child, own, gone, level.features)
        joined = _join_concepts([*([rest] if rest else []), *parts], level.features)
        children.append(joined[0])
        sums.append(joined[1])
    return _Level(level.features, tuple(children), np.stack(sums), level.whole)


def _prune_leaves(
    node: Concept, sums: Floats, gone: set[int], features: Features
) -> tuple[Concept, Floats] | None:
    """Give a concept without some of its leaves; None if nothing is left."""
    if not node.children:
        return None if id(node) in gone else (node, sums)
    parts = [
        part
        for child, own in zip(node.children, node.sums, strict=True)
        if (part := _prune_leaves(child, own, gone, features)) is not None
    ]
    return _join_concepts(parts, features) if parts else None


def _join_concepts(
    parts: list[tuple[Concept, Floats]], features: Features
) -> tuple[Concept, Floats]:
    """Put concepts under a new one; one alone stays itself."""
    if len(parts) == 1:
        return parts[0]
    sums = np.stack([own for _, own in parts])
    node = Concept([])
    node.adopt([child for child, _ in parts], sums, _worth(features, sums))
    return node, sums.sum(axis=0)


def _leaves(node: Concept, sums: Floats) -> Iterator[tuple[Concept, Floats]]:
    if not node.children:
        yield node, sums
    for child, own in zip(node.children, node.sums, strict=True):
        yield from _leaves(child, own)


def _worth(features: Features, sums: Floats) -> Floats:
    """Give the number of rows times the values guessed right in one of them."""
    return np.asarray(features.count_right_guesses(sums) * sums[:, 0])
