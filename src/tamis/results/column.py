"""What became of every column of a table: kept, dropped or skipped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, overload

import numpy as np

from tamis.errors import escape_controls
from tamis.evaluation.outcome import Outcome
from tamis.facts.selection_answer import ColumnFacts
from tamis.results.frame import make_typed_frame
from tamis.results.selection_facts import taken_facts
from tamis.values import dataclass

_FIELDS = (
    "reason",
    "rank",
    "gain",
    "total",
    "new_rows",
    "new_rows_low",
    "share",
    "by",
    "alone",
    "chance",
    "score",
    "missing",
    "text",
)
_SUBSTITUTES = 5


@dataclass(frozen=True, eq=False)
class Column(ColumnFacts):
    """All that is known about one column.

    What does not apply to it is None.

    Attributes
    ----------
    name, position
        Its name as in the table, and its position there, from 0.
    status
        "kept" or "skipped"; of a dropped one "safe", "partly lost" or "lost", by what the kept
        columns explain of it on new rows, and None where that was not measured.
    reason
        Why it was skipped, as "constant"; of a dropped one "forbidden", or with
        `redundancy="drop"`, "irrelevant" or "redundant"; of a kept one "included" if it had to be.
    rank
        Its place in the ranking, from 1; the kept columns come first.
    gain, total
        Of a kept column: the share that it adds to those before it, and what all up to it explain.
    new_rows, new_rows_low
        What these kept columns explain of it on rows like these that were not used, measured by
        ten folds, and the lower limit of that: of the columns where it is above 95%, the safe ones,
        few have less. 1 for a kept column.
    share
        How much of it the kept columns explain on these rows; 1 for a kept column.
    explained_by
        The few kept columns that explain most of it, each with its weight.
    by
        The same as text.
    alone
        What these few explain without the other kept columns.
    chance
        What the kept columns would explain of an unrelated column.
    score
        The method's own score.
    missing
        Share of the rows in which it has no value.
    taken_as
        How it was taken: "number", "category of 5 levels (2 rare ones pooled)", "count as
        logarithm" and the like.
    text
        What it means: a label of the file, or from `names`.
    substitutes
        Of a kept column: the best columns in its place, each with the change in `retained`.
    """

    replaced: Callable[[Any], Any] | None = field(default=None, repr=False)

    @property
    def taken_as(self) -> str | None:
        """How it was taken, in words; None for a column that was not analysed."""
        from tamis.presentation.prose.about_column import taken_text

        if self.missing is None:
            return None
        return "number" if self.taken is None else taken_text(self.taken)

    @cached_property
    def substitutes(self) -> list[tuple[Any, float]]:
        """The best columns in its place, each with the change in `retained`."""
        return [] if self.replaced is None else self.replaced(self.name)

    def __str__(self) -> str:
        from tamis.presentation.prose.about_column import column_text

        return escape_controls(column_text(self, self.substitutes))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the sentence at the end of a notebook's cell."""
        printer.text("..." if cycle else str(self))

    def __dir__(self) -> list[str]:
        hidden = [name for name in super().__dir__() if name.startswith("_")]
        return [
            *hidden,
            "name",
            "position",
            "status",
            *_FIELDS,
            "taken_as",
            "explained_by",
            "substitutes",
        ]


