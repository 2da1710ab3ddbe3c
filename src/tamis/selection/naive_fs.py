"""`naive-fs` as a scikit-learn selector."""

from tamis.selection.base import InformationSelector


class ImportantColumns(InformationSelector):
    """Keep the columns with the highest importance in the mutual information of the table.

    Data frames may hold text and categories beside numbers.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        How many columns to keep.
    retain : float or None, default=None
        Keep as few columns as tell this share of the information; 0.5 when neither is given.
    include : sequence of column names or positions, default=()
        Columns that must stay.
    missing : "error", "drop" or "category", default="error"
        What to do about missing values while fitting: refuse, look at whole rows only, or take them
        as one more category.
    bins : int, default=10
        Bins of a numeric column; fewer for few rows.
    binning : "depth", "width" or "kmeans", default="depth"
        Bins with equally many rows, of equal width, or by k-means of the column.
    mi_threshold : float, default=0.9
        Importance is read from the components that hold more than this share of the spectrum.

    Attributes
    ----------
    ranking_ : ndarray of int
        Kept columns, best first.
    retained_ : ndarray of float
        Share of the information that the first 1, 2, ... of them tell.
    shortfall_ : str or None
        Why fewer columns are kept than asked for.
    skipped_ : dict of str
        Columns not analysed, by name: texts that look like identifiers, with the reason.
    path_ : Path
        What the method returned.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> ImportantColumns(2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    The note on variable importance by mutual information and component analysis (VIMICA) and on
    recursive spectral partitioning for feature selection (RSPFS), 2015.
    """

    method_id = "naive-fs"
