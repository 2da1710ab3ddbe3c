"""`Look`: what each column of a table is, as a user holds it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from tamis.columns.judgement import ColumnJudgement, TableJudgement
from tamis.errors import spell
from tamis.facts.json_schema import to_plain
from tamis.facts.look_and_check import LookedColumn, LookFacts
from tamis.facts.shared_answer import SuspiciousColumn, UnreadPart
from tamis.registry.missing_policy import MAX_MISSING
from tamis.results.frame import make_typed_frame
from tamis.results.shown import Shown
from tamis.values import dataclass

_LOOK_TYPES = {
    "column": "string",
    "text": "string",
    "kind": "string",
    "missing": "int64",
    "distinct": "int64",
    "distinct_exact": "bool",
    "smallest": "string",
    "largest": "string",
    "zeros": "int64",
    "odd": "string",
    "done": "string",
    "option": "string",
}


@dataclass(frozen=True, eq=False, repr=False)
class Look(Shown):
    """What each column of a table is, what is unusual about it, and what tamis will do with it.

    Attributes
    ----------
    frame
        One row for each column: kind, missing and distinct values, smallest, largest, zeros, what
        is odd, what is done, and the option that changes it.
    rows
        Number of rows.
    kinds
        The kind of every column, by name.
    """

    judgement: TableJudgement = field(repr=False)
    label: str
    doubts: tuple[str, ...]
    plain: frozenset[str]  # columns in which every value counts
    unread: tuple[tuple[str, str], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    library: str = "pyarrow"

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.judgement.rows

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of every column, by name."""
        return {one.name: one.kind for one in self.judgement.columns}

    @property
    def frame(self) -> Any:
        """One row for each column, in the library of the table; an Arrow table for a file."""
        rows = [vars(row) for row in self._facts.columns]
        columns = {
            name: [_as_text(row[name]) if kind == "string" else row[name] for row in rows]
            for name, kind in _LOOK_TYPES.items()
            if name != "text" or self.texts
        }
        return make_typed_frame(columns, _LOOK_TYPES, self.library, columns["column"])

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values, as `tamis look --json` prints it."""
        document: dict[str, Any] = to_plain(self._facts, {})
        return document

    def __repr__(self) -> str:
        from tamis.presentation.terminal.answers import look_text

        return look_text(self._facts)

    def _repr_html_(self) -> str:
        from tamis.presentation.notebook.card import look_html

        return look_html(self._facts)

    @cached_property
    def _facts(self) -> LookFacts:
        from tamis.presentation.prose.about_relations import relation_text

        judgement = self.judgement
        related = {one.column: relation_text(one) for one in judgement.relations}
        return LookFacts(
            title=self.label,
            rows=self.rows,
            kinds=Counter(one.kind for one in judgement.columns),
            doubts=self.doubts,
            unread=tuple(UnreadPart(file, place) for file, place in self.unread),
            columns=tuple(
                self._look_at(column, related.get(column.name)) for column in judgement.columns
            ),
        )

    def _look_at(self, column: ColumnJudgement, related: str | None) -> LookedColumn:
        """Gather what is known of a column; `related` is what others make of it."""
        from tamis.presentation.prose.about_table import warning_advice, warning_text

        done, option = _done(column, guesses=column.name not in self.plain)
        odd = [*([related] if related else []), *column.badges]
        if column.looks_like and not done.startswith("skipped"):
            suspect = SuspiciousColumn(column.name, column.looks_like)
            odd, option = [*odd, warning_text(suspect)], warning_advice(suspect)
        return LookedColumn(
            column=column.name,
            text=self.texts.get(column.name, ""),
            kind=column.kind,
            missing=column.missing,
            distinct=column.distinct,
            distinct_exact=column.exact,
            smallest=column.smallest,
            largest=column.largest,
            zeros=column.zeros,
            odd="; ".join(odd),
            done=done,
            option=option,
        )


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else f"{value:.15g}"


def _done(one: ColumnJudgement, *, guesses: bool) -> tuple[str, str]:
    """Say what is done with a column, and the option that changes it."""
    text = isinstance(one.smallest, str)
    if one.action == "skipped":
        kind = "categories" if text or one.smallest is None else "numbers"
        fixed = one.kind == "empty" or (one.kind == "other" and one.smallest is None)
        return f"skipped: {one.why}", "" if fixed else spell(kind, [one.name])
    if one.ticked:
        return "categories: blank is one of two", ""
    if one.missing > MAX_MISSING.default * one.rows:
        limit = f"more than {MAX_MISSING.default:.0%} missing"
        return f"skipped: {limit}", spell(MAX_MISSING.name, 1)
    if one.kind == "constant":
        return "never kept: constant", ""
    if one.absent and guesses:
        values = ", ".join(found.text for found in one.sentinels if found.obvious)
        return f"numbers; {values} missing", spell("na", [f"{one.name}=none"])
    if one.decimal:
        return _read_numbers(one), spell("categories", [one.name])
    if one.sentinels:
        return "numbers", spell("na", [f"{one.name}={one.sentinels[0].text}"])
    if one.action == "categories" and one.marks and guesses:
        return f"categories; {_list_texts(one.marks)} missing", spell("na", [f"{one.name}=none"])
    if one.action == "categories":
        return "categories", ""
    codes = one.kind in ("category", "ordinal code")
    return "numbers", spell("categories", [one.name]) if codes else ""


def _read_numbers(one: ColumnJudgement) -> str:
    said = [f"{_list_texts(one.marks)} missing"] if one.marks else []
    said += [f"{_list_texts(one.limits)} read as the number in it"] if one.limits else []
    return f"numbers; {'; '.join(said)}" if said else "text read as numbers"


def _list_texts(texts: Sequence[str]) -> str:
    more = [f"{len(texts) - 3} more"] if len(texts) > 3 else []
    return ", ".join([*map(repr, texts[:3]), *more])
