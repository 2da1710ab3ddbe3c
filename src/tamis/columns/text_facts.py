"""What the counts of a column of texts say, with or without some of its texts."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis.columns.text_tally import TextTally

__all__ = ["TextFacts"]


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
