"""What Cunningham says of Figure 7, and whether our curves bear it out."""

import statistics
from typing import Any

from tamis_papers.laboratory.protocol import Claim, Results, Verdict
from tamis_papers.protocols.gain_curves import (
    NINTH,
    RANKS,
    SIZE,
    GainCurves,
    count_improving,
    count_stops,
    gather_curves,
)

__all__ = ["judge_claims"]

_WHERE = "Section 3.1.1, Figure 7"
_SHORT = 0.01  # of the accuracy: so near to the best of the curve counts as effective


def judge_claims(results: Results) -> list[Claim]:
    """Judge each claim over all classifiers and draws of the folds."""
    known = gather_curves(results)
    return [_ninth(results), _eight(known), _improves(known)]


def _ninth(results: Results) -> Claim:
    text = f"the ninth feature ({NINTH})"
    if RANKS not in results:
        return Claim(text, _WHERE, "cannot be judged", "segment was not run.")
    ranks = results[RANKS]["ranks"]
    own = next(iter(ranks.values()))
    right = [binning for binning, rank in ranks.items() if rank == 9]
    said = ", ".join(f"{rank} with {binning}" for binning, rank in ranks.items())
    reason = (
        f"Its rank by information gain is {said}: {len(right)} of {len(ranks)} ways to bin give "
        "the ninth. The first is the library's default, by which it is judged."
    )
    return Claim(text, _WHERE, "holds" if own == 9 else "does not hold", reason)


def _eight(known: GainCurves) -> Claim:
    text = (
        "after the ninth feature is added the accuracy drops slightly so the process would stop "
        "after selecting the first eight features"
    )
    if not known:
        return Claim(text, _WHERE, "cannot be judged", "segment was not run.")
    rises, noises = [], []
    for draws in known.values():
        steps = [one["accuracy"][8] - one["accuracy"][7] for one in draws]
        rises.append(statistics.fmean(steps))
        noises.append(statistics.stdev(steps) if len(steps) > 1 else 0.0)
    said = ", ".join(
        f"{learner} ranked {ranked} {min(stops)} to {max(stops)}"
        for (learner, ranked), draws in known.items()
        if (stops := count_stops(draws))
    )
    down = sum(rise < -noise for rise, noise in zip(rises, noises, strict=True))
    up = sum(rise > noise for rise, noise in zip(rises, noises, strict=True))
    reason = (
        f"One number of one unknown classifier. The ninth column lowers the accuracy of {down} and "
        f"raises that of {up} of {len(known)} classifiers by more than the draw of the folds does "
        f"(about {100 * statistics.fmean(noises):.1f} points); columns kept over the draws: {said}."
    )
    reached = any(
        min(count_stops(draws)) <= SIZE <= max(count_stops(draws)) for draws in known.values()
    )
    if down:
        return Claim(text, _WHERE, "holds", reason)
    verdict: Verdict = "cannot be judged" if reached or up < len(known) else "does not hold"
    return Claim(text, _WHERE, verdict, reason)


def _improves(known: GainCurves) -> Claim:
    text = "this strategy is straightforward and effective"
    if not known:
        return Claim(text, _WHERE, "cannot be judged", "segment was not run.")
    short = {pair: statistics.fmean(map(_fall_short, draws)) for pair, draws in known.items()}
    good = [pair for pair, gap in short.items() if gap <= _SHORT]
    said = ", ".join(
        f"{learner} ranked {ranked} {100 * gap:.1f}" for (learner, ranked), gap in short.items()
    )
    reason = (
        f"Where it stops, the accuracy is below the best of the curve by these points: {said}. Up "
        f"to {100 * _SHORT:.0f} counts as effective: {len(good)} of {len(short)}, more than half "
        "are needed."
    )
    holds = len(good) > len(short) / 2
    return Claim(text, _WHERE, "holds" if holds else "does not hold", reason)


def _fall_short(one: Any) -> float:
    """Give how far the accuracy at the stop is below the best of the curve."""
    accuracy = one["accuracy"]
    return float(max(accuracy) - accuracy[count_improving(accuracy) - 1])
