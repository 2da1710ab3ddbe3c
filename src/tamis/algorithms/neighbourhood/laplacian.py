"""`laplacian`: the columns that vary least between neighbouring rows (Laplacian score).

Every row is connected to its nearest neighbours, with edge weights `exp(-distance^2 / t)`. With the
weights `S`, the degrees `D` (row sums of `S`) and `L = D - S`, the score of a column `f` is
`f'Lf / f'Df`, after `f` has been centred with the weights `D`. It lies between 0 and 2 and
**smaller is better**: such a column is similar in neighbouring rows. Columns are ranked by their
score. Each column is scored on its own, so copies of a good column are kept with it.

The paper leaves open how neighbours and weights are chosen. Here: 5 nearest neighbours; two rows
are connected if either is among the nearest neighbours of the other; `t` is the mean squared
distance over the edges. Distances are those of the standardised columns unless `scale=False`; the
score of a column itself does not depend on its unit. A row so far from its neighbours that all its
weights vanish is ignored.

The graph is exact up to 50,000 rows, and for any number of rows with at most 6 columns. Beyond, it
is approximate if PyNNDescent is installed (`tamis[neighbours]`), which needs half a minute to
compile; `search` overrides this. The rows are held in memory, and a sparse table is made dense.
"""

from typing import Unpack

import numpy as np

from tamis.algorithms.orders import best_by_score
from tamis.algorithms.path import Goal, Path
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats
from tamis.rules.tolerances import ROUNDING
from tamis.statistics.neighbours import Neighbours


def smoothest_columns(near: Neighbours, k: int, **goal: Unpack[Goal]) -> Path:
    """Take the `k` columns of smallest Laplacian score."""
    return best_by_score(near.gram, laplacian_scores(near), k, smallest=True, **goal)


def laplacian_scores(near: Neighbours) -> Floats:
    """Give the Laplacian score of every column.

    It is infinite for one that does not vary, or only in rows that no edge reaches.
    """
    n, d = near.rows.shape
    degrees = np.asarray(near.graph.sum(axis=1)).ravel()
    centre = degrees @ near.rows / max(float(degrees.sum()), np.finfo(np.float64).tiny)
    scores = np.full(d, np.inf)
    for part in row_blocks(d, n):
        columns = near.rows[:, part] - centre[part]
        weighted = degrees[:, None] * columns
        spread = np.einsum("ij,ij->j", weighted, columns)
        weighted -= near.graph @ columns
        rough = np.einsum("ij,ij->j", weighted, columns)
        most = degrees.sum() * np.square(columns).max(axis=0, initial=0.0)
        np.divide(rough, spread, out=scores[part], where=spread > ROUNDING * most)
    return np.maximum(scores, 0.0)
