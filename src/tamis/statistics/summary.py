"""What is known of a table once it has been read: one type, whatever a method asks of it."""

from collections import Counter
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tamis.errors import TamisError, in_sentence, spell, spell_name
from tamis.facts.shared_answer import HeavyRowFacts
from tamis.numerics.types import Floats, Indices
from tamis.statistics.column_spread import compute_level
from tamis.statistics.gram import DenseGram, Gram, Samples
from tamis.statistics.gram.protocol import Statistic
from tamis.statistics.grouped import Groups
from tamis.statistics.missing import Tally
from tamis.values import dataclass

if TYPE_CHECKING:
    from tamis.statistics.classes import CountedTarget
    from tamis.statistics.encoding import Encoding
    from tamis.statistics.labels import Target
    from tamis.statistics.row_blocks import Blocks, Choices
    from tamis.statistics.rows import Rows


_SINGLES = Groups.of_singles(0)  # stands for groups of one column each, however many


@dataclass(frozen=True, eq=False)
class Clipped:
    """How many extreme values were drawn in, by position of the column, and in how many rows.

    `share_as_is` is what the kept columns explain of held-out values as they are, where known.
    """

    values: dict[int, int] = field(default_factory=dict)
    rows: int = 0
    share_as_is: float | None = None

    def merge(self, other: "Clipped") -> "Clipped":
        """Count those of other rows, too."""
        values = Counter(self.values) + Counter(other.values)
        return Clipped(dict(sorted(values.items())), self.rows + other.rows)


