"""What a column is taken for, and what follows from it."""

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import Any, Literal

from tamis.facts.shared_answer import RelationFacts
from tamis.sources.marked import MarkedSource, Reading
from tamis.sources.source import Source
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

NAMES_OF_ROWS = "names of the rows"
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
    """One column: what it is, counts, what is unusual about it, and what is done.

    `exact` says whether `distinct` is counted and no estimate. `badges` are what is unusual, in few
    words. `action` is what is done with it, `why` the reason where it is skipped. `marks` are texts
    taken as missing and `decimal` the mark before decimals, where the column is text and read as
    numbers; `limits` are texts such as <0.5, read as the number in them; `sentinels` are values
    that stand for something else. `blank` says that some texts are blanks. `looks_like` says
    what an analysed column may be instead, as
    `SuspiciousColumn` has it.
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
    looks_like: str = ""
    blank: bool = False

    @property
    def ticked(self) -> bool:
        """Whether there is one text or nothing: a box that is ticked, or is not."""
        return self.kind == "category" and self.action == "categories" and self.distinct == 1

    @property
    def distance(self) -> float:
        """The smallest difference between values, as if evenly spaced; NaN where unknown."""
        low, high = self.smallest, self.largest
        if self.distinct < 2 or not (isinstance(low, float) and isinstance(high, float)):
            return float("nan")
        return (high - low) / (self.distinct - 1)

    @property
    def absent(self) -> tuple[float, ...]:
        """The values that are taken as missing."""
        return tuple(one.value for one in self.sentinels if one.obvious)

    def make_reading(self, *, guesses: bool, given: Reading | None = None) -> Reading | None:
        """Say how it is read beside what was `given`, None where that is as it is written.

        Nothing is missing but what is written so, unless that is guessed.
        """
        marks = self.marks if guesses or self.decimal else ()
        marks = (*marks, "") if self.blank else marks
        absent = self.absent if guesses else ()
        if not (marks or absent or self.decimal):
            return given
        given = given or Reading()
        return Reading(given.absent.union(absent), given.marks.union(marks), self.decimal)


@dataclass(frozen=True)
class TableJudgement:
    """What all columns of a table are, in its order; `rows` is how many it has.

    `relations` are the columns that others determine, `leaks` those that predict the target, each
    with the share of it on the other half of the rows, and `made` says how others make the target
    itself, if they do. `aims` are targets that were counted in the same pass, by position. What
    follows says by name how columns are read, in this table and in others like it: `unfit` are
    those set aside, each with the reason, `categories` and `numbers` those that the user calls
    such, `texts_of` what columns mean. `notes` say in a few sentences what was done; `sums` are
    those of the rows that were judged (`statistics/speculative.py`).
    """

    rows: int = 0
    columns: tuple[ColumnJudgement, ...] = field(default=(), repr=False)
    relations: tuple[RelationFacts, ...] = field(default=(), repr=False)
    leaks: Mapping[str, float] = field(default_factory=dict, repr=False)
    made: tuple[RelationFacts, ...] = field(default=(), repr=False)
    aims: Mapping[int, ColumnJudgement] = field(default_factory=dict, repr=False)
    readings: Mapping[str, Reading] = field(default_factory=dict, repr=False)
    unfit: Mapping[str, str] = field(default_factory=dict, repr=False)
    categories: tuple[str, ...] = field(default=(), repr=False)
    numbers: tuple[str, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)
    texts_of: Mapping[str, str] = field(default_factory=dict, repr=False)
    sums: Any = field(default=None, repr=False)

    def __getitem__(self, name: str) -> ColumnJudgement:
        return next(one for one in self.columns if one.name == name)

    @property
    def opened_as_text(self) -> tuple[str, ...]:
        """The columns that a text file must be opened with as text."""
        return tuple(name for name, one in self.readings.items() if one.decimal)

    @property
    def carried(self) -> tuple[str, ...]:
        """The keys and texts that were set aside, to be copied to what is written."""
        kinds = ("identifier", "key", "free text", "date")
        aside = [one for one in self.columns if one.name in self.unfit]
        return tuple(one.name for one in aside if one.kind in kinds or one.why == DESCRIBES_ROWS)

    def read_only(self, names: Collection[str]) -> "TableJudgement":
        """Keep how some of the columns are read, to read others like them."""
        return TableJudgement(
            readings={name: one for name, one in self.readings.items() if name in names},
            categories=tuple(name for name in self.categories if name in names),
            numbers=tuple(name for name in self.numbers if name in names),
        )

    def apply(self, source: Source) -> Source:
        """Give the table as it is to be analysed."""
        at = {name: j for j, name in enumerate(source.names)}
        readings = {at[name]: one for name, one in self.readings.items() if name in at}
        info = replace(source.info, unfit=self.unfit, texts=self.texts_of)
        if info.n_rows is None and 0 < self.rows < len(info.names):
            # A file that does not say it was counted: rows that are few are held, by block too.
            info = replace(info, n_rows=self.rows)
        source.info = info.with_doubts(self.notes)
        return MarkedSource(source, readings) if readings else source


NOT_JUDGED = TableJudgement()  # of a table that was not read yet
