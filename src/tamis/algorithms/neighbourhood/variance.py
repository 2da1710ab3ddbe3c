"""`variance`: the columns with the largest variance.

Columns are ranked by their variance and the first ones are kept. Redundancy is ignored, and the
ranking depends on the units: columns are therefore not standardised unless `scale=True`, in which
case all columns tie and their order decides.

The score of a column is its share of the total variance; scores sum to 1.
"""

from typing import Unpack

from tamis.algorithms.orders import best_by_score
from tamis.algorithms.path import Goal, Path
from tamis.statistics.gram import Gram


def largest_variances(gram: Gram, k: int, **goal: Unpack[Goal]) -> Path:
    """Take the `k` columns of largest variance."""
    squares = gram.diagonal()
    return best_by_score(gram, squares / squares.sum(), k, **goal)
