"""Whether what the kept columns explain holds on rows not used to choose them."""

from tamis.evaluation.held_out import CLEAR, HeldOut
from tamis.evaluation.outcome import Outcome
from tamis.facts.held_out_answer import OverfitFacts, PeakFacts

__all__ = ["overfit_facts"]

_POINTS = 0.1  # of all variance, that is lost on held-out rows
_PART = 0.25  # of what is explained, that is lost


def overfit_facts(outcome: Outcome) -> OverfitFacts | None:
    """Judge the share on held-out rows; None where it is not known.

    Overfitted is what loses more than a tenth of all variance or a quarter of what it explains, and
    more than two standard errors. `peak` is a smaller number of columns that explains clearly more
    on held-out rows. Where either is so, and the number was not found by `k="auto"`, that helps
    wherever it can be asked for.
    """
    if not outcome.shows_held_out:
        return None
    folds = outcome.resampled.folds
    if len(folds.share) < outcome.k:
        return None
    share, error = float(folds.share[-1]), float(folds.standard_error[-1])
    lost = outcome.retained - share
    large = lost > min(_POINTS, _PART * outcome.retained)
    over, peak = bool(large and lost > CLEAR * error), _peak(folds)
    request = outcome.request
    can = request.method.finds_size and not request.settings.get("together")
    helps = (over or peak is not None) and outcome.auto is None and can
    return OverfitFacts(
        k=outcome.k,
        retained=outcome.retained,
        share=share,
        overfitted=over,
        standard_error=error,
        peak=peak,
        remedy="auto" if helps else None,
    )


def _peak(folds: HeldOut) -> PeakFacts | None:
    """Give the smaller number of columns that explains more, unless it explains nothing."""
    best = folds.peak
    if best is None or not folds.share[best - 1] > 0:
        return None
    return PeakFacts(best, float(folds.share[best - 1]))
