"""What a first pass over a table sees: levels of its categories, and a sample of its numbers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Self

import numpy as np
import pyarrow.compute as pc
import scipy.sparse

from tamis.memory import batch_rows
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.kinds import MAX_LEVELS
from tamis.sources.read import Accumulator, read
from tamis.sources.source import Source
from tamis.statistics.clipping import HashedSample
from tamis.statistics.column_spread import Weights, count_rows
from tamis.statistics.mixed import MixedRows, cut_batch, read_mixed_rows
from tamis.statistics.row_hash import Hashes, row_hashes

MAX_HELD_HASHES = 1 << 20  # rows whose hashes are held until they are read again
_STRIP_CELLS = 1 << 20  # of a sample on its way from a worker


class ColumnsSeen(Accumulator):
    """Rows, levels and missing values of categories, and a sample of the numbers (`numeric`).

    `absent` are missing values of categories, and `lost` how many rows these count for; `lacks` are
    equal for categories that lack a value in the same rows. `hashes` are those of the numbers of
    all rows, batch by batch; none where they are too many. Of `sparse` numbers nothing is learnt.
    Rows count as the `weights` of all say.
    """

    def __init__(
        self, names: Sequence[str] = (), *, sampled: bool = False, weights: Weights | None = None
    ) -> None:
        self._names, self._sampled, self._weights = names, sampled, weights
        self._read = self.n_rows = 0
        self.counts: dict[int, Counter[str]] = {}
        self.absent: Counter[int] = Counter()
        self.lost: Counter[int] = Counter()
        self.lacks: Counter[int] = Counter()
        self.numeric: tuple[int, ...] = ()
        self.sample: HashedSample | None = None
        self.hashes: list[Hashes] = []
        self.sparse = False

    def add(self, rows: Any) -> None:
        """Take in some rows; an array of sparse numbers is the last."""
        if scipy.sparse.issparse(rows):
            self.sparse = self.done = True
            return
        self._read, first = self._read + len(rows), self._read
        self.see(rows, None if self._weights is None else self._weights[first : self._read])

    def see(self, rows: MixedRows, weights: Weights | None = None) -> Hashes | None:
        """Take in some rows; give the hashes of their numbers where these are made."""
        self.numeric = rows.numeric
        self.add_levels(rows, weights)
        return self._sample(rows, weights) if self._sampled and rows.numeric and len(rows) else None

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

    def _sample(self, rows: MixedRows, weights: Weights | None) -> Hashes | None:
        own, hashes = [self._names[j] for j in rows.numeric], None
        if weights is None:
            hashes = row_hashes(rows.numbers, own)
            held = [*self.hashes, hashes]
            self.hashes = held if self.n_rows <= MAX_HELD_HASHES else []
        part = HashedSample.from_batch(rows.numbers, own, weights, hashes, self.sample)
        self.sample = part if self.sample is None else self.sample.merge(part)
        return hashes

    def merge(self, other: Self) -> Self:
        """Count the rows, levels and missing values of other rows."""
        self.n_rows += other.n_rows
        self.absent.update(other.absent)  # a sum would forget what is 0
        self.lost.update(other.lost)
        self.lacks.update(other.lacks)
        for j, counts in other.counts.items():
            self.counts.setdefault(j, Counter()).update(counts)
        self.numeric = self.numeric or other.numeric
        self.sparse = self.sparse or other.sparse
        return self

    def split(self) -> dict[Any, Any]:
        """Give each category and some columns of the sample by themselves."""
        rows = ColumnsSeen()
        rows.n_rows, rows.numeric, rows.sparse = self.n_rows, self.numeric, self.sparse
        found: dict[Any, Any] = {("rows", 0): rows}
        for j, counts in self.counts.items():
            one = found["levels", j] = ColumnsSeen()
            one.counts = {j: counts}
            one.absent, one.lost, one.lacks = (
                Counter({j: of[j]}) for of in (self.absent, self.lost, self.lacks)
            )
        if self.sample is not None:
            strips = self.sample.split(max(_STRIP_CELLS // self.sample.most, 1))
            found |= {("sample", i): strip for i, strip in enumerate(strips)}
        return found

    def join(self, values: Mapping[Any, Any]) -> Self:
        """Put categories and strips of the sample together."""
        strips = []
        for (kind, _), value in sorted(values.items(), key=lambda one: one[0]):
            if kind == "sample":
                strips.append(value)
            else:
                self.merge(value)
        if strips:
            self.sample = HashedSample.join(strips)
        return self


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


def see_columns(
    source: Source, columns: Sequence[int], *, sampled: bool, weights: Weights | None = None
) -> ColumnsSeen:
    """Read a table once; the numbers are sampled if that is wanted. Rows count as `weights` say."""
    names = [source.names[j] for j in columns]
    seen: ColumnsSeen
    (seen,) = read(
        source, columns, ColumnsSeen(names, sampled=sampled, weights=weights), rows=_read_rows
    )
    return seen


def _read_rows(source: Source, columns: Sequence[int]) -> Iterator[Any]:
    """Yield rows of numbers and texts; of numbers alone that are sparse the first as they are."""
    if any(source.kinds[j] == "categorical" for j in columns):
        yield from read_mixed_rows(source, columns, MissingPolicy.ERROR)
        return
    step = batch_rows(len(columns))
    batches = source.batches(columns)
    for batch in track("rows read", batches, source.n_rows, lambda b: b.shape[0], source.meter):
        if scipy.sparse.issparse(batch):
            yield batch
        else:
            yield from cut_batch(batch, tuple(range(len(columns))), step)
