"""`lfda` as a scikit-learn transformer."""

from tamis.algorithms.extraction.kernels import Kernel
from tamis.extraction.base import Extractor


class LocalDiscriminants(Extractor):
    """Put rows on directions that set classes apart and keep the clumps of a class.

    Only rows of a class that are near each other are pulled together.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions to keep; None for as many as hold the share.
    share : float, default=0.95
        Share of the sum of the eigenvalues to hold when n_components is None.
    rule : "ceil" or "floor", default="ceil"
        Keep the fewest directions that reach the share, or the most that do not pass it.
    scale : bool or None, default=True
        Bring all columns to the same spread first.
    affinity : "local", "constant" or callable, default="local"
        Nearness of two rows of a class; a function takes two sets of rows and gives a block.
    neighbours : int, default=7
        Neighbour whose distance is the local unit.
    metric : "plain" or "weighted", default="plain"
        Directions as they are, or times the root of their eigenvalue.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Weight of every column in every direction.
    shares_ : ndarray of float
        Share of the sum of the eigenvalues that each direction holds.
    note_ : str
        Which branch of the method ran.
    projection_ : Projection
        What the method returned.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> LocalDiscriminants(3).fit(*load_iris(return_X_y=True)).components_.shape
    (3, 4)

    References
    ----------
    Sugiyama, M. Dimensionality reduction of multimodal labeled data by local Fisher discriminant
    analysis.
    """

    method_id = "lfda"

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: str = "ceil",
        scale: bool | None = True,
        affinity: str | Kernel = "local",
        neighbours: int = 7,
        metric: str = "plain",
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule
        self.scale = scale
        self.affinity = affinity
        self.neighbours = neighbours
        self.metric = metric
