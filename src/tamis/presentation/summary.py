"""Everything that will be shown about a selection, as one plain dict; no view computes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.evaluation.outcome import Curve, Outcome
from tamis.evaluation.reconstruction import Reproduction
from tamis.numerics.types import Indices
from tamis.presentation.asked import options, repeat
from tamis.presentation.missing import missing_facts
from tamis.presentation.numbers import percent
from tamis.presentation.words import Words, words_of
from tamis.progress import track

Facts = dict[str, Any]

_ALL = 60
_AHEAD = 2
_LONGEST = 200
_CELLS = 250_000
_ROWS = 2000
_MAP = 160


def facts(outcome: Outcome) -> Facts:
    """Gather what the terminal and `--json` show; the report shows it too."""
    request, curve = outcome.request, outcome.curve
    method = request.method
    return {
        "title": request.label,
        "sentence": sentence(outcome),
        "method": {
            "id": method.id,
            "name": method.name,
            "about": method.about,
            "paper": method.paper,
        },
        "measure": method.measure,
        "chance": getattr(outcome.summary.statistic, "chance", None),
        "rows": outcome.summary.n_rows,
        "missing": missing_facts(outcome.missing),
        "columns": len(request.names),
        "used": len(outcome.used),
        "k": outcome.k,
        "shortfall": outcome.shortfall,
        "retained": outcome.retained,
        "bound": outcome.bound,
        "optimal": outcome.optimal,
        "nested": outcome.path.nested,
        "names": outcome.names,
        "indices": outcome.indices.tolist(),
        "ranking": outcome.ranking,
        "scores": _plain(outcome.scores),
        "curve": _curve(curve),
        "tree": _tree(outcome),
        "dropped": [
            {
                "column": row.column,
                "share": row.share,
                "weights": row.weights,
                "carried": row.carried,
            }
            for row in outcome.explain()
        ],
        "removed": _removed(outcome),
        "left_out": [{"column": name, "why": why} for name, why in outcome.left_out.items()],
        "constant": list(outcome.constant),
        "options": options(request),
        "repeat": repeat(request, "select"),
    }


def report_facts(outcome: Outcome) -> Facts:
    """Add what the report's slider needs: the path beyond k, and every column at every step."""
    path, retained = _longer(outcome)
    known = outcome.measure.reproduction(path)
    shares, shown = _per_mille(known.shares), _listed(known, outcome.k)
    sources = _sources(outcome, known, shown)
    place = {int(j): step for step, j in enumerate(path, start=1)}
    gains = np.diff(retained, prepend=0.0)
    return {
        **facts(outcome),
        "curve": _curve(outcome.curve_of(retained)),
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


def sentence(outcome: Outcome) -> str:
    """Say in one sentence what was found."""
    used, k, words = len(outcome.used), outcome.k, _words(outcome)
    columns = "column" if k == 1 else "columns"
    they = f"it {words.does}" if k == 1 else f"they {words.do}"
    text = f"Keep {k:,} of {used:,} columns: {they} {percent(outcome.retained)} {words.share}"
    if outcome.shortfall is not None:
        return f"{text}. {outcome.shortfall}"
    if outcome.optimal:
        return f"{text}, and no {k:,} {columns} {words.do} more (proven)."
    return f"{text}; no {k:,} {columns} could {words.do} more than {percent(outcome.bound)}."


def _longer(outcome: Outcome) -> tuple[Indices, NDArray[np.float64]]:
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


def _removed(outcome: Outcome) -> list[Facts]:
    """List what a backward method removed, first gone first, with its equations."""
    gone = outcome.path.removals
    if gone is None or outcome.path.size is None:
        return []
    count = len(outcome.used) - outcome.k
    names = outcome.names_of(np.arange(len(outcome.used)))
    rows = zip(gone.columns[:count], gone.errors, gone.positions, gone.weights, strict=False)
    return [
        {
            "column": names[j],
            "error": float(error),
            "weights": {names[p]: float(w) for p, w in zip(places, weights, strict=True) if p >= 0},
        }
        for j, error, places, weights in rows
    ]


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


def _per_mille(shares: NDArray[np.float64]) -> Indices:
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


def _tree(outcome: Outcome) -> Facts | None:
    """Give the leaves of the tree from left to right; with their depths they say all of it."""
    tree = outcome.tree
    if tree is None:
        return None
    order, depth = tree.order, tree.depth
    return {"order": order, "depth": {name: depth[name] for name in order}}


def _words(outcome: Outcome) -> Words:
    return words_of(outcome.request.method.measure)


def _curve(curve: Curve) -> Facts:
    return {"retained": curve.retained.tolist(), "bound": curve.bound.tolist()}


def _plain(values: NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
