"""What is known about every result: the table, the method, what was asked."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from tamis.facts.json_schema import UNSHOWN
from tamis.values import dataclass


@dataclass(frozen=True)
class MethodFacts:
    """A method as the registry describes it, and `why` it was chosen if the user named none."""

    id: str
    name: str = ""
    about: str = ""
    paper: str = ""
    why: str = ""


@dataclass(frozen=True)
class MissingFacts:
    """How many rows were used, and how much of every column was missing.

    `done` is what was done about it; `shares` has the columns with missing values, worst first;
    `complete_rows_suffice` is whether most rows have no missing value; `infinite` counts the values
    that were infinite in the table, `observed` is the share of values that are there, and
    `fewest_common` the fewest rows that any two columns share, where only those relate them.
    """

    done: str
    rows_read: int
    rows_used: int
    rows_complete: int | None = field(compare=False)  # an engine need not count them
    rows_unlabelled: int
    sparse: bool
    shares: Mapping[str, float] = field(hash=False)
    complete_rows_suffice: bool = field(default=False, compare=False)
    infinite: int = 0
    observed: float = 1.0
    fewest_common: int | None = None

    @property
    def rows(self) -> int:
        """Rows read."""
        return self.rows_read

    @property
    def used(self) -> int:
        """Rows that the answer rests on."""
        return self.rows_used


@dataclass(frozen=True)
class UnreadPart:
    """A damaged file that was skipped, or the `place` in it."""

    file: str
    place: str


@dataclass(frozen=True)
class UnreadFacts:
    """The damaged parts that were skipped."""

    parts: tuple[UnreadPart, ...] = ()


@dataclass(frozen=True)
class SkippedColumn:
    """A column that was not analysed, and the reason."""

    column: str
    why: str


@dataclass(frozen=True)
class ClusterFacts:
    """Clusters of rows in the place of labels: of how many columns, how counted, and how firm.

    `seeds` and `halves` are adjusted Rand indices: with other random seeds, between half-samples.
    """

    columns: int
    rule: str
    seeds: float
    halves: float


@dataclass(frozen=True)
class ResponseFacts:
    """One of several responses: its name, its task, and how many different values it has."""

    name: str
    task: str
    values: int


@dataclass(frozen=True)
class LabelFacts:
    """The labels: their column (None for an array), the rows of each class, and who used them.

    `clusters` where clusters of the rows stand for labels, `responses` where there are several,
    `given` the array that was given beside the table.
    """

    column: str | None
    task: str
    counts: Mapping[str, int] = field(hash=False)
    used: bool
    method: str
    clusters: ClusterFacts | None = None
    responses: tuple[ResponseFacts, ...] = ()
    given: Any = field(default=None, repr=False, compare=False, metadata=UNSHOWN)

    @property
    def setting(self) -> str | list[str] | None:
        """What `y` was: a column, several, or clusters; None for an array."""
        if self.responses and self.given is None:
            return [one.name for one in self.responses]
        return self.column if self.clusters is None else "clusters"


@dataclass(frozen=True)
class SuspiciousColumn:
    """A column that may not be what it seems: what it looks like, and by which values."""

    column: str
    looks_like: str
    detail: str = ""


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
    `successive` is the correlation of successive rows, and `time` the column that orders them if
    one does; `key` is a column that repeats whose rows are alike, with their intraclass correlation
    (`similarity`). `heavy` are rows that carry much of the variance.
    """

    groups: int | None = None
    ordered: bool = False
    weighted: bool = False
    counted: int | None = None
    successive: float | None = None
    time: str | None = None
    key: str | None = None
    similarity: float | None = None
    heavy: tuple[HeavyRowFacts, ...] = ()


RelationForm = Literal["linear", "log", "log1p", "root", "reciprocal", "order", "rank", "codes"]


@dataclass(frozen=True)
class RelationFacts:
    """One column that others determine.

    `parts` are these with their weights and `constant` what is added: to a linear combination, or
    to the function that `form` names of the one part. "order" is a column that rises or falls with
    another, "rank" its ranks (falling where the weight is negative), perhaps `within` the rows of
    equal value in a third, "codes" the same categories under other names. `rounded` says that it
    holds but for the last digit, `nearly` that some ranks differ; `rows` is on how many it was
    seen, `sampled` whether there are others, `exceptions` in how many of them it does not hold.
    """

    column: str
    form: RelationForm
    parts: Mapping[str, float] = field(hash=False)
    constant: float = 0.0
    rounded: bool = False
    nearly: bool = False
    within: str | None = None
    rows: int = 0
    sampled: bool = False
    exceptions: int = 0

    @property
    def is_copy(self) -> bool:
        """Whether the column has the values of another."""
        plain = self.form == "linear" and not self.constant and not self.rounded
        return plain and list(self.parts.values()) == [1.0]


@dataclass(frozen=True)
class RepeatFacts:
    """The command if there was one, the Python call, and the versions of the packages."""

    command: str = ""
    python: str = ""
    versions: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, kw_only=True)
class AnswerFacts:
    """What is known about every result."""

    title: str  # what the table is called
    method: MethodFacts
    missing: MissingFacts
    unread: UnreadFacts
    doubts: tuple[str, ...]  # what may have been misread, in words
    columns: int  # of the table
    used: int  # columns analysed
    rows: int
    skipped: tuple[SkippedColumn, ...]
    constant: tuple[str, ...]
    labels: LabelFacts | None
    warnings: tuple[SuspiciousColumn, ...]
    options: tuple[tuple[str, str], ...]  # those in force, each with its value as text
    repeat: RepeatFacts


@dataclass(frozen=True, kw_only=True)
class SummaryFacts:
    """What is in a summary: rows, columns (some constant), the parts and blocks it was made of."""

    rows: int
    names: tuple[str, ...]
    constant: int
    parts: int
    blocks: int
    missing: MissingFacts
    doubts: tuple[str, ...]
    skipped: tuple[SkippedColumn, ...]
