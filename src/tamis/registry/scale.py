"""What is done to the size of columns: every word for it, and all that follows from the word.

Others ask a `Scale` and never compare its word. What it does to rows is in
`statistics/scaled_source.py`, how a table of counts is known in `statistics/scaled_source.py`.
"""

from enum import StrEnum
from typing import Self

__all__ = ["SCALE_WORDS", "Scale"]


class Scale(StrEnum):
    """A way to make columns comparable; it is also the word for it, in calls and answers.

    >>> Scale.of(True).divides, Scale.of("counts").divides
    (True, False)
    """

    AUTO = "auto"
    STANDARD = "standard"
    NONE = "none"
    PARETO = "pareto"
    COUNTS = "counts"

    __repr__ = str.__repr__  # a call that repeats an answer shows the word alone

    @classmethod
    def of(cls, word: bool | str | None) -> Self:
        """Give the scale for a word: True is the standard one, False and None are none."""
        if isinstance(word, str):
            return cls(word)
        return cls("standard" if word else "none")

    @property
    def asked(self) -> bool | str:
        """How a call asks for it, in the shortest way."""
        return {Scale.STANDARD: True, Scale.NONE: False}.get(self, self.value)

    @property
    def divides(self) -> bool:
        """Whether every column is divided by its standard deviation."""
        return self is Scale.STANDARD

    @property
    def looks(self) -> bool:
        """Whether the table decides between two others."""
        return self is Scale.AUTO

    @property
    def takes_roots(self) -> bool:
        """Whether every column is divided by the root of its standard deviation."""
        return self is Scale.PARETO

    @property
    def counts(self) -> bool:
        """Whether values are counts: divided by the size of their row, then log1p."""
        return self is Scale.COUNTS

    @property
    def rewrites(self) -> bool:
        """Whether the rows are written anew before they are summed up."""
        return self.takes_roots or self.counts

    @property
    def holds_for_new_rows(self) -> bool:
        """Whether the means and deviations of columns say all that is to be done to a new row."""
        return self in (Scale.STANDARD, Scale.NONE)


SCALE_WORDS: tuple[bool | str, ...] = (True, False, *(scale.value for scale in Scale))
