"""COBWEB: a tree of concepts that grows by one row at a time.

Fisher's (1987) algorithm, with numeric columns as in CLASSIT and COBWEB/3. At each node from the
root, the operator with the best category utility of the resulting children is applied: put the row
into the best child, make it a child of its own, merge the two best children and go on in the
union, or replace the best child by its own children and try again. The row counts in all four, for
a split in the best of the children that result. Equal values go to the first of the four.

A leaf is split only where that raises category utility, by column, above `cutoff`, as in CLASSIT:
rows that differ by less than the acuity stay together, and the tree does not grow into a chain.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import TIE
from tamis.values import dataclass

# What is known of a set of rows without reading them again, and category utility on top of it.
#
# A set of rows is one vector: the number of rows, the sums and the sums of squares of the numeric
# columns, and the number of rows with each value of each nominal column. The vector of a union is
# the sum of the vectors.
PLAIN = float(1 / (2 * np.sqrt(np.pi)))  # the mean density of a normal distribution of deviation 1

# A numeric column known to within this many standard deviations counts as much as a nominal one
# whose value is certain: 1. The default of CLASSIT, 1, is for columns in their own units: no group
# of rows of a standardised column would score more than all rows.
ACUITY = PLAIN


@dataclass(frozen=True, eq=False)
class Features:
    """How rows become vectors: so many numeric columns, and so many values of each nominal one."""

    numeric: int
    values: tuple[int, ...] = ()
    acuity: float = ACUITY

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.numeric + len(self.values)

    @cached_property
    def single(self) -> float:
        """What is guessed of a single row: 1 of each nominal column, the most of a numeric one."""
        return self.numeric * PLAIN / self.acuity + len(self.values)

    def vectors(self, numbers: Floats, codes: Indices | None = None) -> Floats:
        """Give the vector of every row."""
        n = len(numbers)
        parts = [np.ones((n, 1)), numbers, numbers**2]
        if codes is not None:
            parts += [np.eye(size)[codes[:, j]] for j, size in enumerate(self.values)]
        return np.ascontiguousarray(np.hstack(parts))

    def count_right_guesses(self, sums: Floats) -> Floats:
        """Give the values guessed right in each set of rows: the sum over its columns of p^2.

        For a numeric column the sum over values of p^2 becomes the mean density of a normal
        distribution, 1 / (2 sqrt(pi) deviation), where the deviation is at least the acuity.

        Examples
        --------
        Of three rows, two have the first value: 4/9 + 1/9.

        >>> Features(0, (2,)).count_right_guesses(np.array([[3.0, 2.0, 1.0]])).round(4)
        array([0.5556])
        """
        d = self.numeric
        shares = sums[:, 1:] / sums[:, :1]
        numeric = np.add.reduce(_densities(shares[:, :d], shares[:, d : 2 * d], self.acuity), 1)
        if not self.values:
            return np.asarray(numeric)
        return np.asarray(numeric + np.square(shares[:, 2 * d :]).sum(axis=1))

    def worth(self, sums: Floats) -> Floats:
        """Give the number of rows times the values guessed right in one of them."""
        return np.asarray(self.count_right_guesses(sums) * sums[:, 0])

    def by_column(self, sums: Floats) -> Floats:
        """Give what each column adds, the numeric ones first: (sets of rows, columns)."""
        d = self.numeric
        shares = sums[:, 1:] / sums[:, :1]
        numeric = _densities(shares[:, :d], shares[:, d : 2 * d], self.acuity)
        nominal = [np.square(part).sum(axis=1) for part in self.nominal_shares(sums)]
        return np.column_stack([numeric, *nominal])

    def nominal_shares(self, sums: Floats) -> list[Floats]:
        """Give the share of each value of each nominal column: (sets of rows, values) for each."""
        shares = sums[:, 1 + 2 * self.numeric :] / sums[:, :1]
        return np.split(shares, np.cumsum(self.values)[:-1], axis=1) if self.values else []


def _densities(means: Floats, squares: Floats, acuity: float) -> Floats:
    return PLAIN / np.sqrt(np.maximum(squares - means * means, acuity * acuity))


def category_utility(features: Features, sums: Floats, *, weighted: bool = True) -> float:
    """Give how much better values are guessed once the cluster of a row is known, by cluster.

    `sums` has the vector of every cluster. `weighted=False` omits the share of rows in each
    cluster, as the formula is printed in Cunningham's survey.

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 1], [0, 0], [1, 1]])
    >>> features = Features(0, (2, 2))
    >>> vectors = features.vectors(np.zeros((4, 0)), rows)
    >>> sums = cluster_sums(vectors, np.array([0, 0, 0, 1]))
    >>> round(category_utility(features, sums), 7)
    0.2708333
    >>> round(category_utility(features, sums, weighted=False), 7)
    0.6527778
    """
    gains = features.count_right_guesses(sums) - features.count_right_guesses(
        sums.sum(axis=0, keepdims=True)
    )
    weights = sums[:, 0] / sums[:, 0].sum() if weighted else np.ones(len(sums))
    return float(weights @ gains) / len(sums)


def cluster_sums(vectors: Floats, labels: Indices) -> Floats:
    """Add up the vectors of the rows of each cluster."""
    sums = np.zeros((int(labels.max()) + 1, vectors.shape[1]))
    np.add.at(sums, labels, vectors)
    return sums


CUTOFF = 0.001
_OPERATORS = ("host", "new", "merge", "split")


class Concept:
    """A node: its children with the vector of each, or the rows of a leaf.

    `worth` is, for each child, its number of rows times the values guessed right in one of them.
    """

    __slots__ = ("children", "rows", "sums", "worth")

    def __init__(self, rows: list[int]) -> None:
        self.rows = rows
        self.children: list[Concept] = []
        self.sums: Floats = np.zeros((0, 0))
        self.worth: Floats = np.zeros(0)

    @classmethod
    def over(cls, children: "Sequence[Concept]", sums: Floats, worth: Floats) -> "Concept":
        """Put a node over these children."""
        node = cls([])
        node.adopt(children, sums, worth)
        return node

    def leaves(self, sums: Floats) -> "Iterator[tuple[Concept, Floats]]":
        """List the leaves under this node, which has these sums, with the vector of each."""
        if not self.children:
            yield self, sums
        for child, own in zip(self.children, self.sums, strict=True):
            yield from child.leaves(own)

    def members(self) -> Iterator[int]:
        """List the rows under this node."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield from node.rows
            waiting += node.children

    def adopt(self, children: "Sequence[Concept]", sums: Floats, worth: Floats) -> None:
        """Take these children in place of those there are, and be a leaf no more."""
        self.children, self.sums, self.worth, self.rows = list(children), sums, worth, []

    def replace(
        self, positions: list[int], children: "Sequence[Concept]", sums: Floats, worth: Floats
    ) -> None:
        """Put other children at the end in place of those at these positions."""
        kept = [c for i, c in enumerate(self.children) if i not in positions]
        self.adopt(
            [*kept, *children],
            np.concatenate([np.delete(self.sums, positions, axis=0), sums]),
            np.concatenate([np.delete(self.worth, positions), worth]),
        )


