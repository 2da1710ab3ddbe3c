"""Labels of rows written as numbers: one column, or one for each of several classes."""

from typing import Any

import numpy as np
import pyarrow as pa

from tamis.numerics.types import Floats
from tamis.statistics.classes import Classes, RowLabels
from tamis.statistics.label_codes import refuse_one_each
from tamis.statistics.target import Target, refuse_one_class, refuse_same, refuse_words
from tamis.values import dataclass

__all__ = ["CountedTarget", "Responses", "center_numbers", "encode_target", "holds_numbers"]


def center_numbers(values: Floats, low: float, high: float) -> Floats:
    """Give numbers by their distance from the middle of their range, about 1 at most.

    The block of a row follows from every digit of it, and means and deviations depend in their last
    one on the order of the rows: the ends do not. Units are powers of two, which take no digit.

    >>> center_numbers(np.array([1e200, 2e200, 3e200]), 1e200, 3e200).tolist()
    [-0.653..., 0.0, 0.653...]
    """
    unit = -int(np.frexp(max(abs(low), abs(high)))[1])
    ends = np.ldexp([low, high], unit)
    middle = ends.sum() / 2.0
    return np.ldexp(np.ldexp(values, unit) - middle, -int(np.frexp(ends[1] - middle)[1]))


def encode_target(target: Target) -> Floats:
    """Write labels as numbers (rows x columns): one column, or one for each of several classes.

    Examples
    --------
    >>> encode_target(Target.of(["b", "a", "c"] * 2, "classification", what="y"))[:3]
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 1.]])
    """
    if target.task == "regression":
        numbers = target.numbers
        return center_numbers(numbers, float(numbers.min()), float(numbers.max()))[:, None]
    return _mark_classes(target.codes, len(target.classes))


def _mark_classes(codes: Any, count: int) -> Floats:
    """Mark the class of every row, NaN where it has none; of two classes one column says it."""
    marks = np.asarray(codes[:, None] == np.arange(1 if count == 2 else count), dtype=np.float64)
    marks[codes < 0] = np.nan
    return marks


@dataclass(frozen=True, eq=False)
class CountedTarget:
    """What a `Target` is of rows that are elsewhere: their labels are counted only.

    `counts` are the rows of every class, or of every number unless these are many; `distinct` is
    how many there are, then an estimate; `ends` are the smallest and the largest number.
    """

    task: str
    what: str
    rows: int
    counts: dict[str, int]
    distinct: int
    ends: tuple[float, float] = (0.0, 0.0)

    @property
    def width(self) -> int:
        """How many columns of numbers stand for the labels."""
        return 1 if self.task == "regression" or self.distinct == 2 else self.distinct

    def check(self) -> None:
        """Refuse labels of which nothing can be learnt."""
        if self.task == "classification":
            refuse_one_each(self.distinct, self.rows, self.what)
            refuse_one_class(self.distinct, self.rows, self.what)
        elif self.ends[0] == self.ends[1]:
            self.refuse_same()

    def refuse_same(self) -> None:
        """Refuse labels that are all the same."""
        refuse_same(self.task, self.rows, self.what)

    def encode(self, column: Any) -> Floats:
        """Write a column of labels, an Arrow array, as numbers: NaN where there is no label."""
        if self.task == "regression":
            return center_numbers(read_numbers(column, self.what), *self.ends)[:, None]
        codes = Classes(self.counts, self.what).codes(RowLabels.of_column(column))
        return _mark_classes(codes, self.distinct)


def read_numbers(column: Any, what: str) -> Floats:
    """Read labels, an Arrow array, as numbers: NaN where there is no label."""
    if holds_numbers(column.type):
        floats = column.cast(pa.float64(), safe=False)
        floats = floats.fill_null(float("nan")) if floats.null_count else floats
        return np.array(np.from_dlpack(floats))
    labels = RowLabels.of_column(column)
    found = np.full(len(labels.distinct) + 1, np.nan)  # the last is that of no label
    for place in np.unique(labels.places[labels.known]).tolist():
        try:
            found[place] = float(labels.distinct[place])
        except (TypeError, ValueError):
            raise refuse_words(what) from None
    return found[labels.places]


def holds_numbers(kind: Any) -> bool:
    """Whether columns of this Arrow type hold numbers."""
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind))


@dataclass(frozen=True, eq=False)
class Responses:
    """The labels of several responses: of each the position of its column, or one for each row.

    `names` are those of the columns, or of what was given in their place.
    """

    parts: tuple[Any, ...]
    names: tuple[str, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """The positions of those that are columns of the table."""
        return tuple(part for part in self.parts if isinstance(part, int))
