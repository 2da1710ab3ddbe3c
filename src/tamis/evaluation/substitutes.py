"""Which dropped columns could replace a kept one, and what each swap would cost."""

from collections.abc import Iterator, Sequence

import numpy as np

from tamis.algorithms.refine.swap import KeptSet, split_dependent, swap_gains
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram


def swap_changes(gram: Gram, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
    """Give, for some positions in `kept`, what every swap changes in the share explained.

    Each is an array over all columns: the share explained with that column in place of the kept
    one, less the share as it is; NaN for kept columns. Of the residual without kept column i,
    `R + bb'`, column j would take `||(R + bb')e_j||^2 / (R + bb')_jj`, and `b'b` was lost: a closed
    form from the regression on all kept columns. Nothing is lost where the other kept columns
    reproduce the one that leaves: a copy among them, or a sum in which it is a term.
    """
    total = float(gram.diagonal().sum())
    adding, spare = split_dependent(gram, kept)
    state = KeptSet.afresh(gram, adding)
    place = {int(j): i for i, j in enumerate(adding)}
    for position in positions:
        i = place.get(int(kept[position]))
        if i is None or state.is_part_of(i, spare):
            changes = state.additions() / total
        else:
            b, left, norms = state.without(i)
            changes = (state.gains(left, norms) - b @ b) / total
        changes[kept] = np.nan
        yield changes


def addition_gains(gram: Gram, kept: Indices) -> Floats:
    """Give the share of the variance that each column would add to the kept ones."""
    state = KeptSet.afresh(gram, split_dependent(gram, kept)[0])
    gains = state.additions() / float(gram.diagonal().sum())
    gains[kept] = 0.0
    return gains


def shared_swap_changes(M: Floats, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
    """Give the same of the mean largest shared information with a kept column."""
    changes = np.full((len(kept), len(M)), np.nan)
    for columns, gains in swap_gains(M, kept):
        changes[:, columns] = gains.T / len(M)
    for position in positions:
        yield changes[position]
