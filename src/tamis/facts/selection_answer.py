"""What is known about a selection, and about a list of columns that was given."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Literal

from tamis.errors import as_term
from tamis.facts.json_schema import FLAT, UNSHOWN, Numbers
from tamis.facts.shared_answer import AnswerFacts, RelationFacts, RowFacts
from tamis.rules.search import CLEAR
from tamis.values import dataclass

TakenKind = Literal["number", "category", "bins", "rank", "logarithm"]


@dataclass(frozen=True)
class ClippedFacts:
    """Extreme values that were limited: how many in each column, most first, and in how many rows.

    `deviations` is the limit, in median absolute deviations, and `held_out_as_is` what the kept
    columns explain of held-out values as they are, where that was measured.
    """

    columns: Mapping[str, int] = field(hash=False)
    rows: int
    deviations: float
    held_out_as_is: float | None = None


@dataclass(frozen=True)
class TakenFacts:
    """How a column was taken: as it is, by its levels or bins, as ranks, as logarithms of counts.

    Of its `levels` so many are `rare` and pooled into one; `missing_level` says that missing values
    are a level, too.
    """

    column: str
    kind: TakenKind
    levels: int | None = None
    rare: int = 0
    missing_level: bool = False


@dataclass(frozen=True)
class OpinionFacts:
    """A dropped column: the share of it predicted by a linear model and by trees.

    Both on rows that they have not seen. `clearly` is whether trees predict far more.
    """

    column: str
    linear: float
    trees: float
    clearly: bool


@dataclass(frozen=True)
class LimitFacts:
    """A limit that keeps out a column: the option, its group, and what the best would add."""

    option: str
    group: str | None
    column: str
    gain: float


@dataclass(frozen=True)
class SpentFacts:
    """What the kept columns cost together, and the budget."""

    cost: float
    budget: float


@dataclass(frozen=True)
class WholeGroup:
    """A group that is taken whole, and how many columns it has."""

    group: str
    columns: int


@dataclass(frozen=True)
class WholeFacts:
    """The groups that are taken whole, and how many columns are taken that are in none."""

    groups: tuple[WholeGroup, ...]
    single: int


def weigh_folds(count: int) -> float:
    """Give the variance of a mean over folds, as a part of that over single folds.

    Folds share most of their training rows, so the mean of ten varies more than one over the root
    of ten of a fold (Nadeau and Bengio 2003): the quotient of held-out and training rows is added.

    >>> round(weigh_folds(10), 4)
    0.2111
    """
    return 1.0 / count + 1.0 / max(count - 1, 1)


OtherRule = Literal["variance", "correlation"]  # by which a user would choose columns


@dataclass(frozen=True)
class HeldOutFacts:
    """Share explained on held-out rows by 1, 2, ... columns, and its spread over the folds.

    `low` and `high` are the ends of its interval: they cover what the columns explain of new rows
    nine times in ten (`python -m benchmarks.intervals`).
    `random` is that of as many columns drawn at random as are kept, the median of 20 draws, and
    `by_rule` of those that a common `rule` keeps: the largest variances, or a correlation filter.
    `beats_random` and `beats_rule` say whether the kept ones explain clearly more. None where that
    was not measured.
    """

    share: tuple[float, ...]
    std: tuple[float, ...]
    folds: int
    random: float | None = None
    beats_random: bool | None = None
    rule: OtherRule | None = None
    by_rule: float | None = None
    beats_rule: bool | None = None
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        reach = CLEAR * weigh_folds(self.folds) ** 0.5
        known = list(zip(self.share, self.std, strict=True))
        object.__setattr__(self, "low", tuple(one - reach * std for one, std in known))
        object.__setattr__(self, "high", tuple(min(one + reach * std, 1.0) for one, std in known))


@dataclass(frozen=True)
class AutoFacts:
    """The number found by `k="auto"`, its interval, the reason, what each column is worth.

    `worth` is what each of the first columns explains of the others on held-out rows, in units of
    one column's variance. It rests on `folds` and on `halves` of the rows (each a `HeldOut`).
    """

    k: int
    low: int
    high: int
    reason: str
    worth: tuple[float, ...] = field(repr=False)
    folds: Any = field(default=None, repr=False, compare=False, metadata=UNSHOWN)
    halves: Any = field(default=None, repr=False, compare=False, metadata=UNSHOWN)


@dataclass(frozen=True)
class PeakFacts:
    """A smaller number of columns that explains clearly more on held-out rows."""

    k: int
    share: float


@dataclass(frozen=True)
class OverfitFacts:
    """What the kept columns explain here and on held-out rows, and whether that is overfitted.

    `remedy` is "auto" where `k="auto"` would find a number that the rows support.
    """

    k: int
    retained: float
    share: float
    overfitted: bool
    standard_error: float
    peak: PeakFacts | None
    remedy: Literal["auto"] | None


@dataclass(frozen=True)
class Substitute:
    """A column in place of a kept one, and the change of the share explained."""

    column: str
    change: float


@dataclass(frozen=True)
class StabilityFacts:
    """How often columns are kept over half-samples, and what could replace each kept one.

    `explained` is the share, of what the kept columns explain, that those of a half-sample explain;
    `stand_ins` says which columns half-samples keep in the place of each kept one, and how often.
    """

    index: float
    low: float
    high: float
    samples: int
    frequency: Mapping[str, float] = field(repr=False, hash=False)
    substitutes: Mapping[str, tuple[Substitute, ...]] = field(
        default_factory=dict, repr=False, hash=False
    )
    explained: float | None = None
    stand_ins: Mapping[str, Mapping[str, float]] = field(
        default_factory=dict, repr=False, hash=False
    )


@dataclass(frozen=True)
class PredictionFacts:
    """How well a linear model on the kept columns predicts a response on held-out rows.

    `score` is "R²", "AUC" or "accuracy"; `with_all` is that of all columns, if it was measured.
    """

    response: str | None
    score: str
    value: float
    std: float
    folds: int
    rows: int
    selected_again: bool
    with_all: float | None = None


Measured = Literal["variance", "information", "response", "importance"]
# What the weights are of the few columns that explain a dropped one: coefficients of a regression,
# normalised mutual information, or the share that each explains alone.
WeightKind = Literal["coefficients", "information", "shares"]
MOST_CARRIED = 0.9  # of the share explained: less, and a few columns have not most of it
# How a column is written with its weight, and from which weight on: less than 1% would be 0%.
_WRITTEN = {
    "coefficients": ("{1:.2f} x {0}", 0.0),
    "information": ("{0} ({1:.2f})", 0.0),
    "shares": ("{1:.0%} by {0}", 0.005),
}


@dataclass(frozen=True, eq=False)
class CurveFacts:
    """Share explained by 1, 2, ... columns, its ceiling, and what chance alone would explain."""

    retained: Numbers
    bound: Numbers
    chance: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class TreeFacts:
    """The leaves of a spectral tree from left to right, and the depth of each."""

    order: tuple[str, ...]
    depth: Mapping[str, int] = field(hash=False)


Fate = Literal["safe", "partly lost", "lost"]


@dataclass(frozen=True)
class DroppedColumn:
    """A dropped column: the shares explained, the few columns that explain it, the reason.

    `new_rows` is what these kept columns explain of it on rows like these that were not used,
    measured by ten folds, `new_rows_low` the lower limit of that, and `status` follows from both:
    "safe" where the limit is at least 95%, "lost" where the share is below 10% or what chance
    explains, or else "partly lost". All three are None where new rows were not measured. `share` is
    what the kept columns explain on these rows. `weights` has the few that carry it, the largest
    first, and `carried` is what these few explain alone; `weights_are` says what the weights are.
    With `redundancy="drop"`, `reason` is "irrelevant" (low score) or "redundant" (well scored, but
    explained by kept columns); of a column in `forbid` it is "forbidden".

    Examples
    --------
    >>> print(DroppedColumn("bmi", 0.992, {"weight": 0.98, "height": -0.31}, 0.991))
    bmi: 99.2% explained by the kept columns; mostly 0.98 x weight, -0.31 x height (SD units)
    >>> print(DroppedColumn("city", 0.51, {"region": 0.48, "tax": 0.12}, 0.48, "", "shares"))
    city: 51.0% explained by the kept columns; mostly 48% by region, 12% by tax (each alone)
    >>> print(DroppedColumn("c", 0.99, {}, 0.99, "", "coefficients", 0.98, 0.96, "safe"))
    c: safe, 98.0% explained on new rows (at least 96.0%), 99.0% on these rows
    """

    column: str
    share: float
    weights: Mapping[str, float] = field(hash=False)
    carried: float
    reason: str = ""
    weights_are: WeightKind = field(default="coefficients", metadata=UNSHOWN)
    new_rows: float | None = None
    new_rows_low: float | None = None
    status: Fate | None = None

    @property
    def first_share(self) -> float:
        """The share that stands first: on new rows or, where that was not measured, on these."""
        return self.share if self.new_rows is None else self.new_rows

    @property
    def by(self) -> str:
        """The few kept columns that carry it, with their weights, as text."""
        pattern, least = _WRITTEN[self.weights_are]
        pairs = [(as_term(str(name)), w) for name, w in self.weights.items() if abs(w) >= least]
        return ", ".join(pattern.format(*pair) for pair in pairs)

    def __str__(self) -> str:
        why = f"{self.reason}, " if self.reason else ""
        shared = self.weights_are == "information"
        if shared and not self.by:
            return f"{self.column}: {why}nothing explained above chance"
        said = f"{self.column}: {why}{self.share:.1%} explained"
        if shared:
            return f"{said} by {self.by}"
        unit = "SD units" if self.weights_are == "coefficients" else "each alone"
        mostly = f"; mostly {self.by} ({unit})" if self.by else ""
        if mostly and self.carried < MOST_CARRIED * self.share and unit == "SD units":
            mostly = f"; {self.by} ({unit}), by themselves {self.carried:.1%}"
        if self.new_rows is None or self.new_rows_low is None:
            return f"{said} by the kept columns{mostly}"
        new = f"{self.new_rows:.1%} explained on new rows"
        new += f" (at least {self.new_rows_low:.1%})" if self.new_rows_low > 0 else ""
        new = new if self.new_rows >= 0 else "worse than predicting the mean on new rows"
        return f"{self.column}: {why}{self.status}, {new}, {self.share:.1%} on these rows{mostly}"


@dataclass(frozen=True)
class RemovedColumn:
    """A column that a backward method removed, and what predicts it to within `error`."""

    column: str
    error: float
    weights: Mapping[str, float] = field(hash=False)


@dataclass(frozen=True)
class BestFacts:
    """The selection of as many columns that tamis finds."""

    names: tuple[str, ...]
    retained: float


@dataclass(frozen=True)
class SwapFacts:
    """One listed column exchanged for another, and the change of the share explained."""

    leaves: str
    joins: str
    change: float

    def __iter__(self) -> Iterator[Any]:
        return iter((self.leaves, self.joins, self.change))


@dataclass(frozen=True)
class AdditionFacts:
    """One more column, and what it adds to the share explained."""

    joins: str
    change: float

    def __iter__(self) -> Iterator[Any]:
        return iter((self.joins, self.change))


@dataclass(frozen=True)
class ScoreFacts:
    """What could be had instead of the columns that were given."""

    best: BestFacts
    swaps: tuple[SwapFacts, ...]
    additions: tuple[AdditionFacts, ...]


@dataclass(frozen=True, eq=False)
class EvidenceFacts:
    """What else a method found: `values` that depend on its `kind`."""

    kind: str
    values: Mapping[str, Any] = field(metadata=FLAT)


class SearchFacts(EvidenceFacts):
    """How a search for the columns with which a learner scores best went."""


@dataclass(frozen=True, kw_only=True)
class SelectionFacts(AnswerFacts):
    """What is known about a selection; `score` only if its columns were given."""

    k: int
    names: tuple[str, ...]  # kept, best first; `indices` are their positions in the table
    included: tuple[str, ...]
    measure: Measured  # what the shares are shares of
    weights_are: WeightKind  # those of columns that explain others
    ranked: bool  # whether shares and weights are those of the ranks (Spearman)
    clipped: ClippedFacts | None  # extreme values that were limited, None where there were none
    # Of those columns that are not taken as the numbers they are.
    taken: tuple[TakenFacts, ...] = ()
    shrink: float | None  # of the search as a share of the variance, None of methods without
    shrink_chosen: bool  # on held-out rows
    shrink_by_tails: bool = False  # whether it is stronger for columns of heavy tails
    best_first: bool  # each column was taken for what it adds to the variance explained
    # Whether any dropped column is explained above chance, where information is measured.
    beats_chance: bool
    chance: float | None  # what as many columns would explain of an unrelated one
    auto: AutoFacts | None
    held_out: HeldOutFacts | None
    overfit: OverfitFacts | None
    stability: StabilityFacts | None
    blocks: int | None
    limited: bool = False
    # How rows were held out and counted, and whether they are alike.
    row_notes: RowFacts = field(default_factory=RowFacts)
    # Of categories of two levels the one that weights are of.
    marked: Mapping[str, str] = field(default_factory=dict, hash=False)
    # Those that keep out a column, each with what the best of these would add.
    limits: tuple[LimitFacts, ...] = ()
    # Of each response on held-out rows, where that was measured.
    predictions: tuple[PredictionFacts, ...] = ()
    whole: WholeFacts | None = None
    spent: SpentFacts | None = None
    advises: bool  # whether the share on held-out rows could be measured, and was not
    shortfall: str | None  # why fewer columns are kept than asked for, in words
    retained: float
    bound: float  # the most that as many columns could explain
    error: float | None  # how far both may be off
    optimal: bool  # an exact search has proven that no set explains more
    nested: bool
    indices: tuple[int, ...]
    ranking: tuple[str, ...]  # every column that the search reached, best first
    scores: tuple[float | None, ...]  # the method's own, of every column
    curve: CurveFacts
    tree: TreeFacts | None
    evidence: SearchFacts | EvidenceFacts | None
    dropped: tuple[DroppedColumn, ...]
    goal: float | None = None  # the share that was to be reached
    # Where all columns are kept: the one to drop first, and what the others then explain of all.
    first_to_drop: DroppedColumn | None = None
    without_first: float | None = None
    removed: tuple[RemovedColumn, ...]
    # Columns that others determine: copies, other units, ranks, sums.
    relations: tuple[RelationFacts, ...] = ()
    # What trees predict of the least explained columns, if asked for.
    opinions: tuple[OpinionFacts, ...] = ()
    # What columns mean, by name, where that is known.
    texts: Mapping[str, str] = field(default_factory=dict, hash=False)
    score: ScoreFacts | None = None  # only of columns that were given


ColumnStatus = Literal["kept", "safe", "partly lost", "lost", "skipped"]


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """What became of a column; what does not apply to it is None (`Column` has the meanings)."""

    name: Any
    position: int
    status: ColumnStatus | None
    reason: str = ""
    rank: int | None = None
    gain: float | None = None
    total: float | None = None
    new_rows: float | None = None
    new_rows_low: float | None = None
    share: float | None = None
    explained_by: Mapping[Any, float] = field(default_factory=dict)
    by: str = ""
    alone: float | None = None
    chance: float | None = None
    score: float | None = None
    missing: float | None = None
    taken: TakenFacts | None = field(default=None, repr=False)
    text: str = ""
