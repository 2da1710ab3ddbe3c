"""A table and its responses: one Gram matrix, in which these are the last groups of columns.

A number is one column; classes are a group of indicators, scaled like those of a category, so that
the share explained of them is the mean squared canonical correlation. Each response counts the
same.
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
from tamis.statistics.encoded_source import EncodedSource
from tamis.statistics.encoding import Encoding, learn_encoding
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
from tamis.statistics.response_coding import CountedTarget, Responses, encode_target
from tamis.statistics.response_parts import find_labelled_parts, gather_beside
from tamis.statistics.row_blocks import BlockedSummary, Blocks, Choices, HeldOutRows
from tamis.statistics.row_rules import RowRules
from tamis.statistics.rows import complete_labels
from tamis.statistics.statistic import Statistic
from tamis.statistics.target import Target, are_measured


@dataclass(frozen=True, eq=False)
class ResponseGram(Statistic["ResponseGram"]):
    """The Gram matrix of a table and its responses, the last groups: `count` of them.

    `targets` have the labels of the rows; what the columns explain does not need them.
    """

    whole: GroupedGram
    n_rows: int
    targets: tuple[Target | CountedTarget, ...] = ()
    count: int = 1

    @property
    def response(self) -> int:
        """The place of the first response among the groups: how many columns to choose from."""
        return self.width - self.count

    @property
    def width(self) -> int:
        """The number of columns and responses."""
        return len(self.whole.groups.sizes)

    @property
    def target(self) -> Target | CountedTarget | None:
        """The labels of the rows, where there is one response."""
        return self.targets[0] if len(self.targets) == 1 else None

    @property
    def importance(self) -> Floats:
        """What is to be explained: the responses alone."""
        return np.asarray(np.arange(self.width) >= self.response, dtype=np.float64)

    @cached_property
    def explained(self) -> "ResponseGram":
        """The same without labels."""
        return replace(self, targets=()) if self.targets else self

    @property
    def error(self) -> float | None:
        """How far shares of the variance may be off; None where the matrix is exact."""
        return self.whole.error

    @property
    def samples(self) -> Samples | None:
        """The rows behind the matrix where it is held by them."""
        return self.whole.samples


def as_grouped(statistic: "Gram | GroupedGram | ResponseGram") -> GroupedGram:
    """Give a Gram matrix as one of groups, a response among them."""
    return statistic.whole if isinstance(statistic, ResponseGram) else as_groups(statistic)


@dataclass(frozen=True, eq=False)
class ResponseSummary(GroupedSummary):
    """What is known of a table and its responses; `varying` counts the table's columns only."""

    targets: tuple[Target | CountedTarget, ...] = field(default=(), kw_only=True)
    responses: int = field(default=1, kw_only=True)

    @property
    def statistic(self) -> ResponseGram:
        """What a method works on."""
        whole = GroupedGram(self.gram, self.groups, self.n_rows)
        return ResponseGram(whole, self.n_rows, self.targets, self.responses)


@dataclass(frozen=True, eq=False)
class BlockedResponse(ResponseSummary, BlockedSummary):
    """The same, by block of rows too."""


