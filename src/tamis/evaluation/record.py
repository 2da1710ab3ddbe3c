"""What was asked, and of which table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self, TypeVar

from tamis.errors import TamisError
from tamis.registry import Method, nearest
from tamis.run.request import Request
from tamis.sources.source import Source

__all__ = ["Record"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Record:
    """What was asked, as given, and of which table.

    `named` is whether the names are the table's own, `origin` the path it was read from, if any,
    `why` the reason for the method where the user named none. `unread` are files, and places in
    them, that were damaged and skipped, `doubts` what may have been misread. `labels` are the names
    as given where some are no text, `library` makes the frames of results, and `texts` say what
    columns mean.
    """

    method: Method
    k: float | None
    retain: float | None
    settings: dict[str, Any]
    label: str
    names: tuple[str, ...]
    named: bool
    origin: str | list[str] | None
    why: str = ""
    command: str | None = None
    unread: tuple[tuple[str, str], ...] = ()
    labels: tuple[Any, ...] | None = None
    library: str = "pyarrow"
    doubts: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, source: Source, request: Request, labels: str | list[str] | None = None) -> Self:
        """Note what was asked of a table; `labels` names the column of labels, if there is one."""
        table = (source.label, source.names, source.named, source.origin)
        settings = request.settings(labels)
        asked = (request.method, request.k, request.retain, settings)
        given, doubts = source.info.labels, source.info.doubts
        return cls(
            *asked,
            *table,
            request.why,
            unread=source.info.unread,
            labels=given,
            doubts=doubts,
            texts=source.info.texts,
        )

    @property
    def given(self) -> tuple[Any, ...]:
        """The names of the columns as the user writes them: labels, or text."""
        return self.names if self.labels is None else self.labels

    def relabel(self, names: Iterable[str]) -> list[Any]:
        """Turn names into labels."""
        if self.labels is None:
            return list(names)
        known = dict(zip(self.names, self.labels, strict=True))
        return [known[name] for name in names]

    def relabel_keys(self, values: dict[str, T]) -> dict[Any, T]:
        """Turn names that are keys into labels."""
        return dict(zip(self.relabel(values), values.values(), strict=True))

    @cached_property
    def _positions(self) -> dict[Any, int]:
        names = [*zip(self.names, range(len(self.names)), strict=True)]
        return dict([*names, *zip(self.given, range(len(self.names)), strict=True)])

    def position(self, column: Any) -> int:
        """Find a column by its label or by its name, and suggest the nearest if there is none."""
        try:
            return self._positions[column]
        except (KeyError, TypeError):  # a list is no name
            pass
        raise TamisError(f"{self.label} has no column {column!r}{nearest(str(column), self.names)}")
