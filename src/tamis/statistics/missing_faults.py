"""What is said about missing values that are refused: where they are, and the ways that work."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tamis.errors import NoValues, TamisError, spell, spell_name
from tamis.registry.missing_policy import MissingPolicy

__all__ = ["leaves_most", "make_missing_error", "no_value"]


def make_missing_error(
    counts: NDArray[np.intp],
    rows: int,
    names: Sequence[str],
    *,
    fill: MissingPolicy | None,
    complete: int | None = None,
) -> TamisError:
    """Say which columns have missing values, how many, and the ways out.

    `fill` is the policy that fills them, None where none can; rows are dropped only where that
    leaves most of them.
    """
    found = [int(j) for j in np.flatnonzero(counts)]
    empty = [names[j] for j in found if counts[j] == rows]
    if empty:
        return no_value(empty)
    advice = _ways_out(fill, rows, complete)
    if len(found) == 1:
        j = found[0]
        values = "value" if counts[j] == 1 else "values"
        return TamisError(
            f"Column {names[j]!r} has {counts[j]} missing {values} in {rows} rows: {advice}"
        )
    listed = ", ".join(f"{names[j]!r} {counts[j]}" for j in found[:5])
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    listed = f"{listed}{more}; the table has {rows} rows"
    return TamisError(f"{len(found)} columns have missing values ({listed}): {advice}")


def leaves_most(complete: int | None, rows: int) -> bool:
    """Whether most rows are left once those with missing values are dropped."""
    return complete is not None and 2 * complete >= rows


def _ways_out(fill: MissingPolicy | None, rows: int, complete: int | None) -> str:
    ways = [] if fill is None else [f"{spell('missing', fill)} to {fill.remedy}"]
    if fill is not None and not fill.for_numbers_only:
        other = MissingPolicy.CATEGORY
        ways[0] += f", {spell('missing', other)} to {other.remedy}"
    drop = spell("missing", MissingPolicy.DROP)
    if leaves_most(complete, rows):
        return f"pass {' or '.join([*ways, f'{drop} to {MissingPolicy.DROP.remedy}'])}."
    left = "" if complete is None else f" ({drop} would leave {complete:,} of {rows:,} rows)"
    how = f"pass {ways[0]}, or" if ways else "fill them before, or"
    return f"{how} skip the emptiest columns with {spell_name('exclude')}{left}."


def no_value(empty: list[str]) -> NoValues:
    """Say which columns have no value, and how to skip them."""
    if len(empty) == 1:
        advice = f"skip it with {spell('exclude', empty)}."
        return NoValues(f"Column {empty[0]!r} has no value at all: {advice}", empty)
    advice = f"skip them with {spell('exclude', empty)}."
    return NoValues(f"{len(empty)} columns have no value at all: {advice}", empty)
