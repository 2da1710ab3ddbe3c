"""Selectors on neighbouring rows, and the variance filter they are compared with."""

from tamis.selection.base import PathSelector


class LaplacianScore(PathSelector):
    """Keep the columns that vary least between neighbouring rows.

    Scores one column at a time: copies of a good column are kept with it. Of the scores in `path_`
    the smaller is the better.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> LaplacianScore(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    He, X., Cai, D. & Niyogi, P. (2005). Laplacian score for feature selection.
    """

    method_id = "laplacian"


class MultiClusterSelection(PathSelector):
    """Keep the columns that predict the clusters of the rows.

    Each vector of a spectral embedding of the rows is regressed on few columns; the score is the
    largest coefficient.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> MultiClusterSelection(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 0])

    References
    ----------
    Cai, D., Zhang, C. & He, X. (2010). Unsupervised feature selection for multi-cluster data.
    """

    method_id = "mcfs"


class VarianceFilter(PathSelector):
    """Keep the columns with the largest variance.

    Depends on the units of the columns and ignores redundancy; with `scale=True` all columns tie.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> VarianceFilter(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 0])

    References
    ----------
    Cunningham, P. Dimension reduction.
    """

    method_id = "variance"
