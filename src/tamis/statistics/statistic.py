"""What every statistic that a method of selection works on can answer."""

from abc import abstractmethod
from typing import Protocol, TypeVar

from tamis.numerics.types import Floats

__all__ = ["Relations", "Statistic"]

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


class Relations(Protocol):
    """What the columns explain of each other: the questions that both kinds of it answer."""

    @property
    @abstractmethod
    def rank_bound(self) -> int:
        """How many columns can be taken before nothing is left to explain."""

    @property
    @abstractmethod
    def redundant_at(self) -> float:
        """The share explained from which on a column is redundant, unless the user says so."""

    @abstractmethod
    def pooled(self, values: Floats) -> Floats:
        """Give every column the sum of these values of all columns, as far as it explains them."""
