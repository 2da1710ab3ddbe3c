"""Columns that are perhaps not what they look like: identifiers, labels, codes, amounts, dates.

Judged by their names and their first rows. Nothing is done about them: the user is asked.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.columns.name_words import (
    names_area,
    names_codes,
    names_counter,
    names_identifier,
    names_label,
    names_response,
)
from tamis.columns.written import are_date_numbers, are_dates
from tamis.facts.shared_answer import SuspiciousColumn
from tamis.rules.kinds import MIN_TEXTS, ROWS_PER_VALUE, Kind
from tamis.sources.amounts import Notation, notation_of
from tamis.sources.marked import units_text

_FEW_CLASSES, _FEW_CODES, _LEAST_ROWS = 20, 50, 20
_LABELLED = 0.9  # share of the rows that labels of any name have
_ROWS_FOR_DECIMALS = 32  # nearly always enough to see that a column has decimals
_SUSPECT_YEARS = (1800, 2100)
_TEXT_KINDS = ("categorical", "other")
_ATTRIBUTES = frozenset(["sex", "gender", "region", "country", "state", "city", "site", "group"])


def looks_like_identifier(values: int, rows: int, bins: int = MIN_TEXTS) -> bool:
    """Say whether a text has fewer than five rows for each of its distinct values.

    >>> looks_like_identifier(200, 300), looks_like_identifier(12, 300)
    (True, False)
    """
    return values > max(bins, rows // ROWS_PER_VALUE)


def find_suspects(sample: Any, kinds: Sequence[Kind]) -> list[SuspiciousColumn]:
    """Find the suspicious columns of the first rows of a table, in the order of the table.

    Examples
    --------
    >>> rows = pa.table({"id": range(40), "price": ["$ 5.00", "$ 1,200.00"] * 20})
    >>> [(one.column, one.looks_like) for one in find_suspects(rows, ["numeric", "categorical"])]
    [('id', 'identifier'), ('price', 'amounts')]
    """
    if sample.num_rows < _LEAST_ROWS:
        return []
    found = []
    alone, broken = _only_text(kinds), _find_fractions(sample.slice(0, _ROWS_FOR_DECIMALS))
    names = sample.column_names  # made anew by every call
    for j, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        if name in broken and kind == "numeric":
            if names_response(name, names):
                found.append(SuspiciousColumn(name, "response"))
            continue  # a number with decimals is what it seems
        values = sample.column(j).drop_null()
        looks: SuspiciousColumn | None = None
        if not len(values):
            continue
        if kind == "numeric":
            looks = _of_numbers(name, values)
        elif kind == "boolean" and names_label(name, len(values.unique())):
            looks = SuspiciousColumn(name, "label")
        elif kind in _TEXT_KINDS:
            filled = len(values) >= _LABELLED * sample.num_rows
            looks = _of_text(name, values, alone=j == alone and filled)
        if looks is not None:
            found.append(looks)
    return found


def _find_fractions(first: Any) -> set[str]:
    """Name the columns of float64 that have a number with decimals in some first rows."""
    from tamis.sources.arrow import as_floats

    names = [field.name for field in first.schema if pa.types.is_float64(field.type)]
    batches = first.select(names).combine_chunks().to_batches()
    if not names or not batches:
        return set()
    values = as_floats(*batches)
    with np.errstate(invalid="ignore"):  # a missing value may be one that signals
        found = (np.isfinite(values) & (values != np.round(values))).any(axis=0)
    return {name for name, is_broken in zip(names, found, strict=True) if is_broken}


def _only_text(kinds: Sequence[Kind]) -> int | None:
    """Give the first or last column if it is the only one that holds no numbers, else None.

    So labels stand beside measurements, whatever they are called.
    """
    named = [j for j, kind in enumerate(kinds) if kind not in ("row names", "empty")]
    others = [j for j in named if kinds[j] != "numeric"]
    edges = (named[0], named[-1]) if len(named) > 3 else ()
    return others[0] if len(others) == 1 and others[0] in edges else None


def _of_numbers(name: str, values: Any) -> SuspiciousColumn | None:
    # `to_numpy` would load pandas where there is one, for half a second.
    numbers = np.from_dlpack(values.cast(pa.float64(), safe=False).combine_chunks())
    if not np.isfinite(numbers).all() or (numbers != np.round(numbers)).any():
        return None
    different = np.unique(numbers)
    count, rows = len(different), len(numbers)
    if are_date_numbers(different):
        return SuspiciousColumn(name, "date numbers")
    if names_area(name) and count > 2:
        many = looks_like_identifier(count, rows)
        return SuspiciousColumn(name, "many codes" if many else "codes")
    if count == rows >= _LEAST_ROWS:
        steps, years = np.diff(numbers), _SUSPECT_YEARS[0] <= different[0] <= _SUSPECT_YEARS[1]
        counted = bool((steps == 1).all() or (steps == -1).all()) and not years
        known = counted or names_identifier(name) or names_counter(name)
        return SuspiciousColumn(name, "identifier") if known else None
    if names_label(name, count) and count <= _FEW_CLASSES:
        return SuspiciousColumn(name, "label")
    if names_identifier(name) and count > _FEW_CODES:
        return SuspiciousColumn(name, "identifier")
    coded = (names_codes(name) or names_identifier(name)) and 2 < count <= _FEW_CODES
    return SuspiciousColumn(name, "codes") if coded else None


def _of_text(name: str, values: Any, *, alone: bool) -> SuspiciousColumn | None:
    if pa.types.is_temporal(values.type):
        return SuspiciousColumn(name, "dates")
    texts = as_texts(values)
    if texts is None:
        return None
    different = pc.unique(texts).to_pylist()
    few = 1 < len(different) <= _FEW_CLASSES
    if few and names_label(name, len(different)):
        return SuspiciousColumn(name, "label")
    if len(different) > 1 and are_dates(different):
        return SuspiciousColumn(name, "dates")
    if (written := judge_texts(name, [texts])) is not None:
        return written
    if alone and few and name.lower() not in _ATTRIBUTES:
        return SuspiciousColumn(name, "label")
    repeated = _FEW_CODES < len(different) < len(texts)
    return SuspiciousColumn(name, "identifier") if repeated and names_identifier(name) else None


def judge_texts(name: str, parts: Iterator[Any] | Sequence[Any]) -> SuspiciousColumn | None:
    """Say what numbers written as text are, from all parts of a column; None if they are none."""
    seen = WrittenNumbers()
    for part in parts:
        seen.add(part)
        if not seen.may_be:
            return None
    units, different, odd = seen.notation.units, len(seen.numbers), sum(seen.odd.values())
    if seen.odd:  # a few beside many numbers, which the column is then meant to hold
        meant = different > _MANY_NUMBERS and odd <= _MAX_TEXT_SHARE * seen.total
        names = ", ".join(repr(text[:20]) for text in sorted(seen.odd))
        said = f"{names} ({odd:,} of {seen.total:,} values)"
        return SuspiciousColumn(name, "mixed", said) if meant and len(units) < 2 else None
    if len(units) > 1:  # many of them are names
        few = len(units) <= _FEW_UNITS and different > _FEW_UNITS
        return SuspiciousColumn(name, "units", units_text(units)) if few else None
    # Plain digits alone are those of codes.
    readable = seen.notation.decimal is not None and different > 1 and seen.written
    return SuspiciousColumn(name, "amounts") if readable else None


def find_written_numbers(sample: Any, kinds: Sequence[Kind]) -> list[str]:
    """Name the columns of text whose first values are numbers or amounts."""
    found = []
    for name, column, kind in zip(sample.column_names, sample.columns, kinds, strict=True):
        texts = as_texts(column) if kind == "categorical" else None
        if texts is not None and texts.null_count < len(texts):
            seen = WrittenNumbers()
            seen.add(texts)
            different = texts.drop_null().unique().to_pylist()
            found += [name] if seen.may_be and not are_dates(different) else []
    return found


def as_texts(values: Any) -> Any:
    """Give the values of a column as strings; None if they are something else."""
    if pa.types.is_dictionary(values.type):
        values = pa.chunked_array(
            [chunk.dictionary_decode() for chunk in values.chunks], values.type.value_type
        )
    text = pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
    return values if text else None


_FEW_TEXTS = 5  # different texts among numbers
_MAX_TEXT_SHARE = 0.1  # of the values that may be such texts
_MANY_NUMBERS = 30  # chromosomes are 1 to 22, X and Y: categories
_FEW_UNITS = 4
_MAX_TRIED_TEXTS = 50


class WrittenNumbers:
    """What is seen of the texts of a column, a part at a time.

    `odd` counts the texts that are no numbers, `numbers` has some of the others, and `written` is
    whether these are more than plain digits.
    """

    def __init__(self) -> None:
        self.notation = Notation()
        self.odd: Counter[str] = Counter()
        self.total = 0
        self.numbers: set[str] = set()
        self.written = False
        self.may_be = True  # until there are too many other texts

    def add(self, texts: Any) -> None:
        """Count more texts of the column."""
        counted = pc.value_counts(texts.drop_null())
        different = counted.field("values").to_pylist()
        self.total += len(texts) - texts.null_count
        tried = different[:_MAX_TRIED_TEXTS]
        if 2 * sum(_is_odd(text) for text in tried) > len(tried):
            self.may_be = False
            return
        seen = notation_of(different)
        if seen.odd is not None:
            counts = zip(different, counted.field("counts").to_pylist(), strict=True)
            self.odd.update({text: count for text, count in counts if _is_odd(text)})
            seen = notation_of(text for text in different if text not in self.odd)
        self.notation += seen
        for text in different:
            if text not in self.odd:
                if len(self.numbers) <= _MANY_NUMBERS:
                    self.numbers.add(text)
                self.written = self.written or not text.isdigit()
        self.may_be = len(self.odd) <= _FEW_TEXTS


def _is_odd(text: str) -> bool:
    return notation_of([text]).odd is not None
