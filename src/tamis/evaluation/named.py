"""What some methods find beside the columns to keep, by name: a tree, local clusters."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tamis.algorithms.information.tree import SpectralTree
from tamis.errors import TamisError
from tamis.numerics.types import Indices
from tamis.registry import nearest


@dataclass(frozen=True)
class NamedTree:
    """A tree of columns by name: `order` from left to right, `depth`, `distance` in edges."""

    tree: SpectralTree = field(repr=False)
    names: tuple[str, ...] = field(repr=False)

    def __repr__(self) -> str:
        return f"<tree of {len(self.names)} columns, depth {int(self.tree.depth.max(initial=0))}>"

    @property
    def order(self) -> list[str]:
        """The columns from left to right."""
        return [self.names[j] for j in self.tree.order]

    @property
    def depth(self) -> dict[str, int]:
        """Edges from the root to every column."""
        return dict(zip(self.names, self.tree.depth.tolist(), strict=True))

    def distance(self, first: str, second: str) -> int:
        """Count the edges between two columns."""
        places = {name: j for j, name in enumerate(self.names)}
        for name in (first, second):
            if name not in places:
                raise TamisError(f"The tree has no column {name!r}{nearest(name, self.names)}")
        return int(self.tree.distances(places[first])[places[second]])

    def nested(self) -> Any:
        """Give the tree as pairs of pairs of names."""
        return self.tree.nested(self.names)


class LocalCluster(NamedTuple):
    """Rows of a table, by position among those used, and the columns in which they are alike.

    The columns come best first; the smaller the quality, the more alike the rows are.
    """

    rows: Indices
    columns: list[str]
    quality: float
