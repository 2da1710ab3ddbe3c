"""Gaussian naive Bayes for any set of columns, from one table of log-likelihoods."""

from collections.abc import Sequence

import numpy as np

from tamis.numerics.types import Floats, Indices

_SMOOTHING = 1e-9  # of the variance of a column, added to its variance within a class


class NaiveBayes:
    """Predict the class of test rows from any columns, without training again.

    Given the class, the columns are independent: the log-likelihood of a set of columns is the sum
    of theirs. With standardised columns the smoothing is the same for every set, so the predictions
    are those of scikit-learn's `StandardScaler` and `GaussianNB` on these columns.
    """

    def __init__(self, train: Floats, test: Floats, codes: Indices, n_classes: int) -> None:
        """Learn every column from standardised rows (columns x rows) and their classes."""
        self._table = np.zeros((len(train), test.shape[1], n_classes))
        self._prior = np.full(n_classes, -np.inf)
        for c in range(n_classes):
            members = train[:, codes == c]
            if not members.shape[1]:
                continue
            self._prior[c] = np.log(members.shape[1] / len(codes))
            mean = members.mean(axis=1, keepdims=True)
            spread = members.var(axis=1, keepdims=True) + _SMOOTHING
            self._table[:, :, c] = -0.5 * (np.log(spread) + (test - mean) ** 2 / spread)

    def predict(self, columns: Sequence[int]) -> Indices:
        """Give the most probable class of every test row."""
        total = self._table[list(columns)].sum(axis=0) + self._prior
        return np.asarray(total.argmax(axis=1))
