"""A table and its responses: one Gram matrix, in which these are the last groups of columns.

A number is one column; classes are a group of indicators, scaled like those of a category, so that
the share explained of them is the mean squared canonical correlation. Each response counts the
same.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse

from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.kinds import Kind
from tamis.sources.source import Source
from tamis.statistics.classes import CountedTarget, Responses, encode_target
from tamis.statistics.encoding import EncodedSource, Encoding, see_columns, settle_encoding
from tamis.statistics.grouped import Groups
from tamis.statistics.labels import Target, are_measured, refuse_same
from tamis.statistics.linear import collect_gram
from tamis.statistics.mixed_gram import group_blocks, level_weights, tally_by_column
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.response_parts import find_labelled_parts, sum_up_parts
from tamis.statistics.row_blocks import weigh
from tamis.statistics.row_hash import RowRules
from tamis.statistics.rows import complete_labels
from tamis.statistics.summary import Summary


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
    parted = None if rules is not None else find_labelled_parts(source, columns, parts)
    if parted is not None:
        apart = sum_up_parts(
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
    both = HeldResponsesSource(inner, own, values, [f"y{i}" for i in range(values.shape[1])])
    read = partial(collect_blocks, rules=rules) if blocks else collect_gram
    found = read(both, range(len(both.names)), scale=scale, missing=missing.of_numbers)
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
    target = Target.of_rows(labels, marks, known, task, what=what)
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
    weights = None if rules is None else rules.weights
    seen = see_columns(source, columns, sampled=False, weights=weights)
    return settle_encoding(seen, names, insist=insist, missing=missing)


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

    def __init__(
        self, inner: Source, columns: Sequence[int], values: Floats, names: Sequence[str]
    ) -> None:
        self._inner, self._columns, self._values = inner, list(columns), values
        own = [inner.names[j] for j in self._columns]
        kinds: list[Kind] = [inner.kinds[j] for j in self._columns]
        kinds += ["numeric"] * len(names)
        self.info = replace(
            inner.info,
            names=(*own, *names),
            kinds=tuple(kinds),
            labels=None,
            blank=frozenset(),
        )

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
            yield _append_columns(batch, values)
        if first != len(self._values):
            raise TamisError(
                f"{self.label} does not have {len(self._values):,} rows, as y has labels: give one "
                "for each row."
            )


def _append_columns(batch: Any, values: Floats) -> Any:
    if scipy.sparse.issparse(batch):
        return scipy.sparse.hstack([batch, scipy.sparse.csr_array(values)], format="csr")
    # Wider numbers than those of the table would change none of its digits.
    return np.concatenate([batch, values], axis=1)
