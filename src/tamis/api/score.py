"""`score`: how good is a list of columns that somebody hands me."""

from collections.abc import Mapping, Sequence
from typing import Any

from tamis.api.keywords import takes_shared
from tamis.api.select import find_columns
from tamis.errors import TamisError
from tamis.evaluation.prediction import predict_with_listed
from tamis.results.score import Score
from tamis.results.selection import make_selection


@takes_shared("score")
def score(
    data: Any,
    columns: Sequence[str | int],
    *,
    method: str | None = None,
    options: Mapping[str, Any] | None = None,
    **asked: Any,
) -> Score:
    """Judge a list of columns: what they explain of all columns, and what would explain more.

    Parameters
    ----------
    data
        As for `select`.
    columns
        The columns to evaluate, by name, position or pattern.
    method
        The method that searches for a better list of as many columns; it also decides what is
        explained, variance or information. By default as for `select`.
    options
        Settings of that method, by name; with limits, such as `forbid` or `groups` with `at_most`,
        only lists within them are suggested, whatever the given one is.
    exclude, categories, numbers, scale, missing, memory, skip_corrupt
        As for `select`.
    y
        The column to predict, which is not analysed, or one label for each row; several as for
        `select`. A linear model on the listed columns predicts each on held-out rows
        (`predictions`): R² of ridge regression for numbers, AUC of logistic regression for two
        classes, accuracy for more.
    held_out, stability
        Measure also what the listed columns explain on held-out rows, and how often the others
        would be chosen in their place.

    Returns
    -------
    Score
        A selection of exactly these columns, with `best`, `swaps` and `additions`.

    Examples
    --------
    >>> import numpy as np
    >>> a, b, c = np.random.default_rng(0).standard_normal((3, 50))
    >>> found = score(np.column_stack([a, 2 * a, b, c]), columns=["x0", "x1"])
    >>> round(found.retained, 2), found.best.names, found.swaps[0].leaves
    (0.5, ['x0', 'x3'], 'x0')
    """
    if isinstance(columns, str):
        raise TamisError(f"columns={columns!r}: give a list of column names or positions.")
    listed = list(dict.fromkeys(columns))
    if not listed:
        raise TamisError("The list of columns is empty: name at least one.")
    asked |= {
        "k": len(listed),
        "include": listed,
        "include_name": "columns",
        "options": dict(options or {}),
    }
    found = find_columns(data, method, asked)
    best = found.search.find_best(found.path)
    predictions, reasons = predict_with_listed(found)
    return make_selection(
        found,
        data,
        Score,
        predictions=predictions,
        notes=reasons,
        best=make_selection(found, data, path=best),
    )
