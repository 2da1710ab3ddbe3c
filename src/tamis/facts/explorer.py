"""What the report of a selection shows beyond its answer: the path beyond k, every column, rows."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from tamis.facts.selection_answer import CurveFacts
from tamis.facts.shared_answer import RepeatFacts
from tamis.values import dataclass


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


@dataclass(frozen=True)
class LiveFacts:
    """What a page needs to choose again.

    Attributes
    ----------
    columns, width
        The columns that it can choose from (None: all), and those of their Gram matrix.
    matrix, rounded
        The lower triangle of this matrix, and in which form.
    bound
        The most that 1, 2, ... columns can explain of them.
    sizes, rows
        Where columns of the table are groups of columns of the matrix, how many each has, and the
        rows that they rest on.
    same
        Whether the page would find the same columns.
    shrink, noise
        The shrinkage of the search, and what that of each column is multiplied with, None where it
        is the same for all.
    include, forbid, costs
        The wishes that were part of the request, by name.
    patterns
        What repeats a choice of the page, with `{k}` and `{more}` to be filled.
    """

    columns: tuple[int, ...] | None
    width: int
    matrix: bytes
    rounded: bool
    bound: tuple[float, ...]
    sizes: tuple[int, ...] | None = None
    rows: int | None = None
    same: bool = False
    shrink: float = 0.0
    noise: tuple[float, ...] | None = None
    include: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    costs: Mapping[str, float] = field(default_factory=dict, hash=False)
    patterns: RepeatFacts = field(default_factory=RepeatFacts)


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
    listed, rules
        What every column is, and what the search had to respect.
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
    live: LiveFacts | None
    listed: ListedFacts = field(default_factory=ListedFacts)
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
