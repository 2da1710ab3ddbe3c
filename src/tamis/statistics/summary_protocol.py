"""What every summary of a table says, whatever the method that it is made for."""

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, in_sentence
from tamis.statistics.linear import refuse_unfit
from tamis.statistics.missing import Tally

if TYPE_CHECKING:
    pass


class Summary(Protocol):
    """What is known of a table once it has been read.

    `varying` are the positions, among the columns read, of those analysed; `refused`
    gives the reason of those that turned out unfit; `statistic` is what the kernel works on.
    """

    @property
    def n_rows(self) -> int:
        """Number of rows that counted."""

    @property
    def varying(self) -> NDArray[np.intp]:
        """Columns that are analysed."""

    @property
    def refused(self) -> dict[int, str]:
        """Columns that are unfit, each with the reason."""

    @property
    def tally(self) -> Tally:
        """Rows read and used, and missing values by column."""

    @property
    def statistic(self) -> Any:
        """What a method of selection works on."""

    @property
    def inputs(self) -> tuple[Any, ...]:
        """What a method of extraction works on."""


def check_used(summary: Summary, count: int, label: str) -> None:
    """Refuse a table of whose `count` columns none is used."""
    if len(summary.varying):
        return
    label = in_sentence(label)
    if not summary.refused:
        empty = bool((summary.tally.counts == summary.tally.rows).all())
        state = "empty" if empty else "constant"
        raise TamisError(
            f"All {count} columns of {label} are {state}: there is nothing to choose from."
        )
    refuse_unfit(count, label, summary.refused)
