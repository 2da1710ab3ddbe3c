"""`summarise`: a summary of a table that can be added to others, saved, and selected from."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from tamis import registry
from tamis.errors import TamisError
from tamis.results.summary import DataSummary
from tamis.run.columns import EMPTY, skipping_empty, sorted_out
from tamis.sources.patterns import match_columns
from tamis.sources.source import has_rows, open_source
from tamis.statistics.collect import collect_summary

_MISSING = replace(registry.MISSING, choices=("error", "mean", "drop"))


def summarise(
    data: Any,
    *,
    columns: Sequence[str | int] | None = None,
    exclude: Sequence[str | int] = (),
    missing: str = "error",
    checkpoint: str | PathLike[str] | None = None,
    blocks: bool = False,
) -> DataSummary:
    """Summarise the columns of numbers of a table: all that the linear methods need of it.

    Parameters
    ----------
    data
        Any table that `select` takes.
    columns, exclude
        Names or positions of the columns to summarise, and of those to skip; or patterns such as
        "gene_*", for which a column of that very name comes first.
    missing
        What to do about missing values: "error", "mean" (fill) or "drop" (drop their rows).
    checkpoint
        For files: a `.tamis` file that is written now and then while the table is read, and from
        which a pass that was stopped resumes.
    blocks
        Summarise 20 blocks of rows apart, so that `held_out`, `stability` and `k="auto"` of
        `select` work on the summary; it is then 20 times as large.

    Returns
    -------
    DataSummary
        `+` merges two of them, `save` writes one to a file, `tamis.select` takes one.

    Examples
    --------
    Two halves of a table give the columns that the table gives.

    >>> import numpy as np
    >>> from tamis import select
    >>> X = np.random.default_rng(0).standard_normal((50, 4)) @ np.triu(np.ones((4, 4)))
    >>> whole = summarise(X[:20]) + summarise(X[20:])
    >>> whole
    <DataSummary of 50 rows x 4 columns>
    >>> select(whole, k=2).names == select(X, k=2).names
    True
    """
    columns, exclude = registry.COLUMNS.check(columns), registry.EXCLUDE.check(exclude)
    missing = _MISSING.check(missing)
    source, place = open_source(data), None if checkpoint is None else fspath(checkpoint)
    columns = None if columns is None else match_columns(source, "columns", columns)
    exclude = match_columns(source, "exclude", exclude)

    def without(empty: list[str]) -> DataSummary:
        usable, skipped = sorted_out(source, columns, [*exclude, *empty], least=1)
        skipped.update(dict.fromkeys(empty, EMPTY))
        stored = collect_summary(source, usable, missing=missing, checkpoint=place, blocks=blocks)
        return DataSummary(stored, skipped, source.label)

    return skipping_empty(without)


def load_summary(path: str | Path) -> DataSummary:
    """Read a summary that `DataSummary.save` or `tamis summarise` wrote.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = summarise(np.eye(4)).save(Path(folder) / "eye.tamis")
    ...     load_summary(path)
    <DataSummary of 4 rows x 4 columns>
    """
    source = open_source(path)
    if has_rows(source):
        raise TamisError(
            f"{source.label} is a table, not a summary: make one with `tamis summarise`."
        )
    return DataSummary(collect_summary(source, range(len(source.names))), {}, source.label)
