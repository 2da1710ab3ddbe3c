"""What the report of a selection shows beyond its answer: the path beyond k, every column, rows."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from tamis.facts.selection_answer import CurveFacts
from tamis.facts.shared_answer import RepeatFacts
from tamis.values import dataclass


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


SampleGap = Literal["unreadable", "omitted"]


@dataclass(frozen=True)
class FateFacts:
    """How much of every column is explained at some steps, in thousandths.

    `counts` says how many dropped columns are "safe" to drop, "partly" lost and "lost", for 1, 2,
    ... kept ones. `safe` and `lost` (one for each step) are the limits of these drawers, `at` the
    shares at the chosen number, `values` those of all stored `steps`, packed.
    """

    steps: tuple[int, ...]
    safe: int
    lost: tuple[int, ...]
    counts: Mapping[str, tuple[int, ...]] = field(hash=False)
    at: tuple[int, ...]
    values: bytes

    def limits_at(self, k: int) -> tuple[float, float]:
        """Give the shares from which a column is safe, and below which it is lost."""
        return self.safe / 1000, self.lost[k - 1] / 1000


@dataclass(frozen=True)
class SampleFacts:
    """Values of a few rows: how many, of how many seen, or why there are none.

    Attributes
    ----------
    kinds, kind_of
        The kinds that occur in the table, and for each of its columns which (None: the first).
    columns, distinct
        The columns sampled, and how many different values each has.
    numbers, labels
        The smallest and largest value of each, mean and deviation; its categories. None without
        rows.
    values
        The values, packed.
    """

    gap: SampleGap | None
    rows: int = 0
    seen: int = 0
    kinds: tuple[str, ...] = ()
    kind_of: tuple[int, ...] | None = None
    columns: tuple[int, ...] = ()
    distinct: tuple[int, ...] = ()
    numbers: tuple[tuple[float, float, float, float], ...] = ()
    labels: tuple[tuple[str, ...], ...] = ()
    values: bytes = b""


@dataclass(frozen=True)
class MapFacts:
    """Similarities of columns in hundredths, similar ones together, and the tree that orders them.

    A merge has both parts and the similarity at which they join.
    """

    columns: tuple[int, ...]
    names: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    merges: tuple[tuple[int, int, float], ...]
    complete: bool


@dataclass(frozen=True, kw_only=True)
class ExplorerFacts:
    """What the report of a selection shows beyond its answer.

    Attributes
    ----------
    curve, knee
        What replaces the shorter curve of the answer, and where it bends most.
    every_name, analysed, path
        All columns of the table, the positions of those analysed (None: all), the path among these.
    axis, means
        The ends of an axis where all names are numbers, and then the mean of each column.
    source_columns, source_records, has_all_sources
        Which few kept columns explain each column, as packed records; whether of all steps.
    swaps
        What could replace each kept column, None where that would take long.
    gram
        Whether correlations may be in the page.
    patterns
        What repeats the choice, with `{k}` and `{more}` to be filled.
    listed
        What every column is, as the script reads it (`Listed` in `types.d.ts`).
    live, matrix
        What the page needs to choose again, as the script reads it (`Live` in `types.d.ts`), None
        where it cannot, and the Gram matrix, packed.
    rules
        What the search had to respect.
    """

    curve: CurveFacts
    knee: int | None
    every_name: tuple[str, ...]
    analysed: tuple[int, ...] | None
    path: tuple[int, ...]
    axis: tuple[float, float] | None
    means: tuple[float, ...] = ()
    fates: FateFacts
    source_columns: bytes
    source_records: bytes
    has_all_sources: bool
    sample: SampleFacts
    swaps: Mapping[str, tuple[tuple[str, float], ...]] | None = field(hash=False)
    map: MapFacts | None
    gram: bool
    patterns: RepeatFacts
    listed: Mapping[str, Any] = field(hash=False)
    live: Mapping[str, Any] | None = field(default=None, hash=False)
    matrix: bytes = b""
    rules: RuleFacts | None = None

    @property
    def analysed_names(self) -> list[str]:
        """The columns analysed, by name."""
        every = self.every_name
        return list(every) if self.analysed is None else [every[j] for j in self.analysed]

    @property
    def path_names(self) -> list[str]:
        """The columns of the path, by name."""
        names = self.analysed_names
        return [names[j] for j in self.path]


Fate = Literal["kept", "safe to drop", "partly lost", "lost"]


@dataclass(frozen=True)
class ScoredRows:
    """The scores of rows with the same label on two components."""

    label: str
    first: tuple[float, ...]
    second: tuple[float, ...]


@dataclass(frozen=True)
class RowsPlotFacts:
    """Rows on the first two components, which have these names and shares."""

    groups: tuple[ScoredRows, ...]
    components: tuple[tuple[str, float], tuple[str, float]]


@dataclass(frozen=True)
class LoadingPlotFacts:
    """The largest weights of a component."""

    component: str
    weights: Mapping[str, float] = field(hash=False)
