"""Extractors of principal components and their kin."""

from tamis.extraction.base import Extractor, Reversible


class PrincipalComponents(Reversible, Extractor):
    """Compute the orthogonal components with the largest variance.

    The table is read once, into its Gram matrix, or into its rows if those are fewer.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = PrincipalComponents(scale=False).fit(load_iris().data)
    >>> model.shares_.round(5)
    array([0.92462, 0.05307])

    References
    ----------
    Cunningham, P. Dimension reduction. UCD-CSI-2007-7.
    """

    method_id = "pca"
    takes_sparse = True


class WeightedPCA(Reversible, Extractor):
    """Compute the principal components of columns weighted by their relevance.

    The weights come from a relevance method or are given, one number for each column.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = WeightedPCA(1, weights=[0, 0, 1, 0]).fit(load_iris().data)
    >>> model.components_
    array([[0., 0., 1., 0.]])

    References
    ----------
    Peluffo, D. et al. Generalised-distance feature extraction and relevance by PCA.
    """

    method_id = "wpca"
    takes_sparse = True


class GeneralisedDistance(Reversible, Extractor):
    """Compute the projection with the smallest error in a generalised distance.

    Errors of similar rows are weighted jointly, so structure shared by neighbours counts more.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = GeneralisedDistance(scale=False).fit(load_iris().data)
    >>> model.note_, model.shares_.round(5)
    ('Gaussian kernel, sigma = 0.591608', array([0.97457]))

    References
    ----------
    Peluffo, D. et al. Generalised-distance feature extraction and relevance by PCA.
    """

    method_id = "gdfe"


class KernelPCA(Extractor):
    """Compute principal components in the feature space of a kernel.

    The fitted object keeps the rows, which scores of new rows need.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> KernelPCA(2).fit_transform(load_iris().data).shape
    (150, 2)

    References
    ----------
    Schoelkopf, B., Smola, A. and Mueller, K.-R. Nonlinear component analysis as a kernel
    eigenvalue problem.
    """

    method_id = "kernel-pca"
