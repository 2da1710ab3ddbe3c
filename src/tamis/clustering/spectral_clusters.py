"""Spectral clustering as a scikit-learn estimator."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from tamis import registry
from tamis.algorithms.extraction.spectral import spectral_components

__all__ = ["SpectralClusters"]


class SpectralClusters(ClusterMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Cluster rows by K-means on the spectral embedding of Ng, Jordan and Weiss.

    Clusters may have any shape. `tamis.extraction.SpectralEmbedding` gives scores of new rows.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Number of clusters; 2 to 10 by the largest gap between eigenvalues when None.
    sigma : "median" or float, default="median"
        Width of the affinity of two rows: a number, or the median distance to a near neighbour.
    neighbours : int, default=5
        Which nearest neighbour that is.
    scale : bool, default=True
        Standardise the columns first (mean 0, standard deviation 1).
    random_state : int, default=0
        Random seed of K-means.

    Attributes
    ----------
    labels_ : ndarray of int
        Cluster of each row, numbered in the order of their first rows.
    n_clusters_ : int
        Number of clusters.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        The scores that were clustered.
    eigenvalues_ : ndarray
        The largest eigenvalues of the normalised affinity; 1 for a cluster without affinity to
        others.

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> X, rings = make_circles(400, factor=0.4, noise=0.03, random_state=0)
    >>> labels = SpectralClusters().fit_predict(X)
    >>> len(set(zip(labels.tolist(), rings.tolist())))
    2

    References
    ----------
    Ng, A. Y., Jordan, M. I. & Weiss, Y. (2001). On spectral clustering: analysis and an algorithm.
    NIPS 14, 849-856.
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        sigma: str | float = "median",
        neighbours: int = 5,
        scale: bool = True,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.sigma = sigma
        self.neighbours = neighbours
        self.scale = scale
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002 - scikit-learn's signature
        """Cluster the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : None
            Not used.
        """
        method = registry.get("spectral", kind="extraction")
        names = ("sigma", "neighbours", "random_state")
        own = registry.check_options(method, {name: getattr(self, name) for name in names})
        scale = registry.SCALE_SWITCH.check(self.scale)
        k = registry.resolve_goal(method, self.n_clusters, None, {}, k_name="n_clusters")[0]
        rows = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        found = spectral_components(rows, k, scale=bool(scale), **own)
        self.labels_, self.embedding_ = found.labels, found.embedding
        self.n_clusters_, self.eigenvalues_ = found.size, found.values
        return self
