"""One method of a comparison: its columns for every number, on all rows and on parts of them."""

import time
from collections.abc import Callable
from dataclasses import field, replace
from typing import Any, TypeVar

import numpy as np

from tamis import registry
from tamis.algorithms.path import Path
from tamis.errors import TamisError
from tamis.evaluation.common_ground import MAX_PART_CELLS, Ground
from tamis.evaluation.held_out import HeldOut, held_out
from tamis.evaluation.peak_memory import measure_peak
from tamis.evaluation.stability import half_choices
from tamis.numerics.types import Indices
from tamis.progress import track
from tamis.registry import Method
from tamis.registry.missing_policy import MissingPolicy
from tamis.run.request import Request
from tamis.run.selection import FoundColumns, select_columns
from tamis.sources.arrays import ArraySource
from tamis.statistics.row_blocks import Blocks
from tamis.statistics.rows import Rows
from tamis.statistics.summary import Summary
from tamis.values import dataclass

T = TypeVar("T")
Folds = list[tuple[Indices, Indices]]  # rows to learn from, and rows held out

N_HALVES = 20  # the first of those that `Selection.stability` takes


@dataclass(eq=False)
class Trial:
    """A method on the common table, for several numbers of columns."""

    ground: Ground
    request: Request
    sizes: tuple[int, ...]
    found: dict[int, FoundColumns] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)
    work: dict[int, float] = field(default_factory=dict)
    done: dict[tuple[str, int], Any] = field(default_factory=dict)

    @property
    def method(self) -> Method:
        """The method."""
        return self.request.method

    def run(self) -> None:
        """Find the columns for every number; one search where it gives them all."""
        largest = self.sizes[-1]
        self._find(largest)
        for k in self.sizes[:-1]:
            if self.nested:
                self.found[k], self.seconds[k] = self.found[largest], self.seconds[largest]
            else:
                self._find(k)

    def _find(self, k: int) -> None:
        ground, request = self.ground, replace(self.request, k=k)
        cpu, reading, start = time.process_time(), ground.summaries.seconds, time.perf_counter()
        self.found[k] = select_columns(request, ground.source, read=ground.summaries)
        # Reading serves other methods too.
        reading = ground.summaries.seconds - reading
        self.seconds[k] = max(time.perf_counter() - start - reading, 0.0)
        # On a busy machine the processor's own time says better what repeats would take.
        self.work[k] = max(time.process_time() - cpu - reading, 0.0)

    def _once(self, what: str, k: int, compute: Callable[[int], T]) -> T:
        """Compute something for `k` columns once, or for the largest number where that has all."""
        size = self.sizes[-1] if self.nested else k
        if (what, size) not in self.done:
            self.done[what, size] = compute(size)
        return self.done[what, size]

    def peak(self, k: int) -> float:
        """Give the largest memory, in megabytes, of a process that finds the columns."""
        source = self.ground.source
        return self._once(
            "peak", k, lambda size: measure_peak(replace(self.request, k=size), source)
        )

    @property
    def nested(self) -> bool:
        """Whether the search for the largest number gives the smaller ones."""
        return self.found[self.sizes[-1]].path.nested

    def list_kept(self, k: int) -> Indices:
        """Give the columns kept, best first, as places among the used columns."""
        found = self.found[k]
        return self.ground.find_used(found.used[found.path.kept[:k]])

    @property
    def can_repeat(self) -> bool:
        """Whether it can be repeated on parts of the rows."""
        cells = self.ground.summary.n_rows * len(self.ground.usable)
        small = self.method.resamples or cells <= MAX_PART_CELLS
        return self.ground.blocks is not None and small

    @property
    def blocks(self) -> Blocks:
        """The blocks of rows of a table that can be repeated on parts of them."""
        assert self.ground.blocks is not None
        return self.ground.blocks

    def folds(self, k: int) -> HeldOut:
        """Give what it explains on held-out rows, columns selected again in every fold."""
        ridge = self.found[self.sizes[-1]].search.ridge

        def hold_out(size: int) -> HeldOut:
            return held_out(self.blocks, lambda part: self._on_part(part, size), size, ridge=ridge)

        return self._once("folds", k, hold_out).head(k)

    def sets(self, k: int) -> list[Indices]:
        """Give the columns kept in every half-sample."""

        def search_halves(size: int) -> list[Indices]:
            choices = half_choices(self.blocks.count, N_HALVES // 2)
            parts = track("half-samples", self.blocks.parts(choices), len(choices))
            return [
                part.varying[self._on_part(part, size).indices]
                for part in parts
                if len(part.varying)
            ]

        return [kept[:k] for kept in self._once("sets", k, search_halves)]

    def _on_part(self, part: Summary, k: int) -> Path:
        """Choose columns on some blocks of rows; they count among those that vary there."""
        assert part.marks is not None
        own = self.found[self.sizes[-1]]
        if own.summary is self.ground.summary:
            return own.search.on(part)(min(k, len(part.varying)))
        if own.summary.blocks is not None:
            (same,) = own.summary.blocks.parts(part.marks[None])
            path = own.search.on(same)(min(k, len(same.varying)))
            places = self.ground.find_used(own.used[same.varying[path.indices[:k]]])
        else:
            rows, numbers = self.ground.numbered
            chosen = np.flatnonzero(part.marks[numbers])
            places = self._on_rows(rows, chosen, k)
        return _find_varying(part, places)

    def list_kept_without(self, folds: Folds, k: int) -> list[Indices]:
        """Give the columns kept on the training rows of every fold of the sample."""

        def search_folds(size: int) -> list[Indices]:
            return [self._on_rows(self.ground.sample, train, size) for train, _ in folds]

        return [kept[:k] for kept in self._once("training rows", k, search_folds)]

    def _on_rows(self, rows: Rows, chosen: Indices, k: int) -> Indices:
        """Choose columns on some rows of the columns read."""
        usable = self.ground.usable
        source = ArraySource(rows.values[chosen], [self.ground.source.names[j] for j in usable])
        request = replace(
            self.request,
            k=k,
            y=None if rows.labels is None else rows.labels[chosen],
            columns=None,
            exclude=(),
            missing=MissingPolicy.ERROR,
            held_out=False,
        )
        found = select_columns(request, source, read=self.ground.summaries_of(chosen))
        kept = found.used[found.path.kept[:k]]
        return self.ground.find_used(np.asarray(usable)[kept])


def _find_varying(part: Summary, places: Indices) -> Path:
    there = np.searchsorted(part.varying, places)
    there = np.minimum(there, len(part.varying) - 1)
    there = there[part.varying[there] == places]
    return Path(there, np.zeros(len(there)))


class ListTrial(Trial):
    """A given list beside methods: its first columns where fewer are compared.

    Nothing is searched, so on any part of the rows it is the same.
    """

    def __init__(self, ground: Ground, name: str, places: Indices, sizes: tuple[int, ...]) -> None:
        super().__init__(ground, ground.request, sizes)
        self._name, self._places = name, places

    @property
    def method(self) -> registry.Method:
        """What stands in the place of a method: the list, by its name."""
        return registry.Method(
            id=self._name,
            name="a list that was given",
            needs="gram",
            paper="",
            about="the columns of this list, in the order given",
            kernel="",
            estimator="",
        )

    def run(self) -> None:
        """Note that nothing is searched."""
        self.seconds, self.work = dict.fromkeys(self.sizes, 0.0), dict.fromkeys(self.sizes, 0.0)

    @property
    def nested(self) -> bool:
        """The first columns of a list are a list."""
        return True

    def peak(self, k: int) -> float:  # noqa: ARG002 - as of a method
        """Refuse to say what memory a search takes that there is not."""
        raise TamisError("A given list is not searched for.")

    @property
    def can_repeat(self) -> bool:
        """Whether parts of the rows are known."""
        return self.ground.blocks is not None

    def list_kept(self, k: int) -> Indices:
        """Give the first `k` columns of the list."""
        return self._places[:k]

    def folds(self, k: int) -> HeldOut:
        """Give what the list explains on held-out rows."""
        size = min(k, len(self._places))
        return held_out(
            self.blocks, lambda part: _find_varying(part, self._places[:k]), size, ridge=None
        )

    def sets(self, k: int) -> list[Indices]:  # noqa: ARG002 - as of a method
        """Refuse to say how stable a list is: it does not hang on the rows."""
        raise TamisError("A given list is the same on all rows.")
