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

import numpy as np

from tamis.algorithms.clustering.concepts import Features, category_utility
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track

CUTOFF = 0.001


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
    root, total = Concept([int(order[0])]), vectors[order[0]].copy()
    for row in order[1:].tolist():
        _insert(features, root, total, vectors[row], row, cutoff * features.width)
        total = total + vectors[row]
    return ConceptTree(root, total, features)


def best_tree(
    features: Features,
    vectors: Floats,
    *,
    cutoff: float = CUTOFF,
    n_init: int = 1,
    random_state: int = 0,
) -> ConceptTree:
    """Grow `n_init` trees from rows in random orders, and give the one of best utility."""
    rng = np.random.default_rng(random_state)
    best: ConceptTree | None = None
    for _ in track("COBWEB trees", range(n_init), n_init) if n_init > 1 else range(n_init):
        tree = grow(features, vectors, rng.permutation(len(vectors)), cutoff=cutoff)
        if best is None or tree.utility > best.utility * (1 + TIE) + TIE:
            best = tree
    assert best is not None  # n_init is at least 1
    return best


def _insert(
    features: Features, node: Concept, sums: Floats, z: Floats, row: int, least: float
) -> None:
    """Put one row into the tree under a node whose rows, without it, have this vector."""
    count = sums[0] + 1
    whole = float(features.guessed((sums + z)[None])[0]) * count
    before = float(features.guessed(sums[None])[0]) * sums[0]
    while node.children:
        values, joined, worth, merged = _options(features, node, z, whole)
        a, b, choice = values
        if choice == "new":
            node.replace([], [Concept([row])], z[None], np.array([features.single]))
            return
        if choice == "split":
            part = node.children[a]
            node.replace([a], part.children, part.sums, part.worth)
            continue
        if choice == "merge":
            union = Concept([])
            pair = [a, b]
            union.adopt([node.children[i] for i in pair], node.sums[pair], node.worth[pair])
            together = node.sums[a] + node.sums[b] + z
            node.replace(pair, [union], together[None], np.array([merged]))
            node, whole = union, merged
            continue
        sums, before = node.sums[a].copy(), float(node.worth[a])
        node.sums[a], node.worth[a] = joined[a], worth[a]
        node, whole = node.children[a], float(worth[a])
    # The gain of two children over one: half of what they guess better, by row.
    if (before + features.single - whole) / (2 * (sums[0] + 1)) > least + TIE:
        pair_sums, pair_worth = np.stack([sums, z]), np.array([before, features.single])
        node.adopt([Concept(node.rows), Concept([row])], pair_sums, pair_worth)
    else:
        node.rows.append(row)


def _options(
    features: Features, node: Concept, z: Floats, whole: float
) -> tuple[tuple[int, int, str], Floats, Floats, float]:
    """Choose the operator for one row; give the two best children and what was computed for them.

    A partition into k children has the value (their worth - that of all rows) / k, which is its
    category utility times the number of rows.
    """
    joined = node.sums + z
    worth = features.guessed(joined) * joined[:, 0]
    k, base = len(worth), float(node.worth.sum())
    gains = (worth - node.worth).tolist()
    margin = TIE * whole
    a = _first_best(gains, margin)
    b = _first_best([g if i != a else -np.inf for i, g in enumerate(gains)], margin)
    merged = 0.0
    found = [(base + gains[a] - whole) / k, (base + features.single - whole) / (k + 1)]
    if k > 2:
        union = node.sums[a] + joined[b]
        merged = float(features.guessed(union[None])[0] * union[0])
        rest = base - float(node.worth[a] + node.worth[b])
        found.append((rest + merged - whole) / (k - 1))
    else:
        found.append(-np.inf)
    part = node.children[a]
    if part.children:
        inner = part.sums + z
        inner_gains = features.guessed(inner) * inner[:, 0] - part.worth
        rest = base - float(node.worth[a]) + float(part.worth.sum())
        found.append((rest + float(inner_gains.max()) - whole) / (k - 1 + len(part.children)))
    choice = ("host", "new", "merge", "split")[_first_best(found, margin)]
    return (a, b, choice), joined, worth, merged


def _first_best(values: list[float], margin: float) -> int:
    best = max(values) - margin
    return next(i for i, value in enumerate(values) if value >= best)
