"""`wrapper-backward`: remove the column without which a learner scores best, one at a time.

It starts with all columns, so it sees every column beside all others; Cunningham calls it more
effective than forward selection for that. It ends when every removal lowers the score, or at k
columns. Cunningham removes only what raises the score; by default we also remove what leaves it as
it is (`accept_ties`), so that the smaller of two sets of equal score is kept. Of columns whose
removal scores the same the last one is removed.

A kept column's score is how much the score of the set falls without it. The score of the best of
many sets is too optimistic: how good the kept columns are is measured on rows that the search has
not seen (`test_size`).
"""

from tamis.algorithms.wrappers.evaluator import Evaluator
from tamis.algorithms.wrappers.job import Scope, SearchResult, make_wrapper
from tamis.algorithms.wrappers.steps import walk


def backward_search(evaluate: Evaluator, scope: Scope, *, accept_ties: bool = True) -> SearchResult:
    """Remove the column that is missed least while the score does not fall."""

    def accepts(new: float, old: float) -> bool:
        return new > old or (accept_ties and new == old)

    return walk(evaluate, scope, accepts, adding=False)


select_backward = make_wrapper(backward_search)
