"""`lpp`: locality preserving projections, the directions that keep neighbouring rows together.

Every row is connected to its nearest neighbours, as for `laplacian`: edge weights
`exp(-distance^2 / t)` or 1, degrees `D` (row sums of the weights `S`), `L = D - S`. He and Niyogi
take the directions `a` with the smallest `lam` in `X' L X a = lam X' D X a`, with centred columns:
the scores `X a` differ as little as possible between neighbours, for their spread. Scores are
weighted sums of the columns, so new rows have scores too; in the mean, weighted by `D`, the square
of a score of a training row is 1.

`lam` lies between 0 and 2, and **smaller is better**; `1 - lam` is how far neighbours agree, and a
share is a part of the sum of all positive ones. Columns of any unit may be mixed: but for the
distances between rows, only the directions they span matter. Where `X' D X` is singular, as with
columns that explain each other exactly or more columns than rows, the problem is solved on its
eigenvectors with non-zero eigenvalue. With about as many columns as rows the directions fit any
graph; apply `pca` first, or keep fewer columns.

The graph is sparse, and no array of all pairs of rows is made. It is exact up to 50,000 rows, and
for any number of rows with at most 6 columns; `search` is that of `laplacian`.
"""

from typing import Any

import numpy as np

from tamis.algorithms.extraction.class_scatter import CentredRows
from tamis.algorithms.projection import LinearProjection, count_chosen, short_of
from tamis.errors import TamisError
from tamis.numerics.eigen import all_pairs
from tamis.numerics.types import Floats
from tamis.rules.tolerances import RANK_TOL
from tamis.statistics.neighbours import neighbour_graph


def locality_preserving(
    rows: Any,
    k: int | None = None,
    *,
    share: float = 0.95,
    rule: str = "ceil",
    scale: bool = True,
    neighbours: int = 5,
    weight: str = "heat",
    t: float | None = None,
    search: str = "auto",
    random_state: int = 0,
) -> LinearProjection:
    """Find the directions whose scores differ least between neighbouring rows."""
    table = CentredRows.of(rows, scale)
    Z = table.reduced
    width = None if t is None else t / table.unit / table.unit
    near = table.rows if table.unit == 1.0 else table.rows / table.unit
    graph = neighbour_graph(
        near, neighbours, weight=weight, t=width, search=search, random_state=random_state
    )
    agreement, directions, ranked = _solve_graph(Z, graph)
    positive = np.maximum(agreement, 0.0)
    if not positive.any():
        raise TamisError(
            "In every direction neighbouring rows disagree more than others: use more rows, or "
            "other columns."
        )
    size = count_chosen(positive, k, share, rule)
    words = f"{graph.nnz // 2:,} edges" + ("" if ranked else "; X'DX is singular")
    return table.projection(
        directions[:, :size],
        np.clip(1.0 - agreement[:size], 0.0, 2.0),
        positive[:size] / positive.sum(),
        words + short_of(k, size, "the columns span no more directions"),
        orthonormal=False,
    )


def _solve_graph(Z: Floats, graph: Any) -> tuple[Floats, Floats, bool]:
    """Give `1 - lam`, largest first, the directions, and whether `Z'DZ` has full rank.

    `Z' S Z a = (1 - lam) Z' D Z a` is the same problem. On columns `Z W` with `W' Z' D Z W = I` it
    is an ordinary one, of `W' Z' S Z W`. Columns are brought to one length first, so that their
    units do not decide which eigenvalues are zero.
    """
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    weighted = Z * np.sqrt(degrees)[:, None]
    lengths = np.linalg.norm(weighted, axis=0)
    if not lengths.any():
        raise TamisError("No two rows are near each other: give a larger t.")
    factors = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    weighted *= factors
    values, vectors = all_pairs(weighted.T @ weighted)
    nonzero = values > RANK_TOL * values[-1]
    W = factors[:, None] * (vectors[:, nonzero] / np.sqrt(values[nonzero]))
    scores = Z @ W
    near = scores.T @ (graph @ scores)
    agreement, turns = all_pairs((near + near.T) / 2)
    directions = W @ turns[:, ::-1] * np.sqrt(degrees.sum())
    return agreement[::-1], directions, bool(nonzero.all())
