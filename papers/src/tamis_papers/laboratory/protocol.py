"""What an experiment of a paper is: a value with its readings, cells, figures and claims.

A protocol names the tables it needs and splits its work into cells, each a plain function that can
run in another process and whose answer is plain values (a killed run goes on with the cells it
has). From the answers it makes figures beside the printed ones, curves, and a verdict for each of
the paper's claims. It computes nothing twice and writes nothing: `tamis reproduce` runs it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tamis_papers.laboratory.numbers import Floats

__all__ = [
    "Cell",
    "Claim",
    "Drawing",
    "Figure",
    "Protocol",
    "Reading",
    "Results",
    "Series",
    "Table",
    "Verdict",
]

Verdict = Literal["holds", "does not hold", "cannot be judged"]
Results = Mapping[str, Mapping[str, Any]]
"""What the cells gave, by their keys; cells whose table is missing are not in it."""


@dataclass(frozen=True, eq=False)
class Table:
    """A data set of a paper: rows (NaN where a value is missing), labels, and what else it has."""

    name: str
    X: Floats
    y: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Reading:
    """One thing that a paper leaves open: its own words, what is taken here, and why."""

    option: str
    value: Any
    paper: str
    why: str


@dataclass(frozen=True, eq=False)
class Cell:
    """One piece of work: `compute(*tables)` gives plain values that JSON can hold.

    `compute` is a function of a module, or a `functools.partial` of one, so that it can be sent
    to another process. `tables` names the data sets it is given, in this order.
    """

    key: str
    compute: Callable[..., Mapping[str, Any]]
    tables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """One printed number beside ours.

    `spread` is the standard deviation of ours over `runs` repetitions. `tolerance` is how far ours
    may be from the paper's to count as reproduced; with None it is shown and not judged.
    """

    table: str
    method: str
    name: str
    ours: float
    paper: float | None
    spread: float | None = None
    runs: int = 1
    tolerance: float | None = None

    @property
    def difference(self) -> float | None:
        """Ours less the paper's."""
        return None if self.paper is None else self.ours - self.paper

    @property
    def reproduced(self) -> bool | None:
        """Whether ours is within the tolerance; None where there is nothing to judge by."""
        if self.difference is None or self.tolerance is None:
            return None
        return abs(self.difference) <= self.tolerance + 1e-9


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper (`where` it stands), our verdict, and the figures it rests on."""

    text: str
    where: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True)
class Series:
    """One line of a drawing; `paper` are the points that the paper prints, as (x, y)."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    spread: Sequence[float] = ()
    paper: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, eq=False)
class Drawing:
    """Curves of one figure of a paper, over its points. `kind="tree"` draws `tree` instead."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series] = ()
    kind: Literal["curves", "tree"] = "curves"
    tree: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Protocol:
    """An experiment of a paper, from raw data to its table.

    Attributes
    ----------
    id
        As in `tamis reproduce ID`: "yen-table-2".
    paper, title, about
        Authors; which table or figure; one sentence on what it shows.
    tables
        Data sets it needs, as they are named in `--data`; what is missing is said.
    readings
        What the paper leaves open, with our choice.
    cells
        The work; `cells(quick)`, where quick means seconds on small or few tables.
    figures, claims, drawings
        From the results of the cells that could be run; all take partial results.
    limits
        What does not reproduce, and the most likely reason, in sentences.
    """

    id: str
    paper: str
    title: str
    about: str
    tables: tuple[str, ...]
    readings: tuple[Reading, ...]
    cells: Callable[[bool], Sequence[Cell]]
    figures: Callable[[Results], Sequence[Figure]]
    claims: Callable[[Results], Sequence[Claim]]
    drawings: Callable[[Results], Sequence[Drawing]] = lambda _: ()
    limits: Callable[[Results], Sequence[str]] = lambda _: ()
