"""What a selection would take on this machine, before it starts."""

from typing import Any

from tamis.errors import TamisError, spell
from tamis.run.candidates import with_text
from tamis.run.estimate import Cost, TableShape, estimate_cost, measure_machine, measure_shape
from tamis.run.search import GREEDY

__all__ = ["estimate"]


def estimate(data: Any, k: Any, method: str | None = None) -> tuple[TableShape, Cost]:
    """Glance at a table and this machine, and say what keeping `k` columns would take.

    Parameters
    ----------
    data
        A table that can be read more than once, as for `tamis.select`.
    k
        How many columns to keep: a number.
    method
        The default, `forward`, or `sfs`: what others take is not known.
    """
    if method is not None and method not in GREEDY:
        raise TamisError(f"{spell('method', method)}: estimates are for {' and '.join(GREEDY)}.")
    if not isinstance(k, int):
        raise TamisError("An estimate needs a number of columns to keep: give -k 20.")
    shape = with_text(data, True, measure_shape, None)
    return shape, estimate_cost(shape, k, measure_machine())
