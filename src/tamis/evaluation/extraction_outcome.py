"""The numbers of an extraction: the components, what they explain, and their columns."""

from collections.abc import Callable
from dataclasses import field
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.algorithms.projection import Projection
from tamis.columns.judgement import TableJudgement
from tamis.errors import TamisError
from tamis.evaluation.record import Record
from tamis.facts.extraction_answer import SeparationFacts
from tamis.facts.shared_answer import ClusterFacts, MissingFacts
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.fills import fill_missing
from tamis.statistics.labels import ClusterLabels, class_codes, is_missing, label_text
from tamis.statistics.missing import finite, without_missing
from tamis.statistics.rows import Rows, check_label_count, label_column, rows_with_missing
from tamis.values import dataclass

# How well discriminants separate classes on rows they were not fitted to.
#
# With about as many columns as rows a discriminant separates any labels, shuffled ones too. So the
# rows are cut into folds, each class evenly; the discriminants are fitted without each fold, and
# its rows get the class with the nearest mean score. Where a fold leaves no discriminant, its rows
# get the largest class. The only row of a class is never held out.
Codes = NDArray[np.intp]

_FOLDS = 5
_MIN_ACCURACY_LOSS = 0.05
_ERRORS = 2.0


def cross_validate(
    fit: Callable[[Any, Codes], Projection],
    full: Projection,
    rows: Any,
    codes: Codes,
    clusters: ClusterLabels | None = None,
    of_rows: int | None = None,
) -> SeparationFacts:
    """Compare the discriminants `full` of all rows with those fitted without each fold.

    Where clusters stand for labels, those of a fold are made of the other rows. Overfitted is a
    loss on held-out rows of over 5 points and over 2 standard errors.
    """
    folds = _folds(codes if clusters is None else np.zeros_like(codes))
    known = np.flatnonzero(folds >= 0)
    right = np.zeros(len(codes), dtype=bool)
    for fold in track("folds of cross-validation", range(_FOLDS), _FOLDS):
        held, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        if len(held):
            seen = codes if clusters is None else class_codes(clusters.seen_from(rest), "y")
            right[held] = _guess_classes(fit, rows[rest], seen[rest], rows[held]) == seen[held]
    again = _nearest(full.project(rows), codes, full.project(rows))
    accuracy, fitted = float(np.mean(right[known])), float(np.mean(again == codes))
    error = np.sqrt(max(accuracy * (1 - accuracy), 0.0) / len(codes))
    return SeparationFacts(
        accuracy,
        fitted,
        largest_class=float(np.bincount(codes).max() / len(codes)),
        folds=_FOLDS,
        rows=len(codes),
        of_rows=len(codes) if of_rows is None else of_rows,
        overfitted=bool(fitted - accuracy > max(_MIN_ACCURACY_LOSS, _ERRORS * error)),
    )


def _folds(codes: Codes) -> Codes:
    """Deal the rows of each class to the folds in turn, shuffled; -1 for the only row of one."""
    shuffled = np.random.default_rng(0).permutation(len(codes))
    folds = np.full(len(codes), -1, dtype=np.intp)
    dealt = 0
    for code in np.unique(codes):
        members = shuffled[codes[shuffled] == code]
        if len(members) > 1:
            folds[members] = (dealt + np.arange(len(members))) % _FOLDS
            dealt += len(members)
    return folds


def _guess_classes(
    fit: Callable[[Any, Codes], Projection], rows: Any, codes: Codes, held: Any
) -> Codes | int:
    try:
        found = fit(rows, codes)
    except TamisError:
        return int(np.bincount(codes).argmax())
    return _nearest(found.project(rows), codes, found.project(held))


def _nearest(scores: Any, codes: Codes, others: Any) -> Codes:
    """Give each of the others the class whose mean score is nearest."""
    from scipy.spatial.distance import cdist

    names, positions = np.unique(codes, return_inverse=True)
    means = np.array([scores[positions == position].mean(axis=0) for position in range(len(names))])
    return np.asarray(names[cdist(others, means, "sqeuclidean").argmin(axis=1)])


SHOWN = 4000
NO_LABEL = "no label"
_VALIDATED = 2000
_SQUARE = ("kda", "lfda")


@dataclass(frozen=True, eq=False)
class Sample:
    """Scores of some rows, for a picture: every `step`-th row, with its label if it has one."""

    scores: Floats
    labels: tuple[str, ...] | None
    step: int


