"""A table read again: what a first reading did not keep, such as sums by block of rows."""

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from tamis.columns.relation import Relation
from tamis.errors import TamisError, spell
from tamis.memory import limit_memory
from tamis.run.candidates import with_text
from tamis.run.prepare import list_known_texts, prepare
from tamis.run.request import Request
from tamis.run.row_roles import read_rules
from tamis.sources.open import is_path
from tamis.sources.source import GivesSource, Source
from tamis.statistics.collect import collect_summary
from tamis.statistics.linear import TableSummary
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import BlockedSummary
from tamis.statistics.scaled_source import rewrite_source, settle_scale
from tamis.statistics.summary_protocol import Summary

_SAME_MEAN = 1e-9


@dataclass(frozen=True, eq=False)
class Reader:
    """Where a table was and how it was read. A table in memory is not kept alive for it."""

    request: Request = field(repr=False)
    columns: list[int]
    table: Callable[[], Any] = field(repr=False)

    @classmethod
    def of(cls, request: Request, columns: list[int], data: Any) -> Self:
        """Note how to find the table again: its path, or what has not been deleted."""
        return cls(request, columns, _Found(data))

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The columns that others determine, as the first reading found them."""
        known = self.request.preparation
        return () if known is None or known.judgement is None else known.judgement.relations

    def by_block(self, first: Summary) -> BlockedSummary:
        """Read the table again by block of rows; it must be what it was at the first reading."""
        request = self.request
        request.method.check_resamples("held_out", True)
        data = self.table()
        if data is None:
            raise TamisError(
                f"The table is no longer in memory to be read again: pass "
                f"{spell('held_out', True)}, which keeps what is needed at the first reading."
            )
        with limit_memory(request.memory):
            return with_text(
                data,
                False,
                lambda source: self._read(prepare(request, source)[1], first),
                {} if request.skip_corrupt else None,
                categories=request.categories,
                numbers=request.numbers,
                known=list_known_texts(request),
            )

    def _read(self, source: Source, first: Summary) -> BlockedSummary:
        request = self.request
        if not source.has_rows:
            return _blocks_of_summary(source, self.columns, request.scale.divides)
        if source.info.once:
            raise TamisError(
                f"{source.label} can be read only once: pass {spell('held_out', True)}, which "
                "keeps what is needed at the first reading."
            )
        own = {n: request.own[n] for n in request.method.reads if n != "outliers"}
        scale = settle_scale(source, self.columns, request.scale)
        rules = read_rules(source, request)
        found = collect_blocks(
            rewrite_source(source, self.columns, scale, rules),
            self.columns,
            scale=scale.divides,
            missing=request.missing,
            rules=rules,
            **own,
        )
        if not _are_same(first, found):
            raise TamisError(
                f"{source.label} has changed since the columns were chosen: run again."
            )
        return found


def _blocks_of_summary(source: Source, columns: list[int], scale: bool) -> BlockedSummary:
    """Take the blocks that a summary holds; one without any is refused."""
    from tamis.statistics.stored import summary_of_stored

    found = summary_of_stored(collect_summary(source, columns), scale=scale, blocks=True)
    assert isinstance(found, BlockedSummary)
    return found


class _Found:
    """A table that was there: by path, or as long as someone else holds it.

    A summary in memory is held: it is no table, and small.
    """

    def __init__(self, data: Any) -> None:
        held = is_path(data) or isinstance(data, GivesSource)
        self._path = data if held else None
        try:
            self._held = None if self._path is not None else weakref.ref(data)
        except TypeError:
            self._held = None

    def __call__(self) -> Any:
        return self._path if self._held is None else self._held()

    def __getstate__(self) -> dict[str, Any]:
        return {"_path": self._path if is_path(self._path) else None, "_held": None}


def _are_same(first: Summary, again: TableSummary) -> bool:
    if not isinstance(first, TableSummary) or first.n_rows != again.n_rows:
        return False
    apart = np.abs(first.mean - again.mean)
    return bool((apart <= _SAME_MEAN * (np.abs(first.mean) + first.std)).all())
