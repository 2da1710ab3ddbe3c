"""Fifty tables with wishes: pinned and forbidden columns, prices; what Python keeps of each."""

import base64
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

import tamis
from tamis.evaluation.measure import measure_of, pick_carriers
from tamis.results.slider_facts import pack_gram, write_exactly

SIZES = (8, 15, 30, 60, 120, 240, 500)
SHARE_ERROR = 1e-9  # sums of some thousand products, and what rounding leaves of a column


def tables() -> Iterator[tuple[str, np.ndarray, bool]]:
    """Give names, tables, and whether to standardise."""
    for place, d in enumerate(SIZES):
        rng = np.random.default_rng(place)
        n = max(2 * d, 40)
        hidden = rng.standard_normal((n, 1 + d // 6)) @ rng.standard_normal((1 + d // 6, d))
        plain = hidden + rng.uniform(0.1, 1) * rng.standard_normal((n, d))
        yield f"correlated {d}", plain, True
        yield f"collinear {d}", _collinear(plain, rng), True
        yield f"duplicates {d}", _doubled(plain, rng), True
        yield f"smooth {d}", _spectra(n, d, rng), bool(place % 2)
        yield f"units {d}", plain * 10.0 ** rng.integers(-9, 9, d), True
    for d in (12, 40, 90, 200):
        rng = np.random.default_rng(d)
        yield f"one-hot {d}", _one_hot(300, d, rng), True
        yield f"more columns than rows {d}", rng.standard_normal((d // 2, d)), True
    own = {"iris": load_iris, "wine": load_wine, "digits": load_digits}
    own |= {"diabetes": load_diabetes, "breast cancer": load_breast_cancer}
    for name, load in own.items():
        yield name, load().data, True
    yield "iris, not standardised", load_iris().data, False
    yield "wine, not standardised", load_wine().data, False


def _collinear(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Make every third column a sum of others."""
    X = X.copy()
    sums = np.arange(2, X.shape[1], 3)
    others = np.setdiff1d(np.arange(X.shape[1]), sums)
    X[:, sums] = X[:, others] @ rng.integers(-1, 2, (len(others), len(sums)))
    return X


def _doubled(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Copy some columns over others, up to shift, sign and scale."""
    X = X.copy()
    half = X.shape[1] // 2
    X[:, half : 2 * half : 2] = X[:, :half:2][:, : len(range(half, 2 * half, 2))] * -3.0 + 1.0
    return X[:, rng.permutation(X.shape[1])]


def _spectra(n: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """Add a few smooth peaks in varying amounts, and a little noise."""
    axis = np.linspace(0, 1, d)
    centres, widths = rng.uniform(0, 1, 9), rng.uniform(0.03, 0.2, 9)
    peaks = np.exp(-(((axis - centres[:, None]) / widths[:, None]) ** 2))
    return rng.uniform(0, 2, (n, 9)) @ peaks + 1e-3 * rng.standard_normal((n, d))


def _one_hot(n: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """Code categories of five values each: the columns of a category add up to one."""
    codes = rng.integers(0, 5, (n, d // 5 + 1))
    return (codes[:, :, None] == np.arange(5)).reshape(n, -1)[:, :d].astype(float)


def cases(every: int = 1) -> Iterator[dict[str, Any]]:
    """Give every so many tables as a page holds them, what is wished, and what Python finds."""
    for place, (name, X, scale) in islice(enumerate(tables()), 0, None, every):
        rng = np.random.default_rng(place)
        d = X.shape[1]
        shuffled = rng.permutation(np.flatnonzero(X.std(axis=0) > 1e-12)).tolist()
        wish: dict[str, Any] = {}
        if place % 4 in (1, 3):
            wish["include"] = shuffled[: 1 + place % 3]
        if place % 4 in (2, 3):
            wish["forbid"] = shuffled[3 : 4 + d // 5]
        if place % 3:
            priced = shuffled[d // 3 :]
            prices = np.round(rng.uniform(0.2, 5, len(priced)), 2).tolist()
            wish["costs"] = dict(zip(priced, prices, strict=True))
        k = min(d, len(shuffled))
        yield _case(name, X, k, scale, wish)


def _case(name: str, X: np.ndarray, k: int, scale: bool, wish: dict[str, Any]) -> dict[str, Any]:
    found = tamis.select(X, k=k, method="sfs", scale=scale, **wish)
    place_of = {int(j): place for place, j in enumerate(found.used)}
    measure = measure_of(found.summary.statistic)
    known = measure.reproduction(found.path.kept)
    targets = np.setdiff1d(np.arange(len(found.used)), found.path.kept)[:20]
    step = max(1, len(found.path.kept) // 2)
    positions, weights, carried = pick_carriers(known, step, targets)
    packed = pack_gram(measure, found.path.kept, known.shares[-1], measure.ceiling(1))
    assert packed is not None
    return {
        "name": name,
        "width": packed[0]["width"],
        "triangle": _encode(write_exactly(measure.statistic.gram.block(slice(None)))),
        "asked": {
            "size": k,
            "include": [place_of[j] for j in wish.get("include", [])],
            "forbid": [place_of[j] for j in wish.get("forbid", [])],
            "costs": [[place_of[j], price] for j, price in wish.get("costs", {}).items()],
        },
        "step": step,
        "targets": targets.tolist(),
        "expected": {
            "path": found.path.kept.tolist(),
            "retained": found.path.retained.tolist(),
            "shares": known.shares[step - 1].tolist(),
            "sources": [
                [[int(found.path.kept[p]), float(w)] for p, w in zip(*pair, strict=True) if p >= 0]
                for pair in zip(positions, weights, strict=True)
            ],
            "carried": carried.tolist(),
        },
    }


def _encode(block: bytes) -> str:
    return base64.b64encode(block).decode("ascii")


def check(case: dict[str, Any], live: dict[str, Any]) -> None:
    """Compare what a script has found with what Python has.

    Before the pick after which everything is explained, what is left has rank 1: all columns tie,
    and where 1e-7 of them is left, rounding decides (between two BLAS kernels, too).
    """
    expected, name = case["expected"], case["name"]
    last = len(expected["path"]) - (expected["retained"][-1] > 1 - SHARE_ERROR)
    assert len(live["path"]) == len(expected["path"]), name
    assert live["path"][:last] == expected["path"][:last], name
    for figure in ("retained", "shares", "carried"):
        np.testing.assert_allclose(
            live[figure], expected[figure], atol=SHARE_ERROR, rtol=0, err_msg=name
        )
    for found, known in zip(live["sources"], expected["sources"], strict=True):
        assert [column for column, _ in found] == [column for column, _ in known], name
        weights = [[weight for _, weight in pairs] for pairs in (found, known)]
        np.testing.assert_allclose(*weights, atol=1e-6, err_msg=name)


def as_json(found: list[dict[str, Any]]) -> str:
    """Give what a script may know of the cases."""
    return json.dumps([{n: v for n, v in case.items() if n != "expected"} for case in found])
