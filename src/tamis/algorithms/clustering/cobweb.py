"""COBWEB: a tree of concepts that grows by one row at a time.

Fisher's (1987) algorithm, with numeric columns as in CLASSIT and COBWEB/3. At each node from the
root, the operator with the best category utility of the resulting children is applied: put the row
into the best child, make it a child of its own, merge the two best children and go on in the
union, or replace the best child by its own children and try again. The row counts in all four, for
a split in the best of the children that result. Equal values go to the first of the four.

A leaf is split only where that raises category utility, by column, above `cutoff`, as in CLASSIT:
rows that differ by less than the acuity stay together, and the tree does not grow into a chain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis.algorithms.clustering.concepts import Features, category_utility
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track

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
        worth = float(features.count_right_guesses(total[None])[0] * total[0])
        _insert(features, root, row, vectors[row], _Place(sums, before, worth), least)
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


class _Place(NamedTuple):
    """Where a row is about to be put: the vector and the worth of a node without it, and with."""

    sums: Floats
    before: float
    after: float


class _Choice(NamedTuple):
    """An operator, the two best children, and what they and their union would be with the row."""

    operator: str
    a: int
    b: int
    joined: Floats
    worth: Floats
    union: float


def _insert(
    features: Features, node: Concept, row: int, z: Floats, place: _Place, least: float
) -> None:
    """Put a row, of vector `z`, into the tree under a node."""
    while node.children:
        found = _choose(features, node, z, place.after)
        a, pair = found.a, [found.a, found.b]
        match found.operator:
            case "new":
                node.replace([], [Concept([row])], z[None], np.array([features.single]))
                return
            case "split":
                part = node.children[a]
                node.replace([a], part.children, part.sums, part.worth)
            case "merge":
                union = Concept([])
                union.adopt([node.children[i] for i in pair], node.sums[pair], node.worth[pair])
                together = node.sums[a] + found.joined[found.b]
                node.replace(pair, [union], together[None], np.array([found.union]))
                node, place = union, place._replace(after=found.union)
            case _:
                place = _Place(node.sums[a].copy(), float(node.worth[a]), float(found.worth[a]))
                node.sums[a], node.worth[a] = found.joined[a], found.worth[a]
                node = node.children[a]
    # The category utility of two children: half of what they guess better than one, by row.
    sums, before, after = place
    if (before + features.single - after) / (2 * (sums[0] + 1)) > least + TIE:
        worth = np.array([before, features.single])
        node.adopt([Concept(node.rows), Concept([row])], np.stack([sums, z]), worth)
    else:
        node.rows.append(row)


def _choose(features: Features, node: Concept, z: Floats, whole: float) -> _Choice:
    """Choose the operator for one row.

    A partition into k children has the value (their worth - that of all rows) / k, which is its
    category utility times the number of rows.
    """
    joined = node.sums + z
    worth = features.count_right_guesses(joined) * joined[:, 0]
    k, base, margin = len(worth), float(node.worth.sum()), TIE * whole
    gains = (worth - node.worth).tolist()
    a = _first_best(gains, margin)
    b = _first_best([*gains[:a], -np.inf, *gains[a + 1 :]], margin)
    part, old = node.children[a], float(node.worth[a])
    tried = (node.sums[a] + joined[b])[None]
    if part.children:
        tried = np.concatenate([tried, part.sums + z])
    there = features.count_right_guesses(tried) * tried[:, 0]
    union = float(there[0])
    values = [
        (base + gains[a] - whole) / k,
        (base + features.single - whole) / (k + 1),
        (base - old - float(node.worth[b]) + union - whole) / (k - 1) if k > 2 else -np.inf,
    ]
    if part.children:
        inner = float(part.worth.sum()) + float((there[1:] - part.worth).max())
        values.append((base - old + inner - whole) / (k - 1 + len(part.children)))
    return _Choice(_OPERATORS[_first_best(values, margin)], a, b, joined, worth, union)


def _first_best(values: list[float], margin: float) -> int:
    best = max(values) - margin
    return next(i for i, value in enumerate(values) if value >= best)
