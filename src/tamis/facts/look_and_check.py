"""What is known without a choice: of the columns of a table, of new rows that are checked."""

from collections.abc import Mapping
from dataclasses import field

from tamis.facts.shared_answer import UnreadPart
from tamis.values import dataclass


@dataclass(frozen=True)
class LookedColumn:
    """What one column is, what is unusual about it, how it is analysed and what changes that."""

    column: str
    text: str
    kind: str
    missing: int
    distinct: int
    distinct_exact: bool
    smallest: float | str | None
    largest: float | str | None
    zeros: int
    odd: str
    done: str
    option: str


@dataclass(frozen=True)
class LookFacts:
    """A table before any choice: `kinds` counts the columns of every kind."""

    title: str
    rows: int
    kinds: Mapping[str, int] = field(hash=False)
    doubts: tuple[str, ...]
    unread: tuple[UnreadPart, ...]
    columns: tuple[LookedColumn, ...]


@dataclass(frozen=True)
class ColumnDrift:
    """One column that changed: `mean`, `spread`, `relation` or `emptied` say in what.

    `shift` is in standard deviations of the old rows, `ratio` that of the standard deviations and
    `change` the largest one of a correlation, which was with `partner`; `missing_now` is the share
    of the new rows without a value, `missing_then` that of the old ones, None if not known.
    """

    column: str
    kept: bool
    mean: bool
    spread: bool
    relation: bool
    shift: float
    ratio: float
    change: float
    partner: str | None
    emptied: bool
    missing_now: float
    missing_then: float | None


@dataclass(frozen=True)
class ColumnShare:
    """What the kept columns explained of a dropped one, and explain now; `lost` if clearly less."""

    column: str
    then: float
    now: float | None
    lost: bool


@dataclass(frozen=True)
class CheckFacts:
    """Whether a choice of columns still holds on new rows: the fields of `ChoiceCheck`."""

    holds: bool
    rows: int
    then: float
    now: float | None
    held_out: bool
    missing: tuple[str, ...]
    constant: tuple[str, ...]
    other_kind: dict[str, str]
    fresh: tuple[str, ...]
    drifted: tuple[ColumnDrift, ...]
    shares: tuple[ColumnShare, ...]
    kept: tuple[str, ...]
    failures: tuple[str, ...] = ()
    min_share: float | None = None
    max_fall: float | None = None
