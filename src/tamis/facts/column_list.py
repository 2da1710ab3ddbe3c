"""What the report lists of every column of a table, and what limits say of the analysed ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["GroupFacts", "ListedFacts", "RuleFacts"]


@dataclass(frozen=True)
class ListedFacts:
    """What each column of the table is, in its order; what is unknown of a column is None.

    Attributes
    ----------
    rows
        How many rows the counts rest on; 0 where nothing is known.
    kinds, kind_of
        The kinds that occur, and for each column which.
    missing, distinct, estimated
        How many values are missing, how many differ, and the columns of which that is an estimate.
    low, high
        The smallest and the largest value as text; none without rows.
    odd
        What is odd about a column, in few words each, by its position.
    new_rows
        How much of each analysed column is explained on held-out rows, in thousandths; -1 where it
        is worse than the mean. None where no rows were held out.
    rows_shown
        Cells of a few rows, one list for each of the first kept columns.
    """

    rows: int = 0
    kinds: tuple[str, ...] = ()
    kind_of: tuple[int | None, ...] = ()
    missing: tuple[int | None, ...] = ()
    distinct: tuple[int | None, ...] = ()
    estimated: tuple[int, ...] = ()
    low: tuple[str, ...] = ()
    high: tuple[str, ...] = ()
    odd: Mapping[int, tuple[str, ...]] = field(default_factory=dict, hash=False)
    new_rows: tuple[int | None, ...] | None = None
    rows_shown: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class GroupFacts:
    """A group of columns: how many of it are kept, and how many may and must be."""

    name: str
    kept: int
    most: int | None
    least: int


@dataclass(frozen=True)
class RuleFacts:
    """The limits of a search: groups, the group of each analysed column, and what was spent.

    `budget` is None where none was given, `apart` too; prices are those of the kept columns.
    """

    groups: tuple[GroupFacts, ...]
    group_of: tuple[int | None, ...]
    spent: float
    budget: float | None
    apart: float | None
