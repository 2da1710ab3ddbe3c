"""`tree-importance`: how much the splits of a decision tree on each column lower the impurity.

Cunningham names C4.5, whose impurity is the entropy; so is ours. The sum over the nodes that split
on a column of (rows at the node / all rows) (impurity - weighted impurity of the children), shared
out so that all columns add up to 1.

`permutation-importance`: how much a random forest loses when a column is shuffled.

A forest is grown on two thirds of the rows. On the rows held out, each column in turn is shuffled
10 times; its importance is the mean drop of the accuracy. For numbers to predict it is the mean
increase of the squared error, relative to the variance of the labels. A column that the forest
does not need has an importance near 0, below or above. Without a number of columns, those are kept
whose importance is more than twice its standard deviation over the repetitions.

`oob=True` is Breiman's own definition: each tree is tested on the rows that are not in its
bootstrap sample, before and after shuffling; the importance is the mean over the trees, and its
spread the standard error of that mean. No rows are set aside, which helps where there are few.

**Columns that correlate share importance**, and lose some of it: shuffle one of two copies and the
forest still has the other, so that both look unimportant. `redundancy="drop"` keeps one column of
each such group, and trains the forest a second time, on columns that do not explain each other.
"""

from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from tamis.algorithms.orders import best_by_score, order_of, put_included_first
from tamis.algorithms.path import Goal, Path
from tamis.algorithms.ranking import Ranking
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.labels import Target
from tamis.statistics.ranks import rank_columns
from tamis.statistics.rows import RowTable


def rank_by_tree(
    table: RowTable, k: int | None, *, random_state: int = 0, **goal: Unpack[Goal]
) -> Path:
    """Rank the columns by their importance in one tree; by default keep those that it uses."""
    scores = tree_importance(table, random_state)
    most = int(np.count_nonzero(scores > 0)) if k is None else k
    return best_by_score(table.gram, scores, max(most, 1), **goal)


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


REPEATS = 10
_N_ROW_PARTS = 3  # one of so many parts of the rows is held out
_MAX_PREDICTED_ROWS = 20_000  # shuffled rows that the forest predicts at once
_MAX_SHUFFLED_CELLS = 1 << 25  # of the shuffled rows: a wide table has few columns together
_MIN_SPREADS = 2.0  # an importance above so many times its spread is no chance


def rank_by_permutation(
    table: RowTable,
    k: int | None,
    *,
    oob: bool = False,
    trees: int = 100,
    random_state: int = 0,
    **goal: Unpack[Goal],
) -> Path:
    """Rank the columns by permutation importance; by default keep those clearly above 0."""
    find = out_of_bag_importance if oob else held_out_importance
    scores, spread = find(table, trees=trees, random_state=random_state)
    most = int(np.count_nonzero(scores > _MIN_SPREADS * spread)) if k is None else k
    path = best_by_score(table.gram, scores, max(most, 1), **goal)
    order = put_included_first(order_of(scores), path.kept)
    evidence = Ranking(order, scores, len(path.kept), spread)
    return replace(path, evidence=evidence)


def held_out_importance(table: RowTable, *, trees: int, random_state: int) -> tuple[Floats, Floats]:
    """Give the mean drop of the score on held-out rows for every column, and its deviation.

    As scikit-learn's `permutation_importance`, with the same shuffles; the forest is asked about
    many shuffled rows at once, which is ten times faster on tables of a few hundred rows.
    """
    target = table.labels
    target.check_splits()
    train, test = _split_rows(target, random_state)
    # Trees keep seven digits of a number: columns and labels are standardised first.
    rows, labels = table.standardised, target.seen_from(train).standard_y
    forest = _forest(target, trees, random_state).fit(rows[train], labels[train])
    X, y, regresses = rows[test], labels[test], target.task == "regression"
    orders = _shuffles(len(test), random_state)
    before = _error(forest, X, y, regresses)
    drops = np.empty((X.shape[1], REPEATS))
    for columns in track(
        "columns shuffled", _groups(X.shape[1], orders.size), X.shape[1], size=len
    ):
        shuffled = np.tile(X, (len(columns), REPEATS, 1, 1))
        for place, j in enumerate(columns):
            shuffled[place, :, :, j] = X[orders, j]
        found = _predict(forest, shuffled.reshape(-1, X.shape[1]), regresses)
        found = found.reshape(shuffled.shape[:3])
        errors = (found - y) ** 2 if regresses else found != y
        drops[columns] = errors.mean(axis=2) - before
    return drops.mean(axis=1), drops.std(axis=1)


