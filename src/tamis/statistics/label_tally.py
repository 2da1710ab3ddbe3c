"""Labels counted while a table is read, in parts that merge."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.columns.number_tally import NumberTally
from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.statistics.classes import RowLabels
from tamis.statistics.label_codes import label_text
from tamis.statistics.response_coding import CountedTarget, read_numbers
from tamis.statistics.target import (
    MAX_NUMERIC_CLASSES,
    are_measured,
    refuse_infinite,
    refuse_words,
)

__all__ = ["LabelTally"]

MAX_LABELS = 65_000  # different labels that are counted
_MAX_EXACT_LABEL = 2.0**53  # beyond it float64 makes one of several integers


@dataclass(eq=False)
class LabelTally:
    """The labels of one response, counted while a table is read: numbers apart from all others."""

    rows: int = 0
    known: int = 0
    numbers: NumberTally = field(default_factory=lambda: NumberTally(MAX_LABELS))
    others: dict[str, tuple[Any, int]] = field(default_factory=dict)

    def add(self, column: Any) -> Any:
        """Count the labels of some rows, an Arrow array; say which of them have one."""
        self.rows += len(column)
        if (found := _exact_floats(column)) is not None:
            known = ~np.isnan(found)
            self.numbers.add(found[known])
        else:
            labels = RowLabels.of_column(column)
            known = labels.known
            self._add_others(labels)
        self.known += int(np.count_nonzero(known))
        return known

    def _add_others(self, labels: RowLabels) -> None:
        counts = np.bincount(labels.places[labels.known], minlength=len(labels.distinct))
        for place in np.flatnonzero(counts).tolist():
            label = labels.distinct[place]
            self._count(label_text(label), label, int(counts[place]))

    def _count(self, text: str, label: Any, count: int) -> None:
        """Count a label; of too many one more is held than may be, by which they are known."""
        if text in self.others or len(self.others) <= MAX_LABELS:
            self.others[text] = (label, self.others.get(text, (label, 0))[1] + count)

    def join(self, other: "LabelTally") -> None:
        """Count the labels of other rows."""
        self.rows, self.known = self.rows + other.rows, self.known + other.known
        self.numbers.join(other.numbers)
        for text, (label, count) in other.others.items():
            self._count(text, label, count)

    @property
    def whole(self) -> bool:
        """Whether all labels are counted."""
        return self.numbers.sketch.whole and len(self.others) <= MAX_LABELS

    @property
    def counts(self) -> dict[str, int]:
        """The rows of every label, by its text; none where labels are too many."""
        if not self.whole:
            return {}
        sketch = self.numbers.sketch
        found = {text: count for text, (_, count) in self.others.items()}
        for value, count in zip(sketch.values.tolist(), sketch.counts.tolist(), strict=True):
            text = label_text(value)
            found[text] = found.get(text, 0) + int(count)
        return dict(sorted(found.items()))

    def settle(self, task: str, what: str) -> CountedTarget:
        """Decide what is learnt from the labels, or refuse them, as `Target` does."""
        task, counts = self.decide(task), self.counts
        if task == "classification" and not self.whole:
            raise TamisError(
                f"{what} has more than {MAX_LABELS:,} distinct labels, too many for classes: "
                "give labels that more rows share, or choose a method that predicts numbers."
            )
        ends = self._find_ends(what) if task == "regression" else (0.0, 0.0)
        found = CountedTarget(task, what, self.known, counts, self.distinct, ends)
        found.check()
        return found

    @property
    def distinct(self) -> int:
        """How many different labels there are, at least; of many numbers an estimate."""
        return len(self.counts) if self.whole else self.numbers.distinct + len(self.others)

    def decide(self, task: str) -> str:
        """Say what is learnt: with the task "auto" numbers of many values, or else classes."""
        if task != "auto":
            return task
        return "regression" if self._are_measured() else "classification"

    def _are_measured(self) -> bool:
        labels, numbers = [label for label, _ in self.others.values()], self.numbers
        if labels and not are_measured([*labels, 0.5]):
            return False  # some are no numbers
        many = len(labels) + numbers.distinct > MAX_NUMERIC_CLASSES
        many = many or (self.whole and 2 < self.distinct == self.known)
        return many or not numbers.integers or bool(labels and are_measured(labels))

    def _find_ends(self, what: str) -> tuple[float, float]:
        """Give the smallest and the largest label; refuse what is no number."""
        ends = [*list(self.numbers.lowest)[:1], *list(self.numbers.highest)[:1]]
        for label, count in self.others.values():
            try:
                ends.append(float(label))
            except (TypeError, ValueError):
                raise refuse_words(what) from None
            refuse_infinite(count if np.isinf(ends[-1]) else 0, what)
        return (min(ends), max(ends)) if ends else (0.0, 0.0)


def _exact_floats(column: Any) -> Floats | None:
    """Give numbers as floats, NaN where missing; None where two of them would be one."""
    if pa.types.is_integer(column.type):
        low, high = pc.min_max(column).as_py().values()
        if low is not None and max(-low, high) > _MAX_EXACT_LABEL:
            return None
    elif not pa.types.is_floating(column.type):
        return None
    found = read_numbers(column, "")
    return None if np.isinf(found).any() else found