@dataclass(frozen=True, eq=False)
class ConceptTree:
    """A grown tree: its root, the vector of all rows, and how rows became vectors."""

    root: Concept
    total: Floats
    features: Features

    @property
    def sums(self) -> Floats:
        """The vectors of the first level; of all rows where the root is a leaf."""
        return self.root.sums if self.root.children else self.total[None]

    @property
    def utility(self) -> float:
        """Category utility of the first level."""
        return category_utility(self.features, self.sums)

    def labels(self) -> Indices:
        """Give the cluster of each row at the first level, in the order of their first rows."""
        found = np.zeros(int(self.total[0]), dtype=np.intp)
        for label, rows in enumerate(self.clusters()):
            found[rows] = label
        return found

    def clusters(self) -> list[list[int]]:
        """List the rows of each cluster of the first level, in order of their first rows."""
        parts = self.root.children or [self.root]
        return sorted((sorted(part.members()) for part in parts), key=lambda rows: rows[0])


def grow(
    features: Features, vectors: Floats, order: Indices, *, cutoff: float = CUTOFF
) -> ConceptTree:
    """Grow a tree from rows in this order.

    Examples
    --------
    >>> rows = np.array([[0.0], [5.0], [0.1], [5.1], [0.2]])
    >>> features = Features(1)
    >>> tree = grow(features, features.vectors(rows), np.arange(5))
    >>> tree.clusters()
    [[0, 2, 4], [1, 3]]
    """
    root, total = Concept([int(order[0])]), vectors[order[0]]
    least, worth = cutoff * features.width, features.single
    for row in order[1:].tolist():
        before, sums = worth, total
        total = sums + vectors[row]
        worth = float(features.worth(total[None])[0])
        _insert(features, root, row, vectors[row], (sums, before, worth), least)
    return ConceptTree(root, total, features)


