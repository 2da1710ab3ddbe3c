"""Other packages on the same task in one run: picks, CPU seconds and errors side by side.

They are no dependency: what is not installed is said. `pip install fastcan mrmr-selection
fast-select python-sensors` adds them.
"""

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from benchmarks.jobs import in_child, in_turn
from benchmarks.plan import Target

_FOLDS = 2  # halves of the rows: columns are chosen on one and judged on the other
_K = 20


def lines(quick: bool) -> Iterator[list[str]]:
    """Run every comparison whose package is there."""
    yield ["", "figure", "target", "about"]
    widths = (1_000,) if quick else (1_000, 5_000)
    jobs: list[tuple[str, str, tuple[int, ...], Callable[..., Iterator[list[str]]]]] = [
        ("fastcan", "digits", (), _time_beside),
        ("fastcan", "regression", (10_000, 200), _time_beside),
        *(("mrmr", "filter_f", (1_000, width), _time_beside) for width in widths),
        *(("fast_select", "filter_levels", (1_000, width), _time_beside) for width in widths),
        *(("pysensors", "costs", (percent,), _errors_beside) for percent in (20, 40, 80)),
        ("pysensors", "distance", (), _errors_beside),
    ]
    for package, job, sizes, show in jobs:
        if find_spec(package) is None:
            yield [f"{package} {job}", "-", "", f"not run: {package} is not installed"]
        else:
            yield from show(package, job, in_child(__name__, job, *sizes, threads=1))


def _time_beside(package: str, job: str, found: dict[str, Any]) -> Iterator[list[str]]:
    ratio, wanted = found["ours"] / found["theirs"], found["target"]
    same = f"; {found['same']} of {found['k']} picks the same" if "same" in found else ""
    about = f"{found['about']}: {found['ours']:.4f} s, theirs {found['theirs']:.4f} s{same}"
    yield [f"{package} {job}", f"{ratio:.3f}", Target("<=", wanted).judge(ratio), about]


def _errors_beside(package: str, job: str, found: dict[str, Any]) -> Iterator[list[str]]:
    about = (
        f"{found['about']}: explained on other rows {found['ours']:.4f} (before swaps "
        f"{found['greedy']:.4f}), theirs {found['theirs']:.4f}, without limits "
        f"{found['free']:.4f}, ceiling {found['ceiling']:.4f}; on the rows used "
        f"{found['here'][0]:.4f} and {found['here'][1]:.4f}"
    )
    more = found["ours"] - found["theirs"]
    yield [f"{package} {job}", f"{more:+.4f}", Target(">=", 0).judge(more), about]


def digits() -> dict[str, Any]:
    """Forward regression on the digits, a number to predict."""
    from sklearn.datasets import load_digits

    return _beside_fastcan(*load_digits(return_X_y=True), "digits, k = 20")


def regression(rows: int, columns: int) -> dict[str, Any]:
    """Forward regression on a table that scikit-learn makes."""
    from sklearn.datasets import make_regression

    X, y = make_regression(rows, columns, n_informative=40, noise=30.0, random_state=0)
    return _beside_fastcan(X, y, f"make_regression {rows:,} x {columns}, k = 20")


def _beside_fastcan(X: Any, y: Any, about: str) -> dict[str, Any]:
    from fastcan import FastCan

    from tamis.selection import ForwardRegression

    (ours, mine), (theirs, other) = in_turn(
        lambda: ForwardRegression(_K, task="regression").fit(X, y).ranking_,
        lambda: FastCan(_K, verbose=0).fit(X, y[:, None]).indices_,
        rounds=7,
        clock=time.process_time,
    )
    same = sum(int(a) == int(b) for a, b in zip(mine, other, strict=True))
    return {
        "ours": ours,
        "theirs": theirs,
        "same": same,
        "k": _K,
        "target": 0.5,
        "about": about,
    }


def filter_f(rows: int, columns: int) -> dict[str, Any]:
    """Minimum redundancy, maximum relevance by F and correlations, against mrmr-selection."""
    import pandas as pd
    from mrmr import mrmr_classif
    from sklearn.datasets import make_classification

    from tamis.selection import MRMR

    X, y = make_classification(rows, columns, n_informative=20, random_state=0)
    frame, labels = pd.DataFrame(X, columns=[f"x{j}" for j in range(columns)]), pd.Series(y)
    (theirs, other), (ours, mine) = in_turn(
        lambda: mrmr_classif(frame, labels, K=10, show_progress=False, n_jobs=1),
        lambda: MRMR(10).fit(X, y).ranking_,
        rounds=2,
        clock=time.process_time,
    )
    same = sum(f"x{a}" == b for a, b in zip(mine, other, strict=True))
    about = f"make_classification {rows:,} x {columns:,}, k = 10"
    return {
        "ours": ours,
        "theirs": theirs,
        "same": same,
        "k": 10,
        "target": 0.05,
        "about": about,
    }


