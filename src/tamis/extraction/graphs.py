"""Extractors that keep neighbouring rows together."""

from sklearn.utils.validation import check_is_fitted

from tamis.algorithms.extraction.spectral import SpectralProjection
from tamis.extraction.base import Extractor
from tamis.numerics.types import Indices


class LocalityPreserving(Extractor):
    """Compute the components whose scores differ least between neighbouring rows.

    Shares are of the sum of `1 - lam` over all components, where that is positive; `lam` is in
    `projection_.values`, smallest first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = LocalityPreserving(2).fit(load_iris().data)
    >>> model.projection_.values.round(4)
    array([0.0067, 0.0492])

    References
    ----------
    He, X. and Niyogi, P. Locality preserving projections.
    """

    method_id = "lpp"


class SpectralEmbedding(Extractor):
    """Compute scores in which the rows of a cluster of any shape lie together.

    The fitted object keeps the rows, at most 32,768, which scores of new rows need. Without a
    number of components, there are as many as clusters are found. Shares are of the sum of their
    eigenvalues.

    Examples
    --------
    Two rings, one around the other.

    >>> from sklearn.datasets import make_circles
    >>> X, rings = make_circles(400, factor=0.4, noise=0.03, random_state=0)
    >>> model = SpectralEmbedding().fit(X)
    >>> model.transform(X).shape, len(set(zip(model.labels_.tolist(), rings.tolist())))
    ((400, 2), 2)

    References
    ----------
    Ng, A. Y., Jordan, M. I. and Weiss, Y. On spectral clustering: analysis and an algorithm.
    """

    method_id = "spectral"
    projection_: SpectralProjection

    @property
    def labels_(self) -> Indices:
        """Cluster of every row of `fit`, numbered in the order of their first rows."""
        check_is_fitted(self)
        return self.projection_.labels
