"""Labels of rows: which are missing, codes of classes, clusters in their place, what is learnt."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, spell
from tamis.facts.shared_answer import ClusterFacts
from tamis.numerics.types import Floats, Indices
from tamis.values import dataclass


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


def find_codes(values: Any, known: Sequence[Any], other: int) -> NDArray[Any]:
    """Give every value of an Arrow array its position among those known, `other` if it is none.

    >>> import pyarrow as pa
    >>> find_codes(pa.array(["b", "z", None, "a"]), ["a", "b"], 2).tolist()
    [1, 2, 2, 0]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    return np.asarray(pc.index_in(values, value_set=pa.array(known, values.type)).fill_null(other))


def mark_codes(codes: NDArray[Any], width: int) -> Floats:
    """Write codes as columns of 0 and 1, one for each of the first so many.

    >>> mark_codes(np.array([1, 0, 2]), 2).tolist()
    [[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    """
    return np.asarray(codes[:, None] == np.arange(width), dtype=np.float64)


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


CLUSTERS = "clusters"  # for `y`: clusters of the rows, unless a column has this name

Assign = Callable[[Floats, Floats], Indices]


@dataclass(frozen=True, eq=False)
class ClusterLabels:
    """A cluster for every row.

    Attributes
    ----------
    values
        The rows that are clustered, NaN where a value is missing.
    assign
        Makes clusters of the rows of one table, and gives the cluster of each row of another.
    labels
        The name of every row's cluster, by clusters of all rows.
    quality
        How they were made, and how firm they are.
    """

    values: Floats = field(repr=False)
    assign: Assign = field(repr=False)
    labels: NDArray[Any]
    quality: ClusterFacts

    def seen_from(self, train: Indices) -> NDArray[Any]:
        """Give the label of every row by clusters of these rows alone."""
        return name_clusters(self.assign(self.values[train], self.values))

    def taken(self, rows: Indices) -> "ClusterLabels":
        """Give those of some rows."""
        return replace(self, values=self.values[rows], labels=self.labels[rows])


def name_clusters(codes: Indices) -> NDArray[Any]:
    """Name the clusters, from 1.

    >>> name_clusters(np.array([1, 0])).tolist()
    ['cluster 2', 'cluster 1']
    """
    names = np.array([f"cluster {code + 1}" for code in range(int(codes.max()) + 1)], dtype=object)
    return np.asarray(names[codes])


def asks_for_clusters(y: Any) -> bool:
    """Whether these are no labels, but the word for clusters in their place."""
    return isinstance(y, str) and y == CLUSTERS


def plain_labels(labels: Any) -> Any:
    """Give labels as the position of a column or an array, clusters by their names."""
    return labels.labels if isinstance(labels, ClusterLabels) else labels


MAX_NUMERIC_CLASSES = 20  # numbers with more distinct values than this may be meant as numbers


