"""The Gram matrix for a page that chooses columns again: all of it, or that of some columns."""

import base64

import numpy as np

from tamis.evaluation.measure import Measure, Variance
from tamis.evaluation.reconstruction import bound_by_components
from tamis.facts.explorer import GramFacts
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import part_of

__all__ = ["MOST", "SOME", "gram_facts"]

MOST = 500  # columns: 1.3 MB as text
SOME = 120  # columns of a table so wide that its page has no room for more
_MAX_GRAM_COLUMNS = 2_000
_MAX_KEPT_WITH_GRAM = 2_000  # columns kept: 21 MB as text, and no page holds more


def gram_facts(measure: Measure, path: Indices, shares: Floats, steps: int) -> GramFacts | None:
    """Give the lower triangle, row by row, of the columns that a page can choose from.

    They are all columns or, of more than 500, those on the path and then those that it explains
    least: 500, or 120 of a table with more than 2,000 columns; `shares` is what it explains of
    each. With it comes the most that 1, 2, ... `steps` columns can explain of them. None where a
    method goes by information, or keeps more columns than a page can hold.
    """
    if not isinstance(measure, Variance) or len(path) > _MAX_KEPT_WITH_GRAM:
        return None
    columns = _choose_gram_columns(path, shares)
    every = len(columns) == len(shares)
    gram = measure.gram if every else part_of(measure.gram, columns)
    triangle = np.asarray(gram.block(slice(None))[np.tril_indices(len(columns))], dtype="<f8")
    return GramFacts(
        columns=None if every else tuple(columns.tolist()),
        width=len(columns),
        triangle=base64.b64encode(triangle.tobytes()).decode("ascii"),
        bound=tuple(bound_by_components(gram, min(steps, len(columns))).tolist()),
    )


def _choose_gram_columns(path: Indices, shares: Floats) -> Indices:
    if len(shares) <= MOST:
        return np.arange(len(shares))
    left = 1.0 - shares
    left[path] = np.inf
    room = MOST if len(shares) <= _MAX_GRAM_COLUMNS else max(SOME, len(path))
    return np.sort(np.argsort(-left, kind="stable")[:room])
