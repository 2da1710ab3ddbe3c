"""`check`: whether a choice of columns still holds on new rows."""

from os import PathLike
from typing import Any

from tamis.api.load import load
from tamis.errors import TamisError
from tamis.results.choice_check import ChoiceCheck, check_choice
from tamis.results.saved_choice import SavedChoice
from tamis.results.selection import Selection


def check(
    choice: Selection | SavedChoice | str | PathLike[str],
    rows: Any,
    *,
    min_share: float | None = None,
    max_fall: float | None = None,
) -> ChoiceCheck:
    """Say whether a choice of columns still holds on new rows, by its old weights.

    Parameters
    ----------
    choice
        What `select` gave, or what was saved: the path of the file, or what `load` gave.
    rows
        A table with the same columns and new rows, of any kind that `select` takes. It is read
        once, in batches.
    min_share, max_fall
        The least share of the new rows' variance that the kept columns must explain, and how much
        less than before it may be. With one of them only these limits decide, and that all kept
        columns can be used; without, any change beyond chance is a failure.

    Returns
    -------
    ChoiceCheck
        `holds`, `drifted`, `shares`, `to_dict()`; it prints as text.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis import select
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((900, 2)) @ rng.standard_normal((2, 5))
    >>> X += 0.1 * rng.standard_normal(X.shape)
    >>> found, month = select(X[:600], k=2), X[600:].copy()
    >>> check(found, month).holds
    True
    >>> month[:, 3] *= 1000
    >>> [one.column for one in check(found, month).drifted]
    ['x3']
    """
    if isinstance(choice, Selection):
        choice = SavedChoice.of(choice)
    elif isinstance(choice, str | PathLike):
        choice = load(choice)
    if not isinstance(choice, SavedChoice):
        raise TamisError(
            f"{type(choice).__name__} is no choice of columns: give what tamis.select or "
            "tamis.load gave, or the path of a saved choice."
        )
    return check_choice(choice, rows, min_share=min_share, max_fall=max_fall)
