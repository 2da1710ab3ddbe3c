"""A table and its responses where an engine has them: labels counted, then read beside the rows.

One pass counts the labels, and the levels of text; the next sums up all columns, once more if
values turn out to be missing. A row becomes what it becomes in memory, and its block is the same.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.columns.tally import NumberTally
from tamis.errors import TamisError
from tamis.memory import batch_rows
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.parted import gather_merged
from tamis.sources.source import PartedSource, Source
from tamis.sources.summary_file import MOST_COLUMNS
from tamis.sources.wrapping import WrappingSource
from tamis.statistics.classes import CountedTarget, RowLabels, read_numbers
from tamis.statistics.columns_met import ColumnsMet
from tamis.statistics.encoding import Encoding, settle_encoding
from tamis.statistics.labels import (
    MAX_NUMERIC_CLASSES,
    are_measured,
    label_text,
    refuse_infinite,
    refuse_words,
)
from tamis.statistics.linear import summary_of_moments
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import rows_of_batch
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.rows import name_labels, refuse_missing_labels
from tamis.statistics.stored import summary_of_parts
from tamis.statistics.summary import Summary
from tamis.statistics.tiles import gather_moments
from tamis.values import dataclass

__all__ = ["LabelTally", "find_labelled_parts", "gather_beside", "meet_responses"]

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


_MET = "met"


class SummedBeside(NamedTuple):
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


def gather_beside(
    source: PartedSource,
    columns: Sequence[int],
    labels: Sequence[int],
    *,
    task: str,
    scale: bool,
    missing: MissingPolicy,
    insist: Collection[int],
    blocks: bool,
) -> SummedBeside:
    """Count the labels, and sum up the columns beside them, where the parts of the table are."""
    met = meet_responses(source, columns, labels)
    targets = _settle_targets(met, source, labels, task, missing)
    names = [source.names[j] for j in columns]
    encoding = settle_encoding(met.columns, names, insist=insist, missing=missing)
    beside = ResponseSource(source, columns, encoding, labels, targets, met.rows)
    read = collect_blocks if blocks else _collect_sums
    found = read(beside, range(len(beside.names)), scale=scale, missing=missing.of_numbers)
    found.tally.unlabelled = met.rows - met.labelled
    return SummedBeside(found, encoding, targets)


def _collect_sums(
    source: "ResponseSource", columns: Sequence[int], *, scale: bool, missing: MissingPolicy
) -> Summary:
    """Sum up columns, as `collect_gram` does where a table is read here."""
    parted = source.in_parts()
    assert parted is not None, "it stands before a table of an engine"
    if len(columns) > MOST_COLUMNS:
        return summary_of_parts(parted, columns, scale=scale, missing=missing)
    tally = Tally(len(columns))
    moments = gather_moments(parted, columns, missing, tally)
    return replace(summary_of_moments(moments, scale), tally=tally)


@dataclass(eq=False)
class ResponsesMet:
    """What a pass over labels has met, `labelled` rows with all of them, and over texts beside."""

    tallies: list[LabelTally]
    labelled: int = 0
    columns: ColumnsMet = field(default_factory=ColumnsMet)

    def merge(self, other: "ResponsesMet") -> "ResponsesMet":
        """Add what was met in other rows."""
        for mine, its in zip(self.tallies, other.tallies, strict=True):
            mine.join(its)
        self.labelled += other.labelled
        self.columns.join_levels(other.columns)
        return self

    @property
    def rows(self) -> int:
        """Number of rows read."""
        return self.tallies[0].rows


def meet_responses(
    source: PartedSource, columns: Sequence[int], labels: Sequence[int]
) -> ResponsesMet:
    """Count the labels of responses, and the levels of text among the columns, in one pass."""
    texts = [i for i, j in enumerate(columns) if source.kinds[j] == "categorical"]
    make = partial(_meet_part, texts=texts)
    wanted = [*(columns[i] for i in texts), *labels]
    found = gather_merged(source, wanted, make, ResponsesMet.merge)
    if _MET not in found:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    met: ResponsesMet = found[_MET]
    return met


def _meet_part(part: Source, *, texts: Sequence[int]) -> dict[str, ResponsesMet]:
    width = len(part.names)
    met = ResponsesMet([LabelTally() for _ in range(width - len(texts))])
    for table in part.tables(range(width), mark_missing=True):
        for batch in table.combine_chunks().to_batches():
            read = rows_of_batch(batch, (), tuple(range(len(texts))))
            met.columns.add_levels(replace(read, categorical=tuple(texts)))
            known = np.ones(len(batch), dtype=bool)
            for place, tally in enumerate(met.tallies, len(texts)):
                known &= tally.add(batch.column(place))
            met.labelled += int(np.count_nonzero(known))
    return {_MET: met} if met.rows else {}


def _settle_targets(
    met: ResponsesMet, source: Source, labels: Sequence[int], task: str, missing: MissingPolicy
) -> list[CountedTarget]:
    """Decide what is learnt from each response; refuse missing labels unless rows are dropped."""
    found = []
    for tally, column in zip(met.tallies, labels, strict=True):
        what = name_labels(source, column)
        if tally.known < tally.rows and not missing.drops:
            refuse_missing_labels(what, tally.rows - tally.known, tally.rows)
        found.append(tally.settle(task, what))
    return found


class ResponseSource(WrappingSource):
    """Columns of a table as the numbers of their encoding, and behind them those of its responses.

    Where an engine has the table, rows are written so where they are.
    """

    def __init__(
        self,
        inner: Source,
        columns: Sequence[int],
        encoding: Encoding,
        labels: Sequence[int],
        targets: Sequence[CountedTarget],
        n_rows: int,
    ) -> None:
        self._inner, self._columns, self._encoding = inner, list(columns), encoding
        self._labels, self._targets = list(labels), list(targets)
        more = [f"y{i}" for i in range(sum(target.width for target in targets))]
        names = (*encoding.encoded_names, *more)
        self.info = inner.info.as_numbers(names, n_rows)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        every = list(columns) == list(range(len(self.names)))
        kinds = [self._inner.kinds[j] for j in self._columns]
        texts = tuple(i for i, kind in enumerate(kinds) if kind == "categorical")
        numbers = tuple(i for i, kind in enumerate(kinds) if kind != "categorical")
        step, width = batch_rows(len(self.names)), len(self._columns)
        wanted = self.needed_columns(columns)
        for table in self._inner.tables(wanted, mark_missing=True):
            for batch in table.combine_chunks().to_batches(max_chunksize=step):
                own = self._encoding.encode(rows_of_batch(batch, numbers, texts))
                beside = [
                    target.encode(batch.column(place))
                    for place, target in enumerate(self._targets, width)
                ]
                rows = np.concatenate([own, *beside], axis=1)
                yield rows if every else rows[:, list(columns)]

    def needed_columns(self, columns: Sequence[int]) -> list[int]:
        """Give all columns that were read to learn the encoding, and those of the labels."""
        del columns  # rows are encoded as a whole
        return [*self._columns, *self._labels]

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the columns of the table that these stand for."""
        owner = self._encoding.used[self._encoding.groups.owner]
        chosen = [int(owner[j]) for j in columns if j < len(owner)]
        return self._inner.pick([self._columns[j] for j in dict.fromkeys(chosen)])

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables."""
        del mark_missing  # numbers have no text for a missing value
        names = [self.names[j] for j in columns]
        for batch in self.batches(columns):
            yield pa.table(dict(zip(names, map(pa.array, batch.T), strict=True)))
