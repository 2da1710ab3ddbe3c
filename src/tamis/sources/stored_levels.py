"""Columns of text in a summary: a column of 0 and 1 for every level, by which summaries merge.

Which levels are rare is decided once all rows are known: to pool levels is to add their columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["OTHER_LEVEL", "StoredCategory", "list_table_names"]

OTHER_LEVEL = "(other)"


@dataclass(frozen=True)
class StoredCategory:
    """The levels of a column of text that have a column of their own, and the rows of each.

    `others` rows have another level, by a column for all of these (`has_other`); missing values are
    0 in all columns.
    """

    name: str
    levels: tuple[str, ...]
    counts: tuple[int, ...]
    others: int = 0
    has_other: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that stand for it, in their order."""
        every = (*self.levels, *[OTHER_LEVEL] * self.has_other)
        return tuple(f"{self.name}={level}" for level in every)


def list_table_names(
    names: Sequence[str], categories: Sequence[StoredCategory]
) -> dict[str, tuple[int, ...]]:
    """Give the columns of the table, each with the positions of those that stand for it.

    >>> colour = StoredCategory("colour", ("blue", "red"), (3, 4))
    >>> list_table_names(["a", "colour=blue", "colour=red", "b"], [colour])
    {'a': (0,), 'colour': (1, 2), 'b': (3,)}
    """
    owner = {column: one.name for one in categories for column in one.columns}
    found: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(owner.get(name, name), []).append(place)
    return {name: tuple(places) for name, places in found.items()}
