"""`q-alpha` as a scikit-learn selector."""

from collections.abc import Sequence

from tamis.selection.base import PathSelector


class QAlpha(PathSelector):
    """Weigh columns so that the rows fall into few, clear directions.

    Rewards what several columns say alike: redundancy is not removed.

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
        Share of the summed relevance that the kept columns hold; 0.95 when no other goal is given.
    rule : "ceil" or "floor", default="ceil"
        Keep the fewest columns that reach the threshold, or the most that do not exceed it.
    clusters : int or None, default=None
        Directions to look for, such as the number of clusters; None for the components that hold
        95% of the variance.
    mode : "power" or "exact", default="power"
        Bring the directions one step nearer in each round, or solve for them exactly.
    rounds : int, default=4
        Rounds at most.
    random_state : int or None, default=None
        Seed of a random start, as published; None starts from the principal components.

    Attributes
    ----------
    ranking_ : ndarray of int
        Kept columns, best first.
    retained_ : ndarray of float
        Share of the variance that the first 1, 2, ... of them reproduce.
    shortfall_ : str or None
        Why fewer columns are kept than asked for.
    path_ : Path
        What the method returned: all columns ranked, with their relevance as scores.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> QAlpha(2).fit(load_iris().data).ranking_
    array([2, 3])

    References
    ----------
    Wolf, L. & Shashua, A. (2005). Feature selection for unsupervised and supervised inference.
    Wolf, L. & Bileschi, S. (2005). Combining variable selection with dimensionality reduction.
    Peluffo, D. H., Lee, J. A., Verleysen, M., Rodriguez, J. L. & Castellanos-Dominguez, G.
    Unsupervised relevance analysis for feature extraction and selection.
    """

    method_id = "q-alpha"

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: Sequence[str | int] = (),
        scale: bool = True,
        refine: bool | str = False,
        threshold: float | None = None,
        rule: str = "ceil",
        clusters: int | None = None,
        mode: str = "power",
        rounds: int = 4,
        random_state: int | None = None,
    ) -> None:
        super().__init__(
            n_features_to_select,
            retain=retain,
            include=include,
            scale=scale,
            refine=refine,
        )
        self.threshold = threshold
        self.rule = rule
        self.clusters = clusters
        self.mode = mode
        self.rounds = rounds
        self.random_state = random_state
