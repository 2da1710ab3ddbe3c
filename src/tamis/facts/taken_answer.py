"""How the rows and the columns of a table were taken: kinds, extreme values, groups, weights."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["ClippedFacts", "HeavyRowFacts", "RowFacts", "TakenFacts", "TakenKind"]


TakenKind = Literal["number", "category", "bins", "rank", "logarithm"]


@dataclass(frozen=True)
class ClippedFacts:
    """Extreme values that were limited: how many in each column, most first, and in how many rows.

    `deviations` is the limit, in median absolute deviations, and `held_out_as_is` the share on
    held-out rows where nothing is limited, for small tables.
    """

    columns: Mapping[str, int] = field(hash=False)
    rows: int
    deviations: float
    held_out_as_is: float | None = None


@dataclass(frozen=True)
class TakenFacts:
    """How a column was taken: as it is, by its levels or bins, as ranks, as logarithms of counts.

    Of its `levels` so many are `rare` and pooled into one; `missing_level` says that missing values
    are a level, too.
    """

    column: str
    kind: TakenKind
    levels: int | None = None
    rare: int = 0
    missing_level: bool = False


@dataclass(frozen=True)
class HeavyRowFacts:
    """A row, counted from 1, and the share of the variance that it carries."""

    row: int
    share: float


@dataclass(frozen=True)
class RowFacts:
    """How rows were held out and counted, and what makes held-out rows too easy to predict.

    `groups` is how many groups of rows were held out as wholes, `ordered` whether folds are
    stretches of the table, `weighted` whether rows have weights and `counted` how many rows these
    stand for if they are integers. Where neither groups nor order were given,
    `successive` is the correlation of successive rows that follow one another, and `key` a column
    that repeats whose rows are alike, with their intraclass correlation (`similarity`). `heavy`
    are rows that carry much of the variance.
    """

    groups: int | None = None
    ordered: bool = False
    weighted: bool = False
    counted: int | None = None
    successive: float | None = None
    key: str | None = None
    similarity: float | None = None
    heavy: tuple[HeavyRowFacts, ...] = ()
