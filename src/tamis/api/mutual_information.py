"""`mutual_information`: the information that every two columns of a table share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamis import registry
from tamis.errors import TamisError, spelled
from tamis.evaluation.missing_values import MissingValues
from tamis.numerics.types import Floats
from tamis.registry import MISSING
from tamis.registry.information import BINNING, BINS
from tamis.run.columns import named, sorted_out, took_part, with_text
from tamis.sources.source import Source
from tamis.statistics.information import collect_information


@dataclass(frozen=True, eq=False)
class PairMatrix:
    """A symmetric matrix with the names of its rows and columns.

    `np.asarray` gives the plain matrix; `matrix["age", "weight"]` one entry, `matrix["age"]` the
    entries of one column by name. Constant columns and those in `left_out` are not in it; `missing`
    says how many rows were used.
    """

    names: tuple[str, ...]
    values: Floats = field(repr=False)
    missing: MissingValues = field(repr=False)
    constant: tuple[str, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, key: str | tuple[str, str]) -> Any:
        if isinstance(key, tuple):
            first, second = (self._place(name) for name in key)
            return float(self.values[first, second])
        return dict(zip(self.names, self.values[self._place(key)].tolist(), strict=True))

    def _place(self, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        why = "it is constant" if name in self.constant else self.left_out.get(name)
        hint = f": {why}." if why else registry.nearest(name, self.names)
        raise TamisError(f"The matrix has no column {name!r}{hint}")


def mutual_information(
    data: Any,
    *,
    columns: Sequence[str | int] | None = None,
    exclude: Sequence[str | int] = (),
    bins: int = 10,
    binning: str = "depth",
    missing: str = "error",
) -> PairMatrix:
    """Compute the normalised mutual information of every two columns of a table.

    It is 0 for independent columns and 1 where each determines the other. It covers relations of
    any shape, between numbers, categories and text.

    Parameters
    ----------
    data
        Any table that `select` takes.
    columns, exclude
        Names or positions of the columns to analyse, and of those to skip.
    bins
        Bins of a numeric column; fewer for few rows.
    binning
        "depth" (equally many rows in each), "width" or "kmeans".
    missing
        Missing values: "error", "drop" (drop their rows) or "category" (treat them as a category).

    Returns
    -------
    PairMatrix
        The matrix with its names.

    Examples
    --------
    A parabola has no correlation, but a close relation.

    >>> x = np.linspace(-1, 1, 201)
    >>> found = mutual_information(np.column_stack([x, x**2, np.sin(40 * x)]))
    >>> round(found["x0", "x1"], 2), round(found["x0", "x2"], 2)
    (0.7, 0.06)
    """
    bins, binning, missing = BINS.check(bins), BINNING.check(binning), MISSING.check(missing)
    if missing == "mean":
        raise TamisError(
            f"{spelled('missing', missing)} has no meaning for categories: give 'drop' or "
            "'category'."
        )
    columns, exclude = registry.COLUMNS.check(columns), registry.EXCLUDE.check(exclude)

    def run(source: Source) -> PairMatrix:
        usable, left_out = sorted_out(source, columns, exclude, categories=True)
        insist = named(source, usable, columns or ())
        found = collect_information(
            source, usable, missing=missing, bins=bins, binning=binning, insist=insist
        )
        used, constant = took_part(source, usable, found, left_out)
        there = tuple(source.names[j] for j in used)
        gone = MissingValues.of(missing, found.tally, source, usable)
        return PairMatrix(there, found.statistic.matrix, gone, constant, left_out)

    return with_text(data, True, run)
