"""Two orders that no method defines, for a table with far more columns than rows.

There the columns that are taken first explain all the others, whose order is then a matter of
chance or of rounding. What such orders lead to shows what a printed figure can mean.
"""

from collections.abc import Callable

import numpy as np

from tamis_papers.laboratory.numbers import Floats, Indices

__all__ = ["order_randomly", "run_on"]


def order_randomly(seed: int) -> Callable[[Floats], Indices]:
    """Make a function that puts columns into a random order, another one at each call.

    >>> order_randomly(0)(np.zeros((2, 4)))
    array([2, 0, 1, 3])
    """
    rng = np.random.default_rng(seed)
    return lambda X: rng.permutation(X.shape[1])


def run_on(X: Floats) -> Indices:
    """Give principal variables' order, and go on in rounding errors once all is explained.

    Each column is the one with the largest sum of squared covariances with all columns, given
    those before. When as many are taken as the centred rows have dimensions, all that is left is
    rounding; the other columns follow by the same sums of it, the largest first.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0, 7.0, 1.0], [1.0, 2.0, 7.0, 0.0], [2.0, 4.0, 7.0, 1.0]])
    >>> run_on(X)[:2]
    array([0, 3])
    """
    Z = X - X.mean(axis=0)
    sizes = np.linalg.norm(Z, axis=0)
    Z = np.divide(Z, sizes, out=np.zeros_like(Z), where=sizes > 0)
    taken: list[int] = []
    scores = _score(Z)
    for _ in range(min(len(X) - 1, int(np.count_nonzero(sizes)))):
        pick = int(scores.argmax())
        if scores[pick] <= 0.0:
            break
        taken.append(pick)
        direction = Z[:, pick] / np.linalg.norm(Z[:, pick])
        Z -= np.outer(direction, direction @ Z)
        Z[:, taken] = 0.0
        scores = _score(Z)
        scores[taken] = -1.0
    rest = np.argsort(-scores, kind="stable")[: X.shape[1] - len(taken)]
    return np.concatenate([taken, rest]).astype(np.intp)


def _score(Z: Floats) -> Floats:
    """Give the sum of squared products of every column with all columns, through the rows."""
    scores: Floats = np.einsum("ij,ij->j", Z, (Z @ Z.T) @ Z)
    return scores
