"""K-means after Lloyd: move single rows between clusters while the sum of squares falls.

Lloyd's rule compares a row with the centres as they are. A move also shifts the two centres, so
taking a row at distance `d_a` out of a cluster of `n_a` rows lowers the sum by
`n_a / (n_a - 1) d_a^2`, and putting it into one of `n_b` raises it by `n_b / (n_b + 1) d_b^2`.
Where the first is larger the sum falls (Hartigan), though its own centre may be the nearest.
"""

import numpy as np

from tamis_papers.laboratory.numbers import TIE, Floats, Indices


def move_singly(rows: Floats, labels: Indices, clusters: int) -> Indices:
    """Improve a clustering by moves of one row; give the labels when none lowers the sum.

    Each round lists the rows that a move would help, with the centres as they are, and goes
    through them in order; every move is checked again with the centres of that moment. A cluster
    never loses its last row.

    Examples
    --------
    The row at 4 is nearer to the centre of its own cluster, 2, than to the other, 7, so Lloyd's
    rule leaves it there. Moving it lowers the sum of squares all the same.

    >>> rows = np.array([[0.0], [4.0], [4.2], [8.4], [8.4]])
    >>> move_singly(rows, np.array([0, 0, 1, 1, 1]), 2)
    array([0, 1, 1, 1, 1])
    """
    X, labels = rows - rows.mean(axis=0), np.array(labels, dtype=np.intp)
    squares = np.einsum("ij,ij->i", X, X)
    least = TIE * float(squares.mean())  # less is rounding
    while True:
        sizes, sums = _clusters(X, labels, clusters)
        centres = sums / np.maximum(sizes, 1.0)[:, None]
        distances = squares[:, None] - 2.0 * (X @ centres.T)
        distances += np.einsum("ij,ij->i", centres, centres)
        costs = _costs(distances, sizes, labels)
        own = costs[np.arange(len(X)), labels]
        moved = 0
        for row in np.flatnonzero(costs.min(axis=1) < own - least).tolist():
            moved += _move(X[row], row, labels, sizes, sums, least)
        if not moved:
            return labels


def _clusters(X: Floats, labels: Indices, clusters: int) -> tuple[Floats, Floats]:
    sizes = np.bincount(labels, minlength=clusters).astype(np.float64)
    sums = np.zeros((clusters, X.shape[1]))
    np.add.at(sums, labels, X)
    return sizes, sums


def _costs(distances: Floats, sizes: Floats, labels: Indices) -> Floats:
    """Give what each row costs in each cluster: what it adds there, or takes along from its own."""
    costs = distances * (sizes / (sizes + 1.0))
    here = np.arange(len(labels))
    alone = sizes <= 1.0
    leaving = np.where(alone, 0.0, sizes / np.where(alone, 1.0, sizes - 1.0))
    costs[here, labels] = leaving[labels] * distances[here, labels]
    return costs


def _move(x: Floats, row: int, labels: Indices, sizes: Floats, sums: Floats, least: float) -> bool:
    """Move the row to its cheapest cluster if that still lowers the sum."""
    own = labels[row]
    shifts = sums / np.maximum(sizes, 1.0)[:, None] - x
    distances = np.einsum("ij,ij->i", shifts, shifts)[None]
    costs = _costs(distances, sizes, labels[row : row + 1])[0]
    best = int(costs.argmin())
    if costs[best] >= costs[own] - least or sizes[own] <= 1.0:
        return False
    for cluster, sign in ((own, -1.0), (best, 1.0)):
        sizes[cluster] += sign
        sums[cluster] += sign * x
    labels[row] = best
    return True
