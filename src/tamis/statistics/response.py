"""A table and a response: one Gram matrix, in which the response is the last group of columns.

A number is one column; classes are a group of indicators, scaled like those of a category, so that
the share explained of them is the mean squared canonical correlation.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.beside import BesideSource
from tamis.sources.source import Source
from tamis.statistics.cluster_labels import ClusterLabels
from tamis.statistics.encoding import EncodedSource, Encoding, learn_encoding
from tamis.statistics.gram import Gram, Samples
from tamis.statistics.grouped import GroupedGram, Groups, as_groups
from tamis.statistics.linear import TableSummary, collect_gram
from tamis.statistics.mixed import read_mixed_rows
from tamis.statistics.mixed_gram import (
    GroupedBlocks,
    GroupedSummary,
    level_weights,
    tally_by_column,
    weigh,
)
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import BlockedSummary, Blocks, Choices, HeldOutRows
from tamis.statistics.row_rules import RowRules
from tamis.statistics.rows import complete_labels
from tamis.statistics.statistic import Statistic
from tamis.statistics.target import Target, are_measured


@dataclass(frozen=True, eq=False)
class ResponseGram(Statistic["ResponseGram"]):
    """The Gram matrix of a table and its response, the last of the groups.

    `target` has the labels of the rows; what the columns explain does not need it.
    """

    whole: GroupedGram
    n_rows: int
    target: Target | None = None

    @property
    def response(self) -> int:
        """The place of the response among the groups: how many columns there are to choose from."""
        return len(self.whole.groups.sizes) - 1

    @property
    def importance(self) -> Floats:
        """What is to be explained: the response alone."""
        return np.asarray(np.arange(self.response + 1) == self.response, dtype=np.float64)

    @cached_property
    def explained(self) -> "ResponseGram":
        """The same without labels."""
        return self if self.target is None else replace(self, target=None)

    @property
    def error(self) -> float | None:
        """How far shares of the variance may be off; None where the matrix is exact."""
        return self.whole.error

    @property
    def samples(self) -> Samples | None:
        """The rows behind the matrix where it is held by them."""
        return self.whole.samples


def grouped_of(statistic: "Gram | GroupedGram | ResponseGram") -> GroupedGram:
    """Give a Gram matrix as one of groups, a response among them."""
    return statistic.whole if isinstance(statistic, ResponseGram) else as_groups(statistic)


@dataclass(frozen=True, eq=False)
class ResponseSummary(GroupedSummary):
    """What is known of a table and its response; `varying` counts the table's columns only."""

    target: Target | None = field(default=None, kw_only=True)

    @property
    def statistic(self) -> ResponseGram:
        """What a method works on."""
        return ResponseGram(GroupedGram(self.gram, self.groups), self.n_rows, self.target)


@dataclass(frozen=True, eq=False)
class BlockedResponse(ResponseSummary, BlockedSummary):
    """The same, by block of rows too."""


@dataclass(frozen=True, eq=False)
class ResponseBlocks:
    """Blocks of rows of a table and its response, which is column `last` of those that vary."""

    inner: GroupedBlocks
    last: int

    @property
    def count(self) -> Any:
        """Rows of every block."""
        return self.inner.count

    @property
    def ordered(self) -> bool:
        """Whether the rows follow one another."""
        return self.inner.ordered

    def parts(self, choices: Choices) -> Iterator[TableSummary]:
        """Summarise the rows of several choices of blocks, those in which the response varies."""
        return (self._apart(part) for part in self.inner.parts(choices) if self._varies(part))

    def splits(self, choices: Choices) -> Iterator[tuple[TableSummary, HeldOutRows]]:
        """Do the same, and give the other rows about the mean and in the unit of these."""
        for part, others in self.inner.splits(choices):
            if self._varies(part):
                yield self._apart(part), others

    def _varies(self, part: GroupedSummary) -> bool:
        return len(part.varying) > 1 and int(part.varying[-1]) == self.last

    def _apart(self, part: GroupedSummary) -> ResponseSummary:
        return ResponseSummary(
            part.n_rows, part.mean, part.std, part.varying[:-1], part.gram, groups=part.groups
        )


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
) -> ResponseSummary:
    """Read the table with its response beside it.

    `labels` is the position of a column, or one label for each row. With the task "auto" numbers
    are taken as such, unless they are integers of a few values only.
    """
    target, values, known = _target_of(source, labels, task, missing)
    encoding = _encoding_of(source, columns, missing, insist, rules)
    encoded = bool(encoding.levels or encoding.refused)
    inner = EncodedSource(source, columns, encoding) if encoded else source
    own = range(len(inner.names)) if encoded else list(columns)
    beside = BesideSource(inner, own, values, [f"y{i}" for i in range(values.shape[1])])
    read = partial(collect_blocks, rules=rules) if blocks else collect_gram
    found = read(beside, range(len(beside.names)), scale=scale, missing=missing)
    found.tally.unlabelled = len(values) - known
    return _summarise_both(found, encoding, target, values.shape[1])


