"""COBWEB as a scikit-learn estimator."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from tamis.algorithms.clustering.cobweb import (
    ACUITY,
    CUTOFF,
    ConceptTree,
    Features,
    best_tree,
    describe_hierarchy,
    put_names,
)
from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.presentation.scenes.trees import hierarchy_drawing
from tamis.presentation.terminal.selection import hierarchy_lines
from tamis.registry.clustering import COBWEB
from tamis.registry.missing_policy import MissingPolicy
from tamis.results.output import write_page
from tamis.sources.open import open_source
from tamis.sources.source import Source
from tamis.statistics.missing import check_finite
from tamis.statistics.mixed import read_mixed_rows

__all__ = ["Cobweb", "Hierarchy"]


class Cobweb(ClusterMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Cluster rows into a hierarchy of concepts, one row at a time.

    Rows of numbers, and frames with text or categories beside them. The clusters are the first
    level of the hierarchy; their number is found, not given.

    Parameters
    ----------
    acuity : float, default=0.282...
        Smallest standard deviation of a numeric column in a cluster. The default, 1 / (2 sqrt(pi)),
        makes a numeric column count as much as one of categories.
    cutoff : float, default=0.001
        A group of rows is split further only if that raises category utility, by column, by more.
    scale : bool, default=True
        Standardise the numeric columns first (mean 0, standard deviation 1).
    n_init : int, default=3
        Number of random row orders; the tree of best category utility is kept.
    random_state : int, default=0
        Random seed of the orders.

    Attributes
    ----------
    labels_ : ndarray of int
        Cluster of each row.
    n_clusters_ : int
        Number of clusters.
    category_utility_ : float
        Category utility of the clusters.
    hierarchy_ : Hierarchy
        The tree: `labels(level)`, `to_dict()`, `draw(path)`; a notebook draws it.

    Examples
    --------
    >>> import pandas as pd
    >>> animals = pd.DataFrame({"cover": ["fur", "fur", "feathers", "feathers", "scales", "scales"],
    ...                         "blood": ["warm", "warm", "warm", "warm", "cold", "cold"],
    ...                         "lays eggs": ["no", "no", "yes", "yes", "yes", "yes"]})
    >>> Cobweb().fit_predict(animals)
    array([0, 0, 1, 1, 2, 2])

    References
    ----------
    Fisher, D. (1987). Knowledge acquisition via incremental conceptual clustering. Machine
    Learning.
    McKusick, K. & Thompson, K. (1990). COBWEB/3: a portable implementation. NASA Ames.
    """

    def __init__(
        self,
        *,
        acuity: float = ACUITY,
        cutoff: float = CUTOFF,
        scale: bool = True,
        n_init: int = 3,
        random_state: int = 0,
    ) -> None:
        self.acuity = acuity
        self.cutoff = cutoff
        self.scale = scale
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002 - scikit-learn's signature
        """Cluster the rows.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The table.
        y : None
            Not used.
        """
        checked = {option.name: option.check(getattr(self, option.name)) for option in COBWEB}
        numbers, codes, names, levels = self._read(X)
        if checked["scale"]:
            away, spread = numbers - numbers.mean(axis=0), numbers.std(axis=0)
            numbers = np.divide(away, spread, out=np.zeros_like(away), where=spread > 0)
        sizes = tuple(len(values) for values in levels)
        features = Features(numbers.shape[1], sizes, checked["acuity"])
        tree = best_tree(
            features,
            features.vectors(numbers, codes),
            cutoff=checked["cutoff"],
            n_init=checked["n_init"],
            random_state=checked["random_state"],
            progress=True,
        )
        nominal = {numbers.shape[1] + i: values for i, values in enumerate(levels)}
        self.labels_ = tree.labels()
        self.n_clusters_ = len(tree.sums)
        self.category_utility_ = tree.utility
        self.hierarchy_ = Hierarchy(tree, names, nominal)
        return self

    def _read(self, X: Any) -> tuple[Floats, Indices, list[str], list[list[Any]]]:
        """Give the numeric columns, the codes of the others, all names and the others' values."""
        source = open_source(X) if hasattr(X, "columns") else None
        if source is not None and "categorical" in source.kinds:
            validate_data(self, X, skip_check_array=True)
            return _read_mixed(source)
        numbers = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(numbers.shape[1])])
        return numbers, np.zeros((len(numbers), 0), dtype=np.intp), list(names), []


def _read_mixed(source: Source) -> tuple[Floats, Indices, list[str], list[list[Any]]]:
    for name, kind in zip(source.names, source.kinds, strict=True):
        if kind == "other":
            raise TamisError(
                f"Column {name!r} holds dates or another type not supported yet: drop it."
            )
    parts = list(read_mixed_rows(source, range(len(source.names)), MissingPolicy.ERROR))
    numeric, nominal = parts[0].numeric, parts[0].categorical
    numbers = np.concatenate([part.numbers for part in parts])
    counts = np.sum([part.count_missing() for part in parts], axis=0)
    if counts.any():
        worst = int(counts.argmax())
        raise TamisError(
            f"Column {source.names[worst]!r} has {counts[worst]:,} missing "
            f"{'value' if counts[worst] == 1 else 'values'} in {len(numbers):,} rows: fill them, "
            "or drop these rows."
        )
    check_finite(numbers, [source.names[j] for j in numeric])
    coded = []
    for place in range(len(nominal)):
        text = [value for part in parts for value in part.texts[place].to_pylist()]
        coded.append(np.unique(np.array(text, dtype=str), return_inverse=True))
    codes = np.column_stack([code for _, code in coded])
    names = [source.names[j] for j in (*numeric, *nominal)]
    return numbers, codes, names, [values.tolist() for values, _ in coded]


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
