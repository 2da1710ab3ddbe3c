"""Selectors that compare each column alone with the classes."""

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
