"""The share explained by 1, 2, ... kept columns, as a line under its ceiling."""

from functools import cached_property

from tamis.facts.selection_answer import CurveFacts, HeldOutFacts, SelectionFacts
from tamis.presentation.drawings.share_scale import ShareScale, choose_curve_scale
from tamis.presentation.prose.numbers import is_worse
from tamis.presentation.prose.words import VARIANCE, Words, words_of
from tamis.values import dataclass

__all__ = ["CurveDrawing", "HeldOutBand", "describe_curve"]

_ERRORS = 2.0  # A band reaches so many standard errors to either side.


@dataclass(frozen=True)
class HeldOutBand:
    """The share on held-out rows, and the band of two standard errors around it."""

    share: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    @property
    def falls_below(self) -> bool:
        """Whether somewhere it is worse than predicting the mean: no share of anything."""
        return is_worse(min(self.share, default=0.0))


@dataclass(frozen=True)
class CurveDrawing:
    """Lines over the numbers of columns 1, 2, ..., with a mark at `k`.

    Attributes
    ----------
    retained, bound
        The share explained and its ceiling, for every number.
    held_out
        The share on held-out rows; it may end before the others do.
    chance
        What chance alone explains of an unrelated column.
    knee
        Where the curve bends most.
    words
        The words of its measure: what the share is a share of, the name of the ceiling.
    """

    k: int
    retained: tuple[float, ...]
    bound: tuple[float, ...]
    held_out: HeldOutBand | None = None
    chance: tuple[float, ...] = ()
    knee: int | None = None
    words: Words = VARIANCE

    @cached_property
    def scale(self) -> ShareScale:
        """The axis of shares, chosen by what is shown."""
        band = self.held_out
        shown = (*band.share, *band.high) if band else ()
        return choose_curve_scale(self.k, self.retained, self.bound, shown)

    @property
    def chance_line(self) -> tuple[float, ...]:
        """The level of chance, where the axis reaches down to it."""
        return self.chance if self.scale.least is None else ()

    @property
    def about(self) -> str:
        """What it shows, for those who do not see it."""
        return self.words.chart.format(len(self.retained))


def describe_curve(
    facts: SelectionFacts,
    curve: CurveFacts | None = None,
    *,
    knee: int | None = None,
    chance: bool = True,
) -> CurveDrawing:
    """Describe the curve of a selection, or a longer one, with or without the level of `chance`."""
    curve = curve or facts.curve
    levels = tuple(level for level in curve.chance if level is not None) if chance else ()
    held = facts.held_out
    return CurveDrawing(
        k=facts.k,
        retained=curve.retained,
        bound=curve.bound,
        held_out=None if held is None else _describe_band(held, len(curve.retained)),
        chance=levels,
        knee=knee,
        words=words_of(facts.measure, facts.weights_are),
    )


def _describe_band(held: HeldOutFacts, steps: int) -> HeldOutBand:
    """Put the band around the share, as far as the curve goes."""
    pairs = list(zip(held.share, held.standard_errors, strict=True))[:steps]
    return HeldOutBand(
        share=tuple(share for share, _ in pairs),
        low=tuple(share - _ERRORS * error for share, error in pairs),
        high=tuple(share + _ERRORS * error for share, error in pairs),
    )
