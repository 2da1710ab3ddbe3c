"""What is said about damaged parts of a table that were skipped: nothing where there are none."""

from pathlib import PurePath
from typing import Any

from tamis.presentation.names import plain

_SHOWN = 6


def unread_sentence(parts: list[dict[str, Any]]) -> str:
    """Name the files, and the places in them, that the answer does without.

    >>> unread_sentence([{"file": "data/a.parquet", "place": "row group 2 of 5"}])
    'Skipped as damaged: a.parquet (row group 2 of 5).'
    """
    if not parts:
        return ""
    shown = [_named(part) for part in parts[:_SHOWN]]
    more = f" and {len(parts) - _SHOWN:,} more" if len(parts) > _SHOWN else ""
    return f"Skipped as damaged: {', '.join(shown)}{more}."


def _named(part: dict[str, Any]) -> str:
    name = plain(PurePath(part["file"]).name)
    return f"{name} ({part['place']})" if part["place"] else name
