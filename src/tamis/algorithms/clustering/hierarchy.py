"""The first levels of a tree of concepts, described in plain values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tamis.algorithms.clustering.cobweb import Concept, ConceptTree
from tamis.algorithms.clustering.concepts import Features
from tamis.numerics.types import Floats

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
    every = tree.features.by_column(tree.total[None])[0]
    return _describe_node(tree.features, tree.root, tree.total, every, levels)


def _describe_node(
    features: Features, node: Concept, sums: Floats, every: Floats, levels: int
) -> Facts:
    gains = features.by_column(sums[None])[0] - every
    top = [
        int(j)
        for j in np.argsort(-gains.round(9), kind="stable")[:_N_CONCEPT_COLUMNS]
        if gains[j] > _LITTLE
    ]
    shown: list[int] = []
    if levels:
        first = np.array([min(child.members()) for child in node.children], dtype=np.intp)
        large = np.argsort(-node.sums[:, 0], kind="stable")[:_CHILDREN] if len(first) else first
        shown = large[np.argsort(first[large])].tolist()
    return {
        "rows": int(sums[0]),
        "marks": [[j, _typical(features, sums, j)] for j in top],
        "children": [
            _describe_node(features, node.children[i], node.sums[i], every, levels - 1)
            for i in shown
        ],
        "hidden": len(node.children) - len(shown),
    }


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
