"""What `compare` returns: every method's figures, and which method to take."""

from dataclasses import field
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from tamis.evaluation.contest import Contest, recommend
from tamis.evaluation.record import Record
from tamis.facts.comparison_answer import AdviceFacts, ComparisonFacts
from tamis.facts.shared_answer import LabelFacts, MissingFacts
from tamis.results.comparison_facts import comparison_facts
from tamis.results.frame import as_frame
from tamis.results.output import write_page
from tamis.results.shown import Shown, by_text
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """Methods on one table, measured on the same columns and rows.

    Attributes
    ----------
    frame
        One row for each method and number of columns: the figures of all criteria and, where there
        are folds, their standard deviation. A data frame of the library that the input came from,
        otherwise an Arrow table. What was not measured has no value.
    recommendation
        One sentence: which method to take, on what that rests, which others are within noise.
    best
        The id of that method.
    names
        The columns that each method keeps, by its id and their number.
    missing
        What was done about missing values, as in `Selection`.
    constant
        Constant columns.
    skipped
        Skipped columns, each with the reason.
    unsuitable
        Methods that were not compared, each with the reason.
    notes
        What else to know: figures that are not there and why, rows that were sampled.
    """

    request: Record = field(repr=False)
    contest: Contest = field(repr=False)
    goals: dict[str, Any] = field(repr=False)
    missing: MissingFacts = field(repr=False)
    constant: tuple[Any, ...] = ()
    skipped: dict[Any, str] = field(default_factory=dict)
    labels: LabelFacts | None = field(default=None, repr=False)
    library: str = field(default="pyarrow", repr=False)

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.contest.sizes))
        return f"<Comparison of {len(self.contest.trials)} methods, k = {sizes}: {self.best} first>"

    def __str__(self) -> str:
        from tamis.presentation.terminal.answers import comparison_text

        return comparison_text(self._facts)

    def _repr_html_(self) -> str:
        from tamis.presentation.notebook.card import comparison_html

        return comparison_html(self._facts)

    @cached_property
    def advice(self) -> AdviceFacts:
        """The recommendation by its parts."""
        return recommend(self.contest)

    @property
    def best(self) -> str:
        """The id of the recommended method."""
        return self.advice.method

    @property
    def recommendation(self) -> str:
        """Which method to take, on what that rests, and which others are within noise."""
        from tamis.presentation.prose.about_comparison import comparison_sentence

        return comparison_sentence(self._facts)

    @property
    def unsuitable(self) -> dict[str, str]:
        """Methods that were not compared, each with the reason."""
        return dict(self.contest.unsuitable)

    @property
    def notes(self) -> list[str]:
        """What else to know about the figures."""
        return list(self.contest.notes)

    @cached_property
    def names(self) -> dict[str, dict[int, list[Any]]]:
        """The columns that each method keeps, best first, by its id and their number."""
        ground = self.contest.ground
        given = self.request.given
        names = [given[j] for j in ground.used]
        return {
            trial.method.id: {k: [names[j] for j in trial.list_kept(k)] for k in trial.sizes}
            for trial in self.contest.trials
        }

    @cached_property
    def frame(self) -> Any:
        """All figures, one row for each method and number of columns."""
        contest = self.contest
        cells = [(trial, k) for trial in contest.trials for k in contest.sizes]
        columns: dict[str, list[Any]] = {
            "method": [trial.method.id for trial, _ in cells],
            "k": [k for _, k in cells],
            "kept": [len(trial.list_kept(k)) for trial, k in cells],
        }
        for criterion in contest.criteria:
            found = [contest.figure(criterion.id, trial.method.id, k) for trial, k in cells]
            columns[criterion.id] = [None if one is None else one.value for one in found]
            if any(one is not None and one.folds is not None for one in found):
                columns[f"{criterion.id}_std"] = [None if one is None else one.std for one in found]
        return as_frame(columns, self.library)

    def to_frame(self) -> Any:
        """Give all figures, as `frame` does."""
        return self.frame

    def plot(self, criterion: str | None = None, ax: Any = None) -> Any:
        """Draw with matplotlib (the extra `tamis[plot]`) one line for each method; give the axes.

        Parameters
        ----------
        criterion
            What is drawn against the number of columns; by default what the recommendation rests
            on.
        ax
            Axes to draw on; new ones if None.
        """
        from tamis.presentation.scenes.comparison import criterion_scene
        from tamis.presentation.scenes.figure import draw_figure
        from tamis.results.plot_facts import check_kind

        known = tuple(one.id for one in self.contest.criteria)
        chosen = check_kind(criterion or self.advice.criterion, known)
        return draw_figure(criterion_scene(self._facts, chosen), ax)

    def report(self, path: str | FilePath) -> FilePath:
        """Write a self-contained HTML page about this comparison and give its path."""
        from tamis.presentation.page.answers import render_comparison

        return write_page(path, render_comparison(self._facts))

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about this comparison as plain values, ready for JSON."""
        from tamis.presentation.prose.document import write_document

        return write_document(self._facts)

    @cached_property
    def _facts(self) -> ComparisonFacts:
        return comparison_facts(by_text(self))
