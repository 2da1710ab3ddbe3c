"""`pivoted-qr` as a scikit-learn selector."""

from tamis.selection.base import PathSelector


class PivotedQR(PathSelector):
    """Keep the columns that those already kept reproduce least.

    The order of QR with column pivoting on the centred table.

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
    >>> PivotedQR(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Businger, P. and Golub, G. H. (1965). Linear least squares solutions by Householder
    transformations.
    """

    method_id = "pivoted-qr"
