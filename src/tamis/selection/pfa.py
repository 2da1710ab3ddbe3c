"""`pfa` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class PrincipalFeatureAnalysis(PathSelector):
    """Keep one column of each cluster of columns with like loadings.

    K-means on the absolute loadings; the column nearest its centre stays.

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
    component_share : float, default=0.95
        Share of the variance that the components used for clustering hold.
    signed : bool, default=False
        Tell a column from its mirror image.
    random_state : int, default=0
        Seed of the clustering.

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
    >>> PrincipalFeatureAnalysis(n_features_to_select=2).fit(load_iris().data).ranking_
    array([3, 1])

    References
    ----------
    Lu, Y., Cohen, I., Zhou, X. S. and Tian, Q. (2007). Feature selection using principal feature
    analysis.
    """

    method_id = "pfa"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        component_share: float = 0.95,
        signed: bool = False,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.component_share = component_share
        self.signed = signed
        self.random_state = random_state