def best_tree(
    features: Features,
    vectors: Floats,
    *,
    cutoff: float = CUTOFF,
    n_init: int = 1,
    random_state: int = 0,
    progress: bool = False,
) -> ConceptTree:
    """Grow `n_init` trees from rows in random orders, and give the one of best utility."""
    rng = np.random.default_rng(random_state)
    best: ConceptTree | None = None
    for _ in track("trees grown", range(n_init), n_init) if progress else range(n_init):
        tree = grow(features, vectors, rng.permutation(len(vectors)), cutoff=cutoff)
        if best is None or tree.utility > best.utility * (1 + TIE) + TIE:
            best = tree
    assert best is not None  # n_init is at least 1
    return best


def _insert(
    features: Features,
    node: Concept,
    row: int,
    z: Floats,
    place: tuple[Floats, float, float],
    least: float,
) -> None:
    """Put a row, of vector `z`, into the tree under a node.

    `place` is the vector and the worth of the node without the row, and the worth with it.
    """
    sums, before, after = place
    while node.children:
        operator, pair, joined, worth, union = _choose(features, node, z, after)
        a, b = pair
        match operator:
            case "new":
                node.replace([], [Concept([row])], z[None], np.array([features.single]))
                return
            case "split":
                part = node.children[a]
                node.replace([a], part.children, part.sums, part.worth)
            case "merge":
                below = [node.children[i] for i in pair]
                over = Concept.over(below, node.sums[pair], node.worth[pair])
                together = node.sums[a] + joined[b]
                node.replace(pair, [over], together[None], np.array([union]))
                node, after = over, union
            case _:
                sums, before, after = node.sums[a].copy(), float(node.worth[a]), float(worth[a])
                node.sums[a], node.worth[a] = joined[a], worth[a]
                node = node.children[a]
    # The category utility of two children: half of what they guess better than one, by row.
    if (before + features.single - after) / (2 * (sums[0] + 1)) > least + TIE:
        worth = np.array([before, features.single])
        node.adopt([Concept(node.rows), Concept([row])], np.stack([sums, z]), worth)
    else:
        node.rows.append(row)


def _choose(
    features: Features, node: Concept, z: Floats, whole: float
) -> tuple[str, list[int], Floats, Floats, float]:
    """Choose the operator for one row.

    With it come the two best children, the vectors and worths of all children with the row, and the
    worth of the union of these two with it. A partition into k children has the value (their worth
    - that of all rows) / k, which is its category utility times the number of rows.
    """
    joined = node.sums + z
    worth = features.worth(joined)
    k, base, margin = len(worth), float(node.worth.sum()), TIE * whole
    gains = (worth - node.worth).tolist()
    a = _first_best(gains, margin)
    b = _first_best([*gains[:a], -np.inf, *gains[a + 1 :]], margin)
    part, old = node.children[a], float(node.worth[a])
    tried = (node.sums[a] + joined[b])[None]
    if part.children:
        tried = np.concatenate([tried, part.sums + z])
    there = features.worth(tried)
    union = float(there[0])
    values = [
        (base + gains[a] - whole) / k,
        (base + features.single - whole) / (k + 1),
        (base - old - float(node.worth[b]) + union - whole) / (k - 1) if k > 2 else -np.inf,
    ]
    if part.children:
        inner = float(part.worth.sum()) + float((there[1:] - part.worth).max())
        values.append((base - old + inner - whole) / (k - 1 + len(part.children)))
    return _OPERATORS[_first_best(values, margin)], [a, b], joined, worth, union


