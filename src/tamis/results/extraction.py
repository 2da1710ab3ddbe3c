"""What `extract` returns: numbers, and what can be done with them."""

from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from tamis.evaluation.extracted import Extracted
from tamis.results.columns import positions_in
from tamis.results.extraction_facts import extraction_facts
from tamis.results.output import write_page
from tamis.sources.source import open_source


@dataclass(frozen=True, eq=False)
class Extraction(Extracted):
    """Components of the columns, their shares, and what can be done with them.

    Attributes
    ----------
    names
        Names of the components: the method and a number from 0.
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
    missing
        What was done about missing values, as in `Selection`.
    constant
        Constant columns.
    left_out
        Skipped columns, each with the reason.
    """

    def __repr__(self) -> str:
        held = f"{self.shares.sum():.1%}"
        return f"<Extraction by {self.request.method.id}: {self.k} components, {held} explained>"

    def transform(self, data: Any) -> Any:
        """Give the scores of the rows of a table, one column for each component.

        Columns are found as by `Selection.transform`.
        A row with a missing value is filled with means if the extraction was made so; if it
        dropped such rows, the row gets no scores (NaN).
        """
        source = open_source(data)
        positions = positions_in(source, self.request, self.used)
        return np.concatenate([self.score(batch) for batch in source.batches(positions)])

    def inverse_transform(self, scores: Any) -> Any:
        """Turn scores back into the columns, as well as the components allow."""
        return self.projection.rebuild(scores)

    def report(self, path: str | FilePath) -> FilePath:
        """Write a self-contained HTML page about this extraction and give its path."""
        from tamis.presentation.page import extraction as page
        from tamis.results.score_facts import score_facts

        return write_page(path, page.render({**self._facts, **score_facts(self)}))

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about this extraction as plain values, ready for JSON."""
        return deepcopy(self._facts)

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """Compute once what the terminal, `--json` and the report show."""
        return extraction_facts(self)
