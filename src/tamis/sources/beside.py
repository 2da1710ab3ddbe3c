"""A table with further columns of numbers beside its own, such as a response given as an array."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse

from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.sources.info import Kind
from tamis.sources.source import Source


class BesideSource(Source):
    """Some columns of a table, and behind them columns that are held in memory."""

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
            yield _join(batch, values)
        if first != len(self._values):
            raise TamisError(
                f"{self.label} does not have {len(self._values):,} rows, as y has labels: give one "
                "for each row."
            )

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the columns of the table among these, in the form they came in."""
        return self._inner.pick([self._columns[j] for j in columns if j < len(self._columns)])

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield the columns of the table among these as Arrow tables."""
        own = [self._columns[j] for j in columns if j < len(self._columns)]
        return self._inner.tables(own, mark_missing=mark_missing)


def _join(batch: Any, values: Floats) -> Any:
    if scipy.sparse.issparse(batch):
        return scipy.sparse.hstack([batch, scipy.sparse.csr_array(values)], format="csr")
    # Wider numbers than those of the table would change none of its digits.
    return np.concatenate([batch, values], axis=1)