@dataclass(frozen=True, eq=False)
class Summary(Statistic["Summary"]):
    """What is known of a table, or of some of its rows; with groups, what methods work on.

    Its Gram matrix, for linear methods, and what stands beside it: each is empty or None where it
    was not asked for.

    Attributes
    ----------
    n_rows
        Rows that counted; 0 where a matrix is all that is known.
    varying
        Positions, among the columns read, of those that are analysed: they are not constant.
    gram
        The Gram matrix of these, centred and, with `scale`, scaled, and of the responses behind
        them. Its mean diagonal is 1 in any case, so that no method sees the unit of the table: the
        sums of products themselves are `length` squared times as large.
    mean, std
        Of every column read, as it was written in numbers.
    groups
        The columns of the matrix that stand for each analysed one: a number is a group of one. The
        diagonal of each adds up to its weight: 1 where every column of the table counts the same.
    blocks, marks
        The same of blocks of rows; of a part made of some blocks, which these are.
    responses, targets
        How many groups of the matrix, the last, are responses, and the labels of each, which what
        the columns explain does not need.
    encoding, encoded
        How columns were written as numbers, and which of these vary.
    unfit
        Columns that cannot be analysed, each with the reason; None: those that are too small.
    clipped, as_is
        Extreme values that were drawn in, if any; the same summary without that: of a small table,
        or of some of its rows, of which `sample` is the summary with extreme values drawn in.
    cells, row_blocks
        Of a small table the block of each row; once more as it is, its rows in numbers, too.
    successive, heavy
        The correlation of successive rows where they follow one another; rows that carry much of
        the variance.
    units, row_size
        What every column read was divided by before, and the mean sum of a row whose counts were
        taken as logarithms; None for values as read.
    table, level_counts
        What methods work on that no Gram matrix serves (neighbours, counts by class, mutual
        information), and for the last the rows of every level of each column.
    rows, doubts
        All rows, for methods that need them; sentences on what may mislead in what was read.
    """

    n_rows: int
    varying: Indices
    gram: Gram = field(default_factory=lambda: DenseGram(np.zeros((0, 0))))
    mean: Floats = field(default_factory=lambda: np.zeros(0))
    std: Floats = field(default_factory=lambda: np.zeros(0))
    tally: Tally = field(default_factory=Tally, kw_only=True)
    groups: Groups = field(default=_SINGLES, kw_only=True)
    blocks: "Blocks | None" = field(default=None, kw_only=True)
    marks: "Choices | None" = field(default=None, kw_only=True)
    responses: int = field(default=0, kw_only=True)
    targets: "tuple[Target | CountedTarget, ...]" = field(default=(), kw_only=True)
    encoding: "Encoding | None" = field(default=None, kw_only=True, repr=False)
    encoded: Indices | None = field(default=None, kw_only=True, repr=False)
    unfit: dict[int, str] | None = field(default=None, kw_only=True)
    clipped: Clipped | None = field(default=None, kw_only=True)
    as_is: "Summary | None" = field(default=None, kw_only=True, repr=False)
    sample: "Summary | None" = field(default=None, kw_only=True, repr=False)
    cells: Floats | None = field(default=None, kw_only=True, repr=False)
    row_blocks: Indices | None = field(default=None, kw_only=True, repr=False)
    successive: float | None = field(default=None, kw_only=True)
    heavy: tuple[HeavyRowFacts, ...] = field(default=(), kw_only=True)
    units: Floats | None = field(default=None, kw_only=True, repr=False)
    row_size: float | None = field(default=None, kw_only=True)
    table: Any = field(default=None, kw_only=True)
    level_counts: tuple[Indices, ...] = field(default=(), kw_only=True, repr=False)
    rows: "Rows | None" = field(default=None, kw_only=True, repr=False)
    doubts: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        if self.groups is _SINGLES:
            object.__setattr__(self, "groups", Groups.of_singles(len(self.varying)))

    @property
    def has_moments(self) -> bool:
        """Whether the columns were summed up as numbers: their means and spreads are known."""
        return len(self.std) > 0

    @property
    def fill(self) -> Floats:
        """What missing values were filled with, by column; the means where none was missing."""
        mean = self.mean if self.rows is None else self.rows.mean
        return mean if self.tally.fill is None else self.tally.fill

    @cached_property
    def explained(self) -> "Summary":
        """What the columns explain of each other: the variance, without labels and blocks."""
        if self.blocks is None and not self.targets:
            return self
        known = (self.n_rows, self.varying, self.gram)
        return Summary(*known, groups=self.groups, responses=self.responses)

    @property
    def width(self) -> int:
        """The number of columns and responses."""
        return len(self.groups.sizes)

    @property
    def columns(self) -> int:
        """How many columns there are to choose from; the responses follow them."""
        return self.width - self.responses

    @property
    def target(self) -> "Target | CountedTarget | None":
        """The labels of the rows, where there is one response."""
        return self.targets[0] if len(self.targets) == 1 else None

    @property
    def importance(self) -> Floats | None:
        """What is to be explained: the responses alone; None for all columns alike."""
        if not self.responses:
            return None
        return np.asarray(np.arange(self.width) >= self.columns, dtype=np.float64)

    @property
    def samples(self) -> Samples | None:
        """The rows behind the matrix where it is held by them."""
        return self.gram.samples

    @property
    def error(self) -> float | None:
        """How far shares of the variance may be off; None where the matrix is exact."""
        return self.gram.error

    def diagonal(self) -> Floats:
        """Give the weight of every group."""
        return self.groups.sum_up(self.gram.diagonal())

    @property
    def statistic(self) -> Any:
        """What a method of selection works on: the matrix alone where each column is a number."""
        if self.rows is not None:
            return self.rows.statistic
        if self.table is not None:
            return self.table
        return self.gram if self.groups.single and not self.responses else self

    @property
    def inputs(self) -> tuple[Any, ...]:
        """What a method of extraction works on."""
        return (self,) if self.rows is None else self.rows.inputs

    @property
    def refused(self) -> dict[int, str]:
        """Columns that turned out unfit while the table was read, each with the reason."""
        if self.unfit is not None:
            return self.unfit
        small = np.setdiff1d(np.flatnonzero(self.std), self.varying, assume_unique=True)
        why = f"too small beside the largest column: pass {spell('scale', True)}"
        return dict.fromkeys(small.tolist(), why)

    @property
    def length(self) -> float:
        """What the centred columns were divided by to make the unscaled Gram matrix."""
        return compute_level(self.std) * float(np.sqrt(self.n_rows))


def as_summary(
    statistic: "Gram | Summary", groups: Groups | None = None, n_rows: int = 0
) -> Summary:
    """Give a Gram matrix as a summary; where nothing else is known, of groups of one column."""
    if isinstance(statistic, Summary):
        return statistic
    groups = Groups.of_singles(len(statistic.diagonal())) if groups is None else groups
    return Summary(n_rows, np.arange(len(groups.sizes)), statistic, groups=groups)


def refuse_unfit(count: int, label: str, refused: dict[int, str]) -> None:
    """Refuse a table of which no column can be used, each for a reason."""
    raise TamisError(
        f"None of the {count} columns of {in_sentence(label)} can be used, the first "
        f"{next(iter(refused.values()))}: name those to analyse with {spell_name('include')}."
    )


def check_used(summary: Summary, count: int, label: str) -> None:
    """Refuse a table of whose `count` columns none is used."""
    if len(summary.varying):
        return
    label = in_sentence(label)
    if not summary.refused:
        empty = bool((summary.tally.counts == summary.tally.rows).all())
        state = "empty" if empty else "constant"
        raise TamisError(
            f"All {count} columns of {label} are {state}: there is nothing to choose from."
        )
    refuse_unfit(count, label, summary.refused)
