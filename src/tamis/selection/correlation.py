"""`correlation` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class CorrelationGroups(PathSelector):
    """Keep one of each group of columns that correlate above a threshold.

    The one that stands best for the others stays; the order of the columns plays no part.

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
        Largest correlation, in absolute value, between kept columns; 0.9 when no other goal is
        given.
    kind : "pearson" or "spearman", default="pearson"
        Correlation of the values or of their ranks.

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
    >>> CorrelationGroups(threshold=0.9).fit(load_iris().data).ranking_
    array([2, 0, 1])

    References
    ----------
    Own rule; compare the filters of caret (findCorrelation) and feature-engine
    (DropCorrelatedFeatures), which depend on the order of the columns.
    """

    method_id = "correlation"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        threshold: float | None = None,
        kind: str = "pearson",
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.threshold = threshold
        self.kind = kind
