"""`kda` as a scikit-learn transformer."""

from tamis.algorithms.extraction.kernels import Kernel
from tamis.extraction.base import Extractor


class KernelDiscriminants(Extractor):
    """Put rows on the directions of a kernel space that set their classes apart most.

    The fitted object keeps the rows, which every score needs: at most 8,192.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions to keep; None for as many as hold the share,
        which is all of them unless `share` is given.
    share : float, default=1.0
        Share of the sum of the eigenvalues to hold when n_components is None.
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
    cut : float, default=1e-8
        Eigenvalues of the kernel up to this multiple of the largest are left out.
    ridge : float or None, default=None
        Multiple of the mean eigenvalue to add; None for 0.001 where the kernel tells all rows
        apart, else none.

    Attributes
    ----------
    shares_ : ndarray of float
        Share of the sum of the eigenvalues that each direction holds.
    note_ : str
        Which branch of the method ran.
    projection_ : Projection
        What the method returned.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> model = KernelDiscriminants(2, kernel="linear").fit(*load_iris(return_X_y=True))
    >>> model.projection_.values.round(5)
    array([0.96987, 0.22203])

    References
    ----------
    Baudat, G. and Anouar, F. Generalized discriminant analysis using a kernel approach.
    """

    method_id = "kda"

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 1.0,
        rule: str = "ceil",
        scale: bool | None = True,
        kernel: str | Kernel = "rbf",
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        cut: float = 1e-8,
        ridge: float | None = None,
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule
        self.scale = scale
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.cut = cut
        self.ridge = ridge
