"""What is known about an extraction."""

from collections.abc import Mapping
from dataclasses import field

from tamis.facts.shared_answer import AnswerFacts
from tamis.values import dataclass


@dataclass(frozen=True)
class LoadingFacts:
    """The largest weights of a component, and how many other columns have smaller ones."""

    direction: str
    weights: Mapping[str, float] = field(hash=False)
    others: int


@dataclass(frozen=True)
class SeparationFacts:
    """How often a row's class has the nearest mean score: on held-out rows, and where fitted.

    `rows` of the `of_rows` rows were used for it.
    """

    accuracy: float
    fitted: float
    largest_class: float
    folds: int
    rows: int
    of_rows: int
    overfitted: bool


@dataclass(frozen=True, kw_only=True)
class ExtractionFacts(AnswerFacts):
    """What is known about an extraction.

    Attributes
    ----------
    k, asked, names
        How many components there are, how many were asked for, and their names.
    held, shares, cumulative, values
        What all components explain of the method's measure, each of them, the running total, and
        the eigenvalues if there are any.
    loadings
        The largest weights of the first components; none for a kernel method.
    scaled
        Whether the columns were standardised.
    labelled, label_column
        Whether rows have labels, and the column these come from (None for an array).
    note
        Which branch of the method ran, in words.
    """

    k: int
    asked: int | None
    names: tuple[str, ...]
    note: str
    separation: SeparationFacts | None
    held: float
    shares: tuple[float, ...]
    cumulative: tuple[float, ...]
    values: tuple[float, ...] | None
    loadings: tuple[LoadingFacts, ...]
    scaled: bool
    labelled: bool
    label_column: str | None


STEPS = 1200  # An axis has so many steps, so that a place on it is a short integer.
HISTOGRAM_BARS = 48  # A histogram has so many bars.
SHAPES = ("circle", "triangle", "square", "diamond", "wedge", "cross")


@dataclass(frozen=True)
class RowGroup:
    """Rows drawn alike: a name, how many there are, a class of the style sheet and a shape."""

    name: str
    count: int
    kind: str
    shape: str


@dataclass(frozen=True)
class ScorePlotFacts:
    """Groups of rows, and each row's step on every axis; one row in `every` is there.

    `places` has the group of each row, `ticks` the step and the text of each tick, `histograms` the
    rows of each group along the only axis, where there is one.
    """

    every: int
    groups: tuple[RowGroup, ...]
    places: tuple[int, ...]
    ticks: tuple[tuple[tuple[int, str], ...], ...]
    steps: tuple[tuple[int, ...], ...]
    histograms: tuple[tuple[int, ...], ...]
