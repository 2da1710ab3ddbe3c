"""What the report of a selection shows beyond its answer: the path beyond k, every column, rows."""

from collections.abc import Mapping, Sequence
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
    safe_from, lost_below
        Thousandths of a column that have to be explained for it to be safe to drop, and, at every
        step, below which it is lost.
    fates, shares_now
        How many dropped columns are "safe" to drop, "partly" lost and "lost", for 1, 2, ... kept
        ones; how much of each is explained at the chosen number, in thousandths.
    share_steps, stored_shares
        Those of all columns at some steps, packed.
    source_columns, source_records, has_all_sources
        Which few kept columns explain each column, as packed records; whether of all steps.
    sample_gap, sample_rows, sample_seen
        Why there are no values of rows; or of how many, of how many seen.
    kinds, kind_of
        The kinds that occur in the table, and for each of its columns which (None: the first).
    sampled, sampled_values
        The columns sampled, as the script reads them (`Sampled` in `types.d.ts`), and the values of
        their rows, packed.
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
    safe_from: int
    lost_below: tuple[int, ...]
    fates: Mapping[str, tuple[int, ...]] = field(hash=False)
    shares_now: tuple[int, ...]
    share_steps: tuple[int, ...]
    stored_shares: bytes
    source_columns: bytes
    source_records: bytes
    has_all_sources: bool
    sample_gap: SampleGap | None
    sample_rows: int = 0
    sample_seen: int = 0
    kinds: tuple[str, ...] = ()
    kind_of: tuple[int, ...] | None = None
    sampled: Sequence[Sequence[Any]] = field(default=(), hash=False)
    sampled_values: bytes = b""
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

    def limits_at(self, k: int) -> tuple[float, float]:
        """Give the shares from which a column is safe, and below which it is lost."""
        return self.safe_from / 1000, self.lost_below[k - 1] / 1000

    @property
    def path_names(self) -> list[str]:
        """The columns of the path, by name."""
        names = self.analysed_names
        return [names[j] for j in self.path]


Fate = Literal["kept", "safe to drop", "partly lost", "lost"]
