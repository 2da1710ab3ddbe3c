"""Selectors on the mutual information of columns."""

from tamis.selection.base import InformationSelector


class Representatives(InformationSelector):
    """Keep the columns that together share most information with all columns.

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> Representatives(2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Nemhauser, G., Wolsey, L. & Fisher, M. (1978). An analysis of approximations for maximizing
    submodular set functions. Mathematical Programming 14, 265-294.
    """

    method_id = "representatives"


class NaiveFS(InformationSelector):
    """Keep the columns with the highest importance score (NaiveFS).

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> NaiveFS(2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    The note on variable importance by mutual information and component analysis (VIMICA) and on
    recursive spectral partitioning for feature selection (RSPFS), 2015.
    """

    method_id = "naive-fs"


class GreedyFS(InformationSelector):
    """Keep important columns that share little information with each other (GreedyFS).

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> GreedyFS(2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    The note on variable importance by mutual information and component analysis (VIMICA) and on
    recursive spectral partitioning for feature selection (RSPFS), 2015.
    """

    method_id = "greedy-fs"


class NaiveRSPFS(InformationSelector):
    """Keep the columns that recursive spectral partitioning separates first (NaiveRSPFS).

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> NaiveRSPFS(2).fit(load_iris().data).ranking_
    array([1, 0])

    References
    ----------
    The note on variable importance by mutual information and component analysis (VIMICA) and on
    recursive spectral partitioning for feature selection (RSPFS), 2015.
    """

    method_id = "naive-rspfs"


class RSPFS(InformationSelector):
    """Keep important columns that are distant in the spectral tree (RSPFS).

    Data frames may hold text and categories beside numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> RSPFS(2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    The note on variable importance by mutual information and component analysis (VIMICA) and on
    recursive spectral partitioning for feature selection (RSPFS), 2015.
    """

    method_id = "rspfs"
