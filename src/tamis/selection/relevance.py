"""Selectors that rank columns by relevance."""

from tamis.selection.base import PathSelector


class RelPCA(PathSelector):
    """Rank columns by the share of each that the leading principal components explain.

    Copies of a column are equally relevant: redundancy is not removed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> RelPCA(2).fit(load_iris().data).ranking_
    array([1, 2])

    References
    ----------
    Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
    Unsupervised relevance analysis for feature extraction and selection.
    """

    method_id = "relpca"


class RelPCAFirst(PathSelector):
    """Rank columns by their loading on the first principal component.

    Copies of a column are equally relevant: redundancy is not removed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> RelPCAFirst(2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
    Unsupervised relevance analysis for feature extraction and selection.
    """

    method_id = "relpca-first"


class QAlpha(PathSelector):
    """Weight columns so that the rows form few, clear clusters.

    Favours information that several columns share: redundancy is not removed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> QAlpha(2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    Wolf, L. & Shashua, A. (2005). Feature selection for unsupervised and supervised inference.
    Wolf, L. & Bileschi, S. (2005). Combining variable selection with dimensionality reduction.
    Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
    Unsupervised relevance analysis for feature extraction and selection.
    """

    method_id = "q-alpha"


class ApproximateQAlpha(PathSelector):
    """Weight columns by the variance they share with all others, in one step.

    Favours information that several columns share: redundancy is not removed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> ApproximateQAlpha(2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    Wolf, L. & Bileschi, S. (2005). Combining variable selection with dimensionality reduction.
    Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
    Unsupervised relevance analysis for feature extraction and selection.
    """

    method_id = "q-alpha-approx"
