"""What `extract` returns: numbers, and what can be done with them."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any, ClassVar

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.extraction_outcome import SHOWN, Extracted
from tamis.evaluation.record import Record, describe_missing
from tamis.facts.extraction_answer import ExtractionFacts
from tamis.results.column_positions import positions_in
from tamis.results.extraction_facts import extraction_facts
from tamis.results.frame import frame_library, make_typed_frame
from tamis.results.output import write_page
from tamis.results.shown import Shown, by_text
from tamis.run.extraction import FoundComponents
from tamis.run.front import open_like
from tamis.statistics.labels import CLUSTERS, ClusterLabels, plain_labels
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class Extraction(Shown, Extracted):
    """Components of the columns, their shares, and what can be done with them.

    Attributes
    ----------
    names, k
        Names of the components (the method and a number from 0), and how many there are.
    columns
        The columns analysed.
    components
        Weight of every column in every component; None for kernel methods. `loadings(i)` gives the
        largest ones.
    shares, values
        Share of the method's own measure that each component explains, and its eigenvalue.
    note
        Which branch of the method ran.
    separation
        For discriminants: cross-validated `accuracy`, the accuracy on the `fitted` rows, and
        whether the separation is `overfitted`; None for other methods.
    n_rows
        Number of rows used.
    missing
        What was done about missing values, as in `Selection`.
    constant
        Constant columns.
    skipped
        Skipped columns, each with the reason.
    """

    _internal: ClassVar[tuple[str, ...]] = ("score",)

    def __repr__(self) -> str:
        held = f"{self.shares.sum():.1%}"
        return f"<Extraction by {self.request.method.id}: {self.k} components, {held} explained>"

    def __str__(self) -> str:
        from tamis.presentation.terminal.answers import extraction_text

        return extraction_text(self._facts)

    def _repr_html_(self) -> str:
        from tamis.presentation.notebook.card import extraction_html

        return extraction_html(self._facts)

    def to_frame(self) -> Any:
        """Give the loadings: one row for every column analysed, one column for each component.

        A data frame of the library that the table came from, otherwise an Arrow table.
        """
        weights = self._load_projection()
        columns = {"column": list(map(str, self.columns))}
        columns |= {name: weights[i].tolist() for i, name in enumerate(self.names)}
        types = {"column": "string", **dict.fromkeys(self.names, "float64")}
        return make_typed_frame(columns, types, self.request.library, self.columns)

    def plot(self, kind: str = "scores", ax: Any = None) -> Any:
        """Draw a picture with matplotlib (the extra `tamis[plot]`) and give its axes.

        Parameters
        ----------
        kind
            "scores": the rows on the first two components. "loadings": the largest weights of the
            first component.
        ax
            Axes to draw on; new ones if None.
        """
        from tamis.presentation.scenes.figure import draw_figure, loadings_plot
        from tamis.presentation.scenes.rows import scores_scene
        from tamis.results.plot_facts import check_kind, group_scores

        if check_kind(kind, ("scores", "loadings")) == "scores":
            return draw_figure(scores_scene(*group_scores(self)), ax)
        self._load_projection()
        return loadings_plot(self.names[0], self.loadings(0, 20), ax)

    def _load_projection(self) -> Any:
        if self.components is None:
            raise TamisError("Kernel methods have no column weights (loadings).")
        return self.components

    def transform(self, data: Any) -> Any:
        """Give the scores of the rows of a table, one column for each component.

        Columns are found as by `Selection.transform`.
        A missing value is filled as those of the table were; if rows with one were dropped, the
        row gets no scores (NaN).
        """
        source = open_like(self.judgement, data)
        positions = positions_in(source, self.request, self.used)
        return np.concatenate([self.score(batch) for batch in source.batches(positions)])

    def inverse_transform(self, scores: Any) -> Any:
        """Turn scores back into the columns, as well as the components allow."""
        return self.projection.rebuild(scores)

    def report(self, path: str | FilePath, *, rows: bool = True) -> FilePath:
        """Write a self-contained HTML page about this extraction and give its path.

        The page plots the scores of up to some thousand rows; `rows=False` omits them.
        """
        from tamis.presentation.page.answers import render_extraction
        from tamis.results.extraction_facts import score_facts

        plot = score_facts(self._by_text) if rows else None
        return write_page(path, render_extraction(self._facts, plot))

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about this extraction as plain values, ready for JSON."""
        from tamis.presentation.prose.document import write_document

        return write_document(self._facts)

    @cached_property
    def _facts(self) -> ExtractionFacts:
        return extraction_facts(self._by_text)

    @cached_property
    def _by_text(self) -> "Extraction":
        """The same with all columns named by text, as they are shown and written."""
        return by_text(self)


def make_extraction(found: FoundComponents, data: Any) -> Extraction:
    """Make a result of what was found."""
    source, labels, missing = found.source, found.labels, found.request.missing
    column = source.names[labels] if isinstance(labels, int) else None
    clusters = labels.quality if isinstance(labels, ClusterLabels) else None
    column = column if clusters is None else CLUSTERS
    record = Record.of(source, found.request, column)
    missed = describe_missing(missing, found.summary.tally, source, found.usable)
    rows, most = found.summary.rows, max(SHOWN, 20 * len(found.usable))
    return Extraction(
        replace(record, library=frame_library(data)),
        found.projection,
        found.summary.n_rows,
        np.asarray(found.usable, dtype=np.intp),
        source,
        missed,
        plain_labels(labels),
        found.summary.fill if missing.fills else None,
        tuple(record.relabel(found.constant)),
        record.relabel_keys(found.skipped),
        # Some of the rows that a supervised method has read, so that no one reads them again.
        rows.thin(most) if rows is not None and found.request.method.supervised else None,
        clusters,
        found.judgement,
    )
