"""What the columns of a sparse table hold, counted from the stored values alone."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import scipy.sparse

from tamis.columns.number_tally import NumberTally
from tamis.progress import track
from tamis.sources.source import Source

__all__ = ["count_sparse"]

_GATHERED_VALUES = 1 << 24  # columns are counted one by one, which costs a little each


def count_sparse(
    source: Source, columns: Sequence[int], room: int
) -> tuple[int, dict[int, NumberTally]]:
    """Count the rows and what the columns of numbers hold; nothing where these are not sparse."""
    numbers = [j for j in columns if source.kinds[j] == "numeric"]
    tallies, rows, stored = {j: NumberTally(room) for j in numbers}, 0, np.zeros(len(numbers), int)
    held: list[Any] = []

    def count_held() -> None:
        nonlocal stored
        values = scipy.sparse.csc_array(scipy.sparse.vstack(held, format="csr"), dtype=np.float64)
        held.clear()
        for place, tally in enumerate(tallies.values()):
            tally.add(values.data[values.indptr[place] : values.indptr[place + 1]])
        stored += np.diff(values.indptr)

    with closing(_read(source, numbers)) as batches:
        for batch in batches:
            if not scipy.sparse.issparse(batch):
                return 0, {}
            rows += batch.shape[0]
            held.append(batch)
            if sum(one.nnz for one in held) >= _GATHERED_VALUES:
                count_held()
    if held:
        count_held()
    for tally, count in zip(tallies.values(), stored, strict=True):
        tally.add_zeros(rows - int(count))
    return rows, tallies if rows else {}


def _read(source: Source, columns: Sequence[int]) -> Any:
    batches = source.batches(columns) if columns else iter(())
    return track("rows", batches, source.n_rows, lambda batch: int(batch.shape[0]), source.meter)
