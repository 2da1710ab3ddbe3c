"""How scores decide which columns to keep: the best, those above a threshold, or a prefix.

Cunningham names three policies for any score: the best m, all above a threshold (absolute, or
relative to the best score), and adding columns in order of their score as long as a learner gets
better in cross-validation.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, spell
from tamis.numerics.tolerances import NEGLIGIBLE, TIE
from tamis.numerics.types import Floats


class Passing(NamedTuple):
    """Which columns reach a score, and that score."""

    mask: NDArray[np.bool_]
    cut: float


def relevance_of(scores: Floats, *, smallest: bool = False) -> Floats:
    """Turn scores into relevance: at least 0, and the larger the better.

    Where large scores are best, it is the score, 0 for scores below 0; where small ones are, the
    distance from the worst finite score. A column without a score (NaN) has none. If that leaves 0
    for all columns, all are as relevant.

    Examples
    --------
    >>> relevance_of(np.array([0.5, -0.1, 2.0]))
    array([0.5, 0. , 2. ])
    >>> relevance_of(np.array([0.5, np.inf, 2.0]), smallest=True)
    array([1.5, 0. , 0. ])
    """
    finite = np.isfinite(scores)
    most = float(scores[finite].max(initial=0.0))
    found = np.where(finite, most - scores if smallest else np.maximum(scores, 0.0), 0.0)
    if not smallest:
        found[np.isposinf(scores)] = 2.0 * most + 1.0
    return found if (found > 0).any() else np.ones_like(found)


def find_reaching(
    scores: Floats, *, threshold: float | None, within: float | None, smallest: bool = False
) -> Passing:
    """Find the columns that reach a threshold or come within a share of the best score.

    The relative form asks for a relevance of at least `(1 - within)` times the largest: of scores
    where small is best, those that are no further from the best than `within` of the way to the
    worst.

    Examples
    --------
    >>> find_reaching(np.array([4.0, 2.0, 1.9]), threshold=None, within=0.5)
    Passing(mask=array([ True,  True, False]), cut=2.0)
    """
    if threshold is None:
        relevance = relevance_of(scores, smallest=smallest)
        least = (1.0 - (within or 0.0)) * relevance.max()
        worst = float(scores[np.isfinite(scores)].max(initial=0.0))
        return Passing(
            relevance >= least * (1.0 - TIE), float(worst - least if smallest else least)
        )
    slack = TIE * abs(threshold)
    mask = scores <= threshold + slack if smallest else scores >= threshold - slack
    if not mask.any():
        best = float(np.nanmin(scores) if smallest else np.nanmax(scores))
        way = "least" if smallest else "most"
        raise TamisError(
            f"{spell('threshold', threshold)}: the best score is {best:.4g}, so that no column "
            f"would be kept; give at {way} that."
        )
    return Passing(mask, threshold)


def find_improving_prefix(
    score: Callable[[int], float],
    most: int,
    *,
    least: int = 1,
    patience: int = 0,
    min_delta: float = 0.0,
) -> tuple[int, Floats]:
    """Give the prefix before the first step that does not improve, and the scores compared.

    `score` gives the score of the first m columns, for m from `least` to `most`. A step improves if
    it exceeds the best score so far by more than `min_delta`; after more than `patience` steps in a
    row that do not, the prefix with the best score is the answer.

    Examples
    --------
    >>> find_improving_prefix(lambda m: [0.5, 0.7, 0.6, 0.8][m - 1], 4)
    (2, array([0.5, 0.7, 0.6]))
    >>> find_improving_prefix(lambda m: [0.5, 0.7, 0.6, 0.8][m - 1], 4, patience=1)[0]
    4
    """
    found = [score(least)]
    best, size = found[0], least
    for m in range(least + 1, most + 1):
        found.append(score(m))
        if found[-1] > best + min_delta + NEGLIGIBLE:
            best, size = found[-1], m
        elif m - size > patience:
            break
    return size, np.array(found)
