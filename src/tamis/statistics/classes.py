"""Labels that are read along with the rows: the classes that they name, and their numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.rules.kinds import MAX_LEVELS
from tamis.sources.source import Source
from tamis.statistics.labels import (
    Target,
    ask_about_numbers,
    is_missing,
    label_text,
    mark_codes,
    refuse_one_class,
    refuse_one_each,
    refuse_same,
    refuse_words,
)
from tamis.statistics.rows import check_label_count, is_blank, refuse_missing_labels
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class RowLabels:
    """The labels of some rows: `distinct` values, and the place of each row's, -1 if missing.

    Examples
    --------
    >>> RowLabels.of(["b", None, "a", "b"]).places
    array([ 0, -1,  2,  0])
    """

    distinct: tuple[Any, ...]
    places: Indices

    @classmethod
    def of(cls, labels: Iterable[Any]) -> "RowLabels":
        """Take labels as they are given beside a table."""
        given = list(labels)
        # By type, too, if there are several: True and 1 are equal, but no two labels of one class.
        several = len({*map(type, given)}) > 1
        keys: list[Any] = [(type(label), label) for label in given] if several else given
        known = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        places = np.fromiter(map(known.__getitem__, keys), np.intp, len(keys))
        values = tuple(label for _, label in known) if several else tuple(known)
        own = np.where([is_missing(value) for value in values], -1, np.arange(len(values)))
        return cls(values, own.astype(np.intp)[places])

    @classmethod
    def of_column(cls, column: Any) -> "RowLabels":
        """Take a column of a table as labels: empty text names no class."""
        import pyarrow as pa

        coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        values = coded.dictionary.to_pylist()
        missing = [is_missing(value) or is_blank(value) for value in values]
        places = np.asarray(coded.indices.fill_null(len(values)).cast(pa.int64()))
        own = np.where([*missing, True], -1, np.arange(len(values) + 1))
        return cls((*values, None), own[places])

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which rows have a label."""
        return self.places >= 0

    def where(self, mask: NDArray[np.bool_]) -> "RowLabels":
        """Take the labels of some rows."""
        return RowLabels(self.distinct, self.places[mask])


def add_labels(batches: Iterator[Any], labels: RowLabels, source: Source) -> Iterator[Any]:
    """Put the labels of a table to its batches; refuse a table with more or fewer rows."""
    start = 0
    for rows in batches:
        part = labels.places[start : start + len(rows)]
        start += len(rows)
        if len(part) == len(rows):
            yield replace(rows, labels=RowLabels(labels.distinct, part))
    check_label_count(source, start, labels.places)


class ClassTally:
    """Classes and missing labels, counted while a table is read."""

    def __init__(self, what: str) -> None:
        self.what, self.rows, self.unlabelled = what, 0, 0
        self._labels: dict[str, Any] = {}
        self._counts: dict[str, int] = {}

    def add(self, labels: RowLabels) -> None:
        """Count the labels of a batch."""
        known = labels.places[labels.known]
        self.rows += len(labels.places)
        self.unlabelled += len(labels.places) - len(known)
        counts = np.bincount(known, minlength=len(labels.distinct))
        for place in np.flatnonzero(counts).tolist():
            text = label_text(labels.distinct[place])
            self._labels.setdefault(text, labels.distinct[place])
            self._counts[text] = self._counts.get(text, 0) + int(counts[place])
        if len(self._counts) > MAX_LEVELS:
            raise TamisError(
                f"{self.what} has more than {MAX_LEVELS:,} distinct labels, too many for "
                "classes: give labels that more rows share, or choose a method that predicts "
                "numbers."
            )

    def merge(self, other: "ClassTally") -> "ClassTally":
        """Count the labels of other rows."""
        self.rows, self.unlabelled = self.rows + other.rows, self.unlabelled + other.unlabelled
        for text, count in other._counts.items():
            self._labels.setdefault(text, other._labels[text])
            self._counts[text] = self._counts.get(text, 0) + count
        return self

    def settle(self, task: str) -> "CountedTarget":
        """Give the classes, or refuse labels that cannot be learnt from."""
        if self.unlabelled:
            refuse_missing_labels(self.what, self.unlabelled, self.rows)
        if task == "auto":
            marks = list(self._labels.values())
            ask_about_numbers(marks, self.what, regresses=False, rows=self.rows)
        counts = dict(sorted(self._counts.items()))
        found = CountedTarget("classification", self.what, self.rows, counts, len(counts))
        found.check()
        return found


_MAX_CLASSES, _MIN_CLASS_ROWS = 20, 2
_MAX_CLASS_SHARE = 0.8  # of the rows in one class; words and rare events are mostly 0
_MAX_SIMILAR = 0.1  # share of the other columns that may look the same


def find_class_column(sample: Any) -> str | None:
    """Give the name of the column of classes among some rows of a table; None if none stands out.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> table = {f"x{j}": rng.normal(size=60) for j in range(1, 6)}
    >>> find_class_column(pa.table({"x0": [1, 2, 3] * 20, **table}))
    'x0'
    """
    if sample.num_columns < 3:
        return None
    alike = [_are_classes(_as_floats(column)) for column in sample.columns]
    edges = [j for j in (0, sample.num_columns - 1) if alike[j]]
    if len(edges) != 1 or sum(alike) - 1 > _MAX_SIMILAR * (len(alike) - 1):
        return None
    return str(sample.column_names[edges[0]])


def _as_floats(column: Any) -> Floats:
    kind = column.type
    if column.null_count or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return np.zeros(0)
    return np.array(np.from_dlpack(column.cast(pa.float64(), safe=False).combine_chunks()))


def _are_classes(values: Floats) -> bool:
    """Whether values are integers without a gap, few of them, none rare and none very frequent."""
    if not values.size or not np.isfinite(values).all() or (values != np.round(values)).any():
        return False
    different, counts = np.unique(values, return_counts=True)
    few = 2 <= different.size <= _MAX_CLASSES and different[0] in (-1, 0, 1)
    whole = different[-1] - different[0] in (different.size - 1, 2 * (different.size - 1))
    return bool(
        few
        and whole
        and counts.min() >= _MIN_CLASS_ROWS
        and counts.max() <= _MAX_CLASS_SHARE * values.size
    )


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
    marks = mark_codes(codes, 1 if count == 2 else count)
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
            refuse_same(self.task, self.rows, self.what)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classes, in order."""
        return tuple(self.counts)

    def encode(self, column: Any) -> Floats:
        """Write a column of labels, an Arrow array, as numbers: NaN where there is no label."""
        if self.task == "regression":
            return center_numbers(read_numbers(column, self.what), *self.ends)[:, None]
        return _mark_classes(self.codes(RowLabels.of_column(column)), self.distinct)

    def codes(self, labels: RowLabels) -> Indices:
        """Give the position of every row's class, -1 where it has none."""
        position = {name: i for i, name in enumerate(self.counts)}
        known = [position.get(label_text(label), -1) for label in labels.distinct]
        return np.array([*known, -1], dtype=np.intp)[labels.places]


def read_numbers(column: Any, what: str) -> Floats:
    """Read labels, an Arrow array, as numbers: NaN where there is no label."""
    if pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
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
