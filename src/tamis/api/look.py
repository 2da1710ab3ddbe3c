"""`look`: what each column of a table is."""

from typing import Any

from tamis.api.keywords import takes_shared
from tamis.results.frame import frame_library
from tamis.results.look import Look
from tamis.run.look import look_at

__all__ = ["look"]


@takes_shared("look")
def look(data: Any, **asked: Any) -> Look:
    """Say what each column of a table is, what is odd about it, and what will be done with it.

    Kinds are number, count, share, ordinal code, category, free text, identifier, key, date,
    constant and empty. They are judged by all rows, read once, whatever their order; counts are
    exact, but for the number of distinct values of long columns, which is then marked as an
    estimate. `select` acts on the same judgement.

    Parameters
    ----------
    data
        As for `select`.
    na
        Values that stand for a missing one, such as -999, or "column=-999" for one column; "none"
        takes every value as it is.
    names, memory, skip_corrupt
        As for `select`.

    Returns
    -------
    Look
        One row for each column: `frame`, `to_dict()`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"row": range(40), "iron": ["1.5", ".", "2.25", "3", "0.5"] * 8})
    >>> look(table).kinds
    {'row': 'identifier', 'iron': 'number'}
    """
    return Look(look_at(data, **asked), frame_library(data))
