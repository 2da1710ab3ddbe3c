"""A table and its responses: one Gram matrix, in which these are the last groups of columns.

A number is one column; classes are a group of indicators, scaled like those of a category, so that
the share explained of them is the mean squared canonical correlation. Each response counts the
same.

Where an engine has the table, one pass counts the labels, and the levels of text; the next sums up
all columns, once more if values turn out to be missing. A row becomes what it becomes in memory,
and its block is the same.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse

from tamis.columns.tally import NumberTally
from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.read import Accumulator, read
from tamis.sources.source import PartedSource, Source
from tamis.statistics.classes import (
    CountedTarget,
    Responses,
    RowLabels,
    encode_target,
    read_numbers,
)
from tamis.statistics.encoding import (
    ColumnsSeen,
    EncodedSource,
    Encoding,
    see_columns,
    settle_encoding,
)
from tamis.statistics.grouped import Groups
from tamis.statistics.labels import (
    MAX_NUMERIC_CLASSES,
    Target,
    are_measured,
    label_text,
    refuse_infinite,
    refuse_same,
    refuse_words,
)
from tamis.statistics.linear import collect_gram
from tamis.statistics.mixed import rows_of_batch
from tamis.statistics.mixed_gram import group_blocks, level_weights, tally_by_column
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import weigh
from tamis.statistics.row_hash import RowRules
from tamis.statistics.rows import complete_labels, name_labels, refuse_missing_labels
from tamis.statistics.summary import Summary
from tamis.values import dataclass


def collect_response(
    source: Source,
    columns: Sequence[int],
    *,
    labels: Any,
    task: str,
    scale: bool,
    missing: MissingPolicy,
    insist: Collection[int] = (),
    blocks: bool = False,
    rules: RowRules | None = None,
) -> Summary:
    """Read the table with its response, or several.

    `labels` is the position of a column, or one label for each row, or several such. With the task
    "auto" numbers are taken as such, unless they are integers of a few values only.
    """
    parts = labels.parts if isinstance(labels, Responses) else (labels,)
    names = [source.names[j] for j in columns]
    few = source.n_rows is not None and source.n_rows < len(columns)
    beside = not few and all(isinstance(j, int) for j in parts)
    targets: list[Any]
    both: Source
    if beside and (parted := source.in_parts()) is not None:
        seen = see_responses(parted, columns, parts)
        targets = _settle_targets(seen, source, parts, task, missing)
        encoding = settle_encoding(seen.columns, names, insist=insist, missing=missing)
        both = EncodedSource(
            parted, columns, encoding, n_rows=seen.rows, labels=parts, targets=targets
        )
        widths, unlabelled = [target.width for target in targets], seen.rows - seen.labelled
    else:
        read_parts = [_target_of(source, part, task, missing) for part in parts]
        targets, widths = [one for one, _ in read_parts], [own.shape[1] for _, own in read_parts]
        values = np.concatenate([own for _, own in read_parts], axis=1)
        unlabelled = int(np.isnan(values).any(axis=1).sum())
        encoding = Encoding(tuple(names), {}, {}, {})
        if any(source.kinds[j] == "categorical" for j in columns):
            weights = None if rules is None else rules.weights
            levels = see_columns(source, columns, sampled=False, weights=weights)
            encoding = settle_encoding(levels, names, insist=insist, missing=missing)
        encoded = bool(encoding.levels or encoding.refused)
        inner = EncodedSource(source, columns, encoding) if encoded else source
        own = range(len(inner.names)) if encoded else columns
        both = HeldResponsesSource(inner, own, values)
    read = partial(collect_blocks, rules=rules) if blocks else collect_gram
    found = read(both, range(len(both.names)), scale=scale, missing=missing.of_numbers)
    found.tally.unlabelled = unlabelled
    return _summarise_both(found, encoding, targets, widths)


def _target_of(
    source: Source, labels: Any, task: str, missing: MissingPolicy
) -> tuple[Target, Floats]:
    """Give the labels of one response, and their columns of numbers: NaN where missing."""
    n_rows = source.n_rows
    if n_rows is None:
        n_rows = 0 if isinstance(labels, int) else len(labels)
    marks, known, what = complete_labels(source, labels, n_rows, missing)
    if task == "auto":
        task = "regression" if are_measured(marks[known], int(known.sum())) else "classification"
    target = Target.of_rows(labels, marks, known, task, what=what)
    found = encode_target(target)
    values = np.full((len(marks), found.shape[1]), np.nan)
    values[known] = found
    return target, values


def _summarise_both(
    found: Summary,
    encoding: Encoding,
    targets: Sequence[Target | CountedTarget],
    widths: Sequence[int],
) -> Summary:
    """Put the encoded columns together, those of the responses last."""
    count = len(targets)
    sizes = np.append(encoding.groups.sizes, widths).astype(np.intp)
    places, groups = Groups(sizes).of_columns(found.varying)
    for place, target in zip(range(len(sizes) - count, len(sizes)), targets, strict=True):
        if place not in places:
            refuse_same(target.task, target.rows, target.what)
    scaled = np.append(encoding.indicators, np.ones(sum(widths), dtype=bool))[found.varying]
    weights = level_weights(found, scaled, groups)
    return replace(
        found,
        varying=encoding.used[places[:-count]],
        gram=weigh(found.gram, weights),
        tally=tally_by_column(found.tally, encoding),
        groups=groups,
        unfit={j: why for j, why in encoding.refused.items() if why != "constant"},
        blocks=group_blocks(found.blocks, groups, weights, count),
        targets=tuple(targets),
        responses=count,
        encoding=encoding,
        successive=None,
    )


class HeldResponsesSource(Source):
    """Some columns of a table, and behind them responses that are held in memory."""

    def __init__(self, inner: Source, columns: Sequence[int], values: Floats) -> None:
        self._inner, self._columns, self._values = inner, list(columns), values
        names = (*(inner.names[j] for j in columns), *(f"y{i}" for i in range(values.shape[1])))
        self.info = inner.info.as_numbers(names, inner.n_rows)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, those of the table before the others."""
        width, first = len(self._columns), 0
        own = [self._columns[j] for j in columns if j < width]
        others = [j - width for j in columns if j >= width]
        for batch in self._inner.batches(own):
            values = self._values[first : first + batch.shape[0], others]
            if len(values) < batch.shape[0]:
                break
            first += batch.shape[0]
            if scipy.sparse.issparse(batch):
                beside = scipy.sparse.csr_array(values)
                yield scipy.sparse.hstack([batch, beside], format="csr")
            else:  # wider numbers than those of the table would change none of its digits
                yield np.concatenate([batch, values], axis=1)
        if first != len(self._values):
            raise TamisError(
                f"{self.label} does not have {len(self._values):,} rows, as y has labels: give one "
                "for each row."
            )


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
