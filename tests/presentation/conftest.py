"""Realistic summaries, made from a random correlated table."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.results.slider_facts import slider_facts

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


def _greedy(R: np.ndarray, m: int) -> tuple[list[int], np.ndarray]:
    """Take `m` columns by pivoted Cholesky; return them and the reproduced shares (m x d)."""
    left, picks, shares = R.copy(), [], np.zeros((m, len(R)))
    for step in range(m):
        pivot = np.diag(left).copy()
        score = np.where(pivot > 1e-9, (left**2).sum(axis=0) / np.maximum(pivot, 1e-9), -1)
        pick = int(score.argmax())
        w = left[:, pick] / np.sqrt(left[pick, pick])
        left -= np.outer(w, w)
        picks.append(pick)
        shares[step] = np.clip(1 - np.diag(left), 0, 1)
    return picks, shares


def _sources(R: np.ndarray, picks: list[int], column: int) -> list[Any]:
    """Explain one column by its three strongest kept ones, anew whenever these change."""
    entries: list[Any] = []
    last: tuple[int, ...] = ()
    strength = np.abs(R[column, picks])
    for kept in range(1, len(picks) + 1):
        top = tuple(sorted(np.argsort(-strength[:kept], kind="stable")[:3].tolist()))
        if top == last:
            continue
        last, chosen = top, [picks[position] for position in top]
        weights = np.linalg.solve(R[np.ix_(chosen, chosen)], R[chosen, column])
        pairs = sorted(zip(top, weights.round(2).tolist(), strict=True), key=lambda p: -abs(p[1]))
        carried = int(1000 * float(weights @ R[chosen, column]))
        entries.append([kept, [list(pair) for pair in pairs if abs(pair[1]) >= 0.05], carried])
    return entries


def _counts(shares: np.ndarray, picks: list[int]) -> dict[str, list[int]]:
    """Count at every step the dropped columns that are well and badly reproduced."""
    left = [np.delete(row, picks[: step + 1]) for step, row in enumerate(shares)]
    return {
        "well": [int((row >= 900).sum()) for row in left],
        "badly": [int((row < 500).sum()) for row in left],
    }


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
    picks, shares = _greedy(R, m)
    retained = shares.mean(axis=1)
    bound = np.cumsum(np.linalg.eigvalsh(R)[::-1])[:m] / columns
    place = {pick: step + 1 for step, pick in enumerate(picks)}
    shown = list(range(min(columns, 300)))
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
        "others": [
            {
                "column": names[j],
                "place": place.get(j),
                "shares": (1000 * shares[:, j]).round().astype(int).tolist(),
                "from": _sources(R, picks, j),
            }
            for j in range(columns)
        ],
        "hidden": 0,
        "counts": _counts((1000 * shares).round().astype(int), picks),
        "heat": {
            kind: {
                "columns": [names[j] for j in chosen],
                "values": (100 * R[np.ix_(chosen, chosen)]).round().astype(int).tolist(),
                "note": "",
            }
            for kind, chosen in (("before", shown), ("after", picks[:k]))
        },
        "tree": None,
        "removed": [],
        "dropped": [],
        "reasons": "",
        "left_out": [],
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
    """Give the facts of a table with more columns than a page lists."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 12)) @ rng.normal(size=(12, 2300)) + rng.normal(size=(40, 2300))
    found = tamis.select(table, k=5)
    return found.to_dict() | slider_facts(found)


@pytest.fixture(scope="session")
def told() -> dict[str, Any]:
    """Give the facts of a tree with folded rows."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(90, 30)).repeat(4, axis=1) + 0.4 * rng.normal(size=(90, 120))
    found = tamis.select(table, k=6, method="rspfs")
    return found.to_dict() | slider_facts(found)
