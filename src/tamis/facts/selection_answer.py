"""What is known about a selection, and about a list of columns that was given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tamis.facts.held_out_answer import (
    AutoFacts,
    HeldOutFacts,
    OverfitFacts,
    PredictionFacts,
    StabilityFacts,
)
from tamis.facts.json_values import FLAT
from tamis.facts.limit_answer import LimitFacts, SpentFacts, WholeFacts
from tamis.facts.opinion_answer import OpinionFacts
from tamis.facts.relation_answer import RelationFacts
from tamis.facts.shared_answer import AnswerFacts
from tamis.facts.taken_answer import ClippedFacts, RowFacts, TakenFacts

__all__ = [
    "AdditionFacts",
    "BestFacts",
    "CurveFacts",
    "DroppedColumn",
    "EvidenceFacts",
    "Measured",
    "RemovedColumn",
    "ScoreFacts",
    "SearchFacts",
    "SelectionFacts",
    "SwapFacts",
    "TreeFacts",
    "WeightKind",
]

Measured = Literal["variance", "information", "response", "importance"]
# What the weights are of the few columns that explain a dropped one: coefficients of a regression,
# normalised mutual information, or the share that each explains alone.
WeightKind = Literal["coefficients", "information", "shares"]


@dataclass(frozen=True)
class CurveFacts:
    """Share explained by 1, 2, ... columns, its ceiling, and what chance alone would explain."""

    retained: tuple[float, ...]
    bound: tuple[float, ...]
    chance: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class TreeFacts:
    """The leaves of a spectral tree from left to right, and the depth of each."""

    order: tuple[str, ...]
    depth: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True)
class DroppedColumn:
    """A dropped column: the share explained, the few columns that explain it, the reason.

    `carried` is what these few explain alone; `reason` is "", "redundant", "irrelevant" or
    "forbidden".
    """

    column: str
    share: float
    weights: Mapping[str, float] = field(hash=False)
    carried: float
    reason: str


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


@dataclass(frozen=True)
class AdditionFacts:
    """One more column, and what it adds to the share explained."""

    joins: str
    change: float


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
    """What is known about a selection; `score` only if its columns were given.

    Attributes
    ----------
    k, names, indices
        How many columns are kept, and which, by name and by position in the table.
    ranking, scores
        Every column that the search reached, best first; the method's score of every column.
    measure, weights_are, ranked
        What the shares are shares of; what the weights of columns that explain others are; whether
        both are those of the ranks (Spearman).
    clipped
        The extreme values that were limited, None where there were none.
    taken
        How each analysed column was taken, of those that are not taken as the numbers they are.
    shrink, shrink_chosen, shrink_by_tails
        The shrinkage of the search as a share of the variance, None of methods without; whether it
        was chosen on held-out rows, and whether it is stronger for columns of heavy tails.
    retained, bound, error, optimal
        Share explained, the most that as many columns could, how far both may be off, and whether
        an exact search has proven that no set explains more.
    chance, beats_chance
        What as many columns would explain of an unrelated one; whether any dropped column is
        explained above that level, where information is measured.
    best_first
        Whether each column was taken for what it adds to the variance explained.
    row_notes
        How rows were held out and counted, and whether they are alike.
    limits
        The limits that keep out a column, each with what the best of these would add.
    predictions
        How well each response is predicted on held-out rows, where that was measured.
    advises
        Whether the share on held-out rows could be measured, and was not.
    shortfall
        Why fewer columns are kept than asked for, in words.
    relations
        The columns that others determine: copies, other units, ranks, sums.
    opinions
        What trees predict of the least explained columns, if that was asked for.
    texts
        What columns mean, by name, where that is known.
    """

    k: int
    names: tuple[str, ...]
    included: tuple[str, ...]
    measure: Measured
    weights_are: WeightKind
    ranked: bool
    clipped: ClippedFacts | None
    taken: tuple[TakenFacts, ...] = ()
    shrink: float | None
    shrink_chosen: bool
    shrink_by_tails: bool = False
    best_first: bool
    beats_chance: bool
    chance: float | None
    auto: AutoFacts | None
    held_out: HeldOutFacts | None
    overfit: OverfitFacts | None
    stability: StabilityFacts | None
    blocks: int | None
    limited: bool = False
    row_notes: RowFacts = field(default_factory=RowFacts)
    limits: tuple[LimitFacts, ...] = ()
    predictions: tuple[PredictionFacts, ...] = ()
    whole: WholeFacts | None = None
    spent: SpentFacts | None = None
    advises: bool
    shortfall: str | None
    retained: float
    bound: float
    error: float | None
    optimal: bool
    nested: bool
    indices: tuple[int, ...]
    ranking: tuple[str, ...]
    scores: tuple[float | None, ...]
    curve: CurveFacts
    tree: TreeFacts | None
    evidence: SearchFacts | EvidenceFacts | None
    dropped: tuple[DroppedColumn, ...]
    removed: tuple[RemovedColumn, ...]
    relations: tuple[RelationFacts, ...] = ()
    opinions: tuple[OpinionFacts, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, hash=False)
    score: ScoreFacts | None = None
