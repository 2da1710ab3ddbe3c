"""`summary`: a summary of a table by numbers that a database made, without any row of it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.results.summary import DataSummary
from tamis.sources.faults import check_names
from tamis.sources.info import Kind
from tamis.sources.open import open_source
from tamis.sources.stored_summary import MomentArrays, StoredSummary
from tamis.sources.summary_checks import check_arrays
from tamis.sources.summary_file import check_width

_SUMMARY_LABEL = "The summary"
_NUMERIC: tuple[Kind, ...] = ("numeric",)
_ASYMMETRY = 1e-9  # of the larger of two variances: far above what rounding does


def summary(
    covariance: Any,
    *,
    n: int,
    names: Sequence[str] | None = None,
    means: Sequence[float] | None = None,
) -> DataSummary:
    """Give the summary of a table whose covariances are known: `select` takes it as the table.

    Parameters
    ----------
    covariance
        The covariances of all pairs of columns, divided by the number of rows (`covar_pop` of SQL,
        `covarPopMatrix` of ClickHouse): a square array or data frame, the file of one, or the upper
        triangle row by row with the diagonal, as one row of a query gives it.
    n
        Number of rows.
    names
        Names of the columns; by default those of a data frame.
    means
        Their means, 0 by default: no choice of columns depends on them.

    Returns
    -------
    DataSummary
        It merges with others, is saved, and selected from.

    Examples
    --------
    >>> summary([[4.0, 2.0], [2.0, 3.0]], n=100, names=["height", "weight"])
    <DataSummary of 100 rows x 2 columns>
    >>> summary([4.0, 2.0, 3.0], n=100).std
    array([2.        , 1.73205081])
    """
    rows = _check_rows(n)
    matrix, given, named = _read_matrix(covariance)
    width = len(matrix)
    if names is not None:
        given, named = tuple(map(str, names)), True
    if len(given) != width:
        raise TamisError(
            f"names has {len(given)} names, and covariance has {width} columns: give one for each."
        )
    check_names(list(given), _SUMMARY_LABEL)
    check_width(width, _SUMMARY_LABEL)
    mean = np.zeros(width) if means is None else _read_numbers("means", means)
    if mean.shape != (width,):
        raise TamisError(
            f"means has {mean.size} values, and covariance has {width} columns: give one for each."
        )
    block = MomentArrays(rows, mean, matrix * rows, np.zeros(width), np.ones(width))
    absent, kinds = np.zeros(width, dtype=np.int64), _NUMERIC * width
    stored = StoredSummary(given, kinds, named, rows, absent, ("error",), (block,))
    try:
        check_arrays(stored, rows)
    except ValueError as error:
        raise TamisError(
            f"covariance cannot be that of any table ({error}): give all pairs of columns over "
            "the same rows, those without missing values."
        ) from error
    return DataSummary(stored, {}, _SUMMARY_LABEL)


def _check_rows(n: Any) -> int:
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < 2:
        raise TamisError(f"n={n!r}: give the number of rows, an integer of at least 2.")
    return int(n)


def _read_matrix(covariance: Any) -> tuple[Floats, tuple[str, ...], bool]:
    """Give covariances as a square matrix, with the names of its columns."""
    if isinstance(covariance, list | tuple):
        covariance = _read_numbers("covariance", covariance)
    if isinstance(covariance, np.ndarray) and covariance.ndim == 1:
        covariance = _fold_triangle(covariance)
    source = open_source(covariance)
    batches = [np.asarray(batch, float) for batch in source.batches(range(len(source.names)))]
    matrix = np.concatenate(batches) if batches else np.zeros((0, len(source.names)))
    if matrix.shape[0] != matrix.shape[1]:
        raise TamisError(
            f"covariance has {matrix.shape[0]} rows and {matrix.shape[1]} columns: give a square "
            "matrix, a row and a column for each column of the table."
        )
    variances = np.abs(np.diagonal(matrix))
    largest = np.maximum.outer(variances, variances)
    with np.errstate(invalid="ignore"):  # what is not finite is refused below
        apart = np.abs(matrix - matrix.T) > _ASYMMETRY * largest
    if apart.any():
        i, j = (int(place[0]) for place in np.nonzero(apart))
        raise TamisError(
            f"covariance is not symmetric ({source.names[i]!r} and {source.names[j]!r} have two "
            "values): give the covariances of all pairs of columns."
        )
    return (matrix + matrix.T) / 2.0, source.names, source.named


def _fold_triangle(values: Floats) -> Floats:
    """Give the square matrix of which these are the upper triangle, row by row.

    >>> _fold_triangle(np.array([4.0, 2.0, 3.0]))
    array([[4., 2.],
           [2., 3.]])
    """
    width = int((np.sqrt(8 * len(values) + 1) - 1) / 2)
    if width * (width + 1) // 2 != len(values):
        raise TamisError(
            f"covariance has {len(values)} values, which are no upper triangle with its diagonal: "
            "give d (d + 1) / 2 of them, row by row, or a square matrix."
        )
    matrix = np.zeros((width, width))
    matrix[np.triu_indices(width)] = values
    return np.asarray(np.triu(matrix) + np.triu(matrix, 1).T)


def _read_numbers(name: str, values: Any) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TamisError(f"{name} has values that are no numbers: give numbers only.") from error
