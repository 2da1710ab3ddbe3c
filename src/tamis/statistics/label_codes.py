"""Labels of rows: which are missing, which are equal, and a number for each class."""

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Floats


def is_missing(label: Any) -> bool:
    """Whether a label is None, NaN, NaT or pandas' NA: none of these equals itself.

    >>> [is_missing(label) for label in (None, float("nan"), "", 0.0)]
    [True, True, False, False]
    """
    same = label == label
    return label is None or not (isinstance(same, bool | np.bool_) and bool(same))


def as_numbers(labels: Collection[Any]) -> Floats | None:
    """Give labels as numbers where all are Python's own; None where any is something else.

    What is asked of every label is then asked of an array at once.

    >>> as_numbers([1, 2.5, float("nan")]), as_numbers([True, 1]), as_numbers(["a", 1.0])
    (array([1. , 2.5, nan]), None, None)
    """
    if not {*map(type, labels)} <= {float, int}:
        return None
    try:
        return np.array([*labels], dtype=np.float64)
    except OverflowError:  # an integer beyond all numbers
        return None


def mark_known(labels: Collection[Any]) -> NDArray[np.bool_]:
    """Mark the labels that are not missing."""
    numbers = as_numbers(labels)
    if numbers is not None:
        return ~np.isnan(numbers)
    return np.array([not is_missing(label) for label in labels], dtype=bool)


def refuse_missing(labels: Iterable[Any]) -> None:
    """Refuse labels of which some are missing."""
    count = sum(map(is_missing, labels))
    if count:
        what = "1 label is" if count == 1 else f"{count:,} labels are"
        raise TamisError(f"{what} missing: drop the rows without a label.")


def label_text(label: Any) -> str:
    """Write a label as text; equal numbers have equal texts.

    >>> [label_text(label) for label in (-0.0, 0, 2.0, np.float32(1.5), "a")]
    ['0', '0', '2', '1.5', 'a']
    """
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label)


def class_codes(labels: Iterable[Any], what: str) -> NDArray[np.intp]:
    """Give each label the position of its text among all texts, in order.

    `what` names the labels where no two rows share one, which is refused.
    """
    texts = [label_text(label) for label in labels]
    names = sorted(set(texts))
    refuse_one_each(len(names), len(texts), what)
    positions = {name: position for position, name in enumerate(names)}
    return np.array([positions[text] for text in texts], dtype=np.intp)


def refuse_one_each(classes: int, rows: int, what: str) -> None:
    """Refuse labels of which no two rows share one."""
    if classes == rows > 1:
        raise TamisError(
            f"{what} has another label in each of the {rows:,} rows, so there are no classes to "
            "separate: give labels that rows share."
        )