@dataclass(frozen=True, eq=False)
class Target:
    """The labels of the rows: classes or, for regression, numbers; `what` names them in messages.

    Where the labels are `clusters` of the rows, what is measured on some rows takes them from the
    others (`seen_from`).

    Examples
    --------
    >>> Target.of(["b", "a", "b"], "auto", what="y").classes
    ('a', 'b')
    """

    labels: NDArray[Any]
    task: str
    what: str
    clusters: ClusterLabels | None = None

    @classmethod
    def of(
        cls,
        labels: Sequence[Any] | NDArray[Any],
        task: str,
        *,
        what: str,
        clusters: ClusterLabels | None = None,
    ) -> "Target":
        """Check labels of which none is missing, and decide the task if it is "auto"."""
        found = np.asarray(labels, dtype=object)
        if task == "auto":
            ask_about_numbers(found, what)
        target = cls(found, "classification" if task == "auto" else task, what, clusters)
        if len(set(target.y.tolist())) < 2:
            refuse_same(target.task, target.rows, what)
        return target

    @classmethod
    def of_rows(cls, given: Any, labels: Any, known: Any, task: str, *, what: str) -> "Target":
        """Take the labels of the rows that are known, as `given`: clusters, or what they are."""
        clusters = given.taken(np.flatnonzero(known)) if isinstance(given, ClusterLabels) else None
        return cls.of(labels[known], task, what=what, clusters=clusters)

    @property
    def rows(self) -> int:
        """Number of rows that have a label."""
        return len(self.labels)

    @property
    def distinct(self) -> int:
        """Number of classes, or of different numbers."""
        return len(self.counts)

    def seen_from(self, train: Indices) -> "Target":
        """Give the labels as they are known from these rows alone: clusters are made of these."""
        if self.clusters is None:
            return self
        return Target(self.clusters.seen_from(train), self.task, self.what)

    @property
    def dealt_evenly(self) -> bool:
        """Whether each class is split evenly: not numbers, nor clusters, which come after."""
        return self.task == "classification" and self.clusters is None

    @cached_property
    def codes(self) -> Indices:
        """The position of every row's class among the classes."""
        return class_codes(self.labels, self.what)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in order."""
        return tuple(sorted({label_text(label) for label in self.labels}))

    @property
    def counts(self) -> dict[str, int]:
        """The rows of every class, or of every number."""
        numbers = as_numbers(self.labels)
        if numbers is None or self.task != "regression":
            return dict(sorted(Counter(label_text(label) for label in self.labels).items()))
        values, rows = np.unique(numbers, return_counts=True)
        pairs = zip(map(label_text, values.tolist()), rows.tolist(), strict=True)
        return dict(sorted(pairs))

    @cached_property
    def numbers(self) -> Floats:
        """The labels as numbers, for regression."""
        try:
            found = self.labels.astype(np.float64)
        except (TypeError, ValueError):
            raise refuse_words(self.what) from None
        refuse_infinite(int(np.isinf(found).sum()), self.what)
        return found

    @property
    def y(self) -> Any:
        """What to learn: codes of classes, or numbers."""
        return self.numbers if self.task == "regression" else self.codes

    @cached_property
    def standard_y(self) -> Any:
        """What a learner of ours learns: codes of classes, or numbers of mean 0 and deviation 1.

        Trees add up squares of the numbers, and lose what differs in 100,000,001 and 100,000,002.

        >>> Target.of([1e200, 3e200], "regression", what="y").standard_y
        array([-1.,  1.])
        """
        if self.task != "regression":
            return self.codes
        # By a power of two, which takes no digit: squares of large numbers are no numbers.
        small = np.ldexp(self.numbers, -int(np.frexp(np.abs(self.numbers).max())[1]))
        away = small - small.mean()
        return away / away.std()

    def check_splits(self) -> None:
        """Refuse a class with a single row: it cannot be in both training and test rows."""
        if not self.dealt_evenly:
            return
        counts = np.bincount(self.codes)
        rare = [self.classes[i] for i in np.flatnonzero(counts == 1)]
        if rare:
            more = f" (and {len(rare) - 1:,} more)" if len(rare) > 1 else ""
            raise TamisError(
                f"{self.what}: class {rare[0]!r}{more} has only one row, too few to learn from "
                "some rows and test on others: drop that row, or merge the class with another."
            )


def refuse_words(what: str) -> TamisError:
    """Say that labels are no numbers, where these are needed."""
    return TamisError(
        f"{what} has labels that are not numbers, so there is nothing to regress on: "
        f"pass {spell('task', 'classification')}."
    )


def refuse_infinite(infinite: int, what: str) -> None:
    """Refuse labels of which so many are infinite."""
    if infinite:
        count = "an infinite label" if infinite == 1 else f"{infinite:,} infinite labels"
        raise TamisError(
            f"{what} has {count}, which cannot be predicted: replace them by numbers, or "
            "drop their rows."
        )


def refuse_same(task: str, rows: int, what: str) -> None:
    """Refuse labels that are all the same."""
    if task == "regression":
        raise TamisError(
            f"{what} has the same number in all {rows:,} rows, so there is "
            "nothing to predict: give labels that differ."
        )
    refuse_one_class(1, rows, what)


def refuse_one_class(count: int, rows: int, what: str) -> None:
    """Refuse labels of which all are the same."""
    if count < 2:
        raise TamisError(
            f"{what} has the same label in all {rows:,} rows: at least two classes are needed "
            "to choose columns that separate them."
        )


def ask_about_numbers(
    labels: Sequence[Any] | NDArray[Any],
    what: str,
    *,
    regresses: bool = True,
    where: str = "",
    rows: int | None = None,
) -> None:
    """Refuse to guess whether many distinct numbers are classes, for a method that `regresses`.

    `where` says of which rows these are, if not of all, `rows` how many have one of them.
    """
    all_rows = (len(labels) if rows is None else rows) if not where else None
    if are_measured(labels, all_rows):
        distinct = {float(label) for label in labels}
        predict = (
            f"pass {spell('task', 'regression')} to predict them"
            if regresses
            else "choose a method that predicts numbers, such as tree-importance"
        )
        # Where no two rows share a number, these are no classes either.
        classes = f", or pass {spell('task', 'classification')} if each is a class"
        repeated = len(distinct) < (len(labels) if rows is None else rows)
        raise TamisError(
            f"{what} has {len(distinct):,} distinct numbers{where}: {predict}"
            f"{classes if repeated else ''}."
        )


def are_measured(labels: Sequence[Any] | NDArray[Any], rows: int | None = None) -> bool:
    """Whether labels are numbers of so many values that they are hardly classes.

    They are none if no two of the `rows` that have one share it; None if that is not known.

    >>> are_measured([0, 1, 2, 1]), are_measured([0.5, 1.0]), are_measured(["a", 1])
    (False, True, False)
    >>> are_measured([4, 9, 2], rows=3), are_measured([4, 9, 2], rows=5)
    (True, False)
    """
    numbers = as_numbers(labels)
    if numbers is None and not all(_is_number(label) for label in labels):
        return False
    distinct = {float(label) for label in labels} if numbers is None else {*numbers.tolist()}
    many = len(distinct) > MAX_NUMERIC_CLASSES or 2 < len(distinct) == rows
    return many or any(not value.is_integer() for value in distinct)


def _is_number(label: Any) -> bool:
    return isinstance(label, int | float | np.number) and not isinstance(label, bool | np.bool_)
