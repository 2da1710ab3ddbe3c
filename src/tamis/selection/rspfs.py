"""`rspfs` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import InformationSelector


class ImportantDistantColumns(InformationSelector):
    """Keep important columns from far branches of a recursive spectral partition.

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
    laplacian : "unnormalized", "sym" or "rw", default="unnormalized"
        Matrix of the graph that is cut.
    split : "sign" or "median", default="sign"
        Where a part is cut: at 0 or at the median.
    distance : "multiply" or "divide", default="multiply"
        Multiply importance by the distance in the tree, or divide.

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
        What the method returned, with the tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> ImportantDistantColumns(2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    The note on variable importance by mutual information and component analysis (VIMICA) and on
    recursive spectral partitioning for feature selection (RSPFS), 2015.
    """

    method_id = "rspfs"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        missing: str = "error",
        bins: int = 10,
        binning: str = "depth",
        mi_threshold: float = 0.9,
        laplacian: str = "unnormalized",
        split: str = "sign",
        distance: str = "multiply",
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            missing=missing,
            bins=bins,
            binning=binning,
            mi_threshold=mi_threshold,
        )
        self.laplacian = laplacian
        self.split = split
        self.distance = distance
