"""`naive-rspfs`: the columns that recursive spectral partitioning splits off first.

The columns are the nodes of a graph, with their normalised mutual information as edge weights. The
graph is cut in two by the signs of its Fiedler vector, and each part again, down to single columns
(see `rspfs`). The leaves nearest to the root are kept. Many leaves are equally deep: importance
(VIMICA score, see `naive-fs`) decides between them, or with `tie_break="index"` their order in the
table.

Mutual information is as in the paper, not corrected for chance: a column with many distinct values
seems to share information with every other, and is preferred for it (`representatives` takes off
what chance gives).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tamis.algorithms.by_score import order_of
from tamis.algorithms.information.importance import score_importance, take_informative
from tamis.algorithms.information.tree import spectral_tree
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.statistics.shared_information import Information


def first_split_off(
    information: Information,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    mi_threshold: float = 0.9,
    laplacian: str = "unnormalized",
    split: str = "sign",
    tie_break: str = "score",
    limits: Limits | None = None,
) -> Path:
    """Take the leaves of the spectral tree that lie nearest to its root.

    Examples
    --------
    >>> rows = [[1, 0.8, 0.1, 0.2], [0.8, 1, 0.1, 0.2], [0.1, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]
    >>> first_split_off(Information(np.array(rows)), 4).indices
    array([3, 2, 0, 1])
    """
    tree = spectral_tree(information.matrix, laplacian=laplacian, split=split)
    scores = score_importance(information, mi_threshold)
    positions = order_of(scores) if tie_break == "score" else np.arange(len(scores))
    nearness = np.empty(len(scores))
    # The sort is stable: of equally deep leaves the one with the better position comes first.
    nearness[positions[np.argsort(tree.depth[positions], kind="stable")]] = np.arange(
        len(scores), 0, -1
    )
    path = take_informative(
        information, k, scores, lambda _: nearness, retain=retain, include=include, limits=limits
    )
    return replace(path, tree=tree)
