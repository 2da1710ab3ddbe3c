"""Realistic summaries, made from a random correlated table."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.reports import Report, report_of

import tamis
from tamis.evaluation.measure import Variance
from tamis.facts.explorer import (
    ExplorerFacts,
    MapFacts,
)
from tamis.facts.selection_answer import CurveFacts, DroppedColumn, SelectionFacts
from tamis.facts.shared_answer import MethodFacts, MissingFacts, RepeatFacts, UnreadFacts
from tamis.results.plot_facts import cluster_order, share_facts, store_steps
from tamis.results.slider_facts import NOTHING_LISTED, pack_sources, source_steps
from tamis.statistics.gram import DenseGram
from tamis.statistics.summary import as_summary

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


def _map(R: np.ndarray, names: list[str]) -> MapFacts | None:
    if len(R) < 2:
        return None
    shown = np.arange(min(len(R), 160))
    order, merges = cluster_order(R[np.ix_(shown, shown)])
    return MapFacts(
        columns=tuple(order.tolist()),
        names=tuple(names[j] for j in order),
        values=tuple(map(tuple, (100 * R[np.ix_(order, order)]).round().astype(int).tolist())),
        merges=tuple(merges),
        complete=len(shown) == len(R),
    )


def _dropped(measure: Variance, known: Any, k: int, names: list[str]) -> tuple[DroppedColumn, ...]:
    """Explain the dropped columns as `to_dict` does."""
    gone = np.setdiff1d(np.arange(len(names)), known.kept[:k])
    if not gone.size:
        return ()
    positions, weights, shares = measure.carriers(known, k, gone)
    kept = [names[j] for j in known.kept]
    return tuple(
        DroppedColumn(
            names[j],
            float(known.shares[k - 1, j]),
            {kept[p]: float(w) for p, w in _by_size(positions[i], weights[i]) if p >= 0},
            float(shares[i]),
            "",
        )
        for i, j in enumerate(gone)
    )


def _by_size(positions: Any, weights: Any) -> list[tuple[int, float]]:
    pairs = zip(positions, weights, strict=True)
    return sorted(pairs, key=lambda pair: -round(100 * abs(pair[1])))


def _on_new_rows(known: Any, steps: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Let a little more be left of every column on new rows, and at the lower limit."""
    left = 1.1 * (1.0 - np.array([known.shares_at(step) for step in steps]))
    return 1.0 - left, 1.0 - 1.3 * left


def _names(columns: int) -> list[str]:
    pairs = [f"{word} {thing}" for thing in _THINGS for word in _WORDS]
    return [pairs[i % 64] + (f" {i // 64 + 1}" if i >= 64 else "") for i in range(columns)]


def build_summary(
    columns: int = 30, k: int = 7, *, m: int | None = None, measured: bool = True, **changes: Any
) -> Report:
    """Return the report of a random table, with `changes` put over it.

    `measured` says whether the share of each column on new rows is known.
    """
    m = m or min(columns, 100, max(2 * k, 20))
    R = _correlations(columns, seed=columns)
    names = changes.pop("names", None) or _names(columns)
    picks = _greedy(R, m)
    measure = Variance(as_summary(DenseGram(R)))
    known = measure.reproduction(np.array(picks))
    retained = known.shares.mean(axis=1)
    bound = np.cumsum(np.linalg.eigvalsh(R)[::-1])[:m] / columns
    chances = tuple(step / 299 for step in range(1, m + 1))
    curve = CurveFacts(tuple(retained.tolist()), tuple(bound.tolist()), chances)
    steps = source_steps(m, columns, k)
    stored = store_steps(m, columns, k, measured=measured)
    source_columns, source_records = pack_sources(measure, known, steps, 0.0)
    explorer = ExplorerFacts(
        curve=curve,
        knee=None,
        every_name=tuple(names),
        analysed=None,
        path=tuple(picks),
        axis=None,
        **share_facts(known, k, chances, stored, _on_new_rows(known, stored) if measured else ()),
        source_columns=source_columns,
        source_records=source_records,
        has_all_sources=len(steps) == m,
        sample_gap="unreadable",
        swaps=None,
        map=_map(R, names),
        gram=True,
        patterns=RepeatFacts(),
        listed=NOTHING_LISTED,
    )
    kept = tuple(names[j] for j in picks[:k])
    facts = _answer(columns, kept, curve)
    facts = replace(facts, dropped=_dropped(measure, known, k, names))
    return Report(facts, explorer).change(**changes)


def _answer(columns: int, kept: tuple[str, ...], curve: CurveFacts) -> SelectionFacts:
    """Return the facts of columns that a simple request has kept."""
    k = len(kept)
    about = "takes the column that best reproduces all the others, one at a time"
    return SelectionFacts(
        title="breast_cancer.csv",
        method=MethodFacts("sfs", "Greedy reconstruction", about, "Cui & Dy"),
        missing=MissingFacts("error", 300, 300, 300, 0, False, {}),
        unread=UnreadFacts(),
        doubts=(),
        columns=columns,
        used=columns,
        rows=300,
        skipped=(),
        constant=(),
        labels=None,
        warnings=(),
        options=(("scale", "true"), ("missing", "error")),
        repeat=RepeatFacts(
            f"tamis select breast_cancer.csv -k {k} --method sfs",
            f'tamis.select("breast_cancer.csv", k={k}, method="sfs")',
            {"tamis": "0.1.0", "python": "3.11.7", "numpy": "2.1.0"},
        ),
        k=k,
        names=kept,
        included=(),
        measure="variance",
        weights_are="coefficients",
        ranked=False,
        clipped=None,
        shrink=None,
        shrink_chosen=False,
        best_first=True,
        beats_chance=True,
        chance=k / 299,
        auto=None,
        held_out=None,
        overfit=None,
        stability=None,
        blocks=None,
        advises=False,
        shortfall=None,
        retained=curve.retained[k - 1],
        bound=curve.bound[k - 1],
        error=None,
        optimal=False,
        nested=True,
        indices=(),
        ranking=kept,
        scores=(),
        curve=curve,
        tree=None,
        evidence=None,
        dropped=(),
        removed=(),
    )


@pytest.fixture(scope="session")
def make_summary() -> Callable[..., Report]:
    return build_summary


@pytest.fixture(scope="session")
def wide() -> Report:
    """Give the report of a table with more columns than a page draws."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 12)) @ rng.normal(size=(12, 2300)) + rng.normal(size=(40, 2300))
    return report_of(tamis.select(table, k=5))


@pytest.fixture(scope="session")
def told() -> Report:
    """Give the report of a tree with folded rows."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(90, 30)).repeat(4, axis=1) + 0.4 * rng.normal(size=(90, 120))
    return report_of(tamis.select(table, k=6, method="rspfs"))