@dataclass(frozen=True, eq=False)
class Extracted:
    """Components on a table, with everything that can be said about them."""

    request: Record = field(repr=False)
    projection: Projection = field(repr=False)
    n_rows: int
    used: Indices = field(repr=False)
    source: Source = field(repr=False)
    missing: MissingFacts = field(repr=False)
    marks: Any = field(repr=False, default=None)
    fill: Floats | None = field(repr=False, default=None)
    constant: tuple[Any, ...] = ()
    skipped: dict[Any, str] = field(default_factory=dict)
    held: Rows | None = field(repr=False, default=None)
    clusters: ClusterFacts | None = None
    judgement: TableJudgement = field(repr=False, default_factory=TableJudgement)

    @property
    def k(self) -> int:
        """Number of components."""
        return self.projection.size

    @property
    def names(self) -> list[str]:
        """Names of the components: the method and a number."""
        return self.request.method.name_components(self.k)

    @property
    def columns(self) -> list[Any]:
        """The columns that the components are made of, as the table has them."""
        given = self.request.given
        return [given[j] for j in self.used]

    @property
    def shares(self) -> Floats:
        """Share of the method's own measure that each component explains."""
        return self.projection.shares

    @property
    def values(self) -> Floats | None:
        """Eigenvalue or singular value of each component, where the method has them."""
        return self.projection.values

    @property
    def components(self) -> Floats | None:
        """Weight of every column in every component (k x columns); None for kernel methods."""
        return self.projection.loadings

    @property
    def note(self) -> str:
        """Which branch of the method ran, in words."""
        return self.projection.note

    def loadings(self, direction: int = 0, most: int = 10) -> dict[Any, float]:
        """Give the columns with the largest loadings on a component, largest first."""
        if self.components is None:
            return {}
        if not 0 <= direction < self.k:
            raise TamisError(f"There is no component {direction}: they go from 0 to {self.k - 1}.")
        weights, columns = self.components[direction], self.columns
        order = np.argsort(-np.abs(weights), kind="stable")[:most]
        return {columns[j]: float(weights[j]) for j in order}

    def score(self, batch: Any) -> Floats:
        """Give the scores of rows; a row with a missing value is filled or gets no scores."""
        policy = MissingPolicy(self.request.settings["missing"])
        batch = finite(batch) if policy.takes_infinite else batch
        incomplete = rows_with_missing(batch)
        if policy.refuses or not incomplete.any():
            names = list(map(str, self.columns))
            (rows,) = without_missing(lambda: [batch], names, MissingPolicy.ERROR)
            return self.projection.project(rows)
        if self.fill is not None and not scipy.sparse.issparse(batch):
            return self.projection.project(fill_missing(batch, self.fill))
        scores = np.full((batch.shape[0], self.k), np.nan)
        if not incomplete.all():
            scores[~incomplete] = self.projection.project(batch[~incomplete])
        return scores

    @cached_property
    def separation(self) -> SeparationFacts | None:
        """How well the classes are separated on held-out rows; None without labels to learn from.

        Found on rows taken evenly: 20 for each column or 2,000, and 2,000 for methods whose time
        grows with the square of the rows.
        """
        method, settings = self.request.method, self.request.settings
        if not method.supervised or self.held is None:
            return None
        most = _VALIDATED if method.id in _SQUARE else max(_VALIDATED, 20 * len(self.used))
        rows = self.held.thin(most)
        names = {"scale", *(option.name for option in method.options)}
        own = {name: value for name, value in settings.items() if name in names}
        fit = partial(method.load_kernel(), k=self.k, **own)
        return cross_validate(
            fit, self.projection, rows.values, rows.codes, rows.clusters, self.n_rows
        )

    @cached_property
    def sample(self) -> Sample:
        """Scores of rows taken evenly through the table."""
        # Rows without a label are shown, but a table that drops them does not hold them.
        if self.held is not None and not MissingPolicy(self.missing.done).drops:
            rows = self.held.thin(SHOWN)
            step = max(1, round(self.n_rows / rows.n_rows))
            labels = tuple(map(_label, rows.labels))
            return Sample(self.projection.project(rows.values), labels, step)
        marks = self.marks
        if isinstance(marks, int):
            marks = label_column(self.source, marks)
        step = max(1, -(-self.n_rows // SHOWN))
        parts: list[Floats] = []
        positions: list[int] = []
        at = 0
        for batch in self.source.batches(self.used.tolist()):
            first = (-at) % step
            parts.append(self.score(batch[first::step]))
            positions += range(at + first, at + batch.shape[0], step)
            at += batch.shape[0]
        scores = np.concatenate(parts)
        good = ~np.isnan(scores).any(axis=1)
        names = None
        if marks is not None:
            check_label_count(self.source, at, marks)
            kept = np.asarray(positions, dtype=np.intp)[good]
            names = tuple(_label(marks[i]) for i in kept)
        return Sample(scores[good], names, step)


def _label(mark: Any) -> str:
    return NO_LABEL if is_missing(mark) else label_text(mark)
