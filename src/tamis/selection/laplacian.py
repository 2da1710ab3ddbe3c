"""`laplacian` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class LaplacianScore(PathSelector):
    """Keep the columns that vary least between neighbouring rows.

    Looks at one column at a time: copies of a good column are kept with it.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        How many columns to keep.
    retain : float or None, default=None
        Keep as few columns as reproduce this share of the variance; 0.95 when neither is given.
    include : sequence of column names or positions, default=()
        Columns that must stay.
    scale : bool, default=True
        Measure distances between rows in columns of the same spread.
    refine : bool or "exact", default=False
        Swap columns until no swap lowers the error, or prove the best set (up to 64 columns).
    neighbours : int, default=5
        Nearest rows that each row is joined to.
    weight : "heat" or "binary", default="heat"
        An edge weighs exp(-distance^2 / t), or 1.
    t : float or None, default=None
        Width of the heat kernel; the mean squared distance over the edges when None.
    search : "auto", "exact" or "approximate", default="auto"
        How the nearest rows are found; "auto" is exact up to 50,000 rows.
    random_state : int, default=0
        Seed of the approximate search.

    Attributes
    ----------
    ranking_ : ndarray of int
        Kept columns, best first.
    retained_ : ndarray of float
        Share of the variance that the first 1, 2, ... of them reproduce.
    shortfall_ : str or None
        Why fewer columns are kept than asked for.
    path_ : Path
        What the method returned; of its scores the smaller is the better.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> LaplacianScore(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    He, X., Cai, D. & Niyogi, P. (2005). Laplacian score for feature selection.
    """

    method_id = "laplacian"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        neighbours: int = 5,
        weight: str = "heat",
        t: float | None = None,
        search: str = "auto",
        random_state: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.neighbours = neighbours
        self.weight = weight
        self.t = t
        self.search = search
        self.random_state = random_state
