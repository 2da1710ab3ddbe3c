"""Selectors that compare columns, alone or in pairs, with the classes."""

from tamis.selection.base import InformationSelector


class ChiSquareScore(InformationSelector):
    """Keep the columns whose values depend most on the class, by the chi-square statistic.

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ChiSquareScore(2).fit(X, y).ranking_
    array([3, 2])

    References
    ----------
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "chi2"


class InformationGain(InformationSelector):
    """Keep the columns that say most about the class, in bits.

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> InformationGain(2).fit(X, y).ranking_
    array([3, 2])

    References
    ----------
    Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "information-gain"


class OddsRatio(InformationSelector):
    """Keep the columns of which one value changes the odds of a class most.

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> OddsRatio(2).fit(X, y == 2).ranking_
    array([3, 2])

    References
    ----------
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "odds-ratio"


class JointInformation(InformationSelector):
    """Keep the columns that say most about the class together.

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    Of two columns that matter only together the second follows the first.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).integers(2, size=(200, 4))
    >>> JointInformation(start="pair").fit(X, X[:, 1] ^ X[:, 3]).get_support(indices=True)
    array([1, 3])

    References
    ----------
    Yang, H. H. & Moody, J. (1999). Data visualization and feature selection: new algorithms for
    non-Gaussian data. Advances in Neural Information Processing Systems 12.
    Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia.
    """

    method_id = "jmi"
