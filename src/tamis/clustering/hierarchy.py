"""The hierarchy of concepts of a fitted COBWEB: to read, to cut at a level, to draw."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamis.algorithms.clustering.cobweb import ConceptTree
from tamis.algorithms.clustering.hierarchy import describe_hierarchy, put_names
from tamis.numerics.types import Indices
from tamis.presentation.charts.hierarchy import hierarchy_drawing
from tamis.presentation.terminal.hierarchy import hierarchy_lines
from tamis.results.output import write_page

__all__ = ["Hierarchy"]


class Hierarchy:
    """A tree of concepts: all rows at the root, finer groups of them below.

    Notebooks draw it; `print` shows the first three levels.
    """

    def __init__(
        self, tree: ConceptTree, names: Sequence[str], levels: Mapping[int, Sequence[Any]]
    ) -> None:
        self._tree, self._names, self._levels = tree, tuple(names), dict(levels)

    @property
    def depth(self) -> int:
        """How many levels there are below the root."""
        nodes, depth = [self._tree.root], -1
        while nodes:
            nodes, depth = [child for node in nodes for child in node.children], depth + 1
        return depth

    def labels(self, level: int = 1) -> Indices:
        """Give the cluster of each row at this level, numbered in the order of their first rows.

        Concepts that end above the level count as they are; level 1 gives `labels_`.
        """
        nodes = [self._tree.root]
        for _ in range(level):
            nodes = [part for node in nodes for part in node.children or [node]]
        found = np.zeros(int(self._tree.total[0]), dtype=np.intp)
        clusters = sorted((sorted(node.members()) for node in nodes), key=lambda rows: rows[0])
        for label, rows in enumerate(clusters):
            found[rows] = label
        return found

    def to_dict(self, levels: int = 3) -> dict[str, Any]:
        """Give the first levels as plain values.

        Each concept has its number of `rows`; `marks`, the columns that distinguish it best,
        with the mean in standard deviations or the commonest value and its share; its `children`;
        and `hidden`, the number of children that are not given.
        """
        return put_names(describe_hierarchy(self._tree, levels), self._names, self._levels)

    def draw(self, path: str | Path) -> Path:
        """Write the drawing as an HTML page of its own and give its path."""
        page = (
            '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Hierarchy of concepts'
            '</title><meta name="viewport" content="width=device-width">'
            f"<body>{self._repr_html_()}</body></html>"
        )
        return write_page(path, page)

    def _repr_html_(self) -> str:
        return hierarchy_drawing(self.to_dict())

    def __str__(self) -> str:
        return "\n".join(hierarchy_lines(self.to_dict()))

    def __repr__(self) -> str:
        count = int(self._tree.total[0])
        return f"<Hierarchy of {count:,} rows: {len(self._tree.clusters())} clusters>"
