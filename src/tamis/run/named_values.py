"""Values that a user says stand for missing ones: `na=[-999, "T=-200"]`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from tamis.errors import TamisError, spell
from tamis.registry import nearest
from tamis.sources.marked import Reading
from tamis.sources.source import Source

__all__ = ["NamedValues"]

_NO_VALUES = "none"


@dataclass(frozen=True, eq=False)
class NamedValues:
    """What is missing in each column by its position, and where nothing is to be guessed."""

    readings: dict[int, Reading] = field(default_factory=dict)
    plain: frozenset[int] = frozenset()

    @classmethod
    def of(cls, source: Source, given: Sequence[Any]) -> "NamedValues":
        """Read what is given: a value for all columns, COLUMN=VALUE for one, "none" for nothing.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from tamis.sources.open import open_source
        >>> table = open_source(pa.table({"T": [1.0], "b": [2.0]}))
        >>> found = NamedValues.of(table, ["T=-200", "b=none"])
        >>> sorted(found.readings[0].absent), sorted(found.plain)
        ([-200.0], [1])
        """
        values: dict[int, list[Any]] = {}
        plain: set[int] = set()
        for one in given:
            columns, value = _split(source, one)
            if isinstance(value, str) and value.strip().lower() == _NO_VALUES:
                plain.update(columns)
                continue
            for j in columns:
                values.setdefault(j, []).append(value)
        return cls({j: _make_reading(some) for j, some in values.items()}, frozenset(plain))


def _split(source: Source, given: Any) -> tuple[list[int], Any]:
    """Give the positions that a value is for, and the value."""
    every = list(range(len(source.names)))
    if not isinstance(given, str) or "=" not in given:
        return every, given
    name, _, value = given.rpartition("=")
    exact = [j for j, known in enumerate(source.names) if known == name.strip()]
    found = exact or [j for j, known in enumerate(source.names) if fnmatchcase(known, name)]
    if not found:
        raise TamisError(
            f"{spell('na', [given])}: the table has no column {name!r}{nearest(name, source.names)}"
        )
    return found, value


def _make_reading(values: Sequence[Any]) -> Reading:
    absent, marks = set(), set()
    for value in values:
        marks.add(str(value).strip())
        try:
            absent.add(float(value))
        except ValueError:
            continue
    return Reading(frozenset(absent), frozenset(marks))
