"""Means of what is there of columns, made in a part of a table while it is read for its sums."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import scipy.sparse

from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Arrays
from tamis.statistics.missing import RunningMeans, Tally
from tamis.statistics.missing_cells import finite

__all__ = ["MEANS", "MeansBeside", "pack_means"]

MEANS = "means"


class MeansBeside:
    """The means that a second pass fills in, if the first meets missing values.

    Once a value turns out to be missing, the sums are in vain, and the means are what is wanted. Of
    sparse rows there are none.
    """

    def __init__(self, policy: MissingPolicy, fill: RunningMeans | None, tally: Tally) -> None:
        self._policy, self._tally = policy, tally
        self._means = RunningMeans(len(tally.counts)) if policy.fills and fill is None else None

    def watch(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Let batches pass, and add each once it has been seen whether values are missing."""
        for batch in batches:
            yield batch
            if self._means is None or scipy.sparse.issparse(batch):
                continue
            if self._tally.counts.any():
                self._means.add(finite(batch) if self._policy.takes_infinite else batch)
            else:
                self._means.add_complete(batch)

    def give(self) -> dict[str, Arrays]:
        """Give the means under their name, if they may be wanted."""
        return {} if self._means is None else pack_means(self._means)


def pack_means(means: RunningMeans) -> dict[str, Arrays]:
    """Write means as arrays that add up, under their name."""
    rows = np.array(means.rows)
    return {MEANS: {"counts": means.counts, "mean": means.values, "rows": rows}}
