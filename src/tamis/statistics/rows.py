"""The rows themselves, for methods that no summary serves, and a label for each."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse

from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.column_spread import compute_level
from tamis.statistics.gram import Gram
from tamis.statistics.gram.protocol import Statistic
from tamis.statistics.labels import (
    CLUSTERS,
    ClusterLabels,
    Target,
    class_codes,
    is_missing,
    mark_known,
    plain_labels,
)
from tamis.statistics.linear import (
    len_of,
    stack_batches,
    summary_of_table,
)
from tamis.statistics.missing import Tally, count_missing, without_missing
from tamis.statistics.summary import Summary
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class RowTable(Statistic[Gram]):
    """All rows of the columns that vary, as they came, and the labels of the rows if there are any.

    `scale` is whether the columns are standardised for distances and for the Gram matrix.

    Examples
    --------
    >>> import numpy as np
    >>> RowTable(np.array([[1.0, 2.0], [3.0, 6.0]]), None, True).rows
    array([[-1., -1.],
           [ 1.,  1.]])
    """

    values: Floats
    target: Target | None
    scale: bool

    def of_columns(self, columns: Indices) -> "RowTable":
        """Keep some of the columns only."""
        return RowTable(self.values[:, columns], self.target, self.scale)

    @cached_property
    def rows(self) -> Floats:
        """The rows, centred and of standard deviation 1 (unscaled: 1 in the quadratic mean)."""
        base = self._summary
        return (self.values - base.mean) / (base.std if self.scale else compute_level(base.std))

    @cached_property
    def standardised(self) -> Floats:
        """The rows, centred and of standard deviation 1 whatever `scale` says; constants are 0."""
        base = self._summary
        return (self.values - base.mean) / np.where(base.std > 0, base.std, 1.0)

    @property
    def labels(self) -> Target:
        """The labels, for a method that cannot do without."""
        if self.target is None:
            raise TamisError("The rows have no labels: this method needs one for each.")
        return self.target

    @property
    def gram(self) -> Gram:
        """The Gram matrix of the columns."""
        return self._summary.gram

    @property
    def explained(self) -> Gram:
        """What the columns explain of each other."""
        return self.gram

    @cached_property
    def _summary(self) -> Summary:
        return summary_of_table(self.values, self.scale)


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows that count: `values` dense or sparse, `labels` one for each or None.

    `what` names the labels in messages; `scale` and `task` are for methods of selection;
    `clusters` are those of the rows that stand for labels, if they do.
    """

    values: Any
    labels: Any
    tally: Tally
    what: str = "y"
    scale: bool = True
    task: str = "classification"
    clusters: ClusterLabels | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows that counted."""
        return len_of(self.values)

    @cached_property
    def varying(self) -> Indices:
        """Columns that are not constant."""
        if not self.n_rows:
            return np.zeros(0, dtype=np.intp)
        low, high = (getattr(self.values, name)(axis=0) for name in ("min", "max"))
        if scipy.sparse.issparse(low):
            low, high = low.toarray(), high.toarray()
        return np.flatnonzero(np.ravel(low) != np.ravel(high))

    @property
    def summary(self) -> Summary:
        """What is known of the table: these rows."""
        return Summary(self.n_rows, self.varying, rows=self, unfit={}, tally=self.tally)

    @cached_property
    def statistic(self) -> RowTable:
        """What a method of selection works on: the columns that vary, and the labels."""
        values = self.values.toarray() if scipy.sparse.issparse(self.values) else self.values
        values = values[:, self.varying].astype(np.float64)
        target = self.target(self.task) if self.labels is not None else None
        return RowTable(values, target, self.scale)

    def target(self, task: str) -> Target:
        """Give what is learnt: the labels, or clusters in their place."""
        return Target.of(self.labels, task, what=self.what, clusters=self.clusters)

    @property
    def inputs(self) -> tuple[Any, ...]:
        """What a method of extraction works on: the rows, and the classes where it needs them."""
        return (self.values,) if self.labels is None else (self.values, self.codes)

    @cached_property
    def codes(self) -> Indices:
        """A number for the class of every row."""
        return class_codes(self.labels, self.what)

    @cached_property
    def mean(self) -> Floats:
        """Mean of every column."""
        return np.ravel(self.values.mean(axis=0))

    def thin(self, most: int) -> "Rows":
        """Take every n-th row so that at most so many are left."""
        step = max(1, -(-self.n_rows // most))
        if step == 1:
            return self
        labels = None if self.labels is None else self.labels[::step]
        clusters = self.clusters
        if clusters is not None:
            clusters = clusters.taken(np.arange(0, self.n_rows, step))
        values = self.values[::step].copy()
        return replace(self, values=values, labels=labels, clusters=clusters)


def collect_rows(
    source: Source,
    columns: Sequence[int],
    *,
    missing: MissingPolicy = MissingPolicy.ERROR,
    labels: Any = None,
    scale: bool = True,
    task: str = "classification",
) -> Rows:
    """Hold these columns in memory, missing values filled or their rows dropped.

    `labels` is the position of a column, or a sequence with one label for each row.
    """
    names = [source.names[j] for j in columns]
    read = source.batches(columns)
    batches = list(track("rows read", read, source.n_rows, len_of, source.meter))
    if not sum(map(len_of, batches)):
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    table, tally = stack_batches(batches), Tally(len(names))
    # Products depend on the order in memory: the same digits from any form of the table.
    table = table if scipy.sparse.issparse(table) else np.ascontiguousarray(table)
    marks = None if labels is None else _marks(source, labels, len_of(table))
    clusters = labels if isinstance(labels, ClusterLabels) else None
    if marks is not None and missing.drops:
        known = mark_known(marks)
        if known.any():
            tally.unlabelled = int((~known).sum())
            tally.add(tally.unlabelled, 0, count_missing(table[~known], names), 0)
            table, marks = table[known], marks[known]
        whole = ~rows_with_missing(table)
        marks, clusters = marks[whole], clusters and clusters.taken(np.flatnonzero(whole))
    elif marks is not None:
        _check_labels(source, labels, marks)
    (values,) = without_missing(lambda: [table], names, missing, tally)
    return Rows(values, marks, tally, name_labels(source, labels), scale, task, clusters)


def name_labels(source: Source, labels: Any) -> str:
    """Name the labels in messages."""
    if isinstance(labels, ClusterLabels):
        return spell("y", CLUSTERS)
    return f"Column {source.names[labels]!r}" if isinstance(labels, int) else "y"


def label_column(source: Source, column: int) -> Any:
    """Read one column of any kind as an array, None for no label: empty text names no class."""
    known: dict[Any, Any] = {}  # equal texts are held once, however long they are
    values: list[Any] = []
    for table in source.tables([column], mark_missing=True):
        cells = table.column(0).to_pylist()
        values += [known.setdefault(c, c) if isinstance(c, str) else c for c in cells]
    return clean_labels(values)


def clean_labels(values: Sequence[Any]) -> Any:
    """Give labels as an array, None for those that are missing or blank."""
    marks = np.empty(len(values), dtype=object)
    marks[:] = [None if is_missing(value) or is_blank(value) else value for value in values]
    return marks


def is_blank(value: Any) -> bool:
    """Whether a cell is text without a letter."""
    return isinstance(value, str) and not value.strip()


def _marks(source: Source, labels: Any, n_rows: int) -> Any:
    if isinstance(labels, int):
        return label_column(source, labels)
    marks = np.asarray(plain_labels(labels), dtype=object).ravel()
    check_label_count(source, n_rows, marks)
    return marks


def complete_labels(
    source: Source, labels: Any, n_rows: int, missing: MissingPolicy
) -> tuple[Any, Any, str]:
    """Give the label of every row, which are known, and their name; refuse missing ones or not."""
    marks = _marks(source, labels, n_rows)
    if not missing.drops:
        _check_labels(source, labels, marks)
    return marks, mark_known(marks), name_labels(source, labels)


def check_label_count(source: Source, n_rows: int, marks: Any) -> None:
    """Refuse labels of which there is not one for each row."""
    if len(marks) != n_rows:
        raise TamisError(
            f"{source.label} has {n_rows:,} rows and y {len(marks):,} labels: give one for each "
            "row."
        )


def _check_labels(source: Source, labels: Any, marks: Any) -> None:
    count = int((~mark_known(marks)).sum())
    if count:
        refuse_missing_labels(name_labels(source, labels), count, len(marks))


def refuse_missing_labels(what: str, count: int, rows: int) -> None:
    """Say how many labels are missing, and the way out."""
    advice = f"pass {spell('missing', MissingPolicy.DROP)} to drop their rows."
    some = "label" if count == 1 else "labels"
    raise TamisError(f"{what} has {count:,} missing {some} of {rows:,}: {advice}")


def rows_with_missing(table: Any) -> Any:
    """Mark the rows of a dense or sparse table that have a missing value."""
    incomplete = np.zeros(table.shape[0], dtype=bool)
    if table.dtype.kind == "f" and scipy.sparse.issparse(table):
        cells = table.tocoo()
        incomplete[cells.coords[0][np.isnan(cells.data)]] = True
    elif table.dtype.kind == "f":
        incomplete = np.isnan(table).any(axis=1)
    return incomplete
