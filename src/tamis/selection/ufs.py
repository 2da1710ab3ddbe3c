"""`ufs` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class RedundancyElimination(PathSelector):
    """Remove at each step the column that the others express best.

    Gaussian elimination on the eigenvectors of the correlation matrix, exact dependencies first.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        How many columns to keep.
    retain : float or None, default=None
        Keep as few columns as reproduce this share of the variance; 0.95 when no other goal
        is given.
    include : sequence of column names or positions, default=()
        Columns that must stay.
    scale : bool, default=True
        Bring all columns to the same spread first.
    refine : bool or "exact", default=False
        Swap columns until no swap lowers the error, or prove the best set (up to 64 columns).
    threshold : float or None, default=None
        Remove columns while the squared error of their equation is at most this, on the scale of
        the eigenvalues of the correlation matrix.

    Attributes
    ----------
    ranking_ : ndarray of int
        Kept columns, best first.
    retained_ : ndarray of float
        Share of the variance that the first 1, 2, ... of them reproduce.
    shortfall_ : str or None
        Why fewer columns are kept than asked for.
    path_ : Path
        What the method returned, with all removals and their equations.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> RedundancyElimination(n_features_to_select=2).fit(load_iris().data).ranking_
    array([0, 1])

    References
    ----------
    Yen, C.-C., Chen, L.-C. and Lin, S.-D. (2010). Unsupervised feature selection: minimize
    information redundancy of features.
    """

    method_id = "ufs"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        threshold: float | None = None,
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.threshold = threshold
