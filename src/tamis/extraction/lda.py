"""`lda` as a scikit-learn transformer."""

from tamis.extraction.base import Extractor


class LinearDiscriminants(Extractor):
    """Put rows on the directions that set their classes apart most.

    There are at most as many directions as classes, less one.

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
    solver : "auto", "regular", "svd", "nullspace" or "pca+lda", default="auto"
        What to do when the scatter within classes is singular.

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
    >>> model = LinearDiscriminants(2).fit(*load_iris(return_X_y=True))
    >>> model.shares_.round(5), model.note_
    (array([0.99121, 0.00879]), 'regular: within-class covariance without regularisation')

    References
    ----------
    Cunningham, P. Dimension reduction. UCD-CSI-2007-7.
    """

    method_id = "lda"

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 1.0,
        rule: str = "ceil",
        scale: bool | None = True,
        solver: str = "auto",
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule
        self.scale = scale
        self.solver = solver
