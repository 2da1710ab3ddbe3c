"""Peluffo et al.'s experiment: do K-means clusters of a representation find the classes.

K-means runs twenty times from random centres, with as many clusters as there are classes. Each run
is compared with the classes by normalised mutual information, I / sqrt(H H') (Strehl and Ghosh).
The paper gives means and deviations and does not say which deviation: here it is the root mean
square, over n and not n - 1. "K-means" may end with Lloyd's rounds or, as in many programs, go on
with moves of single rows (`single_moves`).
"""

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.progress import track
from tamis_papers.laboratory.numbers import Floats
from tamis_papers.protocols.clustering import check_rows, count_distinct
from tamis_papers.protocols.single_moves import move_singly


@dataclass(frozen=True, eq=False)
class ClassRecovery:
    """Mean and standard deviation over the runs, and every run's own value."""

    mean: float
    std: float
    runs: Floats = field(repr=False)


def label_information(first: Any, second: Any) -> float:
    """Give the mutual information of two labelings over the geometric mean of their entropies.

    Examples
    --------
    >>> round(label_information([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]), 5)
    0.39665
    """
    from sklearn.metrics import normalized_mutual_info_score

    return float(normalized_mutual_info_score(first, second, average_method="geometric"))


def kmeans_nmi(
    scores: Any, labels: Any, *, runs: int = 20, single_moves: bool = False
) -> ClassRecovery:
    """Cluster a representation `runs` times, with seeds from 0, and compare with the classes.

    Parameters
    ----------
    scores
        Rows of the representation: kept columns, or scores of components.
    labels
        The class of every row.
    single_moves
        Whether rows are moved one by one after Lloyd's rounds while the sum of squares falls.

    Examples
    --------
    >>> kmeans_nmi([[0.0], [0.1], [5.0], [5.1]], ["a", "a", "b", "b"], runs=3)
    ClassRecovery(mean=1.0, std=0.0)
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    rows, classes = check_rows(scores, "scores"), np.asarray(labels)
    if classes.shape != (len(rows),):
        raise TamisError(
            f"labels has the shape {classes.shape}: give one for each of the {len(rows)} rows."
        )
    if runs < 1:
        raise TamisError(f"runs={runs}: give at least 1.")
    count = count_distinct(rows, len(np.unique(classes)))
    values = np.empty(runs)
    for seed in track("K-means runs", range(runs), runs):
        model = KMeans(count, init="random", n_init=1, random_state=seed)
        with threadpool_limits(1), warnings.catch_warnings():
            # A column with few different values may fill fewer clusters: that is its result.
            warnings.simplefilter("ignore", ConvergenceWarning)
            found = model.fit(rows).labels_
        if single_moves:
            found = move_singly(rows, found, count)
        values[seed] = label_information(classes, found)
    return ClassRecovery(float(values.mean()), float(values.std()), values)
