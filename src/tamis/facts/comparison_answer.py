"""What is known about a comparison of methods."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal

from tamis.facts.json_schema import UNSHOWN
from tamis.facts.selection_answer import Measured
from tamis.facts.shared_answer import AnswerFacts
from tamis.values import dataclass


@dataclass(frozen=True)
class ComparedMethod:
    """A method that ran, and whether it is the recommended one or within noise of it."""

    id: str
    name: str
    about: str
    supervised: bool
    best: bool
    within_noise: bool


Needs = Literal["gram", "rows", "labels", "parts", "process"]


@dataclass(frozen=True)
class CriterionFacts:
    """What was measured: its name, its head in a table, its unit, and if larger is better.

    `measure` gives the figure of a table, a method's trial and a number of columns. It `needs` a
    Gram matrix, rows, labels, repeats on parts of the rows or a process for each method; `repeats`
    is how many of these. Unless it is `usual` it is measured only where it is named.
    """

    id: str
    name: str
    head: str
    about: str
    larger: bool
    unit: str
    measure: Callable[[Any, Any, int], Any] = field(repr=False, compare=False, metadata=UNSHOWN)
    needs: frozenset[Needs] = field(default=frozenset(), metadata=UNSHOWN)
    repeats: int = field(default=0, metadata=UNSHOWN)
    usual: bool = field(default=True, metadata=UNSHOWN)


@dataclass(frozen=True)
class FigureFacts:
    """The figures of one method for each number of columns, their spread and their mean.

    `level` is where the mean is from the worst method (0) to the best (1).
    """

    values: tuple[float | None, ...]
    std: tuple[float | None, ...]
    mean: float | None
    level: float | None


@dataclass(frozen=True)
class AgreementFacts:
    """Share of the columns that each pair of methods has in common, for `k` columns."""

    k: int
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class PopularColumn:
    """A column, and the methods that keep it."""

    column: str
    methods: tuple[str, ...]


@dataclass(frozen=True)
class UnsuitableMethod:
    """A method that was not compared, and why."""

    method: str
    why: str


@dataclass(frozen=True)
class UnmeasuredCriterion:
    """A criterion that was not measured, and why."""

    criterion: str
    why: str


@dataclass(frozen=True)
class AdviceFacts:
    """On what the recommendation rests: the mean figure, the folds, how many methods were measured.

    `score` is what a prediction is judged by ("accuracy", "R²"), `measure` what shares are of.
    `method` is the best one by the mean of the `criterion`, `equal` are those whose difference from
    it is within noise, `error` is the standard error of the mean and `order` has all methods
    measured, best first. There are no folds where noise is unknown.
    """

    value: float
    folds: int
    measured: int
    score: str
    measure: Measured
    method: str = field(default="", metadata=UNSHOWN)
    criterion: str = field(default="", metadata=UNSHOWN)
    error: float = field(default=0.0, metadata=UNSHOWN)
    equal: tuple[str, ...] = field(default=(), metadata=UNSHOWN)
    order: tuple[str, ...] = field(default=(), metadata=UNSHOWN)


@dataclass(frozen=True, kw_only=True)
class ComparisonFacts(AnswerFacts):
    """What is known about a comparison.

    Attributes
    ----------
    sizes
        The numbers of columns that were tried.
    methods, criteria, figures
        Methods, best first; what was measured; the figures by criterion and method.
    best, basis, within_noise, advice
        The recommended method, the criterion that decides, the methods within noise of the best.
    ranks
        The place of every method for each number of columns.
    names
        The columns that each method keeps, by its id and their number.
    notes
        What else to know about the figures, in words.
    """

    sizes: tuple[int, ...]
    methods: tuple[ComparedMethod, ...]
    criteria: tuple[CriterionFacts, ...]
    figures: Mapping[str, Mapping[str, FigureFacts]] = field(hash=False)
    best: str
    basis: str
    within_noise: tuple[str, ...]
    advice: AdviceFacts
    ranks: Mapping[str, tuple[int | None, ...]] = field(hash=False)
    names: Mapping[str, Mapping[str, tuple[str, ...]]] = field(hash=False)
    agreement: AgreementFacts
    popular: tuple[PopularColumn, ...]
    unsuitable: tuple[UnsuitableMethod, ...]
    unmeasured: tuple[UnmeasuredCriterion, ...]
    notes: tuple[str, ...]

    @property
    def deciding(self) -> CriterionFacts:
        """The criterion that decides."""
        return next(one for one in self.criteria if one.id == self.basis)