def filter_levels(rows: int, columns: int) -> dict[str, Any]:
    """Do the same on numbers of five levels, against fast-select's mutual information."""
    import numpy as np
    from fast_select import mRMR

    from tamis.selection import MRMR

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    X = rng.integers(0, 5, (rows, columns)) + (np.arange(columns) < 20) * y[:, None]
    mRMR(n_features_to_select=2, backend="cpu").fit(X[:, :20], y)  # compiled before
    (theirs, _), (ours, _) = in_turn(
        lambda: mRMR(n_features_to_select=10, backend="cpu").fit(X, y),
        lambda: MRMR(10).fit(X, y),
        rounds=2,
        clock=time.process_time,
    )
    about = f"five levels, {rows:,} x {columns:,}, k = 10; theirs by information of all pairs"
    return {"ours": ours, "theirs": theirs, "target": 1.0, "about": about}


def costs(percent: int) -> dict[str, Any]:
    """Give pixels prices: pysensors' costs, and what its choice costs as a budget of ours.

    `percent` is how much a price counts there beside the norm of a pixel.
    """
    import numpy as np
    from pysensors.optimizers import CCQR
    from sklearn.datasets import load_digits

    X = load_digits().data
    X = X[:, X.std(axis=0) > 0.5]
    far = np.linspace(1.0, 3.0, X.shape[1])  # prices
    train, test = X[::_FOLDS], X[1::_FOLDS]
    norm = float(np.linalg.norm(_basis(train, _K), axis=1).mean())
    theirs = CCQR(sensor_costs=percent / 100 * norm * far).fit(_basis(train, _K)).pivots_[:_K]
    own = {"costs": dict(enumerate(far.tolist())), "budget": float(far[theirs].sum()) + 1e-9}
    about = f"digits, {_K} pixels for a total price of {far[theirs].sum():.1f}"
    return _judge(train, test, theirs, own, about)


def distance() -> dict[str, Any]:
    """Wavelengths of made spectra, at least 10 apart."""
    import numpy as np
    import pandas as pd
    from pysensors.optimizers import GQR

    rng, axis = np.random.default_rng(0), np.arange(300)
    bands = np.exp(-np.square((axis - rng.uniform(0, 300, (15, 1))) / rng.uniform(5, 30, (15, 1))))
    X = rng.gamma(2.0, 1.0, (600, 15)) @ bands + 0.02 * rng.standard_normal((600, 300))
    train, test = X[::_FOLDS], X[1::_FOLDS]
    k, places = 12, pd.DataFrame({"X": axis, "Y": 0})
    basis = _basis(train, k)
    limits = {"constraint_option": "distance", "r": 10, "info": places, "X_axis": "X"}
    found = GQR().fit(basis, **limits, Y_axis="Y", n_sensors=k, all_sensors=axis)
    own = {"apart": 10.0, "axis": {j: float(j) for j in range(300)}}
    return _judge(train, test, found.pivots_[:k], own, "spectra, 12 of 300 wavelengths 10 apart")


def _basis(train: Any, modes: int) -> Any:
    """Give the leading modes of the centred table (columns x modes), as pysensors' SVD does."""
    import numpy as np

    return np.linalg.svd(train - train.mean(axis=0), full_matrices=False)[2][:modes].T


def _judge(train: Any, test: Any, theirs: Any, own: dict[str, Any], about: str) -> dict[str, Any]:
    """Choose with and without the limits; all sets are judged by the same regression."""
    import numpy as np

    import tamis

    k = len(theirs)
    asked: dict[str, Any] = {"method": "forward", "scale": False, "held_out": False}
    greedy = tamis.select(train, k, **asked, options=own)
    mine = tamis.select(train, k, **asked, options=own, refine=True)
    free = tamis.select(train, k, **asked, refine=True)
    modes = _basis(train, k)
    rest = test - train.mean(axis=0)
    lost = np.square(rest - rest @ modes @ modes.T).sum() / np.square(rest).sum()
    return {
        "ours": _explained(train, test, mine.indices),
        "greedy": _explained(train, test, greedy.indices),
        "theirs": _explained(train, test, theirs),
        "free": _explained(train, test, free.indices),
        "ceiling": 1.0 - lost,
        "here": [_explained(train, train, kept) for kept in (mine.indices, theirs)],
        "about": about,
    }


def _explained(train: Any, test: Any, kept: Any) -> float:
    """Give the share of other rows that a regression on the kept columns explains."""
    import numpy as np

    centre = train.mean(axis=0)
    weights = np.linalg.lstsq((train - centre)[:, kept], train - centre, rcond=None)[0]
    left = (test - centre) - (test - centre)[:, kept] @ weights
    return float(1.0 - np.square(left).sum() / np.square(test - centre).sum())
