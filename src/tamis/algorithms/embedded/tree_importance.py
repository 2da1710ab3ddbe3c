"""`tree-importance`: how much the splits of a decision tree on each column lower the impurity.

Cunningham names C4.5, whose impurity is the entropy; so is ours. The sum over the nodes that split
on a column of (rows at the node / all rows) (impurity - weighted impurity of the children), shared
out so that all columns add up to 1.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.orders import best_by_score
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats
from tamis.statistics.ranks import rank_columns
from tamis.statistics.rows import RowTable


def rank_by_tree(
    table: RowTable,
    k: int | None,
    *,
    retain: float,
    include: Sequence[int] = (),
    random_state: int = 0,
) -> Path:
    """Rank the columns by their importance in one tree; by default keep those that it uses."""
    scores = tree_importance(table, random_state)
    most = int(np.count_nonzero(scores > 0)) if k is None else k
    return best_by_score(table.gram, scores, max(most, 1), retain=retain, include=include)


def tree_importance(table: RowTable, random_state: int) -> Floats:
    """Give the importance of every column in a tree grown until its leaves are pure.

    A tree goes by the order of the values alone, and scikit-learn's by their first seven digits:
    ranks have all the order there is.
    """
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    if table.labels.task == "regression":
        tree = DecisionTreeRegressor(random_state=random_state)
    else:
        tree = DecisionTreeClassifier(criterion="entropy", random_state=random_state)
    return np.asarray(
        tree.fit(rank_columns(table.values), table.labels.standard_y).feature_importances_
    )
