"""What `select` returns: numbers, and what can be done with them."""

from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from tamis.errors import TamisError
from tamis.evaluation.outcome import Outcome
from tamis.sources.source import open_source


@dataclass(frozen=True)
class Selection(Outcome):
    """The columns to keep, what they reproduce, and why the others can go.

    Attributes
    ----------
    names, indices
        Kept columns, best first, by name and by position in the input.
    ranking
        Every column the path reached, best first, by name.
    scores
        The method's own score of every input column; NaN for columns that took no part.
    retained, bound
        Share of the variance that the kept columns reproduce, and the most that any set of as many
        columns could (the PCA ceiling).
    curve
        Both for 1..k columns.
    constant
        Columns that never change; they are never kept.
    left_out
        Columns that took no part, each with the reason.
    optimal
        Whether an exact search has proven that no set of as many columns reproduces more.
    """

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:5]) + (", ..." if self.k > 5 else "")
        share = f"{self.retained:.1%} of the variance"
        return f"<Selection by {self.request.method.id}: {self.k} columns, {share}: {shown}>"

    def transform(self, data: Any) -> Any:
        """Give the kept columns of a table that has them, in the form it came in.

        An array must have as many columns as the table of the selection; columns with names are
        found by name. A path is read into an Arrow table.
        """
        source = open_source(data)
        known = {name: place for place, name in enumerate(source.names)}
        if self.names[0] not in known and len(source.names) == len(self.request.names):
            known = {name: place for place, name in enumerate(self.request.names)}
        lost = [name for name in self.names if name not in known]
        if lost:
            raise TamisError(
                f"{source.label} has no column {lost[0]!r}, which the selection keeps: give a "
                "table with the columns it was made on."
            )
        return source.pick([known[name] for name in self.names])

    def report(self, path: str | FilePath) -> FilePath:
        """Write a self-contained HTML page about this selection and give its path."""
        from tamis.presentation.output import replacing
        from tamis.presentation.report import render
        from tamis.presentation.summary import report_facts

        page = render(report_facts(self))
        with replacing(FilePath(path)) as draft:
            draft.write_text(page, encoding="utf-8")
        return FilePath(path)

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about this selection as plain values, ready for JSON."""
        from tamis.presentation.summary import facts

        return facts(self)
