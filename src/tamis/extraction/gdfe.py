"""`gdfe` as a scikit-learn transformer."""

from typing import Any

from numpy.typing import NDArray

from tamis.algorithms.extraction.kernels import Kernel
from tamis.extraction.base import Extractor, Reversible


class GeneralisedDistance(Reversible, Extractor):
    """Put rows on the directions that lose least in a generalised distance.

    The errors of near rows count together, so structure shared by neighbours weighs more.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions to keep; None for as many as hold the share.
    share : float, default=0.95
        Share of the generalised variance to hold when n_components is None.
    rule : "ceil" or "floor", default="ceil"
        Keep the fewest directions that reach the share, or the most that do not pass it.
    scale : bool or None, default=True
        Bring all columns to the same spread first.
    omega : "kernel", "identity", "linear", callable or array, default="kernel"
        How errors of two rows count together; N x N values, or a function from two sets of rows to
        a block of them.
    sigma : "pooled_quantile", "nn_quantile" or float, default="pooled_quantile"
        Width of the kernel: a tenth of all distances, or of those to the nearest row, lie within.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Weight of every column in every direction.
    shares_ : ndarray of float
        Share of the generalised variance that each direction holds.
    note_ : str
        Which branch of the method ran.
    projection_ : Projection
        What the method returned.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = GeneralisedDistance(scale=False).fit(load_iris().data)
    >>> model.note_, model.shares_.round(5)
    ('Gaussian kernel, sigma = 0.591608', array([0.97457]))

    References
    ----------
    Peluffo, D. et al. Generalised-distance feature extraction and relevance by PCA.
    """

    method_id = "gdfe"

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: str = "ceil",
        scale: bool | None = True,
        omega: str | Kernel | NDArray[Any] = "kernel",
        sigma: str | float = "pooled_quantile",
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule
        self.scale = scale
        self.omega = omega
        self.sigma = sigma
