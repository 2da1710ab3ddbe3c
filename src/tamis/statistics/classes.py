"""Labels that are read along with the rows, batch by batch, and the classes that they name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.sources.source import Source
from tamis.statistics.cluster_labels import plain_labels
from tamis.statistics.label_codes import is_missing, label_text, refuse_one_each
from tamis.statistics.rows import check_label_count, is_blank, refuse_missing_labels
from tamis.statistics.target import ask_about_numbers, refuse_one_class
from tamis.values import dataclass

_MOST_CLASSES = 65_000


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


@dataclass(frozen=True, eq=False)
class StoredLabels:
    """One label for each row of a table, to be read along with its batches."""

    labels: RowLabels
    source: Source

    def add_labels(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Put its labels to every batch; refuse a table with more or fewer rows."""
        places, start = self.labels.places, 0
        for rows in batches:
            part = places[start : start + len(rows)]
            start += len(rows)
            if len(part) == len(rows):
                yield replace(rows, labels=RowLabels(self.labels.distinct, part))
        check_label_count(self.source, start, places)


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of a table in order of their names, each with its rows."""

    counts: dict[str, int]
    what: str
    task: str = "classification"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classes, in order."""
        return tuple(self.counts)

    def codes(self, labels: RowLabels) -> Indices:
        """Give the position of every row's class."""
        position = {name: i for i, name in enumerate(self.counts)}
        known = [position.get(label_text(label), -1) for label in labels.distinct]
        return np.array([*known, -1], dtype=np.intp)[labels.places]


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
        if len(self._counts) > _MOST_CLASSES:
            raise TamisError(
                f"{self.what} has more than {_MOST_CLASSES:,} distinct labels, too many for "
                "classes: give labels that more rows share, or choose a method that predicts "
                "numbers."
            )

    def join(self, other: "ClassTally") -> None:
        """Count the labels of other rows."""
        self.rows, self.unlabelled = self.rows + other.rows, self.unlabelled + other.unlabelled
        for text, count in other._counts.items():
            self._labels.setdefault(text, other._labels[text])
            self._counts[text] = self._counts.get(text, 0) + count

    def classes(self, task: str) -> Classes:
        """Give the classes, or refuse labels that cannot be learnt from."""
        if self.unlabelled:
            refuse_missing_labels(self.what, self.unlabelled, self.rows)
        if task == "auto":
            marks = list(self._labels.values())
            ask_about_numbers(marks, self.what, regresses=False, rows=self.rows)
        refuse_one_each(len(self._counts), self.rows, self.what)
        refuse_one_class(len(self._counts), self.rows, self.what)
        return Classes(dict(sorted(self._counts.items())), self.what)


def find_labels(source: Source, labels: int | Sequence[Any]) -> StoredLabels | int:
    """Prepare labels for reading: the position of their column, or one for each row."""
    plain = plain_labels(labels)
    return plain if isinstance(plain, int) else StoredLabels(RowLabels.of(plain), source)


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
