"""Whether what the kept columns explain holds on rows not used to choose them."""

from typing import Any

from tamis.errors import spelled
from tamis.evaluation.held_out import CLEAR, HeldOut
from tamis.evaluation.outcome import Outcome
from tamis.presentation.overfit import overfit_sentence

__all__ = ["overfit_facts", "shows_held_out"]

Facts = dict[str, Any]

_POINTS = 0.1  # of all variance, that is lost on held-out rows
_PART = 0.25  # of what is explained, that is lost


def shows_held_out(outcome: Outcome) -> bool:
    """Say whether the share on held-out rows was asked for."""
    return outcome.shows_held_out


def overfit_facts(outcome: Outcome) -> Facts | None:
    """Judge the share on held-out rows; None where it is not known.

    Overfitted is what loses more than a tenth of all variance or a quarter of what it explains, and
    more than two standard errors. `peak` is a smaller number of columns that explains clearly more
    on held-out rows. The `sentence` says both, and nothing where neither is so; `advice` is the
    option that helps, and `effect` what it does.
    """
    if not shows_held_out(outcome):
        return None
    folds = outcome.resampled.folds
    if len(folds.share) < outcome.k:
        return None
    share, error = float(folds.share[-1]), float(folds.standard_error[-1])
    lost = outcome.retained - share
    large = lost > min(_POINTS, _PART * outcome.retained)
    over, peak = large and lost > CLEAR * error, _peak(folds)
    sentence = overfit_sentence(outcome.retained, share, outcome.k, overfitted=over, peak=peak)
    advice = ("", "")
    if sentence and outcome.auto is None:
        advice = spelled("k", "auto"), "finds a number that the rows support"
    return {
        "overfitted": over,
        "standard_error": error,
        "peak": peak,
        "sentence": sentence,
        "advice": advice[0],
        "effect": advice[1],
    }


def _peak(folds: HeldOut) -> Facts | None:
    """Give the smaller number of columns that explains more, unless it explains nothing."""
    best = folds.peak
    if best is None or not folds.share[best - 1] > 0:
        return None
    return {"k": best, "share": float(folds.share[best - 1])}
