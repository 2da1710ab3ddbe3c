"""What the report of a selection adds: the path beyond k, and every column at every step."""

from typing import Any

import numpy as np

from tamis.evaluation.outcome import Outcome
from tamis.evaluation.reconstruction import Reproduction
from tamis.numerics.types import Floats, Indices
from tamis.presentation.words import Words, words_of
from tamis.progress import track
from tamis.results.selection_facts import curve_facts

__all__ = ["count_shares", "slider_facts"]

Facts = dict[str, Any]

_ALL = 60
_AHEAD = 2
_LONGEST = 200
_CELLS = 250_000
_ROWS = 2000
_MAP = 160


def slider_facts(outcome: Outcome) -> Facts:
    """Gather what the slider of the report needs; its curve replaces the shorter one."""
    path, retained = _longer(outcome)
    known = outcome.measure.reproduction(path)
    shares, shown = _per_mille(known.shares), _listed(known, outcome.k)
    sources = _sources(outcome, known, shown)
    place = {int(j): step for step, j in enumerate(path, start=1)}
    gains = np.diff(retained, prepend=0.0)
    return {
        "curve": curve_facts(outcome.curve_of(retained)),
        "path": [
            {"column": name, "gain": max(float(gain), 0.0)}
            for name, gain in zip(outcome.names_of(path), gains, strict=True)
        ],
        "others": [
            {
                "column": name,
                "place": place.get(int(j)),
                "shares": shares[:, j].tolist(),
                "from": sources[int(j)],
            }
            for j, name in zip(shown, outcome.names_of(shown), strict=True)
        ],
        "hidden": len(outcome.used) - len(shown),
        "counts": count_shares(shares, path, _words(outcome)),
        "heat": _heat(outcome),
    }


def _longer(outcome: Outcome) -> tuple[Indices, Floats]:
    """Follow the path beyond the columns kept, where a longer path has the same head."""
    path, used, k = outcome.path, len(outcome.used), outcome.k
    steps = used if used <= _ALL else max(k, min(_AHEAD * k + 10, _LONGEST, used))
    if len(path.indices) == k and path.nested and outcome.longer is not None and steps > k:
        longer = outcome.longer(steps)
        path = longer if np.array_equal(longer.indices[:k], path.indices) else path
    return path.indices[:steps], path.retained[:steps]


def _listed(known: Reproduction, k: int) -> Indices:
    """Choose the columns that the report lists: all, or the path and the worst reproduced."""
    steps, used = known.shares.shape
    room = max(min(_CELLS // steps, _ROWS), steps)
    if used <= room:
        return np.arange(used)
    shares = known.shares[k - 1].copy()
    shares[known.kept] = -1.0
    return np.sort(np.argsort(shares, kind="stable")[:room])


def _sources(outcome: Outcome, known: Reproduction, shown: Indices) -> dict[int, list[Any]]:
    """List for each column from which step on which few path columns carry it."""
    entries: dict[int, list[Any]] = {int(j): [] for j in shown}
    before: dict[int, tuple[int, ...]] = {}
    least = _words(outcome).least
    steps = range(1, len(known.kept) + 1)
    for step in track("steps explained", steps, len(steps)):
        targets = np.setdiff1d(shown, known.kept[:step])
        if not targets.size:
            break
        found = outcome.measure.carriers(known, step, targets)
        for i, j in enumerate(targets.tolist()):
            fit = (found.positions[i] >= 0) & (np.abs(found.weights[i]) >= least)
            places = tuple(found.positions[i][fit].tolist())
            if places != before.get(j, ()):
                before[j] = places
                weights = np.round(found.weights[i][fit], 2).tolist()
                pairs = [[p, w] for p, w in zip(places, weights, strict=True)]
                entries[j].append([step, pairs, int(1000 * found.shares[i])])
    return entries


def _heat(outcome: Outcome) -> Facts | None:
    kept, used = outcome.path.kept[:_MAP], len(outcome.used)
    every = max(1, -(-used // _MAP))
    before = np.arange(used)[::every]
    note = "" if every == 1 else _thinned(every, used)
    cut = "" if outcome.k <= _MAP else f"The first {_MAP} kept columns."
    return {
        "before": {**_pairs(outcome, before), "note": note},
        "after": {**_pairs(outcome, kept), "note": cut},
    }


def _thinned(every: int, used: int) -> str:
    last = {1: "st", 2: "nd", 3: "rd"}.get(0 if every // 10 % 10 == 1 else every % 10, "th")
    return f"Every {every:,}{last} of the {used:,} columns, in table order."


def _pairs(outcome: Outcome, columns: Indices) -> Facts:
    """Give in hundredths how alike these columns are."""
    values = np.clip(np.rint(100 * outcome.measure.pairs(columns)), -100, 100)
    return {"columns": outcome.names_of(columns), "values": values.astype(int).tolist()}


def _per_mille(shares: Floats) -> Indices:
    """Round, but never up to a false 1000."""
    most = np.where(shares < 1 - 1e-9, 999, 1000)
    return np.minimum(np.rint(1000 * shares), most).astype(np.intp)


def count_shares(shares: Indices, path: Indices, words: Words) -> dict[str, list[int]]:
    """Count at every step the dropped columns well off and badly off, whether listed or not."""
    dropped = np.ones(shares.shape, dtype=bool)
    for step, j in enumerate(path):
        dropped[step:, j] = False
    return {
        "well": ((shares >= words.well) & dropped).sum(axis=1).tolist(),
        "badly": ((shares < words.badly) & dropped).sum(axis=1).tolist(),
    }


def _words(outcome: Outcome) -> Words:
    return words_of(outcome.measure.name)
