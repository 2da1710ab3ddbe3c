"""What the columns of a table explain of each other comes in two kinds: this says which."""

from collections.abc import Callable
from typing import TypeVar

from tamis.statistics.gram import Gram
from tamis.statistics.shared_information import Information

T = TypeVar("T")


def answer_by_kind(
    known: Gram | Information,
    variance: Callable[[Gram], T],
    information: Callable[[Information], T],
) -> T:
    """Give the answer of the function for variance, or of the one for information."""
    return information(known) if isinstance(known, Information) else variance(known)
