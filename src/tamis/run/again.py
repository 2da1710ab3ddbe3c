"""A table read again: what a first reading did not keep, such as sums by block of rows."""

import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import chain
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, spell
from tamis.facts.shared_answer import RelationFacts
from tamis.numerics.types import Floats, Indices
from tamis.registry.shared import Scale
from tamis.rules.kinds import NUMBER_KINDS
from tamis.run.front import prepare, read_for
from tamis.run.request import Request
from tamis.run.roles import read_rules
from tamis.sources.open import is_path
from tamis.sources.source import GivesSource, Source
from tamis.statistics.missing import as_float64
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.scaled_source import rewrite_source
from tamis.statistics.summary import Summary
from tamis.values import dataclass

_SAME_MEAN = 1e-9


@dataclass(frozen=True, eq=False)
class Reader:
    """Where a table was and how it was read.

    A path is held, and a summary in memory, which is no table and small (`data`); a table in memory
    is not kept alive (`seen`).
    """

    request: Request = field(repr=False)
    columns: list[int]
    data: Any = field(default=None, repr=False)
    seen: Callable[[], Any] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, request: Request, columns: list[int], data: Any) -> Self:
        """Note how to find the table again: its path, or what has not been deleted."""
        if is_path(data) or isinstance(data, GivesSource):
            return cls(request, columns, data)
        try:
            return cls(request, columns, seen=weakref.ref(data))
        except TypeError:
            return cls(request, columns)

    def table(self) -> Any:
        """Give the table, None where it is no longer there."""
        return self.data if self.seen is None else self.seen()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "data": self.data if is_path(self.data) else None, "seen": None}

    @property
    def relations(self) -> tuple[RelationFacts, ...]:
        """The columns that others determine, as the first reading found them."""
        return self.request.judgement.relations

    def by_block(self, first: Summary) -> Summary:
        """Read the table again by block of rows; it must be what it was at the first reading."""
        request = self.request
        request.method.check_resamples("held_out", True)
        data = self.table()
        if data is None:
            raise TamisError(
                f"The table is no longer in memory to be read again: pass "
                f"{spell('held_out', True)}, which keeps what is needed at the first reading."
            )

        def run(source: Source) -> Summary:
            return self._read(prepare(request, source)[1], first)

        return read_for(request, data, run, takes_text=False)

    def _read(self, source: Source, first: Summary) -> Summary:
        request = self.request
        if not source.has_rows:
            from tamis.statistics.stored import collect_stored, summary_of_stored

            stored = collect_stored(source, self.columns)
            return summary_of_stored(stored, scale=request.scale.divides, blocks=True)
        if source.info.once:
            raise TamisError(
                f"{source.label} can be read only once: pass {spell('held_out', True)}, which "
                "keeps what is needed at the first reading."
            )
        own = {n: request.own[n] for n in request.method.reads if n != "outliers"}
        scale = Scale.STANDARD if request.scale.looks else request.scale  # any other was settled
        rules = read_rules(source, request)
        found = collect_blocks(
            rewrite_source(source, self.columns, scale, None if rules is None else rules.weights),
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


def _are_same(first: Summary, again: Summary) -> bool:
    if not first.has_moments or first.n_rows != again.n_rows:
        return False
    apart = np.abs(first.mean - again.mean)
    return bool((apart <= _SAME_MEAN * (np.abs(first.mean) + first.std)).all())


T = TypeVar("T")

_MAX_SAMPLED_CELLS = 4_000_000
_MIN_MEASURED = 100  # rows, however wide the table is
_MAX_SAMPLED_LABELS = 12
_SHOWN_CELLS = 5


@dataclass(frozen=True, eq=False)
class RowSample:
    """Rows of a table: `seen` were read, of which `at` are the positions of those sampled.

    They are evenly spaced in the first part of a long table: what a report shows of rows must not
    cost more than the answer, and be the same for the same table.

    `kinds` are those of all columns of the table; what follows is of the ones asked for, in their
    order. `values` are those in the sampled rows: numbers, NaN where missing, or positions in
    `labels` for categories: the most frequent ones, the last for all others. `means`, `deviations`
    and `distinct`, the number of different values, are of all rows that were read; `cells` are the
    values of a few rows as text.
    """

    kinds: tuple[str, ...]
    seen: int
    at: Indices
    values: tuple[Floats, ...]
    labels: tuple[tuple[str, ...], ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    distinct: tuple[int, ...]
    cells: tuple[tuple[str, ...], ...]


def read_numbers(reader: Reader | None, width: int) -> tuple[Floats, bool] | None:
    """Read the first rows again, and say whether they are all; None if that cannot be done."""

    def first(source: Source) -> tuple[Floats, bool] | None:
        plain = all(kind in NUMBER_KINDS for kind in source.kinds)
        if source.info.once or not source.has_rows or not plain or len(source.names) != width:
            return None
        room = max(_MAX_SAMPLED_CELLS // max(width, 1), _MIN_MEASURED)
        values = _first(map(as_float64, source.batches(list(range(width)))), room + 1)
        return (values[:room], len(values) <= room) if len(values) else None

    return _read_again(reader, first)


def sample_rows(reader: Reader | None, columns: Sequence[int], most: int = 200) -> RowSample | None:
    """Read the table again and take evenly spaced rows; None where it cannot be read again."""
    return _read_again(reader, lambda source: _sample_rows(source, columns, most))


def _read_again(reader: Reader | None, read: Callable[[Source], T | None]) -> T | None:
    """Read a table again as it was read before; None where it cannot be."""
    data = None if reader is None else reader.table()
    if reader is None or data is None:
        return None
    request = reader.request
    try:
        return read_for(
            request,
            data,
            lambda source: read(prepare(request, source)[1]),
            takes_text=request.method.takes_text,
        )
    except (TamisError, OSError):  # the file may be gone: the answer does not depend on it
        return None


def _sample_rows(source: Source, columns: Sequence[int], most: int) -> RowSample | None:
    if source.info.once or not source.has_rows or max(columns, default=0) >= len(source.names):
        return None
    room = max(_MAX_SAMPLED_CELLS // max(len(columns), 1), most)
    texts = [j for j in columns if source.kinds[j] == "categorical"]
    numbers = [j for j in columns if source.kinds[j] != "categorical"]
    values = _first(map(as_float64, source.batches(numbers)), room) if numbers else None
    tables = source.tables(texts, mark_missing=True) if texts else iter(())
    words = _first_words(tables, room, len(texts))
    seen = len(values) if values is not None else len(words[0]) if words else 0
    if seen == 0:
        return None
    at = np.unique(np.linspace(0, seen - 1, min(most, seen)).astype(np.intp))
    measured = [] if values is None else _of_numbers(values, at)
    found: dict[int, tuple[Any, ...]] = dict(zip(numbers, measured, strict=True))
    found |= {j: _of_words(one, at) for j, one in zip(texts, words, strict=True)}
    return RowSample(source.kinds, seen, at, *zip(*(found[j] for j in columns), strict=True))


def _first(batches: Iterator[Floats], room: int) -> Floats:
    parts, seen = [], 0
    for batch in batches:
        parts.append(batch[: room - seen])
        seen += len(parts[-1])
        if seen >= room:
            break
    return np.concatenate(parts) if parts else np.zeros((0, 0))


def _first_words(tables: Iterator[Any], room: int, width: int) -> list[list[Any]]:
    words: list[list[Any]] = [[] for _ in range(width)]
    same: dict[Any, Any] = {}  # equal texts are held once, however long they are
    for table in tables:
        for column, known in zip(table.columns, words, strict=True):
            cells = column.slice(0, room - len(known)).to_pylist()
            known += [same.setdefault(c, c) if isinstance(c, str) else c for c in cells]
        if words and len(words[0]) >= room:
            break
    return words


def _of_numbers(values: Floats, at: Indices) -> Iterator[tuple[Any, ...]]:
    ordered, known, distinct = order_columns(values)
    shown = at[_spread(len(at))]
    for j in range(values.shape[1]):
        there = ordered[known[:, j], j]
        # Squares of huge values, which are limited in the analysis alone, would be infinite.
        unit = max(1.0, *np.abs(there[[0, -1]]).tolist()) if there.size else 1.0
        some = there / unit if there.size else np.zeros(1)
        mean, std = unit * float(some.mean()), unit * float(some.std())
        cells = tuple("" if np.isnan(cell) else f"{cell:.6g}" for cell in values[shown, j])
        yield values[at, j], (), mean, std, int(distinct[j]), cells


def order_columns(values: Floats) -> tuple[Floats, NDArray[np.bool_], Indices]:
    """Sort every column, with a mark where it has values, and count those that differ."""
    ordered = np.sort(np.where(np.isfinite(values), values, np.nan), axis=0)  # missing come last
    known = np.isfinite(ordered)
    steps = (ordered[1:] > ordered[:-1]) & known[1:] & known[:-1]
    return ordered, known, steps.sum(axis=0) + known.any(axis=0)


def _spread(count: int) -> Indices:
    """Give a few positions, evenly spaced.

    >>> _spread(200).tolist()
    [0, 49, 99, 149, 199]
    """
    return np.unique(np.linspace(0, count - 1, min(_SHOWN_CELLS, count)).astype(np.intp))


def _of_words(words: Sequence[Any], at: Indices) -> tuple[Any, ...]:
    known = [str(word) for word in words if word is not None]
    kinds, counts = np.unique(np.array(known, dtype=object), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    labels = [str(kinds[i]) for i in order[:_MAX_SAMPLED_LABELS]]
    rest = len(kinds) - len(labels)
    code = {label: float(i) for i, label in enumerate(labels)}
    picked = [words[i] for i in at]
    values = [np.nan if w is None else code.get(str(w), float(len(labels))) for w in picked]
    names = chain(labels, [f"{rest:,} others"] if rest else [])
    cells = ["" if picked[i] is None else str(picked[i])[:40] for i in _spread(len(at))]
    return np.array(values), tuple(names), 0.0, 0.0, len(kinds), tuple(cells)
