"""What columns mean, from a table beside: the question of an item, a description, a unit."""

from collections.abc import Mapping, Sequence
from typing import Any

from tamis.errors import TamisError, spell
from tamis.sources.open import is_path, open_source
from tamis.sources.source import Source

__all__ = ["describe_columns"]

MAX_TEXT = 500  # letters of what a column means
_SHOWN = 3  # names in a sentence


def describe_columns(source: Source, given: Any) -> tuple[dict[str, str], str]:
    """Give what columns of a table mean, by name, and a sentence on names that are no columns.

    `given` is a mapping, or a table (or its path) whose first two columns are names and texts; what
    the table says itself stays where nothing else is given.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = open_source(pa.table({"q1": [1.0], "q2": [2.0]}))
    >>> describe_columns(table, {"q1": "I am happy", "q9": "?"})
    ({'q1': 'I am happy'}, 'names: 1 of 2 names is no column of the table (q9).')
    """
    known = {n: t for n, t in source.info.texts.items() if t.lower() != n.lower()}
    if given is None:
        return known, ""
    pairs = dict(given) if isinstance(given, Mapping) else _read_pairs(given, source.names)
    pairs = {str(name).strip(): _tidy(text) for name, text in pairs.items()}
    there = {name.strip(): name for name in source.names}
    unknown = [name for name in pairs if name not in there]
    if len(unknown) == len(pairs):
        first = f", such as {unknown[0]!r}" if unknown else ""
        raise TamisError(
            f"{_label(given)}: no column of {source.label} is named there{first}; give a column of "
            "names, as in the table, and one of texts."
        )
    known |= {there[name]: text for name, text in pairs.items() if name in there and text}
    return known, _say_unknown(_label(given), unknown, len(pairs))


def _tidy(text: Any) -> str:
    return "" if text is None else " ".join(str(text).split())[:MAX_TEXT]


def _label(given: Any) -> str:
    return spell("names", str(given)) if is_path(given) else "names"


def _say_unknown(label: str, unknown: list[str], count: int) -> str:
    if not unknown:
        return ""
    shown = ", ".join(unknown[:_SHOWN]) + (", ..." if len(unknown) > _SHOWN else "")
    verb = "is no column" if len(unknown) == 1 else "are no columns"
    return f"{label}: {len(unknown):,} of {count:,} names {verb} of the table ({shown})."


def _read_pairs(given: Any, columns: Sequence[str]) -> dict[Any, Any]:
    """Read the first two columns as text; their head is a pair, too, where it names a column."""
    table = open_source(given)
    if len(table.names) < 2:
        raise TamisError(f"{_label(given)}: give two columns, names and texts.")
    first, second = table.names[:2]
    if is_path(given):
        table = open_source(given, text=[first, second])
    pairs: dict[Any, Any] = {first: second} if first in columns else {}
    for part in table.tables([0, 1]):
        names, texts = (column.to_pylist() for column in part.columns)
        pairs |= dict(zip(names, texts, strict=True))
    return {name: text for name, text in pairs.items() if name is not None}
