"""What `select` and `extract` return, and the facts that every view of them shows."""

from typing import TYPE_CHECKING

from tamis.lazy import lazily

if TYPE_CHECKING:
    from tamis.results.extraction import Extraction as Extraction
    from tamis.results.score import Score as Score
    from tamis.results.selection import Selection as Selection

__all__ = ["Extraction", "Score", "Selection"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "Extraction": "tamis.results.extraction",
        "Score": "tamis.results.score",
        "Selection": "tamis.results.selection",
    },
    ("extraction", "score", "selection"),
)
