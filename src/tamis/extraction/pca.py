"""`pca` as a scikit-learn transformer."""

from tamis.extraction.base import Extractor, Reversible


class PrincipalComponents(Reversible, Extractor):
    """Put rows on the orthogonal directions in which they differ most.

    The table is summarised once: by its Gram matrix, or by its rows if those are fewer.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions to keep; None for as many as hold the share.
    share : float, default=0.95
        Share of the variance to hold when n_components is None.
    rule : "ceil" or "floor", default="ceil"
        Keep the fewest directions that reach the share, or the most that do not pass it.
    scale : bool or None, default=True
        Bring all columns to the same spread first.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Weight of every column in every direction.
    shares_ : ndarray of float
        Share of the variance that each direction holds.
    note_ : str
        Which branch of the method ran.
    projection_ : Projection
        What the method returned.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = PrincipalComponents(scale=False).fit(load_iris().data)
    >>> model.shares_.round(5)
    array([0.92462, 0.05307])

    References
    ----------
    Cunningham, P. Dimension reduction. UCD-CSI-2007-7.
    """

    method_id = "pca"
    takes_sparse = True

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: str = "ceil",
        scale: bool | None = True,
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule
        self.scale = scale
