"""Extractors that keep neighbouring rows together."""

from tamis.extraction.base import Extractor


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