def _first_best(values: list[float], margin: float) -> int:
    best = max(values) - margin
    return next(i for i, value in enumerate(values) if value >= best)


_N_SHOWN_LEVELS = 3  # below the root
_N_CONCEPT_COLUMNS = 3  # columns named for a concept
_CHILDREN = 8  # of a concept that are shown
_LITTLE = 0.005  # a column guessed better by less than this is not named
_NONE: Mapping[int, Sequence[Any]] = {}

Facts = dict[str, Any]


def describe_hierarchy(tree: ConceptTree, levels: int = _N_SHOWN_LEVELS) -> Facts:
    """Give the first levels of a tree: of each concept its rows and its most distinctive columns.

    These are the columns whose values are guessed better than among all rows, by how much: with the
    mean of a numeric column and the commonest value of a nominal one. Concepts are in the order of
    their first rows; of more than eight children the largest are given.
    """
    features = tree.features
    every = features.by_column(tree.total[None])[0]

    def describe(node: Concept, sums: Floats, levels: int) -> Facts:
        gains = features.by_column(sums[None])[0] - every
        top = np.argsort(-gains.round(9), kind="stable")[:_N_CONCEPT_COLUMNS].tolist()
        shown: list[int] = []
        if levels:
            first = np.array([min(child.members()) for child in node.children], dtype=np.intp)
            large = np.argsort(-node.sums[:, 0], kind="stable")[:_CHILDREN] if len(first) else first
            shown = large[np.argsort(first[large])].tolist()
        return {
            "rows": int(sums[0]),
            "marks": [[j, _typical(features, sums, j)] for j in top if gains[j] > _LITTLE],
            "children": [describe(node.children[i], node.sums[i], levels - 1) for i in shown],
            "hidden": len(node.children) - len(shown),
        }

    return describe(tree.root, tree.total, levels)


def _typical(features: Features, sums: Floats, j: int) -> float | list[Any]:
    """Give the mean of a numeric column, or the commonest value of a nominal one and its share."""
    if j < features.numeric:
        return round(float(sums[1 + j] / sums[0]), 4)
    shares = features.nominal_shares(sums[None])[j - features.numeric][0]
    best = int(np.argmax(shares))
    return [best, round(float(shares[best]), 4)]


def put_names(
    node: Facts, names: Sequence[str], levels: Mapping[int, Sequence[Any]] = _NONE
) -> Facts:
    """Put names in place of positions, and values in place of codes."""
    marks = []
    for j, value in node["marks"]:
        if isinstance(value, list):
            value = [levels[j][value[0]], value[1]]
        marks.append([names[j], value])
    children = [put_names(child, names, levels) for child in node["children"]]
    return {**node, "marks": marks, "children": children}


# Add a column to a tree of concepts without growing it again (AICC; Devaney & Ram, 1997).
#
# Their operators are not published in enough detail; these are ours. Every concept is counted
# again with the new column. Rows that a leaf held together, because the old columns do not
# separate them, are grown into a tree of their own. Then leaves move between the concepts of the
# first level, two of these are merged, or one is replaced by its own children, with leaves moving
# after: whatever raises the category utility of the first level most, while it rises.
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
    return ConceptTree(_restructure(root, features, total), total, features)


def _count_columns(node: Concept, features: Features, vectors: Floats) -> Concept:
    """Copy a concept with the counts of the new columns; a leaf is grown by itself."""
    if not node.children:
        rows = np.array(node.rows)
        fresh = grow(features, vectors[rows], np.arange(len(rows))).root
        waiting = [fresh]
        while waiting:  # positions in the table in place of those in the leaf
            concept = waiting.pop()
            concept.rows = rows[concept.rows].tolist()
            waiting += concept.children
        return fresh
    children = [_count_columns(child, features, vectors) for child in node.children]
    sums = np.stack([vectors[list(child.members())].sum(axis=0) for child in children])
    return Concept.over(children, sums, features.worth(sums))


