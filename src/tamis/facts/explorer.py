"""What the report of a selection shows beyond its answer: the path beyond k, every column, rows."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from tamis.facts.selection_answer import CurveFacts
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
class PathStep:
    """A column on the path, and the share that it adds to those before it."""

    column: str
    gain: float


@dataclass(frozen=True)
class TableFacts:
    """All columns of the table, those analysed (None: all), and the path among these.

    `axis` has the ends of an axis where all names are numbers, `means` then the mean of each.
    """

    names: tuple[str, ...]
    used: tuple[int, ...] | None
    path: tuple[int, ...]
    axis: tuple[float, float] | None
    means: tuple[float, ...] = ()

    @property
    def used_names(self) -> list[str]:
        """The columns analysed, by name."""
        return list(self.names) if self.used is None else [self.names[j] for j in self.used]


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
class SourceFacts:
    """Which few kept columns explain each column, as packed records; `complete` has all steps."""

    complete: bool
    columns: bytes
    records: bytes


@dataclass(frozen=True)
class KindFacts:
    """The kinds of columns that occur, and for each column which (None: all are the first)."""

    kinds: tuple[str, ...]
    each: tuple[int, ...] | None


@dataclass(frozen=True)
class SampledValues:
    """What a sample of rows shows of one column; a range and labels only with rows."""

    column: int
    distinct: int
    numbers: tuple[float, float, float, float] | None = None  # smallest, largest, mean, deviation
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class SampleFacts:
    """Values of a few rows: how many, of how many seen, or why there are none."""

    gap: SampleGap | None
    rows: int
    seen: int
    kinds: KindFacts | None
    columns: tuple[SampledValues, ...]
    values: bytes


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
class PatternFacts:
    """The command and the Python line that repeat it, with `{k}` and `{more}` to be filled."""

    command: str
    python: str


@dataclass(frozen=True)
class GramFacts:
    """The Gram matrix of the columns that a page can choose from (None: all), and its ceiling.

    `matrix` holds its lower triangle, `rounded` says in which form. Where some columns of the table
    are groups of its columns, `sizes` says how many each has, and `rows` what they rest on.
    """

    columns: tuple[int, ...] | None
    width: int
    matrix: bytes
    rounded: bool
    bound: tuple[float, ...]
    sizes: tuple[int, ...] | None
    rows: int | None


@dataclass(frozen=True)
class WishFacts:
    """The wishes that were part of the request, by name."""

    include: tuple[str, ...]
    forbid: tuple[str, ...]
    costs: Mapping[str, float] = field(hash=False)


@dataclass(frozen=True)
class LiveFacts(GramFacts):
    """What a page needs to choose again; `same` is whether it would find the same columns.

    `shrink` is the shrinkage of the search, `noise` what that of each column is multiplied with,
    None where it is the same for all.
    """

    same: bool
    shrink: float
    noise: tuple[float, ...] | None
    fixed: WishFacts
    patterns: PatternFacts


@dataclass(frozen=True)
class ExplorerFacts:
    """What the report of a selection shows beyond its answer.

    `curve` replaces the shorter one of the answer; `listed` says what every column is, `rules` what
    the search had to respect; `swaps` has what could replace each kept column,
    None where that would take long; `gram` is whether correlations may be in the page.
    """

    curve: CurveFacts
    knee: int | None
    path: tuple[PathStep, ...]
    table: TableFacts
    fates: FateFacts
    sources: SourceFacts
    sample: SampleFacts
    swaps: Mapping[str, tuple[tuple[str, float], ...]] | None = field(hash=False)
    map: MapFacts | None
    gram: bool
    patterns: PatternFacts
    live: LiveFacts | None
    listed: ListedFacts = field(default_factory=ListedFacts)
    rules: RuleFacts | None = None


Fate = Literal["kept", "safe to drop", "partly lost", "lost"]


@dataclass(frozen=True)
class FatePlotFacts:
    """All analysed columns: their places on an axis, the share explained, and which are kept.

    `names` are in table order, or none where the places are the names. `limits` are the share from
    which a column is safe to drop, and the one below which it is lost. `means` are those of the
    columns where the places are their names.
    """

    names: tuple[str, ...]
    places: tuple[float, ...]
    shares: tuple[float, ...]
    kept: tuple[int, ...]
    limits: tuple[float, float]
    chance: float | None
    means: tuple[float, ...] = ()


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
