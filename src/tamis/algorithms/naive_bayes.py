"""Gaussian naive Bayes for any set of columns, from one table of log-likelihoods."""

from collections.abc import Iterable, Sequence

import numpy as np

from tamis.numerics.types import Floats, Indices

_SMOOTHING = 1e-9  # of the variance of a column, added to its variance within a class

Part = tuple[Floats, Floats, Indices]


class NaiveBayes:
    """Predict the classes of the test rows of all splits from any columns, without training again.

    Given the class, the columns are independent: the log-likelihood of a set of columns is the sum
    of theirs. With standardised columns the smoothing is the same for every set, so the predictions
    are those of scikit-learn's `StandardScaler` and `GaussianNB` on these columns.
    """

    def __init__(self, parts: Iterable[Part], n_classes: int) -> None:
        """Learn every column of every split.

        A part has standardised training and test rows, both as columns x rows, and the classes of
        the training rows.
        """
        tables, priors = zip(*(_learnt(*part, n_classes) for part in parts), strict=True)
        self._table, self._prior = np.concatenate(tables, axis=1), np.concatenate(priors)

    def predict(self, columns: Sequence[int], rows: slice = slice(None)) -> Indices:
        """Give the most probable class of every test row, split after split, or of some of them."""
        total = self._table[list(columns), rows].sum(axis=0) + self._prior[rows]
        return np.asarray(total.argmax(axis=1))


def _learnt(train: Floats, test: Floats, codes: Indices, n_classes: int) -> tuple[Floats, Floats]:
    """Give the log-likelihood of each test row by column and class, and the priors."""
    table = np.zeros((*test.shape, n_classes))
    prior = np.full((test.shape[1], n_classes), -np.inf)
    for c in range(n_classes):
        members = train[:, codes == c]
        if not members.shape[1]:
            continue
        prior[:, c] = np.log(members.shape[1] / len(codes))
        mean = members.mean(axis=1, keepdims=True)
        spread = members.var(axis=1, keepdims=True) + _SMOOTHING
        table[:, :, c] = -0.5 * (np.log(spread) + (test - mean) ** 2 / spread)
    return table, prior
