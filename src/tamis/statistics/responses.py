"""Several responses of one table, each in a column of it or given beside it."""

from dataclasses import dataclass
from typing import Any

__all__ = ["Responses"]


@dataclass(frozen=True, eq=False)
class Responses:
    """The labels of several responses: of each the position of its column, or one for each row.

    `names` are those of the columns, or of what was given in their place.
    """

    parts: tuple[Any, ...]
    names: tuple[str, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """The positions of those that are columns of the table."""
        return tuple(part for part in self.parts if isinstance(part, int))
