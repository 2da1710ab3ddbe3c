"""What `reproduce` returns: figures beside the printed ones, and a verdict on every claim."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path as FilePath
from typing import Any

from tamis_papers.laboratory.drafts import write_text
from tamis_papers.laboratory.outcome import Outcome
from tamis_papers.laboratory.protocol import Claim, Figure
from tamis_papers.laboratory.tables import Shelf
from tamis_papers.views.facts import ReproductionRequest, gather_facts
from tamis_papers.views.files import list_columns, write_folder


@dataclass(frozen=True, eq=False)
class Reproduction:
    """Experiments of the papers, run again.

    Attributes
    ----------
    figures
        By the id of each experiment, its figures: ours with their spread, the paper's, the
        difference, and whether it is within the tolerance.
    claims
        By the id of each experiment, the paper's claims, each with a verdict ("holds", "does not
        hold", "cannot be judged") and the reason.
    missing
        Tables that were not there, each with the reason.
    failed
        Cells that ended with an error: the sentence by experiment and cell.
    """

    outcomes: tuple[Outcome, ...] = field(repr=False)
    shelf: Shelf = field(repr=False)
    asked: ReproductionRequest = field(default_factory=ReproductionRequest, repr=False)
    run: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def figures(self) -> dict[str, tuple[Figure, ...]]:
        """The figures of each experiment."""
        return {outcome.protocol.id: tuple(outcome.figures) for outcome in self.outcomes}

    @property
    def claims(self) -> dict[str, tuple[Claim, ...]]:
        """The claims of each experiment, with our verdicts."""
        return {outcome.protocol.id: tuple(outcome.claims) for outcome in self.outcomes}

    @property
    def missing(self) -> dict[str, str]:
        """The tables that were not there, with the reason."""
        return dict(self.shelf.lacking)

    @property
    def failed(self) -> dict[tuple[str, str], str]:
        """What ended with an error, by experiment and cell."""
        return {
            (outcome.protocol.id, cell): why
            for outcome in self.outcomes
            for cell, why in outcome.failed.items()
        }

    def to_frame(self, library: str = "pyarrow") -> Any:
        """Give all figures as an Arrow table, or as a data frame of "pandas" or "polars"."""
        columns, module = list_columns(self._facts), import_module(library)
        return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about the experiments as plain values, ready for JSON."""
        return deepcopy(self._facts)

    def report(self, path: str | FilePath) -> FilePath:
        """Write a self-contained HTML page about the experiments and give its path."""
        from tamis_papers.views.page import render_page

        return write_text(FilePath(path), render_page(self._facts))

    def save(self, folder: str | FilePath) -> list[FilePath]:
        """Write figures, claims, the page and all else into a folder and give the paths."""
        target = FilePath(folder)
        return [*write_folder(target, self._facts, self.run), self.report(target / "report.html")]

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """Compute once what all views show."""
        return gather_facts(self.outcomes, self.shelf, self.asked)
