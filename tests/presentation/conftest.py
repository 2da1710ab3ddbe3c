"""Realistic summaries, made from a random correlated table."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.evaluation.measure import Variance
from tamis.results.map_facts import cluster_order
from tamis.results.share_facts import share_facts
from tamis.results.slider_facts import page_facts, slider_facts
from tamis.results.source_facts import source_facts
from tamis.statistics.gram import DenseGram

Summary = dict[str, Any]
_WORDS = ("mean", "worst", "error", "ratio", "total", "early", "late", "left")
_THINGS = ("radius", "texture", "perimeter", "area", "smoothness", "symmetry", "weight", "height")


def _correlations(columns: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    factors = max(2, columns // 8)
    loadings = (
        rng.normal(size=(factors, columns)) * np.exp(-3 * np.arange(factors) / factors)[:, None]
    )
    loadings *= rng.random((factors, columns)) < (0.35 if columns > 20 else 1)
    rows = rng.normal(size=(300, factors)) @ loadings + 0.45 * rng.normal(size=(300, columns))
    return np.atleast_2d(np.corrcoef(rows, rowvar=False))


def _greedy(R: np.ndarray, m: int) -> list[int]:
    """Take `m` columns by pivoted Cholesky."""
    left, picks = R.copy(), []
    for _ in range(m):
        pivot = np.diag(left).copy()
        score = np.where(pivot > 1e-9, (left**2).sum(axis=0) / np.maximum(pivot, 1e-9), -1)
        pick = int(score.argmax())
        w = left[:, pick] / np.sqrt(left[pick, pick])
        left -= np.outer(w, w)
        picks.append(pick)
    return picks


def _map(R: np.ndarray, names: list[str]) -> Summary | None:
    if len(R) < 2:
        return None
    shown = np.arange(min(len(R), 160))
    order, merges = cluster_order(R[np.ix_(shown, shown)])
    return {
        "columns": order.tolist(),
        "names": [names[j] for j in order],
        "values": (100 * R[np.ix_(order, order)]).round().astype(int).tolist(),
        "merges": merges,
        "all": len(shown) == len(R),
    }


def _dropped(measure: Variance, known: Any, k: int, names: list[str]) -> list[Summary]:
    """Explain the dropped columns as `to_dict` does."""
    gone = np.setdiff1d(np.arange(len(names)), known.kept[:k])
    if not gone.size:
        return []
    found = measure.carriers(known, k, gone)
    kept = [names[j] for j in known.kept]
    return [
        {
            "column": names[j],
            "share": float(known.shares[k - 1, j]),
            "weights": {kept[p]: float(w) for p, w in _by_size(found, i) if p >= 0},
            "carried": float(found.shares[i]),
            "reason": "",
        }
        for i, j in enumerate(gone)
    ]


def _by_size(found: Any, row: int) -> list[tuple[int, float]]:
    pairs = zip(found.positions[row], found.weights[row], strict=True)
    return sorted(pairs, key=lambda pair: -round(100 * abs(pair[1])))


def _names(columns: int) -> list[str]:
    pairs = [f"{word} {thing}" for thing in _THINGS for word in _WORDS]
    return [pairs[i % 64] + (f" {i // 64 + 1}" if i >= 64 else "") for i in range(columns)]


def build_summary(
    columns: int = 30, k: int = 7, *, m: int | None = None, **changes: Any
) -> Summary:
    """Return a summary of a random table, with `changes` put over it."""
    m = m or min(columns, 100, max(2 * k, 20))
    R = _correlations(columns, seed=columns)
    names = changes.pop("names", None) or _names(columns)
    picks = _greedy(R, m)
    measure = Variance(DenseGram(R))
    known = measure.reproduction(np.array(picks))
    retained = known.shares.mean(axis=1)
    bound = np.cumsum(np.linalg.eigvalsh(R)[::-1])[:m] / columns
    chances = [step / 299 for step in range(1, m + 1)]
    summary: Summary = {
        "title": "breast_cancer.csv",
        "sentence": f"Keep {k} of {columns} columns: they reproduce {retained[k - 1]:.1%} of the "
        f"variance of all {columns}; no {k} columns could reproduce more than {bound[k - 1]:.1%}.",
        "method": {
            "id": "sfs",
            "name": "Greedy reconstruction",
            "about": "takes the column that best reproduces all the others, one at a time",
            "paper": "Cui & Dy",
            "why": "",
        },
        "measure": "variance",
        "rows": 300,
        "chance": k / 299,
        "auto": None,
        "held_out": None,
        "stability": None,
        "blocks": None,
        "labels": None,
        "evidence": None,
        "warnings": [],
        "score": None,
        "missing": {"rows_read": 300, "rows_used": 300, "sentence": ""},
        "unread": {"parts": [], "sentence": ""},
        "doubts": [],
        "columns": columns,
        "used": columns,
        "k": k,
        "retained": float(retained[k - 1]),
        "bound": float(bound[k - 1]),
        "optimal": False,
        "nested": True,
        "curve": {"retained": retained.tolist(), "bound": bound.tolist()},
        "path": [
            {"column": names[pick], "gain": float(gain)}
            for pick, gain in zip(picks, np.diff(retained, prepend=0), strict=True)
        ],
        "table": {"names": names, "used": None, "path": picks, "axis": None},
        "chances": chances,
        "knee": None,
        "fates": share_facts(known, k, chances),
        "sources": source_facts(measure, known, k, 0.0),
        "sample": {
            "why": "No rows.",
            "rows": 0,
            "seen": 0,
            "kinds": None,
            "columns": [],
            "values": b"",
        },
        "swaps": None,
        "map": _map(R, names),
        "patterns": {"command": "", "python": ""},
        "live": None,
        "gram": True,
        "cautions": [],
        "ranked": False,
        "included": [],
        "order": "Best first.",
        "tree": None,
        "removed": [],
        "dropped": _dropped(measure, known, k, names),
        "reasons": "",
        "skipped": [],
        "constant": [],
        "options": [["scale", "true"], ["missing", "error"]],
        "repeat": {
            "command": f"tamis select breast_cancer.csv -k {k} --method sfs",
            "python": f'tamis.select("breast_cancer.csv", k={k}, method="sfs")',
            "versions": {"tamis": "0.1.0", "python": "3.11.7", "numpy": "2.1.0"},
        },
    }
    return {**summary, **changes}


@pytest.fixture(scope="session")
def make_summary() -> Callable[..., Summary]:
    return build_summary


@pytest.fixture(scope="session")
def wide() -> dict[str, Any]:
    """Give the facts of a table with more columns than a page draws."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 12)) @ rng.normal(size=(12, 2300)) + rng.normal(size=(40, 2300))
    found = tamis.select(table, k=5)
    return page_facts(found.to_dict(), slider_facts(found))


@pytest.fixture(scope="session")
def told() -> dict[str, Any]:
    """Give the facts of a tree with folded rows."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(90, 30)).repeat(4, axis=1) + 0.4 * rng.normal(size=(90, 120))
    found = tamis.select(table, k=6, method="rspfs")
    return page_facts(found.to_dict(), slider_facts(found))
