"""A list of columns that somebody gave, measured like the choice of a method."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tamis import registry
from tamis.algorithms.path import Path
from tamis.errors import TamisError, spell
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.contest import Contest
from tamis.evaluation.held_out import HeldOut, held_out
from tamis.evaluation.trial import Trial
from tamis.numerics.types import Indices
from tamis.registry.command import LISTS_OPTION
from tamis.sources.patterns import match_columns
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.linear import TableSummary

__all__ = ["ListTrial", "check_lists", "enter_lists", "list_sizes"]


class ListTrial(Trial):
    """A given list beside methods: its first columns where fewer are compared.

    Nothing is searched, so on any part of the rows it is the same.
    """

    def __init__(self, ground: Ground, name: str, places: Indices, sizes: tuple[int, ...]) -> None:
        super().__init__(ground, ground.request, sizes)
        self._name, self._places = name, places

    @property
    def method(self) -> registry.Method:
        """What stands in the place of a method: the list, by its name."""
        return registry.Method(
            id=self._name,
            name="a list that was given",
            kind="selection",
            needs="gram",
            paper="",
            about="the columns of this list, in the order given",
            kernel="",
            estimator="",
        )

    def run(self) -> None:
        """Note that nothing is searched."""
        self.seconds, self.work = dict.fromkeys(self.sizes, 0.0), dict.fromkeys(self.sizes, 0.0)

    @property
    def nested(self) -> bool:
        """The first columns of a list are a list."""
        return True

    def peak(self, k: int) -> float:  # noqa: ARG002 - as of a method
        """Refuse to say what memory a search takes that there is not."""
        raise TamisError("A given list is not searched for.")

    @property
    def can_repeat(self) -> bool:
        """Whether parts of the rows are known."""
        return self.ground.blocks is not None

    def list_kept(self, k: int) -> Indices:
        """Give the first `k` columns of the list."""
        return self._places[:k]

    def folds(self, k: int) -> HeldOut:
        """Give what the list explains on held-out rows."""
        assert self.ground.blocks is not None
        size = min(k, len(self._places))
        return held_out(self.ground.blocks, lambda part: self._find_in(part, k), size, shrink=None)

    def _find_in(self, part: TableSummary, k: int) -> Path:
        """Find the listed columns among those that vary in some rows."""
        listed = self._places[:k]
        there = np.searchsorted(part.varying, listed)
        there = np.minimum(there, len(part.varying) - 1)
        there = there[part.varying[there] == listed]
        return Path(there, np.zeros(len(there)))

    def sets(self, k: int) -> list[Indices]:  # noqa: ARG002 - as of a method
        """Refuse to say how stable a list is: it does not hang on the rows."""
        raise TamisError("A given list is the same on all rows.")


def check_lists(lists: Any) -> dict[str, list[Any]]:
    """Refuse lists that are none, and names that a method has."""
    checked = LISTS_OPTION.check(lists) or {}
    for name in checked:
        if name in {method.id for method in registry.methods("selection")}:
            raise TamisError(
                f"{spell('lists', {name: checked[name]})}: a method has this name, give another."
            )
    return {name: list(dict.fromkeys(columns)) for name, columns in checked.items()}


def enter_lists(contest: Contest, lists: Mapping[str, Sequence[Any]]) -> None:
    """Enter own lists; a column in them that is not analysed is refused with the reason."""
    ground = contest.ground
    for name, columns in lists.items():
        source = ground.source
        positions = _find_listed(source, columns)
        used = set(ground.used.tolist())
        for j in positions:
            if j not in used:
                why = ground.skipped.get(source.names[j], "constant")
                raise TamisError(
                    f"{spell('lists', {name: [source.names[j]]})}: the column is not analysed, it "
                    f"is {why}: drop it from the list."
                )
        if not positions:
            raise TamisError(f"{spell('lists', {name: list(columns)})}: the list has no column.")
        places = ground.find_used(np.array(positions, dtype=np.intp))
        contest.trials.append(ListTrial(ground, name, places, contest.sizes))


def list_sizes(lists: Mapping[str, Sequence[Any]], ground: Ground) -> tuple[int, ...]:
    """Give the lengths of the lists: the numbers of columns to compare where none is asked for."""
    source = ground.source
    return tuple(sorted({len(_find_listed(source, columns)) for columns in lists.values()}))


def _find_listed(source: Source, columns: Sequence[Any]) -> list[int]:
    return find_positions(source, match_columns(source, "lists", columns))