def _restructure(node: Concept, features: Features, total: Floats) -> Concept:
    """Move leaves, merge and split children while the category utility of the node rises."""
    if len(node.children) < 2:
        return node
    whole = float(features.worth(total[None])[0])

    def value(level: Concept) -> float:
        """Give the category utility times the number of rows."""
        return (float(level.worth.sum()) - whole) / len(level.children)

    node = Concept.over(node.children, node.sums, features.worth(node.sums))
    node = _redistribute_leaves(node, features, whole)
    while True:
        tried = [*_merge_children(node, features)]
        for a, child in enumerate(node.children):
            if child.children:
                split = _replace_children(node, features, [a], child.children, child.sums)
                tried.append(_redistribute_leaves(split, features, whole))
        values = np.array([value(each) for each in tried])
        if not len(values) or values.max() <= value(node) + TIE * whole:
            return node
        node = tried[first_best(values)]


def _merge_children(node: Concept, features: Features) -> Iterator[Concept]:
    """Give the node with the two children merged whose union guesses best."""
    k, worth = len(node.children), node.worth
    if k < 3:
        return
    a, b = np.triu_indices(k, 1)
    gains = features.worth(node.sums[a] + node.sums[b]) - worth[a] - worth[b]
    best = first_best(gains - gains.min())
    pair = [int(a[best]), int(b[best])]
    union = Concept.over([node.children[i] for i in pair], node.sums[pair], worth[pair])
    sums = node.sums[pair].sum(axis=0, keepdims=True)
    yield _replace_children(node, features, pair, [union], sums)


def _replace_children(
    node: Concept, features: Features, gone: list[int], fresh: list[Concept], sums: Floats
) -> Concept:
    kept = [child for i, child in enumerate(node.children) if i not in gone]
    together = np.concatenate([np.delete(node.sums, gone, axis=0), sums])
    return Concept.over([*kept, *fresh], together, features.worth(together))


def _redistribute_leaves(node: Concept, features: Features, whole: float) -> Concept:
    """Move leaves, one after the other, to the child where they are guessed best."""
    parts = list(zip(node.children, node.sums, strict=True))
    leaves = [(*leaf, i) for i, (child, own) in enumerate(parts) for leaf in child.leaves(own)]
    home = [first for _, _, first in leaves]
    sums, worth = node.sums.copy(), node.worth.copy()
    for _ in range(_MAX_LEAF_PASSES):
        before = list(home)
        for u, (_, z, _) in enumerate(leaves):
            a = home[u]
            if sums[a, 0] <= z[0]:
                continue  # the last leaf of a child
            less = float(features.worth((sums[a] - z)[None])[0])
            more = features.worth(sums + z)
            gains = more - worth
            gains[a] = worth[a] - less
            b = int(np.argmax(gains))
            if gains[b] > gains[a] + TIE * whole:
                sums[a], sums[b], home[u] = sums[a] - z, sums[b] + z, b
                worth[a], worth[b] = less, more[b]
        if home == before:
            break
    moved = [(leaf, z, now) for (leaf, z, old), now in zip(leaves, home, strict=True) if now != old]
    if not moved:
        return node
    gone, rebuilt = {id(leaf) for leaf, _, _ in moved}, []
    for i, (child, own) in enumerate(parts):
        rest = _prune_leaves(child, own, gone, features)
        joining = [(leaf, z) for leaf, z, now in moved if now == i]
        rebuilt.append(_join_concepts([*([rest] if rest else []), *joining], features))
    sums = np.stack([own for _, own in rebuilt])
    return Concept.over([child for child, _ in rebuilt], sums, features.worth(sums))


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
    node = Concept.over([child for child, _ in parts], sums, features.worth(sums))
    return node, sums.sum(axis=0)
