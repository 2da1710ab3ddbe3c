"""Which columns of a table take part, and why the others do not."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, TextAmongNumbers
from tamis.sources.source import Source, open_source, positions
from tamis.statistics.summarise import Summary

T = TypeVar("T")
Indices = NDArray[np.intp]

_NUMBERS = ("numeric", "boolean")
_WHY = {
    "categorical": "text or categories, not numbers",
    "other": "dates or another kind that is neither numbers nor categories",
}


def sorted_out(
    source: Source,
    columns: Sequence[str | int] | None,
    exclude: Sequence[str | int],
    *,
    categories: bool = False,
    advice: str = "",
) -> tuple[list[int], dict[str, str]]:
    """Tell the columns that can take part from the others, each with its reason.

    `advice` is what to do where there is text and it does not count.
    """
    wanted = set(range(len(source.names)) if columns is None else positions(source, columns))
    unwanted = set(positions(source, exclude))
    kinds = (*_NUMBERS, "categorical") if categories else _NUMBERS
    usable, left_out = [], {}
    for j in range(len(source.names)):
        if j in unwanted:
            left_out[source.names[j]] = "excluded"
        elif j not in wanted:
            left_out[source.names[j]] = "not among the columns asked for"
        elif source.kinds[j] not in kinds:
            left_out[source.names[j]] = _WHY[source.kinds[j]]
        else:
            usable.append(j)
    if len(usable) < 2:
        found = f"only {source.names[usable[0]]!r}" if usable else "none"
        what = "numbers or categories" if categories else "numbers"
        text = not categories and "categorical" in source.kinds
        hint = f"; {advice}" if text and advice else ""
        raise TamisError(
            f"{source.label} has too few columns of {what} to choose from ({found}): at least 2 "
            f"are needed{hint}."
        )
    return usable, left_out


def named(source: Source, usable: Sequence[int], wanted: Sequence[str | int]) -> set[int]:
    """Give the places, among the usable columns, of those that were asked for."""
    asked = set(positions(source, wanted))
    return {place for place, j in enumerate(usable) if j in asked}


def with_text(data: Any, run: Callable[[Source], T]) -> T:
    """Run on a table; where a column turns out to be text below numbers, take it for text.

    Text files are typed by their first lines: chromosomes 1, 2, ... become X and Y only later.
    """
    text: list[str] = []
    while True:
        try:
            return run(open_source(data, text=text))
        except TextAmongNumbers as found:
            if found.column in text:
                raise
            text.append(found.column)


def took_part(
    source: Source, usable: Sequence[int], summary: Summary, left_out: dict[str, str]
) -> tuple[Indices, tuple[str, ...]]:
    """Give the columns that took part and those that never change; add the others to `left_out`."""
    left_out.update({source.names[usable[i]]: why for i, why in summary.refused.items()})
    still = np.setdiff1d(np.arange(len(usable)), [*summary.varying, *summary.refused])
    constant = tuple(source.names[usable[i]] for i in still)
    return np.asarray(usable, dtype=np.intp)[summary.varying], constant


def check_rows(source: Source, n_rows: int) -> None:
    """Refuse a table too short to compare anything."""
    if n_rows < 2:
        rows = "1 row" if n_rows == 1 else "no rows"
        raise TamisError(f"{source.label} has {rows} to work with: at least 2 are needed.")
