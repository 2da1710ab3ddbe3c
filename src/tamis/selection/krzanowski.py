"""`krzanowski` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class ProcrustesElimination(PathSelector):
    """Remove at each step the column without which the principal components change least.

    Backward elimination by the Procrustes criterion.

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
    components : int or None, default=None
        Principal components to compare; None for as many as carry 80% of the variance.

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
    >>> ProcrustesElimination(n_features_to_select=2).fit(load_iris().data).ranking_
    array([3, 1])

    References
    ----------
    Krzanowski, W. J. (1987). Selection of variables to preserve multivariate data structure, using
    principal components.
    """

    method_id = "krzanowski"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        components: int | None = None,
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.components = components