def _predict(forest: Any, X: Floats, regresses: bool) -> Any:
    """Predict as the forest does, tree by tree: its threads take longer to begin than a tree."""
    values = X.astype(np.float32)  # as trees see them
    trees = (
        (tree.predict if regresses else tree.predict_proba)(values, check_input=False)
        for tree in forest.estimators_
    )
    total = sum(trees) / len(forest.estimators_)
    return total if regresses else forest.classes_.take(total.argmax(axis=1))


def _shuffles(count: int, random_state: int) -> Indices:
    """Give the orders of the rows in which scikit-learn shuffles a column, one after the other."""
    from sklearn.utils import check_random_state

    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max + 1)
    rng, index, order = check_random_state(seed), np.arange(count), np.arange(count)
    orders = np.empty((REPEATS, count), dtype=np.intp)
    for repeat in range(REPEATS):
        rng.shuffle(index)
        order = orders[repeat] = order[index]
    return orders


def _groups(d: int, rows: int) -> list[Indices]:
    """Put so many columns together that their shuffled rows are some ten thousand, and fit."""
    most = min(_MAX_PREDICTED_ROWS, _MAX_SHUFFLED_CELLS // d)
    return np.array_split(np.arange(d), min(d, max(1, -(-d * rows // max(most, 1)))))


def out_of_bag_importance(
    table: RowTable, *, trees: int, random_state: int
) -> tuple[Floats, Floats]:
    """Give the mean increase of the trees' out-of-bag errors for every column, and its error."""
    target, X, y = table.labels, table.standardised, table.labels.standard_y
    forest = _forest(target, trees, random_state).fit(X, y)
    rng = np.random.default_rng(random_state)
    regresses = target.task == "regression"
    drops = []
    pairs = zip(forest.estimators_, forest.estimators_samples_, strict=True)
    for tree, sample in track("trees tested", pairs, trees):
        out = np.setdiff1d(np.arange(len(X)), sample)
        if out.size:
            drops.append(_drops(tree, X[out], y[out], regresses, rng))
    found = np.array(drops)
    return found.mean(axis=0), found.std(axis=0) / np.sqrt(len(found))


def _drops(tree: Any, X: Floats, y: Any, regresses: bool, rng: np.random.Generator) -> Floats:
    """Give how much worse one tree is after each column was shuffled; 0 where it does not split."""
    order = rng.permutation(len(X))
    increase = np.zeros(X.shape[1])
    before = _error(tree, X, y, regresses)
    for j in np.unique(tree.tree_.feature[tree.tree_.feature >= 0]):
        shuffled = X.copy()
        shuffled[:, j] = X[order, j]
        increase[j] = _error(tree, shuffled, y, regresses) - before
    return increase


def _error(tree: Any, X: Floats, y: Any, regresses: bool) -> float:
    found = tree.predict(X)
    return float(np.mean((found - y) ** 2 if regresses else found != y))


def _forest(target: Target, trees: int, random_state: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestRegressor if target.task == "regression" else RandomForestClassifier
    return kind(n_estimators=trees, random_state=random_state)


def _split_rows(target: Target, random_state: int) -> tuple[Indices, Indices]:
    """Set aside a third of the rows, of every class if there are classes."""
    from sklearn.model_selection import KFold, StratifiedKFold

    classes = target.dealt_evenly
    most = int(np.bincount(target.codes).min()) if classes else len(target.labels) // 2
    parts = max(2, min(_N_ROW_PARTS, most))
    kind = StratifiedKFold if classes else KFold
    split = kind(parts, shuffle=True, random_state=random_state)
    train, test = next(iter(split.split(target.y, target.y)))
    return train, test
