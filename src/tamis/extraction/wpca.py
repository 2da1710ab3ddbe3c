"""`wpca` as a scikit-learn transformer."""

from numpy.typing import ArrayLike

from tamis.extraction.base import Extractor, Reversible


class WeightedComponents(Reversible, Extractor):
    """Put rows on the principal components of weighted columns.

    The weights say how relevant each column is.

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
    weights : str or array-like of shape (n_features,), default="relpca"
        "relpca", "relpca-first", "q-alpha" or "q-alpha-approx", or one number for each column.

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
    >>> model = WeightedComponents(1, weights=[0, 0, 1, 0]).fit(load_iris().data)
    >>> model.components_
    array([[0., 0., 1., 0.]])

    References
    ----------
    Peluffo, D. et al. Generalised-distance feature extraction and relevance by PCA.
    """

    method_id = "wpca"
    takes_sparse = True

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: str = "ceil",
        scale: bool | None = True,
        weights: str | ArrayLike = "relpca",
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule
        self.scale = scale
        self.weights = weights
