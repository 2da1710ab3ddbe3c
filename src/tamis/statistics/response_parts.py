"""A table and its responses where an engine has them: labels counted, then read beside the rows.

One pass counts the labels, and the levels of text; the next sums up all columns, once more if
values turn out to be missing. A row becomes what it becomes in memory, and its block is the same.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.columns.tally import NumberTally
from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.read import Accumulator, read
from tamis.sources.source import PartedSource, Source
from tamis.statistics.classes import CountedTarget, RowLabels, read_numbers
from tamis.statistics.encoding import ColumnsSeen, EncodedSource, Encoding, settle_encoding
from tamis.statistics.labels import (
    MAX_NUMERIC_CLASSES,
    are_measured,
    label_text,
    refuse_infinite,
    refuse_words,
)
from tamis.statistics.linear import collect_gram
from tamis.statistics.mixed import rows_of_batch
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.rows import name_labels, refuse_missing_labels
from tamis.statistics.summary import Summary
from tamis.values import dataclass

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

    def merge(self, other: "LabelTally") -> "LabelTally":
        """Count the labels of other rows."""
        self.rows, self.known = self.rows + other.rows, self.known + other.known
        self.numbers.join(other.numbers)
        for text, (label, count) in other.others.items():
            self._count(text, label, count)
        return self

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


class SummedResponse(NamedTuple):
    """Columns and responses summed up together: how they were encoded, and what is learnt."""

    found: Summary
    encoding: Encoding
    targets: list[CountedTarget]


def find_labelled_parts(
    source: Source, columns: Sequence[int], labels: Sequence[Any]
) -> PartedSource | None:
    """Give an engine's table if the labels are columns of it, and rows are many."""
    few = source.n_rows is not None and source.n_rows < len(columns)
    return source.in_parts() if not few and all(isinstance(j, int) for j in labels) else None


def sum_up_parts(
    source: PartedSource,
    columns: Sequence[int],
    labels: Sequence[int],
    *,
    task: str,
    scale: bool,
    missing: MissingPolicy,
    insist: Collection[int],
    blocks: bool,
) -> SummedResponse:
    """Count the labels, and sum up the columns with them, where the parts of the table are."""
    seen = see_responses(source, columns, labels)
    targets = _settle_targets(seen, source, labels, task, missing)
    names = [source.names[j] for j in columns]
    encoding = settle_encoding(seen.columns, names, insist=insist, missing=missing)
    both = EncodedSource(
        source, columns, encoding, n_rows=seen.rows, labels=labels, targets=targets
    )
    sum_up = collect_blocks if blocks else collect_gram
    found = sum_up(both, range(len(both.names)), scale=scale, missing=missing.of_numbers)
    found.tally.unlabelled = seen.rows - seen.labelled
    return SummedResponse(found, encoding, targets)


class ResponsesSeen(Accumulator):
    """The labels of responses, `labelled` rows with all of them, and the levels of other texts.

    These are the first columns of what is read; `texts` are their places among those analysed.
    """

    def __init__(self, texts: Sequence[int], count: int) -> None:
        self._texts, self.labelled = tuple(texts), 0
        self.tallies = [LabelTally() for _ in range(count)]
        self.columns = ColumnsSeen()

    def add(self, rows: Any) -> None:
        """Take in some rows, an Arrow table."""
        for batch in rows.combine_chunks().to_batches():
            read = rows_of_batch(batch, (), tuple(range(len(self._texts))))
            self.columns.see(replace(read, categorical=self._texts))
            known = np.ones(len(batch), dtype=bool)
            for place, tally in enumerate(self.tallies, len(self._texts)):
                known &= tally.add(batch.column(place))
            self.labelled += int(np.count_nonzero(known))

    def merge(self, other: "ResponsesSeen") -> "ResponsesSeen":
        """Add what was seen in other rows."""
        for mine, its in zip(self.tallies, other.tallies, strict=True):
            mine.merge(its)
        self.labelled += other.labelled
        self.columns.merge(other.columns)
        return self

    @property
    def rows(self) -> int:
        """Number of rows read."""
        return self.tallies[0].rows


def see_responses(
    source: PartedSource, columns: Sequence[int], labels: Sequence[int]
) -> ResponsesSeen:
    """Count the labels of responses, and the levels of text among the columns, in one pass."""
    texts = [i for i, j in enumerate(columns) if source.kinds[j] == "categorical"]
    wanted = [*(columns[i] for i in texts), *labels]
    seen: ResponsesSeen
    (seen,) = read(source, wanted, ResponsesSeen(texts, len(labels)), rows=_read_tables)
    if not seen.rows:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    return seen


def _read_tables(source: Source, columns: Sequence[int]) -> Iterator[Any]:
    return source.tables(columns, mark_missing=True)


def _settle_targets(
    seen: ResponsesSeen, source: Source, labels: Sequence[int], task: str, missing: MissingPolicy
) -> list[CountedTarget]:
    """Decide what is learnt from each response; refuse missing labels unless rows are dropped."""
    found = []
    for tally, column in zip(seen.tallies, labels, strict=True):
        what = name_labels(source, column)
        if tally.known < tally.rows and not missing.drops:
            refuse_missing_labels(what, tally.rows - tally.known, tally.rows)
        found.append(tally.settle(task, what))
    return found
