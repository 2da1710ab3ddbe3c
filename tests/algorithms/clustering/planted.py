"""Tables with planted clusters: a few columns that tell them apart, and columns of noise."""

import numpy as np

RING = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]  # the order of three clusters in each column


def planted(seed, *, ring=2, corners=0, gap=4.0, noise=5, rows=120):
    """Give a table of three clusters: `ring` or `corners` columns with them, then the noise.

    In a ring every column has the clusters side by side, each time in another order; at corners
    every column tells one cluster from the other two.
    """
    rng = np.random.default_rng(seed)
    kinds = np.repeat(np.arange(3), rows // 3)
    middles = np.array(RING[:ring]).T if ring else np.eye(3)[:, :corners]
    clusters = gap * middles[kinds] + rng.standard_normal((rows, middles.shape[1]))
    return np.hstack([clusters, rng.standard_normal((rows, noise))]), kinds
