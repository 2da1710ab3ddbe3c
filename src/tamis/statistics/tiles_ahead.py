"""Sums that a method will ask for, made while its table is read for something else."""

from collections.abc import Sequence
from functools import partial

from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.promised import Promise
from tamis.sources.source import Source
from tamis.statistics.tiles import TILES, add_arrays, part_tiles

__all__ = ["promise_tiles"]


def promise_tiles(source: Source, columns: Sequence[int], missing: MissingPolicy) -> Promise:
    """Promise the work of `gather_moments`, which takes what it finds, on some columns too."""
    names = [source.names[j] for j in columns]
    work = partial(part_tiles, names=names, policy=missing, fill=None)
    return Promise((TILES, missing), tuple(columns), work, add_arrays)
