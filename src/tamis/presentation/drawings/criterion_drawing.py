"""A figure of every method against the number of columns kept."""

from tamis.facts.comparison_answer import ComparisonFacts
from tamis.values import dataclass

__all__ = ["CriterionDrawing", "MethodLine", "describe_criterion"]

_SHARES = ("share", "held-out")  # criteria that are shares of all columns


@dataclass(frozen=True)
class MethodLine:
    """The figures of a method, one for each number of columns; None where not measured."""

    method: str
    best: bool
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class CriterionDrawing:
    """Lines over numbers of columns, the best method first; `unit` is that of the figures."""

    name: str
    unit: str
    sizes: tuple[int, ...]
    lines: tuple[MethodLine, ...]
    in_percent: bool = False  # whether the axis is that of a share, from 0 to 100%

    @property
    def about(self) -> str:
        """What it shows, for those who do not see it."""
        return f"{self.name} of {len(self.lines)} methods"


def describe_criterion(facts: ComparisonFacts, criterion: str) -> CriterionDrawing:
    """Describe the lines of one criterion, named by its id."""
    known = next(one for one in facts.criteria if one.id == criterion)
    figures = facts.figures[criterion]
    lines = tuple(MethodLine(m.id, m.best, figures[m.id].values) for m in facts.methods)
    in_percent = criterion in _SHARES
    return CriterionDrawing(known.name, known.unit, facts.sizes, lines, in_percent)
