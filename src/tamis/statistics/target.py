"""What a supervised method learns from: a class, or a number, for every row."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices
from tamis.statistics.cluster_labels import ClusterLabels
from tamis.statistics.label_codes import as_numbers, class_codes, label_text
from tamis.values import dataclass

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
            target.refuse_same()
        return target

    def refuse_same(self) -> None:
        """Refuse labels that are all the same."""
        refuse_same(self.task, self.rows, self.what)

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
