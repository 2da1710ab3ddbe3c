"""Columns that give a target away: each alone predicts it, or nearly, on rows it has not seen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

import numpy as np

from tamis.columns.equations import CHANCE_BITS
from tamis.columns.judgement import Leak
from tamis.numerics.types import Floats, Indices

MIN_LEAK_SHARE = 0.98  # of the target that a column must predict
MAX_CLASSES = 20  # different numbers that are still classes


def find_leaks(columns: Mapping[str, Any], target: Sequence[Any]) -> list[Leak]:
    """Find the columns that alone predict a target, or nearly.

    A column is an array of numbers, NaN where missing, or a list of texts with None. Half of the
    rows predict the other half: numbers by interpolation, or by the class of the nearest value;
    texts by the mean or the most frequent class of the same text. Rows must come in no order.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, other = rng.normal(size=(2, 200))
    >>> classes = ["high" if value > 0 else "low" for value in x]
    >>> [leak.column for leak in find_leaks({"x": x, "other": other}, classes)]
    ['x']
    """
    known = np.array([value is not None and value == value for value in target], dtype=bool)
    kept = [value for value, there in zip(target, known, strict=True) if there]
    if not _is_telling(kept, len(columns)):
        return []
    different = sorted(set(kept), key=str)
    texts = any(isinstance(value, str) for value in different)
    classes = texts or len(different) <= MAX_CLASSES
    place = {value: float(code) for code, value in enumerate(different)}
    numbers = np.array([place[v] if classes else float(v) for v in kept])
    found = []
    for name, values in columns.items():
        share = _predict(_pick(values, known), numbers, len(different) if classes else 0)
        if share >= MIN_LEAK_SHARE:
            found.append(Leak(name, share))
    return found


def _pick(values: Any, rows: Any) -> Floats:
    """Give some values as numbers, texts as numbers of their own."""
    if isinstance(values, np.ndarray):
        return np.asarray(values[rows], dtype=np.float64)
    codes: dict[Any, float] = {}
    found = [codes.setdefault(v, 2.0 * len(codes)) if v is not None else np.nan for v in values]
    return np.array(found)[rows]


def _is_telling(target: Sequence[Any], width: int) -> bool:
    """Whether the target has so much information that no column predicts it by chance."""
    if not target:
        return False
    counts = np.array([*Counter(target).values()], dtype=np.float64)
    bits = -float(np.sum(counts * np.log2(counts / counts.sum())))
    return len(counts) > 1 and bits / 2 > log2(max(width, 2)) + CHANCE_BITS


def _predict(x: Floats, y: Floats, classes: int) -> float:
    """Give the share of the target that a column predicts, each half of the rows by the other.

    Rows without a value count as not predicted: their target is taken for the mean, or the most
    frequent class.
    """
    half = np.arange(len(y)) % 2 == 0
    wrong = total = 0.0
    for learn, test in ((half, ~half), (~half, half)):
        there = np.isfinite(x)
        guess = np.full(len(y), _summarise(y[learn], classes))
        base = guess.copy()
        if (learn & there).sum() < 2:
            return 0.0
        guess[there] = _interpolate(x[learn & there], y[learn & there], x[there], classes)
        if classes:
            wrong += float((guess != y)[test].sum())
            total += float((base != y)[test].sum())
        else:
            wrong += float(np.square(guess - y)[test].sum())
            total += float(np.square(base - y)[test].sum())
    return 1.0 - wrong / total if total else 0.0


def _summarise(y: Floats, classes: int) -> float:
    return float(np.bincount(y.astype(np.intp)).argmax()) if classes else float(y.mean())


def _interpolate(x: Floats, y: Floats, at: Floats, classes: int) -> Floats:
    different, places = np.unique(x, return_inverse=True)
    if not classes:
        sums = np.bincount(places, weights=y)
        return np.interp(at, different, sums / np.bincount(places))
    counts = np.zeros((len(different), classes))
    np.add.at(counts, (places, y.astype(np.intp)), 1.0)
    most = counts.argmax(axis=1).astype(np.float64)
    return most[_find_nearest(different, at)]


def _find_nearest(ordered: Floats, at: Floats) -> Indices:
    above = np.clip(np.searchsorted(ordered, at), 0, len(ordered) - 1)
    below = np.maximum(above - 1, 0)
    nearer = np.abs(ordered[below] - at) <= np.abs(ordered[above] - at)
    return np.where(nearer, below, above)
