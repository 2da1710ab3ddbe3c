"""`wrapper-forward`: add the column with which a learner scores best, one at a time.

The score of a set of columns is that of the learner in cross-validation, with the same splits for
every set; without columns it is that of the most frequent class, or of the mean. Columns are added
while the best of them raises the score by more than `tol`, or until there are k; at least one is
kept. Of columns that score the same the first one is taken.

The score of the kept set is too optimistic, because it is the best of many sets that were tried.
So a part of the rows (`test_size`) is set aside before the search, and the learner is tested on
them once, at the end.
"""

from tamis.algorithms.wrappers.evaluator import Evaluator
from tamis.algorithms.wrappers.job import Scope, SearchResult, make_wrapper
from tamis.algorithms.wrappers.steps import walk


def forward_search(evaluate: Evaluator, scope: Scope, *, tol: float = 0.0) -> SearchResult:
    """Add the best column while the score rises by more than `tol`."""
    return walk(evaluate, scope, lambda new, old: new - old > tol, adding=True)


select_forward = make_wrapper(forward_search)
