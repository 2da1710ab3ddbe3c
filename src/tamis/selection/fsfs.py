"""`fsfs` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class FeatureSimilarity(PathSelector):
    """Keep the columns with the tightest neighbourhoods and drop their neighbours.

    The distance is the maximal information compression index. The paper uses `scale=False`.

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
    neighbours : int or None, default=None
        Neighbours that go with the first column kept; found from the goal when None.

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
    >>> FeatureSimilarity(n_features_to_select=2).fit(load_iris().data).ranking_
    array([2, 1])

    References
    ----------
    Mitra, P., Murthy, C. A. & Pal, S. K. (2002). Unsupervised feature selection using feature
    similarity.
    """

    method_id = "fsfs"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        neighbours: int | None = None,
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.neighbours = neighbours
