"""The Gram matrix for a page that chooses columns again: all of it, or that of some columns."""

import numpy as np

from tamis.evaluation.grouped_measure import GroupedVariance
from tamis.evaluation.measure import Measure, Variance
from tamis.evaluation.reconstruction import bound_by_components
from tamis.facts.explorer import GramFacts
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import part_of

__all__ = ["MOST", "SOME", "gram_facts", "write_exactly", "write_rounded"]

MOST = 500  # columns: 330 kB as text
SOME = 120  # columns of a table so wide that its page has no room for more
_MAX_GRAM_COLUMNS = 2_000
_MAX_KEPT_WITH_GRAM = 2_000  # columns kept: 21 MB as text, and no page holds more
_MAX_EXACT = 200  # columns: 210 kB as text
_ROUNDED_STEPS = 32767  # of a correlation: 16 bits with their sign


def gram_facts(measure: Measure, path: Indices, shares: Floats, steps: int) -> GramFacts | None:
    """Give the matrix of the columns that a page can choose from.

    They are all columns or, of more than 500, those on the path and then those that it explains
    least: 500, or 120 of a table with more than 2,000 columns; `shares` is what it explains of
    each. With it comes the most that 1, 2, ... `steps` columns can explain of them. None where a
    method goes by information, or keeps more columns than a page can hold.
    """
    if isinstance(measure, GroupedVariance):
        return _grouped_facts(measure, steps)
    if not isinstance(measure, Variance) or len(path) > _MAX_KEPT_WITH_GRAM:
        return None
    columns = _choose_gram_columns(path, shares)
    every = len(columns) == len(shares)
    gram = measure.gram if every else part_of(measure.gram, columns)
    return GramFacts(
        columns=None if every else tuple(columns.tolist()),
        width=len(columns),
        matrix=_write(gram.block(slice(None))),
        rounded=len(columns) > _MAX_EXACT,
        bound=tuple(bound_by_components(gram, min(steps, len(columns))).tolist()),
        sizes=None,
        rows=None,
    )


def _grouped_facts(measure: GroupedVariance, steps: int) -> GramFacts | None:
    """Give the matrix of all columns where some are categories, unless it is too wide."""
    statistic = measure.statistic
    sizes, width = statistic.groups.sizes, len(statistic.gram.diagonal())
    if width > MOST:
        return None
    return GramFacts(
        columns=None,
        width=width,
        matrix=_write(statistic.gram.block(slice(None))),
        rounded=width > _MAX_EXACT,
        bound=tuple(measure.ceiling(min(steps, len(sizes))).tolist()),
        sizes=tuple(sizes.tolist()),
        rows=statistic.n_rows,
    )


def _write(gram: Floats) -> bytes:
    return write_exactly(gram) if len(gram) <= _MAX_EXACT else write_rounded(gram)


def write_exactly(gram: Floats) -> bytes:
    """Give the lower triangle, row by row."""
    return np.asarray(gram[np.tril_indices(len(gram))], dtype="<f8").tobytes()


def write_rounded(gram: Floats) -> bytes:
    """Give the lengths of all columns, then their correlations in 16 bits, below the diagonal.

    Low bytes come before high ones: those are alike, and get shorter when deflated.
    """
    lengths = np.sqrt(np.diagonal(gram)).astype("<f8")
    below = np.tril_indices(len(gram), -1)
    links = gram[below] / (lengths[below[0]] * lengths[below[1]])
    steps = np.rint(np.clip(links, -1.0, 1.0) * _ROUNDED_STEPS).astype("<i2")
    return lengths.tobytes() + steps.view(np.uint8).reshape(-1, 2).T.tobytes()


def _choose_gram_columns(path: Indices, shares: Floats) -> Indices:
    if len(shares) <= MOST:
        return np.arange(len(shares))
    left = 1.0 - shares
    left[path] = np.inf
    room = MOST if len(shares) <= _MAX_GRAM_COLUMNS else max(SOME, len(path))
    return np.sort(np.argsort(-left, kind="stable")[:room])
