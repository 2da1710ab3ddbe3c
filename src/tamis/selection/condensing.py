"""`condensing` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class FeatureClustering(PathSelector):
    """Cluster the columns by their angles and keep one of each cluster.

    A stand-in for the "feature condensing" of Krizek et al., whose definition is not available.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        How many columns to keep.
    retain : float or None, default=None
        Keep as few columns as reproduce this share of the variance.
    include : sequence of column names or positions, default=()
        Columns that must stay.
    scale : bool, default=True
        Bring all columns to the same spread first.
    refine : bool or "exact", default=False
        Swap columns until no swap lowers the error, or prove the best set (up to 64 columns).
    threshold : float or None, default=None
        Merge clusters up to this distance in degrees.
    linkage : "average", "complete" or "single", default="average"
        Distance of two clusters: the mean, the largest or the smallest of their pairs.

    Attributes
    ----------
    ranking_ : ndarray of int
        Kept columns, best first.
    retained_ : ndarray of float
        Share of the variance that the first 1, 2, ... of them reproduce.
    shortfall_ : str or None
        Why fewer columns are kept than asked for.
    path_ : Path
        What the method returned, with what went and its equations.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> FeatureClustering(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Krizek, P., Kittler, J. & Hlavac, V. (2008). Feature condensing algorithm for feature selection;
    known to us by its mention in Yen, Chen & Lin only.
    """

    method_id = "condensing"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        threshold: float | None = None,
        linkage: str = "average",
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.threshold = threshold
        self.linkage = linkage
