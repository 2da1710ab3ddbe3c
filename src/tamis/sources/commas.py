"""Commas in the numbers of a table that has other separators: decimals, or thousands."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pyarrow as pa

__all__ = ["CommaUse", "find_uses", "judge_commas", "may_be_numbers", "uses_in_file"]

_GROUPED_INTEGER = r"^[-+]?[1-9]\d{0,2}(,\d{3})+$"


@dataclass(frozen=True)
class CommaUse:
    """What was seen in a column.

    `decimal`: a comma that cannot separate thousands (2,5 or 0,125); `grouped`: one that can
    (3,117); `bare`: a number without a comma (987; 0 is written so in either case).
    """

    decimal: bool = False
    grouped: bool = False
    bare: bool = False

    def __or__(self, other: "CommaUse") -> "CommaUse":
        return CommaUse(
            self.decimal or other.decimal, self.grouped or other.grouped, self.bare or other.bare
        )


# What was seen of commas: a file is opened several times, and all of it has to be read for that.
_uses: dict[Any, dict[str, CommaUse]] = {}


def uses_in_file(
    key: Any, names: list[str], read: Callable[[list[str]], Any]
) -> dict[str, CommaUse]:
    """Find how commas are used in the file that the key stands for, once.

    `read` opens these columns as text. The first rows leave no doubt about most of them.
    """
    known = (key, *names)
    if known not in _uses:
        try:
            with read(names) as batches:
                uses = find_uses(islice(batches, 1))
            rest = [name for name in names if name not in uses or not uses[name].decimal]
            if rest:
                with read(rest) as batches:
                    uses |= find_uses(batches)
            _uses[known] = uses
        except (pa.ArrowException, OSError, UnicodeDecodeError):  # the reader says what is wrong
            return {}
    return _uses[known]


def may_be_numbers(dtype: pa.DataType) -> bool:
    """Whether a column of this type, as the first rows have it, is read as numbers."""
    return pa.types.is_null(dtype) or pa.types.is_integer(dtype) or pa.types.is_floating(dtype)


def find_uses(batches: Iterable[pa.RecordBatch]) -> dict[str, CommaUse]:
    """Read all cells of columns of text, until they leave no doubt."""
    uses: dict[str, CommaUse] = {}
    for batch in batches:
        for name, cells in zip(batch.schema.names, batch.columns, strict=True):
            before = uses.setdefault(name, CommaUse())
            if not before.decimal:
                uses[name] = before | _use_in(cells, before)
        if all(use.decimal for use in uses.values()):
            break
    return uses


def judge_commas(uses: Mapping[str, CommaUse]) -> tuple[list[str], tuple[str, ...]]:
    """Give the columns whose commas separate thousands, and those that may be either.

    Decided by whole columns. 987 beside 3,117 is a thousand written with a comma. Where every value
    has one before three digits, all are the same number of thousandths: read as decimals they
    differ by a factor only, which is said. A file with decimal commas has no others, as a rule.

    >>> mixed = CommaUse(grouped=True, bare=True)
    >>> judge_commas({"a": mixed}), judge_commas({"a": mixed, "b": CommaUse(decimal=True)})
    ((['a'], ()), ([], ('a',)))
    """
    elsewhere = any(use.decimal for use in uses.values())
    open_ones = {name.strip(): use for name, use in uses.items() if use.grouped and not use.decimal}
    thousands = [name for name, use in open_ones.items() if use.bare and not elsewhere]
    return thousands, tuple(name for name, use in open_ones.items() if use.bare == elsewhere)


def _use_in(cells: Any, before: CommaUse) -> CommaUse:
    import pyarrow.compute as pc

    marked = pc.match_substring(cells, ",")
    bare = before.bare or _any(pc.match_substring_regex(cells.filter(pc.invert(marked)), "[1-9]"))
    if not _any(marked):
        return CommaUse(bare=bare)
    texts = pc.utf8_trim_whitespace(cells.filter(marked))
    grouped = pc.match_substring_regex(texts, _GROUPED_INTEGER)
    return CommaUse(decimal=_any(pc.invert(grouped)), grouped=_any(grouped), bare=bare)


def _any(found: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(found).as_py())
