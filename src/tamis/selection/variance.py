"""`variance` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class LargestVariance(PathSelector):
    """Keep the columns that vary most.

    Depends on the units of the columns and says nothing about redundancy.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        How many columns to keep.
    retain : float or None, default=None
        Keep as few columns as reproduce this share of the variance; 0.95 when neither is given.
    include : sequence of column names or positions, default=()
        Columns that must stay.
    scale : bool, default=False
        Bring all columns to the same spread first; all of them tie then.
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
        What the method returned; its scores are shares of the total variance.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> LargestVariance(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 0])

    References
    ----------
    Cunningham, P. Dimension reduction.
    """

    method_id = "variance"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = False,
        refine: bool | str = False,
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
