"""`mutual_information`: the information that every two columns of a table share."""

from collections.abc import Sequence
from typing import Any

from tamis import registry
from tamis.evaluation.record import describe_missing
from tamis.registry.information import BINNING, BINS_OPTION, CORRECTED
from tamis.registry.missing_policy import MISSING_TEXT, MissingPolicy
from tamis.results.frame import frame_library
from tamis.results.pair_matrix import PairMatrix
from tamis.run.candidates import count_analysed, find_named, sort_out_columns
from tamis.run.front import read_table
from tamis.sources.positions import match_columns
from tamis.sources.source import Source
from tamis.statistics.mutual_information import collect_information


def mutual_information(
    data: Any,
    *,
    columns: Sequence[str | int] | None = None,
    exclude: Sequence[str | int] = (),
    bins: int = 10,
    binning: str = "depth",
    corrected: bool = False,
    missing: str = MISSING_TEXT.default,
) -> PairMatrix:
    """Compute the normalised mutual information of every two columns of a table.

    It is 0 for independent columns and 1 where each determines the other. It covers relations of
    any shape, between numbers, categories and text.

    Parameters
    ----------
    data
        Any table that `select` takes.
    columns, exclude
        Names or positions of the columns to analyse, and of those to skip; or patterns such as
        "gene_*", for which a column of that very name comes first.
    bins
        Bins of a numeric column; fewer for few rows.
    binning
        "depth" (equally many rows in each), "width" or "kmeans".
    corrected
        Take off what chance gives each pair, which grows with their distinct values: about 0 for
        unrelated columns, also a little below, and still 1 where each determines the other.
    missing
        Missing values, as for `select`.

    Returns
    -------
    PairMatrix
        The matrix with its names.

    Examples
    --------
    A parabola has no correlation, but a close relation.

    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 201)
    >>> found = mutual_information(np.column_stack([x, x**2, np.sin(40 * x)]))
    >>> round(found["x0", "x1"], 2), round(found["x0", "x2"], 2)
    (0.7, 0.06)
    """
    bins, binning = BINS_OPTION.check(bins), BINNING.check(binning)
    taken_off = CORRECTED.check(corrected)
    policy = MissingPolicy(MISSING_TEXT.check(missing))
    columns, exclude = registry.COLUMNS.check(columns), registry.EXCLUDE.check(exclude)

    def run(source: Source) -> PairMatrix:
        wanted = None if columns is None else match_columns(source, "columns", columns)
        unwanted = match_columns(source, "exclude", exclude)
        usable, skipped = sort_out_columns(source, wanted, unwanted, categories=True)
        insist = find_named(source, usable, wanted or ())
        found = collect_information(
            source, usable, missing=policy, bins=bins, binning=binning, insist=insist
        )
        used, constant = count_analysed(source, usable, found, skipped)
        shared = found.statistic
        pairs = shared.corrected_pairs(list(found.level_counts)) if taken_off else shared.matrix
        given = source.info.given_names or source.names
        label = dict(zip(source.names, given, strict=True))
        return PairMatrix(
            tuple(given[j] for j in used),
            pairs,
            describe_missing(policy, found.tally, source, usable),
            tuple(label[name] for name in constant),
            {label[name]: why for name, why in skipped.items()},
            frame_library(data),
        )

    return read_table(data, run)
