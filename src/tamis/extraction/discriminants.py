"""Extractors that separate labelled classes."""

from tamis.extraction.base import Extractor


class LinearDiscriminants(Extractor):
    """Compute the components with the largest ratio of between-class to within-class variance.

    There are at most as many components as classes, less one. Shares are of the sum of eigenvalues.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = LinearDiscriminants(2).fit(*load_iris(return_X_y=True))
    >>> model.shares_.round(5), model.note_
    (array([0.99121, 0.00879]), 'solver regular: within-class covariance without regularisation')

    References
    ----------
    Cunningham, P. Dimension reduction. UCD-CSI-2007-7.
    """

    method_id = "lda"


class KernelDiscriminants(Extractor):
    """Compute linear discriminants in the feature space of a kernel.

    The fitted object keeps the rows, at most 8,192, which scores of new rows need. Shares are of
    the sum of eigenvalues.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = KernelDiscriminants(2, kernel="linear").fit(*load_iris(return_X_y=True))
    >>> model.projection_.values.round(5)
    array([0.96987, 0.22203])

    References
    ----------
    Baudat, G. and Anouar, F. Generalized discriminant analysis using a kernel approach.
    """

    method_id = "kda"


class LocalDiscriminants(Extractor):
    """Compute discriminants that keep only nearby rows of a class together.

    Suits classes that consist of several clusters. Shares are of the sum of eigenvalues.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> LocalDiscriminants(3).fit(*load_iris(return_X_y=True)).components_.shape
    (3, 4)

    References
    ----------
    Sugiyama, M. Dimensionality reduction of multimodal labeled data by local Fisher discriminant
    analysis.
    """

    method_id = "lfda"
