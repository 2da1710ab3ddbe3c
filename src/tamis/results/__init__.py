"""What `select` and `extract` return, and the facts that every view of them shows."""

from typing import TYPE_CHECKING

from tamis.lazy import lazily

if TYPE_CHECKING:
    from tamis.results.comparison import Comparison as Comparison
    from tamis.results.extraction import Extraction as Extraction
    from tamis.results.score import Score as Score
    from tamis.results.selection import Selection as Selection

__all__ = ["Comparison", "Extraction", "Score", "Selection"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "Comparison": "tamis.results.comparison",
        "Extraction": "tamis.results.extraction",
        "Score": "tamis.results.score",
        "Selection": "tamis.results.selection",
    },
    ("comparison", "extraction", "score", "selection"),
)
