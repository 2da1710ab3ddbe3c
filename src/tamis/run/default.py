"""Which method suits a table when none is named, and which of its columns seem suspicious."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from tamis.columns.suspects import (
    as_texts,
    find_suspects,
    find_written_numbers,
    judge_texts,
    looks_like_identifier,
)
from tamis.errors import TamisError
from tamis.facts.shared_answer import SuspiciousColumn
from tamis.memory import limit_memory
from tamis.registry import DEFAULT_METHOD, get
from tamis.registry.missing_policy import MissingPolicy
from tamis.registry.shared import MEMORY, SHARED
from tamis.run.beforehand import check_excluded, check_size, first_rows
from tamis.run.candidates import with_text
from tamis.run.column_options import match_request
from tamis.run.label_column import find_label_columns
from tamis.run.prepare import is_settled, prepare
from tamis.run.request import Request
from tamis.run.row_roles import find_roles
from tamis.run.selection import FoundColumns, SizeRule, select_from
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.classes import find_class_column

MIXED = "representatives"
LINEAR = "sfs"  # what linear methods are compared by: the columns as they are
_USUAL = {name: option.default for name, option in SHARED.items()}
WHY_DEFAULT = "the default"
_TRIED = 1_000_000  # rows on which advice is tried
_MAX_COUNTED_COLUMNS = 2_000  # columns whose pairs are counted in seconds


def select_by_default(
    data: Any, asked: Mapping[str, Any], rule: SizeRule | None = None
) -> FoundColumns:
    """Find the columns to keep by the method that suits the table."""
    asked = {**_USUAL, **asked}
    possible = _possible(asked)
    with limit_memory(MEMORY.check(asked["memory"])):
        first, asked = with_text(
            data,
            True,
            lambda source: _First.of_request(*_prepare(possible, source, asked), asked),
            {} if asked["skip_corrupt"] else None,
            categories=asked["categories"],
            numbers=asked["numbers"],
        )
    request = _request(_method_for(asked), asked, WHY_DEFAULT)
    found = select_from(request, data, rule)
    return replace(found, suspects=(*found.suspects, *first.suspects()))


def _method_for(asked: Mapping[str, Any]) -> str:
    """Give the default method, or the one for categories if an option is asked that only it has."""
    if MissingPolicy(asked["missing"]).codes_numbers:
        return MIXED
    own = asked.get("options") or ()
    return max((DEFAULT_METHOD, MIXED), key=lambda one: sum(get(one).has(name) for name in own))


def _prepare(request: Request, source: Source, asked: Mapping[str, Any]) -> tuple[Request, Source]:
    """Refuse what can be refused unread, and judge the columns of the table."""
    if is_settled(source, asked["y"]):
        matched = match_request(request, source)
        check_excluded(matched, source)
        lists = {name: vars(matched)[name] for name in ("columns", "exclude")}
        check_size(matched, len(_find_analysed(source, {**asked, **lists})), source.label)
    return prepare(request, source, sums_up=True)


def _request(method: str, asked: Mapping[str, Any], why: str = "") -> Request:
    """Ask for it of this method, and let it refuse what it cannot do."""
    return Request.of(method, **asked, why=why)


def _possible(asked: Mapping[str, Any]) -> Request:
    """Give the request of a default method that takes what is asked, before any row is read.

    Where none does, the one with most of the options says what is wrong.
    """
    own = asked.get("options") or ()
    ids = sorted((DEFAULT_METHOD, MIXED), key=lambda one: sum(not get(one).has(n) for n in own))
    try:
        return _request(ids[0], asked)
    except TamisError as refusal:
        with suppress(TamisError):
            return _request(ids[1], asked)
        raise refusal from None


def default_method(source: Source, asked: Mapping[str, Any]) -> str:
    """Give the id of the method by which others are compared: for text one on its information."""
    kinds = {source.kinds[j] for j in _find_analysed(source, asked)}
    text = "categorical" in kinds and _First.of(source, asked).repeating_text
    return MIXED if text else LINEAR


def _find_analysed(source: Source, asked: Mapping[str, Any]) -> list[int]:
    given = asked["columns"]
    wanted = set(range(len(source.names)) if given is None else find_positions(source, given))
    beside = find_roles(source, asked.get("row_groups"), asked.get("weights"))
    unwanted = {*find_positions(source, [*asked["exclude"], *source.info.unfit]), *beside}
    return sorted(wanted - unwanted - {*find_label_columns(source, asked["y"])})


class _First(NamedTuple):
    """The first rows of the columns to analyse; none of a summary or a table of too many pairs.

    `more` is whether there are rows below them that can be read.
    """

    source: Source
    columns: list[int]
    rows: Any
    more: bool = False

    @classmethod
    def of(cls, source: Source, asked: Mapping[str, Any]) -> "_First":
        columns = _find_analysed(source, asked)
        if (
            not columns
            or len(columns) > _MAX_COUNTED_COLUMNS
            or source.info.once
            or not source.has_rows
        ):
            return cls(source, columns, None)
        return cls(source, columns, *first_rows(source, columns))

    @classmethod
    def of_request(
        cls, request: Request, source: Source, asked: Mapping[str, Any]
    ) -> tuple["_First", dict[str, Any]]:
        """Do the same for a request, and give what is asked with columns in place of patterns."""
        matched = match_request(request, source)
        lists = {name: vars(matched)[name] for name in ("columns", "include", "exclude")}
        options = {n: matched.own.get(n, v) for n, v in (asked.get("options") or {}).items()}
        size = {"k": matched.k} if "include_name" in asked else {}
        asked = {**asked, **lists, **size, "options": options, "preparation": matched.preparation}
        check_excluded(matched, source)
        check_size(matched, len(_find_analysed(source, asked)), source.label)
        return cls.of(source, asked), asked

    @property
    def repeating_text(self) -> bool:
        """Whether any text has several values that repeat; others are skipped in any case."""
        if self.rows is None:
            return False
        texts = [i for i, j in enumerate(self.columns) if self.source.kinds[j] == "categorical"]
        rows, counts = self.rows.num_rows, [len(self.rows.column(i).unique()) for i in texts]
        return any(1 < count < rows and not looks_like_identifier(count, rows) for count in counts)

    def suspects(self) -> tuple[SuspiciousColumn, ...]:
        """Find the columns that may not be what they seem."""
        if self.rows is None:
            return ()
        kinds = [self.source.kinds[j] for j in self.columns]
        found = {one.column: one for one in find_suspects(self.rows, kinds)}
        classes = None if self.source.named else find_class_column(self.rows)
        found |= {} if classes is None else {classes: SuspiciousColumn(classes, "label")}
        for name in find_written_numbers(self.rows, kinds) if self.more else ():
            # Advice is tried before it is given: text may follow, or another unit.
            judged = judge_texts(name, self._parts(name))
            found.pop(name, None)
            found |= {} if judged is None else {name: judged}
        return tuple(found[name] for name in self.rows.column_names if name in found)

    def _parts(self, name: str) -> Iterator[Any]:
        place, read = self.columns[self.rows.column_names.index(name)], 0
        for table in self.source.tables([place], mark_missing=True):
            yield as_texts(table.column(0))
            read += table.num_rows
            if read >= _TRIED:
                return
