"""What every registered method answers on five tables, as JSON on standard output."""

import json
import sys

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

import tamis
from tamis import registry
from tamis.errors import TamisError

K = 6


def tables() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Give five tables with the classes of their rows."""
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((40, 8)) @ rng.standard_normal((8, 150))
    wide += 0.5 * rng.standard_normal(wide.shape)
    factor = np.tile(np.eye(12), (20, 1))
    amounts = rng.integers(0, 500, (240, 4))  # integers: their sum is the same everywhere
    tied = np.column_stack([factor, amounts, amounts.sum(axis=1), amounts[:, 0], -amounts[:, 1]])
    found = {
        name: load(return_X_y=True)
        for name, load in (
            ("wine", load_wine),
            ("breast cancer", load_breast_cancer),
            ("digits", load_digits),
        )
    }
    return {**found, "wide": (wide, np.arange(40) % 3), "tied": (tied, np.arange(240) % 2)}


def answers() -> dict[str, list[str] | list[float]]:
    """Give the kept columns of every selection and the shares of every extraction."""
    found = {}
    for name, (X, y) in tables().items():
        for method in registry.methods("selection"):
            found[f"{method.id} on {name}"] = tamis.select(X, k=K, method=method.id, y=y).names
        for method in registry.methods("extraction"):
            found[f"{method.id} on {name}"] = shares(method, X, y)
    return found


def shares(method: registry.Method, X: np.ndarray, y: np.ndarray) -> list[str] | list[float]:
    """Give what two components hold, or the one sentence that refuses."""
    labels = y if method.needs == "labelled rows" else None
    try:
        found = tamis.extract(np.abs(X), k=2, method=method.id, y=labels)
    except TamisError as refusal:
        return [str(refusal)]
    return found.shares.tolist()


if __name__ == "__main__":
    json.dump(answers(), sys.stdout)
