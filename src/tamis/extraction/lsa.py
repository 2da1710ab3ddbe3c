"""`lsa` as a scikit-learn transformer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from tamis.algorithms.extraction.lsa import LatentProjection
from tamis.extraction.base import Extractor, Reversible


class LatentSemantics(Reversible, Extractor):
    """Put rows on the leading singular directions of the table as it is.

    The mean stays in, so a sparse table stays sparse.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions to keep; None for as many as hold the share.
    share : float, default=0.95
        Share of the squares to hold when n_components is None.
    rule : "ceil" or "floor", default="ceil"
        Keep the fewest directions that reach the share, or the most that do not pass it.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Weight of every column in every direction.
    shares_ : ndarray of float
        Share of the squares that each direction holds.
    note_ : str
        Which branch of the method ran.
    projection_ : Projection
        What the method returned.

    Examples
    --------
    >>> model = LatentSemantics().fit([[3.0, 4.0], [6.0, 8.0]])
    >>> model.transform([[3.0, 4.0]])
    array([[5.]])
    >>> model.fold_in([[6.0, 8.0]], scaled=False).round(3)
    array([[0.894]])

    References
    ----------
    Cunningham, P. Dimension reduction. UCD-CSI-2007-7.
    """

    method_id = "lsa"
    takes_sparse = True
    projection_: LatentProjection

    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: str = "ceil",
    ) -> None:
        self.n_components = n_components
        self.share = share
        self.rule = rule

    def fold_in(self, X: Any, *, scaled: bool = True) -> NDArray[np.float64]:
        """Place new rows among those fitted: on the scale of `transform`, or of length 1.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        scaled : bool, default=True
            False divides by the singular values, as the survey prints it.
        """
        check_is_fitted(self)
        dtypes = (np.float64, np.float32)
        X = validate_data(self, X, accept_sparse="csr", dtype=dtypes, reset=False)
        return self.projection_.fold_in(X, scaled=scaled)
