"""Labels as a few groups that a chart can distinguish by colour and by shape."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tamis.evaluation.extraction_outcome import NO_LABEL
from tamis.facts.score_plot import SHAPES, RowGroup
from tamis.numerics.types import Indices

__all__ = ["group_labels"]


_MAX_GROUPS = 12
_N_GROUP_COLOURS = 6
_N_LABEL_BINS = 5


def group_labels(labels: Sequence[str] | None, count: int) -> tuple[list[RowGroup], Indices]:
    """Give the groups, and for each of `count` rows the place of its group.

    Up to 12 labels are groups of their own; of more, numbers are put into five bins and of names
    the most frequent stay and the others become one group.

    >>> groups, places = group_labels(["b", "a", "b"], 3)
    >>> [(group.name, group.count) for group in groups], places.tolist()
    ([('a', 1), ('b', 2)], [1, 0, 1])
    """
    if labels is None:
        return [RowGroup("", count, "c0", SHAPES[0])], np.zeros(count, dtype=np.intp)
    known = [label for label in labels if label != NO_LABEL]
    distinct = sorted(set(known), key=_order)
    values = _numbers(distinct)
    if values is not None and len(distinct) > _MAX_GROUPS:
        names, place = _bins(known, distinct)
        kinds = [f"s{i}" for i in range(len(names))]
    else:
        names, place = _name_groups(known, distinct)
        kinds = [f"c{i % _N_GROUP_COLOURS}" for i in range(len(names))]
        kinds[_MAX_GROUPS:] = ["rest"] * (len(names) - _MAX_GROUPS)
    if len(known) < len(labels):
        names, kinds = [*names, NO_LABEL], [*kinds, "rest"]
        place = {**place, NO_LABEL: len(names) - 1}
    places = np.array([place[label] for label in labels], dtype=np.intp)
    counts = np.bincount(places, minlength=len(names)).tolist()
    # Beyond six groups colours come again, each with the next shape.
    shapes = [SHAPES[(i + i // _N_GROUP_COLOURS) % len(SHAPES)] for i in range(len(names))]
    groups = [RowGroup(*one) for one in zip(names, counts, kinds, shapes, strict=True)]
    return groups, places


def _name_groups(known: list[str], distinct: list[str]) -> tuple[list[str], dict[str, int]]:
    """Keep the most frequent labels, in order, and put the others together."""
    frequent = {label for label, _ in Counter(known).most_common(_MAX_GROUPS)}
    names = [label for label in distinct if label in frequent]
    rest = len(distinct) - len(names)
    place = {label: i for i, label in enumerate(names)}
    if rest:
        place |= {label: len(names) for label in distinct if label not in frequent}
        names.append(f"{rest:,} other {'label' if rest == 1 else 'labels'}")
    return names, place


def _bins(known: list[str], distinct: list[str]) -> tuple[list[str], dict[str, int]]:
    """Cut numbers into five bins of about as many rows each."""
    edges = np.unique(
        np.quantile([float(label) for label in known], np.linspace(0, 1, _N_LABEL_BINS + 1))
    )
    inner = edges[1:-1]
    values = np.array([float(label) for label in distinct])
    at = np.searchsorted(inner, values, side="left")
    present = np.unique(at)
    names = [
        _span(float(values[at == one].min()), float(values[at == one].max())) for one in present
    ]
    return names, dict(zip(distinct, np.searchsorted(present, at).tolist(), strict=True))


def _span(low: float, high: float) -> str:
    return (
        f"{low:.5g}" if low == high else f"{low:.5g} to {high:.5g}".replace("-", "\N{MINUS SIGN}")
    )


def _numbers(labels: Sequence[str]) -> list[float] | None:
    try:
        values = [float(label) for label in labels]
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


def _order(label: str) -> list[tuple[int, float, str]]:
    """Sort names that hold numbers by these: t2 before t10."""
    parts = re.split(r"(\d+(?:\.\d+)?)", label)
    return [(0, float(part), "") if i % 2 else (1, 0.0, part) for i, part in enumerate(parts)]
