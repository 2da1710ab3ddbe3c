"""Extractors that factorise the table without centring it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from tamis.algorithms.extraction.lsa import LatentProjection
from tamis.algorithms.extraction.nmf import FactorProjection
from tamis.extraction.base import Extractor, Reversible


class LatentSemanticAnalysis(Reversible, Extractor):
    """Compute the leading singular vectors of the table without centring it.

    A sparse table stays sparse. Shares are of the sum of squares of the table.

    Examples
    --------
    >>> model = LatentSemanticAnalysis().fit([[3.0, 4.0], [6.0, 8.0]])
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

    def fold_in(self, X: Any, *, scaled: bool = True) -> NDArray[np.float64]:
        """Place new rows among those fitted: on the scale of `transform`, or of length 1.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        scaled : bool, default=True
            False divides by the singular values, as Cunningham does.
        """
        check_is_fitted(self)
        dtypes = (np.float64, np.float32)
        X = validate_data(self, X, accept_sparse="csr", dtype=dtypes, reset=False)
        return self.projection_.fold_in(X, scaled=scaled)


class NonNegativeMatrixFactorisation(Reversible, Extractor):
    """Write each row as a sum of parts without negative values.

    Each part sums to 1; a score is the amount of the part in the row. Shares are of the total of
    all scores.

    Examples
    --------
    >>> model = NonNegativeMatrixFactorisation(1).fit([[1.0, 3.0], [2.0, 6.0]])
    >>> model.components_.round(6)
    array([[0.25, 0.75]])

    References
    ----------
    Lee, D. D. and Seung, H. S. Learning the parts of objects by non-negative matrix factorization.
    """

    method_id = "nmf"
    takes_sparse = True
    takes_negative = False
    projection_: FactorProjection

    @property
    def n_iter_(self) -> int:
        """Number of iterations."""
        return self.projection_.rounds
