"""What a column is taken for, and what follows from it."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from tamis.facts.shared_answer import RelationFacts
from tamis.sources.marked import Reading
from tamis.values import dataclass

ColumnKind = Literal[
    "number",
    "count",
    "share",
    "ordinal code",
    "category",
    "free text",
    "identifier",
    "key",
    "date",
    "constant",
    "empty",
    "other",
]
Action = Literal["numbers", "categories", "skipped"]

DESCRIBES_ROWS = "describes the rows, where nearly all other columns are sparse counts"


@dataclass(frozen=True)
class Sentinel:
    """A value at an end of a column that probably stands for something else."""

    value: float
    count: int
    obvious: bool
    place: str = "far from the rest"

    @property
    def text(self) -> str:
        """The value with all its digits: it is what a user has to name.

        >>> Sentinel(9999999.0, 3, True).text, Sentinel(-99.9, 3, True).text
        ('9999999', '-99.9')
        """
        return f"{self.value:.15g}"


@dataclass(frozen=True)
class ColumnJudgement:
    """One column: what it is, counts, what is odd about it, and what is done.

    `exact` says whether `distinct` is counted and no estimate. `badges` are what is odd, in few
    words. `action` is what is done with it, `why` the reason where it is skipped. `marks` are texts
    taken as missing and `decimal` the mark before decimals, where the column is text and read as
    numbers; `limits` are texts such as <0.5, read as the number in them; `sentinels` are values
    that stand for something else.
    """

    name: str
    kind: ColumnKind
    rows: int
    missing: int
    distinct: int
    exact: bool = True
    smallest: float | str | None = None
    largest: float | str | None = None
    zeros: int = 0
    badges: tuple[str, ...] = ()
    action: Action = "numbers"
    why: str = ""
    marks: tuple[str, ...] = ()
    decimal: str = ""
    limits: tuple[str, ...] = ()
    sentinels: tuple[Sentinel, ...] = ()

    @property
    def ticked(self) -> bool:
        """Whether there is one text or nothing: a box that is ticked, or is not."""
        return self.kind == "category" and self.action == "categories" and self.distinct == 1

    @property
    def absent(self) -> tuple[float, ...]:
        """The values that are taken as missing."""
        return tuple(one.value for one in self.sentinels if one.obvious)

    def make_reading(self, *, guesses: bool) -> Reading:
        """Say how it is read; nothing is missing but what is written so, unless that is guessed."""
        marks = self.marks if guesses or self.decimal else ()
        return Reading(frozenset(self.absent if guesses else ()), frozenset(marks), self.decimal)


@dataclass(frozen=True)
class Leak:
    """A column that predicts the target, and which share of it, on the other half of the rows."""

    column: str
    share: float


@dataclass(frozen=True)
class TableJudgement:
    """What all columns of a table are, in its order; `rows` is how many it has.

    `relations` are the columns that others determine, `leaks` those that predict the target, and
    `made` says how others make the target itself, if they do. `aims` are targets that were counted
    in the same pass, by position.
    """

    rows: int
    columns: tuple[ColumnJudgement, ...] = field(repr=False)
    relations: tuple[RelationFacts, ...] = field(default=(), repr=False)
    leaks: tuple[Leak, ...] = field(default=(), repr=False)
    made: tuple[RelationFacts, ...] = field(default=(), repr=False)
    aims: Mapping[int, ColumnJudgement] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> ColumnJudgement:
        return next(one for one in self.columns if one.name == name)
