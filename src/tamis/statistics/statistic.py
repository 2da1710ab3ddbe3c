"""What every statistic that a method of selection works on can answer."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tamis.statistics.gram.protocol import Gram
    from tamis.statistics.information import Information

__all__ = ["Statistic"]


class Statistic(Protocol):
    """A Gram matrix, mutual information, or what holds one of them beside other things."""

    @property
    @abstractmethod
    def explained(self) -> "Gram | Information":
        """What the columns explain of each other: variance, or information."""

    @property
    def deferred(self) -> bool:
        """Whether that takes another read of the table, made when it is first asked for."""
        return False
