"""What is known of the rows: how they are held out and counted, and whether they are alike."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.numerics.types import Floats, Indices
from tamis.run.request import Request
from tamis.sources.source import Source
from tamis.statistics.classes import RowLabels
from tamis.statistics.heavy_rows import HeavyRow
from tamis.statistics.mixed import rows_of_batch
from tamis.statistics.mixed_gram import GroupedSummary
from tamis.statistics.row_blocks import BlockedSummary
from tamis.statistics.row_patterns import (
    MAX_PATTERN_ROWS,
    SIMILAR,
    choose_columns,
    similarity_within,
)
from tamis.statistics.row_rules import RowRules
from tamis.statistics.summary_protocol import Summary

_MIN_ROWS_PER_KEY = 1.2  # below, nearly every row has a key of its own
_MAX_KEYS = 5  # that are tried


@dataclass(frozen=True)
class SimilarRows:
    """A key that repeats, and the intraclass correlation of the rows that have it in common."""

    key: str
    similarity: float


@dataclass(frozen=True)
class RowNotes:
    """How rows were held out and counted, and what makes held-out rows too easy.

    `groups` is how many groups of rows were held out as wholes, `counted` how many rows the weights
    stand for if they are integers, `successive` the correlation of successive rows where they
    follow one another, `similar` the key whose rows are alike, `heavy` the rows that carry much of
    the variance.
    """

    groups: int | None = None
    ordered: bool = False
    weighted: bool = False
    counted: int | None = None
    successive: float | None = None
    similar: SimilarRows | None = None
    heavy: tuple[HeavyRow, ...] = ()


def note_rows(
    request: Request,
    source: Source,
    usable: Sequence[int],
    summary: Summary,
    rules: RowRules | None,
) -> RowNotes:
    """Note what was asked of the rows, and what was seen where nothing was asked."""
    heavy = summary.heavy if isinstance(summary, GroupedSummary) else ()
    weights = None if rules is None else rules.weights
    counted = summary.n_rows if weights is not None and weights.dtype.kind == "i" else None
    asked = RowNotes(weighted=weights is not None, counted=counted, heavy=heavy)
    if rules is not None and rules.numbers is not None:
        return replace(asked, groups=rules.groups, ordered=rules.ordered)
    if not isinstance(summary, BlockedSummary):
        return asked
    similar = _find_similar(request, source, usable)
    found = summary.successive
    # Rows of one key that stand together follow one another, too: the key says more.
    shown = found is not None and found.clear and similar is None
    successive = found.overall if found is not None and shown else None
    return replace(asked, successive=successive, similar=similar)


def _find_similar(request: Request, source: Source, usable: Sequence[int]) -> SimilarRows | None:
    """Find the key that repeats whose rows are most alike, clearly more than by chance."""
    known = request.preparation
    judged = () if known is None or known.judgement is None else known.judgement.columns
    at = {name: j for j, name in enumerate(source.names)}
    keys = [
        at[one.name]
        for one in judged
        if one.kind == "key"
        and one.name in at
        and 1 < one.distinct < (one.rows - one.missing) / _MIN_ROWS_PER_KEY
    ][:_MAX_KEYS]
    # Where little else is there a key is analysed, too: it says nothing of how alike its rows are.
    numbers = [j for j in usable if source.kinds[j] != "categorical" and j not in keys]
    if not keys or not numbers:
        return None
    chosen = [numbers[i] for i in choose_columns(len(numbers))]
    rows, codes = _read_leading(source, chosen, keys)
    found = [SimilarRows(source.names[key], similarity_within(rows, codes[key])) for key in keys]
    best = max(found, key=lambda one: one.similarity)
    return best if best.similarity >= SIMILAR else None


def _read_leading(
    source: Source, columns: Sequence[int], keys: Sequence[int]
) -> tuple[Floats, dict[int, Indices]]:
    """Read the first rows of some columns, missing values as means, and the codes of the keys.

    Rows without a key are groups of their own.
    """
    parts: list[Floats] = []
    known: dict[int, dict[object, int]] = {key: {} for key in keys}
    codes: dict[int, list[int]] = {key: [] for key in keys}
    left, width = MAX_PATTERN_ROWS, len(columns)
    for table in source.tables([*columns, *keys], mark_missing=True):
        for batch in table.slice(0, left).combine_chunks().to_batches():
            parts.append(rows_of_batch(batch, tuple(range(width)), ()).numbers)
            for i, key in enumerate(keys):
                labels = RowLabels.of_column(batch.column(width + i))
                seen = known[key]
                own = [seen.setdefault(one, len(seen)) for one in labels.distinct]
                for place in labels.places.tolist():
                    codes[key].append(own[place] if place >= 0 else -1 - len(codes[key]))
        left -= table.num_rows
        if left <= 0:
            break
    rows = np.concatenate(parts) if parts else np.zeros((0, width))
    there = np.isfinite(rows)
    means = np.where(there, rows, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    filled = np.where(there, rows, means)
    return filled, {key: np.array(some, dtype=np.intp) for key, some in codes.items()}
