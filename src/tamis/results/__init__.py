"""What `select` returns: numbers, and what can be done with them."""

from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.evaluation.extracted import Extracted
from tamis.evaluation.outcome import Outcome, Record
from tamis.presentation.names import listed
from tamis.presentation.words import words_of
from tamis.sources.source import Source, open_source


@dataclass(frozen=True, eq=False)
class Selection(Outcome):
    """The columns to keep, what they reproduce or tell, and why the others can go.

    Attributes
    ----------
    names, indices
        Kept columns, best first, by name and by position in the input.
    ranking
        Every column the path reached, best first, by name.
    scores
        The method's own score of every input column; NaN for columns that took no part. Variances
        in it are relative to the mean variance of the columns: the unit of the table plays no part.
    retained, bound
        Share of the variance that the kept columns reproduce, and the most that any set of as many
        columns could (the PCA ceiling). For a method on mutual information: the mean, over all
        columns, of the normalised mutual information with the most telling kept column, and a
        proven bound on it.
    curve
        Both for 1..k columns.
    shortfall
        Why fewer columns are kept than asked for, in a sentence; None if there are as many.
    missing
        What was done about missing values: `rows` read and `used`, and for every column that has
        any the share of them (`shares`).
    constant
        Columns that never change; they are never kept.
    left_out
        Columns that took no part, each with the reason.
    optimal
        Whether an exact search has proven that no set of as many columns reproduces more.
    tree
        The spectral tree of the columns, for a method that grows one: `order`, `depth`,
        `distance(first, second)` and `nested()`, all by name; None for the others.
    """

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:5]) + (", ..." if self.k > 5 else "")
        share = f"{self.retained:.1%} {words_of(self.request.method.measure).share}"
        return f"<Selection by {self.request.method.id}: {self.k} columns, {share}: {shown}>"

    def transform(self, data: Any) -> Any:
        """Give the kept columns of a table that has them, in the form it came in.

        Columns are found by name. Where this table or that of the selection has no names, as an
        array, they are found by position, and both must have as many columns. A path is read into
        an Arrow table.
        """
        source = open_source(data)
        places = _places(source, self.request, self.indices)
        return source.pick(places)

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


@dataclass(frozen=True, eq=False)
class Extraction(Extracted):
    """New directions, what they hold, and what can be done with them.

    Attributes
    ----------
    names
        Names of the directions: the method and a number from 0.
    columns
        The columns they are made of.
    components
        Weight of every column in every direction; None for kernel methods. `loadings(i)` gives the
        columns that weigh most.
    shares, values
        Share of the method's own measure that each direction holds, and its eigenvalue.
    note
        Which branch of the method ran.
    separation
        For discriminants: cross-validated `accuracy`, the accuracy on the `fitted` rows, and
        whether the separation is `overfitted`; None for other methods.
    missing
        What was done about missing values, as in `Selection`.
    constant
        Columns that never change.
    left_out
        Columns that took no part, each with the reason.
    """

    def __repr__(self) -> str:
        held = f"{self.shares.sum():.1%}"
        return f"<Extraction by {self.request.method.id}: {self.k} directions, {held} held>"

    def transform(self, data: Any) -> Any:
        """Give the scores of the rows of a table, one column for each direction.

        Columns are found as by `Selection.transform`.
        A row with a missing value is filled with means if the extraction was made so; if it
        dropped such rows, the row gets no scores (NaN).
        """
        source = open_source(data)
        places = _places(source, self.request, self.used)
        return np.concatenate([self.score(batch) for batch in source.batches(places)])

    def inverse_transform(self, scores: Any) -> Any:
        """Turn scores back into the columns, as well as the directions allow."""
        return self.projection.rebuild(scores)

    def report(self, path: str | FilePath) -> FilePath:
        """Write a self-contained HTML page about this extraction and give its path."""
        from tamis.presentation.extraction import render_extraction
        from tamis.presentation.output import replacing

        page = render_extraction(self)
        with replacing(FilePath(path)) as draft:
            draft.write_text(page, encoding="utf-8")
        return FilePath(path)

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about this extraction as plain values, ready for JSON."""
        from tamis.presentation.extraction import extraction_facts

        return extraction_facts(self)


def _places(source: Source, request: Record, columns: NDArray[np.intp]) -> list[int]:
    """Find columns of one table in another: by name, or by position where one has no names."""
    if not (source.named and request.named):
        width, made_on = len(source.names), len(request.names)
        if width != made_on:
            raise TamisError(
                f"{source.label} has {width:,} columns where the table it was made on has "
                f"{made_on:,}: give as many, because one of the two has no column names."
            )
        return [int(j) for j in columns]
    known = {name: place for place, name in enumerate(source.names)}
    wanted = [request.names[j] for j in columns]
    lost = [repr(name) for name in wanted if name not in known]
    if lost:
        many = "columns" if len(lost) > 1 else "column"
        raise TamisError(
            f"{source.label} has no {many} {listed(lost)}: give a table with the columns of the "
            "one it was made on."
        )
    return [known[name] for name in wanted]
