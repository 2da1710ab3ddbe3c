"""`kernel-pca` as a scikit-learn transformer."""

from tamis.algorithms.extraction.kernels import Kernel
from tamis.extraction.base import Extractor


class KernelComponents(Extractor):
    """Put rows on principal components in the space of a kernel.

    The fitted object keeps the rows, which every score needs.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions to keep; None for as many as hold the share.
    share : float, default=0.95
        Share of the variance in the kernel space to hold when n_components is None.
    rule : "ceil" or "floor", default="ceil"
        Keep the fewest directions that reach the share, or the most that do not pass it.
    scale : bool or None, default=True
        Bring all columns to the same spread first.
    kernel : "rbf", "linear", "poly" or callable, default="rbf"
        Similarity of two rows; a function takes two sets of rows and gives a block of values.
    gamma : float or None, default=None
        Factor of distances or products; None for 1 / columns.
    degree : int, default=3
        Power of the "poly" kernel.
    coef0 : float, default=1.0
        What the "poly" kernel adds to products.

    Attributes
    ----------
    shares_ : ndarray of float
        Share of the variance in the kernel space that each direction holds.
    note_ : str
        Which branch of the method ran.
    projection_ : Projection
        What the method returned.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> KernelComponents(2).fit_transform(load_iris().data).shape
    (150, 2)

    References
    ----------
    Schoelkopf, B., Smola, A. and Mueller, K.-R. Nonlinear component analysis as a kernel
    eigenvalue problem.
    """

    method_id = "kernel-pca"

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: str = "ceil",
        scale: bool | None = True,
        kernel: str | Kernel = "rbf",
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule
        self.scale = scale
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
