"""`sfs` as a scikit-learn selector."""

from tamis.selection.base import PathSelector


class GreedyReconstruction(PathSelector):
    """Keep the columns that best reproduce all the others, one at a time.

    Each step takes the column that lowers the squared error of reconstructing the whole table most.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        How many columns to keep.
    retain : float or None, default=None
        Keep as few columns as reproduce this share of the variance; 0.95 when neither is given.
    include : sequence of column names or positions, default=()
        Columns that must stay.
    scale : bool, default=True
        Bring all columns to the same spread first.
    refine : bool or "exact", default=False
        Swap columns until no swap lowers the error, or prove the best set (up to 64 columns).

    Attributes
    ----------
    ranking_ : ndarray of int
        Kept columns, best first.
    retained_ : ndarray of float
        Share of the variance that the first 1, 2, ... of them reproduce.
    shortfall_ : str or None
        Why fewer columns are kept than asked for.
    path_ : Path
        What the method returned.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> GreedyReconstruction(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Cui, Y. and Dy, J. G. Orthogonal principal feature selection.
    """

    method_id = "sfs"
