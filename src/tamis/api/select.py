"""`select`: join sources, statistics, methods and evaluation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tamis import registry
from tamis.algorithms.path import NO_GOAL
from tamis.api.columns import check_rows, named, sorted_out, took_part, with_text
from tamis.errors import TamisError, spelled
from tamis.evaluation.missing_values import MissingValues
from tamis.evaluation.outcome import Request
from tamis.results import Selection
from tamis.run import Search
from tamis.sources.source import Source, open_source, positions
from tamis.statistics.collect import check_used, summarise


def select(
    data: Any,
    k: int | None = None,
    *,
    method: str = registry.DEFAULT_METHOD,
    retain: float | None = None,
    columns: Sequence[str | int] | None = None,
    include: Sequence[str | int] = (),
    exclude: Sequence[str | int] = (),
    scale: bool | None = None,
    refine: bool | str = False,
    missing: str = "error",
    threshold: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> Selection:
    """Find the columns of a table to keep, and say what it costs to drop the rest.

    Parameters
    ----------
    data
        A NumPy array, a pandas, polars or Arrow table, a SciPy sparse matrix, or the path of a CSV,
        Parquet, Feather or NPZ file.
    k
        How many columns to keep.
    method
        The id of a method; `tamis.methods()` lists them.
    retain
        Instead of `k`: keep as few columns as reproduce this share of the variance. 0.95 when
        neither is given.
    columns, exclude
        Names or positions of the columns to analyse, and of those to skip.
    include
        Columns to keep in any case; they are taken first.
    scale
        Standardise the columns (mean 0, standard deviation 1); None for the default of the method.
    refine
        True swaps columns until no swap lowers the error; "exact" proves the best set, for up to 64
        columns.
    missing
        What to do about missing values: "error", "mean" (fill), "drop" (drop their rows) or, for
        methods that work on categories, "category" (treat them as a category).
    threshold
        Instead of `k`, for methods that remove columns: where to stop, on the method's own scale.
    options
        Settings of the method itself, by name.

    Returns
    -------
    Selection
        Names, positions, shares, explanation, report.

    Examples
    --------
    The third column is the sum of the first two, so two columns reproduce everything.

    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).standard_normal((2, 50))
    >>> found = select(np.column_stack([a, b, a + b]), k=2)
    >>> found.names, round(found.retained, 6)
    (['x2', 'x0'], 1.0)
    >>> print(found.explain()[0])
    x1: 100.0% explained by the kept columns; mostly 1.27 x x2, -0.90 x x0 (SD units)
    """
    columns, include = registry.COLUMNS.check(columns), registry.INCLUDE.check(include)
    exclude, refine = registry.EXCLUDE.check(exclude), registry.REFINE.check(refine)
    chosen = registry.get(method)
    scaled = registry.check_shared(chosen, scale=scale, refine=refine, missing=missing)
    own = registry.check_options(
        chosen, {**(options or {}), **({"threshold": threshold} if threshold is not None else {})}
    )
    k, retain, own = registry.resolve_goal(chosen, k, retain, own)
    asked = _Asked(chosen, k, retain, columns, include, exclude, scaled, refine, missing, own)
    if chosen.needs == "information":
        return with_text(data, partial(_selected, asked))
    return _selected(asked, open_source(data))


@dataclass(frozen=True)
class _Asked:
    method: registry.Method
    k: int | None
    retain: float | None
    columns: Sequence[str | int] | None
    include: Sequence[str | int]
    exclude: Sequence[str | int]
    scale: bool
    refine: bool | str
    missing: str
    own: dict[str, Any]

    def settings(self) -> dict[str, Any]:
        """Give the settings that have a meaning for the method."""
        return {
            **({"include": list(self.include)} if self.include else {}),
            **({"exclude": list(self.exclude)} if self.exclude else {}),
            **({"columns": list(self.columns)} if self.columns is not None else {}),
            **({} if self.method.scale is None else {"scale": self.scale, "refine": self.refine}),
            "missing": self.missing,
            **self.own,
        }


def _selected(asked: _Asked, source: Source) -> Selection:
    method, k, retain = asked.method, asked.k, asked.retain
    usable, left_out = sorted_out(
        source,
        asked.columns,
        asked.exclude,
        categories=method.needs == "information",
        advice="methods such as greedy-fs take text as it is",
    )
    summary = summarise(
        method,
        source,
        usable,
        scale=asked.scale,
        missing=asked.missing,
        options=asked.own,
        insist=named(source, usable, [*(asked.columns or ()), *asked.include]),
    )
    used, constant = took_part(source, usable, summary, left_out)
    check_rows(source, summary.n_rows)
    check_used(summary, len(usable), source.label)
    forced = _forced(source, asked.include, used, left_out)
    _check_k(k, len(used), len(forced), source.label)
    search = Search(method, summary, tuple(forced), asked.refine, asked.own)
    path = search(k or len(used), NO_GOAL if retain is None else retain)
    request = Request.of(source, method, k, retain, asked.settings())
    missing = MissingValues.of(asked.missing, summary.tally, [source.names[j] for j in usable])
    return Selection(request, path, summary, used, missing, constant, left_out, search)


def _check_k(k: int | None, used: int, forced: int, label: str) -> None:
    if k is not None and k > used:
        raise TamisError(
            f"{spelled('k', k)}: {label} has {used} columns to choose from, give at most {used}."
        )
    if k is not None and k < forced:
        raise TamisError(f"{spelled('k', k)}: {forced} columns must stay, give at least {forced}.")


def _forced(
    source: Source, include: Sequence[str | int], used: Any, left_out: Mapping[str, str]
) -> list[int]:
    """Turn the columns to include into positions among the columns used."""
    places = {int(j): place for place, j in enumerate(used)}
    for j in positions(source, include):
        if j not in places:
            why = left_out.get(source.names[j], "constant")
            asked = spelled("include", [source.names[j]])
            raise TamisError(f"{asked}: the column cannot be kept, it is {why}.")
    return [places[j] for j in positions(source, include)]
