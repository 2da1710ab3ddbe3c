"""What the report of a selection shows beyond its answer: the path beyond k, every column, rows."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from tamis.facts.selection_answer import CurveFacts, HeldOutFacts
from tamis.facts.shared_answer import RepeatFacts
from tamis.values import dataclass


@dataclass(frozen=True)
class RuleFacts:
    """The limits of a search: groups, the group of each analysed column, and what was spent.

    Of a group they have the name, how many of it are kept, and how many may (None: all) and must
    be. `budget` is None where none was given, `apart` too; prices are those of the kept columns.
    """

    groups: tuple[tuple[str, int, int | None, int], ...]
    group_of: tuple[int | None, ...]
    spent: float
    budget: float | None
    apart: float | None


SampleGap = Literal["unreadable", "omitted"]
Drawer = Literal["safe", "partly", "lost", "dropped"]  # the last where new rows were not measured


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
    """What the report of a selection shows beyond its answer."""

    curve: CurveFacts  # replaces the shorter curve of the answer
    held_out: HeldOutFacts | None = None  # replaces the shorter one of the answer
    knee: int | None  # where it bends most
    every_name: tuple[str, ...]  # of all columns of the table
    analysed: tuple[int, ...] | None  # positions of the columns analysed, None for all
    path: tuple[int, ...]  # positions among these
    axis: tuple[float, float] | None  # the ends, where all names are numbers
    means: tuple[float, ...] = ()  # then the mean of each column
    safe_from: int  # thousandths of a column at the lower limit, for it to be safe to drop
    lost_below: tuple[int, ...]  # at every step, the thousandths on new rows below which it is lost
    # The share explained of each column at the chosen number, in thousandths: on these rows and,
    # where they were measured, on new rows (-1 where that is worse than its mean), and the lower
    # limit of that.
    shares_now: tuple[tuple[int, ...], ...]
    share_steps: tuple[int, ...]  # the steps at which those of all columns are stored
    new_rows_to: int  # the last step at which new rows were tried, 0 for none
    stored_shares: bytes  # packed: all steps on these rows, on new rows, of the limits
    source_columns: bytes  # which few kept columns explain each column, as packed records
    source_records: bytes
    has_all_sources: bool  # whether of all steps
    sample_gap: SampleGap | None  # why there are no values of rows
    sample_rows: int = 0  # how many there are
    sample_seen: int = 0  # of how many that were seen
    kinds: tuple[str, ...] = ()  # that occur in the table
    kind_of: tuple[int, ...] | None = None  # of each column which; None: the first
    # Columns, as the script reads them (`Sampled` in `types.d.ts`).
    sampled: Sequence[Sequence[Any]] = field(default=(), hash=False)
    sampled_values: bytes = b""  # packed
    # What could replace each kept column, None where that would take long.
    swaps: Mapping[str, tuple[tuple[str, float], ...]] | None = field(hash=False)
    map: MapFacts | None
    gram: bool  # whether correlations may be in the page
    patterns: RepeatFacts  # what repeats the choice, with `{k}` and `{more}` to be filled
    listed: Mapping[str, Any] = field(hash=False)  # what every column is (`Listed` in `types.d.ts`)
    # What the page needs to choose again (`Live` in `types.d.ts`), None where it cannot.
    live: Mapping[str, Any] | None = field(default=None, hash=False)
    matrix: bytes = b""  # the Gram matrix for this, packed
    rules: RuleFacts | None = None  # what the search had to respect

    @property
    def analysed_names(self) -> list[str]:
        """The columns analysed, by name."""
        every = self.every_name
        return list(every) if self.analysed is None else [every[j] for j in self.analysed]

    @property
    def has_new_rows(self) -> bool:
        """Whether the share of each column on new rows was measured."""
        return self.new_rows_to > 0

    @property
    def first_shares(self) -> tuple[int, ...]:
        """The shares that stand first: those on new rows where they were measured."""
        return self.shares_now[1 if self.has_new_rows else 0]

    def drawers_at(self, k: int) -> list[Drawer]:
        """Say in which drawer each column lies at the chosen number, if it is dropped."""
        if not self.has_new_rows:
            return ["dropped"] * len(self.shares_now[0])
        _, new, low = self.shares_now
        return [
            "safe"
            if limit >= self.safe_from
            else "lost"
            if share < self.lost_below[k - 1]
            else "partly"
            for share, limit in zip(new, low, strict=True)
        ]

    @property
    def path_names(self) -> list[str]:
        """The columns of the path, by name."""
        names = self.analysed_names
        return [names[j] for j in self.path]
