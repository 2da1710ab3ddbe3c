"""`pfs` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class PrincipalFeatureSelection(PathSelector):
    """Keep the columns closest to the leading component of what is left.

    Each step finds the leading principal component of the residual table, takes the column most
    correlated with it, and removes from all columns what that one explains.

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
    norm : str, default='residual'
        What a loading is divided by: the norm of what is left of the column, of the column itself,
        or nothing.

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
    >>> PrincipalFeatureSelection(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Cui, Y. and Dy, J. G. Orthogonal principal feature selection.
    """

    method_id = "pfs"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        norm: str = "residual",
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.norm = norm
