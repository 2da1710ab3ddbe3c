"""What a first pass over a table has met: levels of its categories, and a sample of its numbers.

What was met in two parts of a table merges, so the parts of Dask and Spark are read where they are.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import partial
from hashlib import blake2b
from itertools import chain
from typing import Any

import numpy as np
import pyarrow.compute as pc
import scipy.sparse

from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.kinds import MAX_LEVELS
from tamis.sources.parted import gather_merged
from tamis.sources.source import PartedSource, Source
from tamis.statistics.clipping import HashedSample
from tamis.statistics.column_spread import Weights, count_rows
from tamis.statistics.missing import as_float64
from tamis.statistics.mixed import MixedRows, read_mixed_rows
from tamis.statistics.row_hash import Hashes, row_hashes
from tamis.statistics.row_rules import RowRules, RulesInOrder
from tamis.values import dataclass

MAX_HELD_HASHES = 1 << 20  # rows whose hashes are held until they are read again
_STRIP_CELLS = 1 << 20  # of a sample on its way from a worker
_TABLE, _SAMPLE, _SPARSE = "table", "sample", "sparse"


@dataclass(eq=False)
class ColumnsMet:
    """Rows, levels and missing values of categories, and a sample of the numbers (`numeric`).

    `absent` are missing values of categories, and `lost` how many rows these count for; `lacks` are
    equal for categories that lack a value in the same rows. `hashes`
    are those of the numbers of all rows, batch by batch; none where they are too many.
    """

    n_rows: int = 0
    counts: dict[int, Counter[str]] = field(default_factory=dict)
    absent: Counter[int] = field(default_factory=Counter)
    lost: Counter[int] = field(default_factory=Counter)
    lacks: Counter[int] = field(default_factory=Counter)
    numeric: tuple[int, ...] = ()
    sample: HashedSample | None = None
    hashes: list[Hashes] = field(default_factory=list)

    def add_levels(self, rows: MixedRows, weights: Weights | None = None) -> None:
        """Count rows, levels and missing values; of too many levels no more are counted."""
        self.n_rows += count_rows(rows.numbers, weights)
        self._note_lacks(rows)
        for j, text in zip(rows.categorical, rows.texts, strict=True):
            self.absent[j] += text.null_count
            known = self.counts.setdefault(j, Counter())
            if weights is None:
                self.lost[j] += text.null_count
            elif text.null_count:
                self.lost[j] += weights[np.asarray(text.is_null())].sum().item()
            if len(known) <= MAX_LEVELS:
                known.update(_count_levels(text, weights))

    def _note_lacks(self, rows: MixedRows) -> None:
        """Add a number for the rows in which each category has no value.

        It follows from the rows and from those of all others, so that sums over batches and parts
        are equal for the same rows only.
        """
        masks = {
            j: np.packbits(np.asarray(text.is_null())).tobytes()
            for j, text in zip(rows.categorical, rows.texts, strict=True)
            if text.null_count
        }
        whole = b"".join(str(j).encode() + mask for j, mask in masks.items())
        seed = blake2b(whole, digest_size=16).digest()
        for j, mask in masks.items():
            self.lacks[j] += int.from_bytes(blake2b(mask, key=seed, digest_size=8).digest())

    def join_levels(self, other: "ColumnsMet") -> None:
        """Count the rows, levels and missing values of other rows."""
        self.n_rows += other.n_rows
        self.absent += other.absent
        self.lost += other.lost
        self.lacks += other.lacks
        for j, counts in other.counts.items():
            self.counts[j] = self.counts.get(j, Counter()) + counts

    def add_rows(self, rows: MixedRows, names: Sequence[str]) -> Hashes | None:
        """Take in some rows, which count once; give the hashes of their numbers."""
        self.add_levels(rows)
        return self.add_numbers(rows, names) if rows.numeric and len(rows) else None

    def add_numbers(
        self, rows: MixedRows, names: Sequence[str], weights: Weights | None = None
    ) -> Hashes | None:
        """Take the numbers of some rows into the sample; give their hashes where they are made."""
        self.numeric = rows.numeric
        own, hashes = [names[j] for j in rows.numeric], None
        if weights is None:
            hashes = row_hashes(rows.numbers, own)
            self._hold_hashes(hashes)
        part = HashedSample.from_batch(rows.numbers, own, weights, hashes, self.sample)
        self.sample = part if self.sample is None else self.sample.merge(part)
        return hashes

    def _hold_hashes(self, hashes: Hashes) -> None:
        held = [*self.hashes, hashes]
        self.hashes = held if self.n_rows <= MAX_HELD_HASHES else []


def _count_levels(text: Any, weights: Weights | None) -> dict[str, Any]:
    """Count the rows of every level, each as often as its weight says."""
    if weights is None:
        found = pc.value_counts(text.drop_null())
        values, numbers = found.field(0).to_pylist(), found.field(1).to_pylist()
        return dict(zip(map(str, values), numbers, strict=True))
    coded = text.dictionary_encode()
    names, there = coded.dictionary.to_pylist(), np.asarray(text.is_valid())
    places = np.asarray(coded.indices.fill_null(0))[there]
    sums = np.bincount(places, weights[there], len(names)).astype(weights.dtype).tolist()
    return {str(name): size for name, size in zip(names, sums, strict=True) if size}


def meet_rows(
    batches: Iterable[MixedRows],
    names: Sequence[str],
    *,
    sampled: bool,
    rules: RowRules | None = None,
) -> ColumnsMet:
    """Read a table once; the numbers are sampled if that is wanted. Rows count as `rules` say."""
    met, ahead = ColumnsMet(), RulesInOrder(rules)
    for rows in batches:
        weights = ahead.take(len(rows)).weights
        met.add_levels(rows, weights)
        if sampled and rows.numeric and len(rows):
            met.add_numbers(rows, names, weights)
    return met


def gather_met(source: PartedSource, columns: Sequence[int], *, sampled: bool) -> ColumnsMet | None:
    """Do the same where the parts of a table are; None if its numbers are sparse."""
    names = [source.names[j] for j in columns]
    make = partial(_meet_part, names=names, sampled=sampled)
    found = gather_merged(source, columns, make, _merge_met)
    if _SPARSE in found:
        return None
    met = ColumnsMet(found.pop(_TABLE, 0), numeric=_find_numeric(source, columns))
    strips = sorted((int(name.split()[1]), name) for name in found if name.startswith(_SAMPLE))
    if strips:
        met.sample = HashedSample.join([found.pop(name) for _, name in strips])
    for name, (counts, absent, lacks) in found.items():
        j = int(name)
        met.counts[j], met.absent[j], met.lacks[j] = counts, absent, lacks
    met.lost = met.absent.copy()
    met.counts = dict(sorted(met.counts.items()))
    return met


def _find_numeric(source: Source, columns: Sequence[int]) -> tuple[int, ...]:
    return tuple(i for i, j in enumerate(columns) if source.kinds[j] != "categorical")


def _meet_part(part: Source, *, names: Sequence[str], sampled: bool) -> dict[str, Any]:
    """Say what was met in one part, each category and some columns of the sample by name."""
    columns = tuple(range(len(part.names)))
    if "categorical" in part.kinds:
        batches = read_mixed_rows(part, columns, MissingPolicy.ERROR)
    else:
        numbers = iter(part.batches(columns))
        first = next(numbers, None)
        if scipy.sparse.issparse(first):
            return {_SPARSE: 1}
        given = chain([] if first is None else [first], numbers)
        batches = (MixedRows(columns, as_float64(batch), (), ()) for batch in given)
    met = meet_rows(batches, names, sampled=sampled)
    found: dict[str, Any] = {
        str(j): (met.counts[j], met.absent[j], met.lacks[j]) for j in met.counts
    }
    if met.sample is not None:
        width = max(_STRIP_CELLS // met.sample.most, 1)
        strips = enumerate(met.sample.split(width))
        found |= {f"{_SAMPLE} {i}": strip for i, strip in strips}
    return {_TABLE: met.n_rows, **found}


def _merge_met(a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        return a[0] + b[0], a[1] + b[1], a[2] + b[2]
    return a.merge(b) if isinstance(a, HashedSample) else a + b
