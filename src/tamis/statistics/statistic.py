"""What every statistic that a method of selection works on can answer."""

from abc import abstractmethod
from typing import Protocol, TypeVar

__all__ = ["Statistic"]

Explained = TypeVar("Explained", covariant=True)  # a Gram matrix, or mutual information


class Statistic(Protocol[Explained]):
    """A Gram matrix, mutual information, or what holds one of them beside other things."""

    @property
    @abstractmethod
    def explained(self) -> Explained:
        """What the columns explain of each other: variance, or information."""

    @property
    def deferred(self) -> bool:
        """Whether that takes another read of the table, made when it is first asked for."""
        return False
