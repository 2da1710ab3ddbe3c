"""Categories that divide the rows alike: a code and its name, two codings of the same thing."""

from collections.abc import Mapping, Sequence
from math import lgamma, log, log2
from typing import Any

import numpy as np

from tamis.columns.relation import Relation, RelationForm
from tamis.columns.same_order import CHANCE_BITS

__all__ = ["find_same_codes"]


def find_same_codes(columns: Mapping[str, Sequence[Any]]) -> list[Relation]:
    """Find columns of which each value goes with one value of an earlier column, and the reverse.

    None is a missing value, and must be missing in both.

    Examples
    --------
    >>> codes = ["a", "b", "c", "d"] * 20
    >>> found = find_same_codes({"code": codes, "name": [code.upper() for code in codes]})
    >>> found[0].column, found[0].form, found[0].parts
    ('name', 'codes', {'code': 1.0})
    """
    first: dict[bytes, str] = {}
    found = []
    for name, values in columns.items():
        codes = _number_values(values)
        if not _divides(codes, len(columns)):
            continue
        original = first.setdefault(codes.tobytes(), name)
        if original != name:
            same = list(values) == list(columns[original])
            rows = int(np.count_nonzero(codes >= 0))
            form: RelationForm = "linear" if same else "codes"
            found.append(Relation(name, form, {original: 1.0}, rows=rows))
    return found


def _number_values(values: Sequence[Any]) -> Any:
    """Give every value a number in the order in which they come, -1 where missing."""
    known: dict[Any, int] = {None: -1}
    for value in values:
        known.setdefault(value, len(known) - 1)
    return np.array([known[value] for value in values], dtype=np.int32)


def _divides(codes: Any, width: int) -> bool:
    """Whether so many columns would hardly divide the rows alike by chance.

    Rows can be divided into sets of these sizes in n! / (c1! c2! ...) ways, whichever is called
    the first. Values that are all different divide nothing.
    """
    counts = np.bincount(codes[codes >= 0]) if len(codes) else np.zeros(0, dtype=np.intp)
    if len(counts) < 2 or counts.max() == 1:
        return False
    ways = lgamma(counts.sum() + 1) - sum(lgamma(count + 1) for count in counts.tolist())
    ways -= lgamma(len(counts) + 1)
    return ways / log(2) > 2 * log2(max(width, 2)) + CHANCE_BITS