@dataclass(frozen=True, eq=False)
class ResponseBlocks:
    """Blocks of rows of a table and its responses, column `first` of those that vary and on."""

    inner: GroupedBlocks
    first: int
    responses: int = 1

    @property
    def count(self) -> Any:
        """Rows of every block."""
        return self.inner.count

    @property
    def ordered(self) -> bool:
        """Whether the rows follow one another."""
        return self.inner.ordered

    def parts(self, choices: Choices) -> Iterator[TableSummary]:
        """Summarise the rows of several choices of blocks, those in which all responses vary."""
        return (self._apart(part) for part in self.inner.parts(choices) if self._varies(part))

    def splits(self, choices: Choices) -> Iterator[tuple[TableSummary, HeldOutRows]]:
        """Do the same, and give the other rows about the mean and in the unit of these."""
        for part, others in self.inner.splits(choices):
            if self._varies(part):
                yield self._apart(part), others

    def _varies(self, part: GroupedSummary) -> bool:
        count = self.responses
        return len(part.varying) > count and int(part.varying[-count]) == self.first

    def _apart(self, part: GroupedSummary) -> ResponseSummary:
        return ResponseSummary(
            part.n_rows,
            part.mean,
            part.std,
            part.varying[: -self.responses],
            part.gram,
            groups=part.groups,
            responses=self.responses,
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
    """Read the table with its response, or several, beside it.

    `labels` is the position of a column, or one label for each row, or several such. With the task
    "auto" numbers are taken as such, unless they are integers of a few values only.
    """
    parts = labels.parts if isinstance(labels, Responses) else (labels,)
    parted = None if rules is not None else find_labelled_parts(source, columns, parts)
    if parted is not None:
        apart = gather_beside(
            parted,
            columns,
            parts,
            task=task,
            scale=scale,
            missing=missing,
            insist=insist,
            blocks=blocks,
        )
        widths = [target.width for target in apart.targets]
        return _summarise_both(apart.found, apart.encoding, apart.targets, widths)
    read_parts = [_target_of(source, part, task, missing) for part in parts]
    targets = [target for target, _ in read_parts]
    values = np.concatenate([columns for _, columns in read_parts], axis=1)
    encoding = _learn_response(source, columns, missing, insist, rules)
    encoded = bool(encoding.levels or encoding.refused)
    inner = EncodedSource(source, columns, encoding) if encoded else source
    own = range(len(inner.names)) if encoded else list(columns)
    beside = BesideSource(inner, own, values, [f"y{i}" for i in range(values.shape[1])])
    read = partial(collect_blocks, rules=rules) if blocks else collect_gram
    found = read(beside, range(len(beside.names)), scale=scale, missing=missing.of_numbers)
    found.tally.unlabelled = int(np.isnan(values).any(axis=1).sum())
    return _summarise_both(found, encoding, targets, [part.shape[1] for _, part in read_parts])


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
    clusters = labels if isinstance(labels, ClusterLabels) else None
    clusters = None if clusters is None else clusters.taken(np.flatnonzero(known))
    target = Target.of(marks[known], task, what=what, clusters=clusters)
    found = encode_target(target)
    values = np.full((len(marks), found.shape[1]), np.nan)
    values[known] = found
    return target, values


def _learn_response(
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
    return learn_encoding(rows, names, insist=insist, missing=missing, rules=rules)


def _summarise_both(
    found: TableSummary,
    encoding: Encoding,
    targets: Sequence[Target | CountedTarget],
    widths: Sequence[int],
) -> ResponseSummary:
    """Put the encoded columns together, those of the responses last."""
    count = len(targets)
    sizes = np.append(encoding.groups.sizes, widths).astype(np.intp)
    places, groups = Groups(sizes).of_columns(found.varying)
    for place, target in zip(range(len(sizes) - count, len(sizes)), targets, strict=True):
        if place not in places:
            target.refuse_same()
    scaled = np.append(encoding.indicators, np.ones(sum(widths), dtype=bool))[found.varying]
    weights = level_weights(found, scaled, groups)
    known = ResponseSummary(
        found.n_rows,
        found.mean,
        found.std,
        encoding.used[places[:-count]],
        weigh(found.gram, weights),
        tally=tally_by_column(found.tally, encoding),
        groups=groups,
        unfit={j: why for j, why in encoding.refused.items() if why != "constant"},
        targets=tuple(targets),
        responses=count,
        encoding=encoding,
    )
    if not isinstance(found, BlockedSummary):
        return known
    inner = GroupedBlocks(found.blocks, weights, groups)
    return _with_blocks(known, ResponseBlocks(inner, len(groups.sizes) - count, count))


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
        targets=known.targets,
        responses=known.responses,
        encoding=known.encoding,
        blocks=blocks,
    )
