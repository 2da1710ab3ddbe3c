"""Whether a file is the summary of a table: every part of the file is checked before it is used."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.semidefinite import is_scatter
from tamis.registry.missing_policy import STORED_WORDS
from tamis.sources.stored_levels import StoredCategory, list_table_names

CHOICE_FORMAT = "tamis choice"  # of the other files with this suffix
_MOST_BLOCKS = 1000
_MAX_MEAN = 1e140
_SUMMARY_KINDS = ("numeric", "boolean")
_HASH = re.compile("[0-9a-f]{1,64}")


def check_header(header: Any, form: str, known: Sequence[int], label: str) -> dict[str, Any]:
    """Refuse a header that is not one of a summary, or of a later format."""
    if isinstance(header, dict) and header.get("format") == CHOICE_FORMAT:
        raise TamisError(
            f"{label} is a choice of columns and has no table in it: use it with `tamis check` or "
            "`tamis reconstruct`, or read it with tamis.load."
        )
    if not isinstance(header, dict) or header.get("format") != form:
        raise TamisError(f"{label} is not a summary: its header does not say {form!r}.")
    found = header.get("version")
    if not _is_count(found):
        raise ValueError(f"version {found!r} in its header is not a number")
    if found not in known:
        raise TamisError(
            f"{label} has version {found} of the format and this release supports {known[-1]}: "
            "install a newer one."
        )
    rules: dict[str, Callable[[Any], bool]] = {
        "names": _is_list,
        "named": lambda v: isinstance(v, bool),
        "kinds": lambda v: _is_list(v) and set(v) <= set(_SUMMARY_KINDS),
        "rows": _is_count,
        "used": _is_count,
        "missing": lambda v: _is_list(v) and len(v) > 0 and set(v) <= set(STORED_WORDS),
        "parts": lambda v: _is_count(v) and v >= 1,
        "blocks": lambda v: _is_count(v) and 1 <= v <= _MOST_BLOCKS,
    }
    optional: dict[str, Callable[[Any], bool]] = {
        "place": lambda v: isinstance(v, dict),
        "inputs": lambda v: _is_list(v) and all(map(_HASH.fullmatch, v)),
        "min_rows": lambda v: _is_count(v) and v >= 1,
        "keys": _is_list,
    }
    rules |= {name: holds for name, holds in optional.items() if name in header}
    for name, holds in rules.items():
        if not holds(header.get(name)):
            raise ValueError(f"{name!r} in its header is missing or has a wrong value")
    if len(header["kinds"]) != len(header["names"]):
        raise ValueError("its header has not as many kinds as names")
    return header


def read_categories(header: dict[str, Any]) -> tuple[StoredCategory, ...]:
    """Read the columns of text of a header, whose levels are columns next to each other."""
    found = header.get("categories", [])
    if not isinstance(found, list) or bool(found) != (header["version"] > 1):
        raise ValueError("'categories' in its header is missing or has a wrong value")
    categories = tuple(map(_read_category, found))
    names, rows = header["names"], header["rows"]
    for one in categories:
        first = names.index(one.columns[0]) if one.columns and one.columns[0] in names else 0
        if not one.columns or tuple(names[first : first + len(one.columns)]) != one.columns:
            raise ValueError(f"the levels of column {one.name!r} are not among its columns")
        if sum(one.counts) + one.others > rows or (one.others and not one.has_other):
            raise ValueError(f"the levels of column {one.name!r} have more rows than there are")
    table = list_table_names(names, categories)
    if len({one.name for one in categories} & {*names}) or len(table) < len(categories):
        raise ValueError("a column of text has the name of another column")
    return categories


def _read_category(found: Any) -> StoredCategory:
    keys = {"name", "levels", "counts", "others", "has_other"}
    if not isinstance(found, dict) or found.keys() != keys or not isinstance(found["name"], str):
        raise ValueError("'categories' in its header has a wrong value")
    levels, counts = found["levels"], found["counts"]
    fits = _is_list(levels) and isinstance(counts, list) and all(map(_is_count, counts))
    if not fits or len(levels) != len(counts) or len({*levels}) != len(levels):
        raise ValueError(f"the levels of column {found['name']!r} in its header do not fit")
    if not _is_count(found["others"]) or not isinstance(found["has_other"], bool):
        raise ValueError(f"the levels of column {found['name']!r} in its header do not fit")
    given = (found["others"], found["has_other"])
    return StoredCategory(found["name"], tuple(levels), tuple(counts), *given)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62


def check_arrays(stored: Any, used: int) -> None:
    """Refuse numbers that cannot be the moments of any table."""
    width, rows = len(stored.names), stored.rows
    absent = stored.absent
    if (
        absent.shape != (width,)
        or absent.dtype != np.int64
        or ((absent < 0) | (absent > rows)).any()
    ):
        raise ValueError("its counts of missing values do not fit its columns and rows")
    if min(block.count for block in stored.blocks) < 0 or not stored.used == used <= rows:
        raise ValueError("its counts of rows contradict one another")
    for block in stored.blocks:
        _check_block(block)


def _check_block(block: Any) -> None:
    unit = block.unit
    if not (np.frexp(unit)[0] == 0.5).all() or (unit > 1).any() or (unit < 2.0**-1001).any():
        raise ValueError("a unit of a column is not a power of two of at most 1")
    # Values are at most 1e140, as in every table: so no merge of such blocks overflows either.
    largest = 4 * _MAX_MEAN**2 * max(block.count, 1)
    limits = ((block.mean, _MAX_MEAN), (block.rest, _MAX_MEAN), (block.scatter, largest))
    for values, limit in limits:
        if not ((values <= limit) & (values >= -limit)).all():
            raise ValueError(f"its moments are not all finite numbers of at most {_MAX_MEAN:g}")
    variances = np.diagonal(block.scatter)
    if (variances < 0).any() or (block.count < 2 and (variances > 0).any()):
        raise ValueError("a variance in it cannot be")
    if not is_scatter(block.scatter):
        raise ValueError("its scatter matrix is not that of any table")