class ColumnTable(Sequence[Column]):
    """Columns in a row; it prints as a table.

    Examples
    --------
    >>> import tamis
    >>> X = np.random.default_rng(0).standard_normal((50, 2))
    >>> tamis.select(np.column_stack([X, X.sum(axis=1)]), k=2).kept
      kept      adds     total
      x2       72.4%     72.4%
      x0       27.6%      100%
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = tuple(columns)

    @property
    def names(self) -> list[Any]:
        """The columns by name."""
        return [column.name for column in self]

    @overload
    def __getitem__(self, key: int) -> Column: ...
    @overload
    def __getitem__(self, key: slice) -> "ColumnTable": ...
    def __getitem__(self, key: int | slice) -> "Column | ColumnTable":
        found = self._columns[key]
        return ColumnTable(found) if isinstance(found, tuple) else found

    def __iter__(self) -> Iterator[Column]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        from tamis.presentation.terminal.answers import columns_text

        return columns_text(self)

    def _repr_html_(self) -> str:
        from tamis.presentation.notebook.card import columns_html

        return columns_html(self)


def columns_of(outcome: Outcome) -> list[Column]:
    """Say of every column what became of it, in table order."""
    request, path = outcome.request, outcome.path
    ranks = {int(outcome.used[j]): place for place, j in enumerate(path.indices, start=1)}
    gains = np.diff(path.retained, prepend=0.0)
    kept = {int(j): place for place, j in enumerate(outcome.indices)}
    explained = {row.column: row for row in outcome.explain()}
    read, constant = {*outcome.used.tolist()}, {*outcome.constant}
    included = {*outcome.included}
    taken = {int(outcome.used[place]): one for place, one in taken_facts(outcome).items()}
    columns = []
    for j, name in enumerate(request.given):
        text = request.texts.get(request.names[j], "")
        column = Column(name, j, "skipped", outcome.skipped.get(name, ""), text=text)
        if j in read:
            score = float(outcome.scores[j])
            column = replace(
                column,
                status=None,
                reason="",
                rank=ranks.get(j),
                score=None if np.isnan(score) else score,
                missing=outcome.missing.shares.get(name, 0.0),
                taken=taken.get(j),
            )
        elif name in constant:
            column = replace(column, reason="constant")
        if j in kept:
            place = kept[j]
            column = replace(
                column,
                status="kept",
                reason="included" if name in included else "",
                new_rows=1.0,
                new_rows_low=1.0,
                share=1.0,
                gain=max(float(gains[place]), 0.0),
                total=float(path.retained[place]),
                replaced=partial(outcome.substitutes, n=_SUBSTITUTES),
            )
        elif name in explained:
            row = explained[name]
            column = replace(
                column,
                status=row.status,
                reason=row.reason,
                new_rows=row.new_rows,
                new_rows_low=row.new_rows_low,
                share=row.share,
                explained_by=row.weights,
                by=row.by,
                alone=row.carried,
                chance=outcome.chance,
            )
        columns.append(column)
    return columns


_REASON_TYPES = {
    "column": "string",
    "text": "string",
    "status": "string",
    "reason": "string",
    "taken_as": "string",
    "rank": "int64",
    "gain": "float64",
    "total": "float64",
    "new_rows": "float64",
    "new_rows_low": "float64",
    "share": "float64",
    "by": "string",
    "made_of": "string",
    "alone": "float64",
    "chance": "float64",
    "score": "float64",
    "missing": "float64",
    "frequency": "float64",
}


def column_frame(
    columns: Sequence[Column],
    library: str,
    frequency: Mapping[str, float] | None = None,
    made: Mapping[str, str] = MappingProxyType({}),
    texts: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Give one row for every column, in table order; what is known of some only where it is."""
    beside = ("column", "text", "reason", "taken_as", "frequency", "made_of")
    taken = [name for name in _REASON_TYPES if name not in beside]
    values: dict[str, list[Any]] = {"column": [str(column.name) for column in columns]}
    if texts:
        values["text"] = [texts.get(str(column.name)) for column in columns]
    values |= {name: [vars(column)[name] for column in columns] for name in taken}
    values["reason"] = [_reason(column) for column in columns]
    values["taken_as"] = [column.taken_as for column in columns]
    if made:
        values["made_of"] = [made.get(str(column.name)) for column in columns]
    if frequency is not None:
        values["frequency"] = [frequency.get(column.name) for column in columns]
    return make_typed_frame(values, _REASON_TYPES, library, [column.name for column in columns])


def _reason(column: Column) -> str:
    """Say why a column has its status: its own reason, or what was done with it."""
    if column.reason or column.status == "skipped":
        return column.reason or "not analysed"
    return "selected" if column.status == "kept" else "dropped"
