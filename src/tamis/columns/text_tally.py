"""What is counted of a column of texts, some rows at a time; among them may be numbers."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.columns.marks import is_known_mark
from tamis.columns.number_tally import NumberTally
from tamis.columns.sketch import DistinctSketch, cut_texts, list_bytes
from tamis.rules import texts as rules
from tamis.sources.amounts import Notation, is_limit, notation_of
from tamis.sources.arrow import as_arrow

__all__ = ["TextFacts", "TextTally"]

_PLAIN_NUMBER = rf"^{rules.PLAIN_NUMBER}$"
_SURE_POINT = rf"^{rules.SURE_POINT}$"
_OPEN_POINT = rf"^{rules.OPEN_POINT}$"


class TextTally:
    """Counts of a column of texts.

    `numbers` counts those that are plain numbers; `marks` are known marks for a missing value,
    `odd` other texts, `amounts` how many are written as amounts (1,234.50), `notation` how; of
    these, `limits` say that a value is below or above a number (<0.5). All of it is exact as long
    as `may_be_numbers`. `padded` says that blanks stand around some texts,
    `coded` that numbers have leading zeros.
    """

    def __init__(self, room: int) -> None:
        self.sketch = DistinctSketch(room)
        self.numbers = NumberTally(room)
        self.filled = self.amounts = 0
        self.marks: Counter[str] = Counter()
        self.odd: Counter[str] = Counter()
        self.limits: Counter[str] = Counter()
        self.notation = Notation()
        self.may_be_numbers = True
        self.padded = self.coded = False

    def add(self, texts: Any) -> None:
        """Count more texts, an Arrow array; blanks are no values."""
        counted = pc.value_counts(texts.drop_null())
        different = counted.field("values")
        counts: Any = np.from_dlpack(counted.field("counts"))
        if not len(different):
            return
        bare = pc.utf8_trim_whitespace(different)
        self.padded = self.padded or not bare.equals(different)
        there = np.flatnonzero(np.from_dlpack(pc.binary_length(bare)))
        if there.size < len(bare):
            bare, counts = bare.take(as_arrow(there)), counts[there]
        self.filled += int(counts.sum())
        self.sketch.add_texts(cut_texts(bare), counts)
        if self.may_be_numbers and len(bare):
            self._read_numbers(bare, counts)

    def join(self, other: "TextTally") -> None:
        """Count the texts of other rows, of which there is a tally with the same room."""
        self.sketch.join(other.sketch)
        self.numbers.join(other.numbers)
        self.filled, self.amounts = self.filled + other.filled, self.amounts + other.amounts
        self.marks, self.odd = self.marks + other.marks, self.odd + other.odd
        self.notation += other.notation
        self.padded, self.coded = self.padded or other.padded, self.coded or other.coded
        self.limits += other.limits
        self.may_be_numbers = self.may_be_numbers and other.may_be_numbers and self._has_few()

    def _read_numbers(self, texts: Any, counts: Any) -> None:
        matched = pc.match_substring_regex(texts, _PLAIN_NUMBER)
        plain = _as_mask(matched)
        self._note_others(texts.filter(pc.invert(matched)).to_pylist(), counts[~plain])
        if not plain.any() or not self.may_be_numbers:
            return
        found = texts.filter(matched)
        self._note_digits(found)
        values: Any = np.from_dlpack(pc.utf8_ltrim(found, "+").cast(pa.float64()))
        self.numbers.add(values, counts[plain])

    def _note_digits(self, numbers: Any) -> None:
        """See whether plain numbers are codes, and what their points are."""
        starts, data = list_bytes(numbers)
        first, last = starts[:-1], starts[1:] - 1
        if not self.coded:
            second = data[np.minimum(first + 1, last)]
            padded = (first < last) & (data[first] == ord("0"))
            self.coded = bool((padded & (ord("0") <= second) & (second <= ord("9"))).any())
        if "." not in self.notation.decimals and _any_matches(numbers, _SURE_POINT):
            self.notation += Notation(decimals=frozenset("."))
        # Patterns take long: most texts have no point before three last digits.
        open_ones = np.flatnonzero(data[np.maximum(last - 3, first)] == ord("."))
        is_open = open_ones.size and "." not in self.notation.either
        if is_open and _any_matches(numbers.take(as_arrow(open_ones)), _OPEN_POINT):
            self.notation += Notation(either=frozenset("."))

    def _note_others(self, texts: list[str], counts: Any) -> None:
        for text, count in zip(texts, counts.tolist(), strict=True):
            if text in self.odd:  # seen in other rows
                self.odd[text] += count
                continue
            if is_known_mark(text):
                self.marks[text] += count
                continue
            seen = notation_of([text])
            if seen.odd is None:
                self.amounts += count
                self.notation += seen
                if is_limit(text):
                    self.limits[text] += count
            else:
                self.odd[text] += count
            if not self._has_few():
                self.may_be_numbers = False
                return

    def _has_few(self) -> bool:
        """Whether other texts, limits and units are few enough for a column of numbers."""
        most = max(len(self.odd), len(self.limits))
        return most <= rules.MAX_ODD_TEXTS and len(self.notation.units) <= rules.MAX_UNITS

    @property
    def distinct(self) -> int:
        """The number of different texts; an estimate unless `sketch.whole`."""
        return min(self.sketch.distinct, self.filled)


def _any_matches(texts: Any, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())


def _as_mask(found: Any) -> Any:
    """Give Arrow's booleans as NumPy's; `to_numpy` would load pandas where there is one."""
    return np.from_dlpack(found.cast(pa.uint8())).astype(bool)


@dataclass(frozen=True, eq=False)
class TextFacts:
    """Texts of a column with their counts: all, or a random sample of them.

    `filled` counts the values of the column, `distinct` the different ones, exact if `whole`.
    """

    texts: tuple[str, ...]
    counts: Any
    whole: bool
    filled: int
    distinct: int
    padded: bool

    @classmethod
    def of(cls, tally: TextTally, without: Collection[str] = ()) -> "TextFacts":
        """Take the counts of a column, as if some of its texts were missing."""
        texts = [str(text) for text in tally.sketch.values]
        there = np.array([text not in without for text in texts], dtype=bool)
        gone = int(tally.sketch.counts[~there].sum())
        return cls(
            texts=tuple(text for text in texts if text not in without),
            counts=tally.sketch.counts[there],
            whole=tally.sketch.whole,
            filled=tally.filled - gone,
            distinct=max(tally.distinct - int((~there).sum()), 0),
            padded=tally.padded,
        )
