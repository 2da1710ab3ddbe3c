"""What is known about every result: the table, the method, what was asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = [
    "AnswerFacts",
    "ClusterFacts",
    "LabelFacts",
    "MethodFacts",
    "MissingFacts",
    "RepeatFacts",
    "ResponseFacts",
    "SkippedColumn",
    "SummaryFacts",
    "SuspiciousColumn",
    "UnreadFacts",
    "UnreadPart",
]


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
    rows_complete: int | None
    rows_unlabelled: int
    sparse: bool
    shares: Mapping[str, float] = field(hash=False)
    complete_rows_suffice: bool = False
    infinite: int = 0
    observed: float = 1.0
    fewest_common: int | None = None


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

    `clusters` where clusters of the rows stand for labels, `responses` where there are several.
    """

    column: str | None
    task: str
    counts: Mapping[str, int] = field(hash=False)
    used: bool
    method: str
    clusters: ClusterFacts | None = None
    responses: tuple[ResponseFacts, ...] = ()


@dataclass(frozen=True)
class SuspiciousColumn:
    """A column that may not be what it seems: what it looks like, and by which values."""

    column: str
    looks_like: str
    detail: str = ""


@dataclass(frozen=True)
class RepeatFacts:
    """The command if there was one, the Python call, and the versions of the packages."""

    command: str
    python: str
    versions: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, kw_only=True)
class AnswerFacts:
    """What is known about every result.

    Attributes
    ----------
    title
        What the table is called.
    doubts
        What may have been misread, in words.
    columns, used, rows
        Columns of the table, those analysed, and the rows used.
    options
        The options in force, each with its value as text.
    """

    title: str
    method: MethodFacts
    missing: MissingFacts
    unread: UnreadFacts
    doubts: tuple[str, ...]
    columns: int
    used: int
    rows: int
    skipped: tuple[SkippedColumn, ...]
    constant: tuple[str, ...]
    labels: LabelFacts | None
    warnings: tuple[SuspiciousColumn, ...]
    options: tuple[tuple[str, str], ...]
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