def _target_of(
    source: Source, labels: Any, task: str, missing: MissingPolicy
) -> tuple[Target, Floats, int]:
    """Give the labels, their columns of numbers (NaN where missing), and how many are known."""
    n_rows = source.n_rows
    if n_rows is None:
        n_rows = 0 if isinstance(labels, int) else len(labels)
    marks, known, what = complete_labels(source, labels, n_rows, missing)
    if task == "auto":
        task = "regression" if are_measured(marks[known]) else "classification"
    clusters = labels if isinstance(labels, ClusterLabels) else None
    clusters = None if clusters is None else clusters.taken(np.flatnonzero(known))
    target = Target.of(marks[known], task, what=what, clusters=clusters)
    found = encode_target(target)
    values = np.full((len(marks), found.shape[1]), np.nan)
    values[known] = found
    return target, values, int(known.sum())


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
        return np.asarray(target.standard_y, dtype=np.float64)[:, None]
    count = len(target.classes)
    codes = target.codes[:, None]
    return np.asarray(codes == np.arange(1 if count == 2 else count), dtype=np.float64)


def _encoding_of(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    insist: Collection[int],
    rules: RowRules | None,
) -> Encoding:
    names = [source.names[j] for j in columns]
    if not any(source.kinds[j] == "categorical" for j in columns):
        return Encoding(tuple(names), {}, {}, {})
    rows = read_mixed_rows(source, columns, MissingPolicy.ERROR)
    return learn_encoding(rows, names, insist=insist, mark_missing=not missing.fills, rules=rules)


def _summarise_both(
    found: TableSummary, encoding: Encoding, target: Target, width: int
) -> ResponseSummary:
    """Put the encoded columns together, those of the response last."""
    sizes = np.append(encoding.groups.sizes, width).astype(np.intp)
    places, groups = Groups(sizes).of_columns(found.varying)
    if not len(places) or places[-1] != len(sizes) - 1:
        target.refuse_same()
    scaled = np.append(encoding.indicators, np.ones(width, dtype=bool))[found.varying]
    weights = level_weights(found, scaled, groups)
    known = ResponseSummary(
        found.n_rows,
        found.mean,
        found.std,
        encoding.used[places[:-1]],
        weigh(found.gram, weights),
        tally=tally_by_column(found.tally, encoding),
        groups=groups,
        unfit={j: why for j, why in encoding.refused.items() if why != "constant"},
        target=target,
    )
    if not isinstance(found, BlockedSummary):
        return known
    inner = GroupedBlocks(found.blocks, weights, groups)
    return _with_blocks(known, ResponseBlocks(inner, len(groups.sizes) - 1))


def _with_blocks(known: ResponseSummary, blocks: Blocks) -> BlockedResponse:
    return BlockedResponse(
        known.n_rows,
        known.mean,
        known.std,
        known.varying,
        known.gram,
        tally=known.tally,
        groups=known.groups,
        unfit=known.unfit,
        target=known.target,
        blocks=blocks,
    )
