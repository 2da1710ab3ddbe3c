"""The Gram matrix of a table of numbers and categories, of which every column counts the same.

A category with levels of frequency p is a group of indicators, centred and divided by the root of
p; the group is scaled so that its variances add up to 1. The share explained of a category is then
the mean squared canonical correlation with what explains it: 100% where that determines it.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.kinds import MIN_LEVEL_ROWS
from tamis.rules.search import LEAST_SAMPLE_ROWS, MAX_HELD_CELLS
from tamis.sources.arrays import ArraySource
from tamis.sources.source import Source
from tamis.statistics.clipping import Outliers
from tamis.statistics.encoding import (
    ColumnsSeen,
    EncodedSource,
    Encoding,
    see_columns,
    settle_encoding,
)
from tamis.statistics.grouped import Groups
from tamis.statistics.missing import Tally
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import Blocks, weigh
from tamis.statistics.row_hash import RowRules
from tamis.statistics.speculative import SummedColumns
from tamis.statistics.summary import Summary, refuse_unfit

_SHOWN_TOGETHER = 3  # columns, and groups of them, that are named


def collect_mixed(
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy,
    insist: Collection[int] = (),
    outliers: Outliers = "keep",
    rules: RowRules | None = None,
    summed: SummedColumns | None = None,
) -> Summary | None:
    """Read the table twice: for what its columns are like, and for its moments by block.

    What the pass that judged the columns has `summed` is not read again. Nothing is learnt of
    numbers that turn out sparse, or without any row: None.
    """
    names = [source.names[j] for j in columns]
    seen = None if summed is None else summed.seen
    if seen is None:
        weights = None if rules is None else rules.weights
        seen = see_columns(source, columns, sampled=outliers != "keep", weights=weights)
    if seen.sparse or not seen.n_rows:
        return None
    encoding = settle_encoding(seen, names, insist=insist, outliers=outliers, missing=missing)
    # Shares of the variance are those of standardised columns, each row counting once.
    heavy = rules is None and scale
    hashes = () if rules is not None else seen.hashes
    # Once they are counted, rows that are fewer than columns are known to be the smaller form.
    counted = seen.n_rows if rules is None else None
    encoded = EncodedSource(
        source, columns, encoding, n_rows=counted, weighs_rows=heavy, hashes=hashes
    )
    if not encoded.names:
        refuse_unfit(len(names), source.label, encoding.refused)
    read = partial(collect_blocks, scale=scale, missing=missing.of_numbers, rules=rules)
    first = None if summed is None else summed.take_encoded(encoding, weighs_rows=heavy)
    found = read(encoded, range(len(encoded.names)), first=first)
    heavy_rows = () if encoded.heavy is None else encoded.heavy.find()
    whole, doubts = group_summary(found, encoding), _say_empty_together(seen, encoding)
    whole = replace(whole, clipped=encoded.counts, heavy=heavy_rows, doubts=doubts)
    if not encoded.counts or outliers != "auto":
        return whole
    held, blocks = encoded.rows_as_is, found.row_blocks
    with suppress(TamisError):  # values may be too large to be added up as they are
        if held is not None and blocks is not None and len(blocks) == len(held):
            same = replace(rules or RowRules(), numbers=blocks.astype(np.uint8))
            again = ArraySource(held, encoded.names if source.named else None, source.label)
            found = read(again, range(len(encoded.names)), rules=same)
            as_is = group_summary(found, replace(encoding, limits={}, tails={}))
            cells = np.where(np.isfinite(held), held, np.nan)
            as_is = replace(as_is, heavy=heavy_rows, doubts=doubts, cells=cells)
            return replace(whole, as_is=as_is)
        if rules is None and not encoding.levels and not encoding.refused:
            return replace(whole, sample=_sum_up_sample(seen, names, scale, missing))
    return whole


def _sum_up_sample(
    seen: ColumnsSeen, names: Sequence[str], scale: bool, missing: MissingPolicy
) -> Summary | None:
    """Summarise some rows of a large table of numbers as a table of their own, None if too few."""
    assert seen.sample is not None
    most = MAX_HELD_CELLS // len(names)
    if not LEAST_SAMPLE_ROWS <= most < seen.n_rows:
        return None
    first = np.argsort(seen.sample.hashes, kind="stable")[:most]
    source = ArraySource(seen.sample.rows[first], names)
    return collect_mixed(source, range(len(names)), scale=scale, missing=missing, outliers="auto")


def _say_empty_together(seen: ColumnsSeen, encoding: Encoding) -> tuple[str, ...]:
    """Name the categories that are empty in the same rows: they may be one question, asked of some.

    That they share these rows explains nothing of their values.
    """
    groups: dict[int, list[int]] = {}
    for j, levels in encoding.levels.items():
        if seen.absent[j] >= MIN_LEVEL_ROWS and not levels.missing:
            groups.setdefault(seen.lacks[j], []).append(j)
    said = []
    for first, *others in sorted(groups.values(), key=lambda some: (-len(some), some)):
        names = [repr(encoding.names[j]) for j in others[:_SHOWN_TOGETHER]]
        if len(others) > _SHOWN_TOGETHER:
            names.append(f"{len(others) - _SHOWN_TOGETHER:,} more")
        if names:
            verb = "is" if len(others) == 1 else "are"
            listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
            where = f"{encoding.names[first]!r} (in the same {seen.absent[first]:,} rows)"
            said.append(f"{listed} {verb} empty together with {where}.")
    return tuple(said[:_SHOWN_TOGETHER])


def group_summary(found: Summary, encoding: Encoding) -> Summary:
    """Put the encoded columns of a summary together, every column of the table with weight 1."""
    places, groups = encoding.groups.of_columns(found.varying)
    weights = level_weights(found, encoding.indicators[found.varying], groups)
    owner = encoding.used[encoding.groups.owner]
    small = {int(owner[j]): why for j, why in found.refused.items()}
    # Columns that cannot be analysed: identifiers, and numbers too small by far.
    unfit = {j: why for j, why in encoding.refused.items() if why != "constant"}
    unfit |= {j: why for j, why in small.items() if j not in encoding.levels}
    return replace(
        found,
        varying=encoding.used[places],
        gram=weigh(found.gram, weights),
        tally=tally_by_column(found.tally, encoding),
        groups=groups,
        unfit=unfit,
        blocks=group_blocks(found.blocks, groups, weights),
        encoding=encoding,
        encoded=found.varying,
    )


def group_blocks(
    blocks: Blocks | None, groups: Groups, weights: Floats, responses: int = 0
) -> Blocks | None:
    """Put the encoded columns of blocks of rows together."""
    if blocks is None:
        return None
    return replace(blocks, groups=groups, column_weights=weights, responses=responses)


def level_weights(found: Summary, indicators: Any, groups: Groups) -> Floats:
    """Give what the columns of a Gram matrix are multiplied with: 1 for numbers.

    An indicator of frequency p among L that vary gets the variance (1 - p) / (L - 1), so that those
    of a category add up to 1; of two levels one column stands for both.
    """
    p = found.mean[found.varying]
    others = groups.sizes[groups.owner] - 1
    wanted = np.where(others > 0, (1.0 - p) / np.maximum(others, 1), 1.0)
    diagonal = found.gram.diagonal()
    return np.where(indicators, np.sqrt(np.maximum(wanted, 0.0) / diagonal), 1.0)


def tally_by_column(encoded: Tally, encoding: Encoding) -> Tally:
    """Count missing values by column of the table, those of categories as they were met."""
    counts = np.zeros(len(encoding.names), dtype=np.intp)
    starts = encoding.groups.starts
    for place, j in enumerate(encoding.used.tolist()):
        counts[j] = encoding.absent.get(j, encoded.counts[starts[place]])
    tally = Tally(len(encoding.names), encoded.done)
    # Rows without any missing value are counted where categories have none.
    complete = None if any(encoding.absent.values()) else encoded.complete
    tally.add(encoded.rows, encoded.used, counts, complete if counts.any() else encoded.rows)
    tally.infinite = encoded.infinite
    return tally
