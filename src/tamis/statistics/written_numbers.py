"""Numbers among the texts of a column: all of them amounts, or all but a few."""

from collections import Counter
from typing import Any

import pyarrow.compute as pc

from tamis.sources.amounts import Notation, notation_of
from tamis.sources.recast import units_text

__all__ = ["WrittenNumbers"]

_FEW_TEXTS = 5  # different texts among numbers
_MAX_TEXT_SHARE = 0.1  # of the values that may be such texts
_MANY_NUMBERS = 30  # chromosomes are 1 to 22, X and Y: categories
_FEW_UNITS = 4
_MAX_TRIED_TEXTS = 50


class WrittenNumbers:
    """What is seen of the texts of a column, a part at a time."""

    def __init__(self) -> None:
        self.notation = Notation()
        self.odd: Counter[str] = Counter()
        self._total = 0
        self._numbers: set[str] = set()
        self._written = False
        self.may_be = True  # until there are too many other texts

    def add(self, texts: Any) -> None:
        """Count more texts of the column."""
        counted = pc.value_counts(texts.drop_null())
        different = counted.field("values").to_pylist()
        self._total += len(texts) - texts.null_count
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
                self._note(text)
        self.may_be = len(self.odd) <= _FEW_TEXTS

    def _note(self, text: str) -> None:
        if len(self._numbers) <= _MANY_NUMBERS:
            self._numbers.add(text)
        self._written = self._written or not text.isdigit()

    @property
    def are_mostly(self) -> bool:
        """Whether numbers are what the column is meant to hold."""
        many = len(self._numbers) > _MANY_NUMBERS
        few = sum(self.odd.values()) <= _MAX_TEXT_SHARE * self._total
        return many and few and len(self.notation.units) < 2

    @property
    def are_written(self) -> bool:
        """Whether there are several, and not all are plain digits, as those of codes."""
        return len(self._numbers) > 1 and self._written

    @property
    def odd_text(self) -> str:
        """The texts that are no numbers, and how many values they are."""
        names = ", ".join(repr(text[:20]) for text in sorted(self.odd))
        return f"{names} ({sum(self.odd.values()):,} of {self._total:,} values)"

    @property
    def has_few_units(self) -> bool:
        """Whether units differ as those of amounts do: many of them are names."""
        return len(self.notation.units) <= _FEW_UNITS and len(self._numbers) > _FEW_UNITS

    @property
    def units_text(self) -> str:
        """The units, by name."""
        return units_text(self.notation.units)


def _is_odd(text: str) -> bool:
    return notation_of([text]).odd is not None
