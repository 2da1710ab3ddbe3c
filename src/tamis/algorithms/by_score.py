"""What methods that score every column once share: take the best."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from tamis.algorithms.column_pairs import Pairs, measure_order
from tamis.algorithms.path import Path
from tamis.numerics.tolerances import NEGLIGIBLE, ROUNDING, TIE
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram
from tamis.statistics.shared_information import Information, answer_by_kind, measure_shared

_FIRST_PREFIX_COLUMNS = 64


def best_by_score(
    gram: Gram | Information,
    scores: Floats,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    smallest: bool = False,
) -> Path:
    """Take the columns of best score until there are `k` or they reach `retain`.

    The best score is the largest, or the smallest if `smallest`. What the columns reproduce is
    computed only as far as it is needed.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.diag([1.0, 2.0, 5.0]))
    >>> best_by_score(gram, np.array([3.0, 1.0, 2.0]), 2)
    Path(indices=array([0, 2]), retained=array([0.125, 0.75 ]))
    """
    order = order_of(scores, smallest=smallest)
    return best_in_order(gram, order, scores, k, retain=retain, include=include)


def best_in_order(
    gram: Gram | Information,
    order: Indices,
    scores: Floats,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    nested: bool = True,
) -> Path:
    """Take columns in the given order, those of `include` first."""
    order = put_included_first(order, include)[: max(k, len(include))]
    explained, size = (
        _make_prefix_measure(gram),
        len(order) if retain > 1.0 else max(_FIRST_PREFIX_COLUMNS, len(include)),
    )
    while True:
        retained = explained(order[:size])
        enough = np.flatnonzero(retained >= retain - NEGLIGIBLE)
        if len(enough) or size >= len(order):
            break
        size *= 2
    kept = max(int(enough[0]) + 1, len(include)) if len(enough) else len(retained)
    return Path(order[:kept], retained[:kept], scores, nested=nested)


def _make_prefix_measure(known: Gram | Information) -> Callable[[Indices], Floats]:
    """Give what says how much the first 1, 2, ... of some columns explain."""
    return answer_by_kind(
        known,
        lambda gram: partial(measure_order, Pairs(gram)),
        lambda own: partial(measure_shared, own),
    )


def put_included_first(order: Indices, include: Sequence[int] | Indices) -> Indices:
    """Put the columns to include first.

    >>> put_included_first(np.array([3, 1, 0, 2]), [0])
    array([0, 3, 1, 2])
    """
    first = np.asarray(include, dtype=np.intp)
    return np.concatenate([first, order[~np.isin(order, first)]])


def order_of(scores: Floats, *, smallest: bool = False) -> Indices:
    """Rank the columns by score; scores within 1e-9 (relative) are equal and ranked by position.

    Examples
    --------
    >>> order_of(np.array([0.3, 0.7 - 1e-13, 0.7]))
    array([1, 2, 0])
    """
    best_first = np.argsort(scores if smallest else -scores, kind="stable")
    values = scores[best_first]
    noise = ROUNDING * float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    with np.errstate(invalid="ignore"):
        steps = np.abs(np.diff(values)) > TIE * np.abs(values[:-1]) + noise
    level = np.concatenate([[0], np.cumsum(steps)])
    return best_first[np.lexsort((best_first, level))]
