"""`summarise`: a summary of a table that can be added to others, saved, and selected from."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from tamis import registry
from tamis.columns.judge import judge_columns
from tamis.errors import TamisError, spell, spell_name
from tamis.memory import limit_memory
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MISSING_NUMBERS, MissingPolicy
from tamis.registry.shared import MEMORY, MIN_ROWS
from tamis.results.summary import DataSummary
from tamis.rules.kinds import Kind
from tamis.run.beforehand import first_rows
from tamis.run.candidates import EMPTY, Reasons, skip_empty, sort_out_columns
from tamis.run.roles import find_roles, read_weights
from tamis.sources.faults import check_names
from tamis.sources.open import open_source
from tamis.sources.positions import find_positions, match_columns
from tamis.sources.source import Source
from tamis.sources.stored_summary import MomentArrays, StoredSummary
from tamis.sources.summary_file import check_arrays, check_width
from tamis.statistics.merging import add_empty, check_rows_shown, check_values_shown
from tamis.statistics.missing import without_missing
from tamis.statistics.row_hash import RowRules
from tamis.statistics.stored import collect_stored


def summarise(
    data: Any,
    *,
    columns: Sequence[str | int] | None = None,
    exclude: Sequence[str | int] = (),
    missing: str = MISSING_NUMBERS.default,
    checkpoint: str | PathLike[str] | None = None,
    blocks: bool = False,
    text: bool = False,
    min_rows: int = 1,
    memory: int | str | None = None,
    weights: Any = None,
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
        What to do about missing values, as for `select`. If they are filled, a column in `columns`
        that has no value at all stays in the summary, and counts as missing; otherwise such
        columns are skipped.
    checkpoint
        For files: a `.tamis` file that is written now and then while the table is read, and from
        which a pass that was stopped resumes.
    blocks
        Summarise 20 blocks of rows apart, so that `held_out`, `stability` and `k="auto"` of
        `select` work on the summary; it is then 20 times as large.
    text
        Keep columns of text, too, by the number of rows of each level and its sums with all other
        columns: the default method then analyses them as those of the table.
    min_rows
        Refuse a table with fewer rows, or with a column in which fewer differ from the value of
        more than half; the checkpoint is not written before there are as many.
    memory
        Memory limit for reading, as for `select`.
    weights
        How many rows each row stands for: the name of a column of integers, or an integer for each
        row. The summary is that of all these rows.

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
    policy, min_rows = MissingPolicy(MISSING_NUMBERS.check(missing)), MIN_ROWS.check(min_rows)
    place = None if checkpoint is None else fspath(checkpoint)
    for name, value in (("checkpoint", place), ("min_rows", min_rows if min_rows > 1 else None)):
        if weights is not None and value is not None:  # which count the rows of a table themselves
            raise TamisError(
                f"{spell_name('weights')} and {spell(name, value)}: a row that stands for several "
                "is still one row; give one of them."
            )

    def without(source: Source, empty: Reasons) -> DataSummary:
        roles = find_roles(source, None, weights)
        unwanted = [*exclude, *roles, *empty]
        usable, skipped = sort_out_columns(source, columns, unwanted, categories=text, least=1)
        skipped.update({source.names[j]: why for j, why in roles.items()} | {**empty})
        how: dict[str, Any] = {"missing": policy, "checkpoint": place, "min_rows": min_rows}
        if weights is not None:
            how["rules"] = RowRules(weights=read_weights(source, weights, integers=True))
        if min_rows > 1 and source.has_rows:
            _check_values(source, usable, policy, min_rows)
        stored = collect_stored(source, usable, blocks=blocks, **how)
        named = set() if columns is None else {*find_positions(source, columns)}
        keys = _find_keys(source, [j for j in usable if j not in named])
        stored = replace(stored, keys=tuple(source.names[j] for j in keys))
        skipped.update(stored.refused)
        return DataSummary(stored, skipped, source.label, source.info.doubts)

    with limit_memory(MEMORY.check(memory)):
        source = open_source(data)
        columns = None if columns is None else match_columns(source, "columns", columns)
        exclude = match_columns(source, "exclude", exclude)
        found = skip_empty(lambda empty: without(source, empty))
    empty = [name for name, why in found.skipped.items() if why == EMPTY]
    if empty and columns is not None and policy.fills and not found.stored.categories:
        # Columns that were asked for and have no value are in the summary, too.
        kept = {*found.names, *empty}
        stored = add_empty(found.stored, [name for name in source.names if name in kept])
        skipped = {name: why for name, why in found.skipped.items() if why != EMPTY}
        found = replace(found, stored=stored, skipped=skipped)
    check_rows_shown(found.stored, min_rows)
    return found


def _find_keys(source: Source, columns: Sequence[int]) -> list[int]:
    """Find the columns that number the rows: of the few that may, all values are read.

    A summary keeps them, so that others can be added to it; `select` does not analyse them.
    """
    if source.info.once or not source.has_rows or not (source.named or source.origin is not None):
        return []
    numbers = [j for j in columns if source.kinds[j] == "numeric"]
    first = first_rows(source, numbers) if numbers else None
    if first is None:
        return []
    likely = [j for j, values in zip(numbers, first.columns, strict=True) if _are_distinct(values)]
    if not likely:
        return []
    judged = zip(likely, judge_columns(source, likely).columns, strict=True)
    return [j for j, one in judged if one.kind == "identifier" and one.action == "skipped"]


def _are_distinct(values: Any) -> bool:
    """Whether values, an Arrow array, are integers of which no two are the same."""
    import pyarrow.compute as pc

    if values.null_count or len(values) < 2:
        return False
    numbers = values.cast("float64", safe=False)
    whole = pc.all(pc.equal(numbers, pc.round(numbers))).as_py()
    return bool(whole) and pc.count_distinct(values).as_py() == len(values)


def _check_values(
    source: Source, usable: Sequence[int], policy: MissingPolicy, min_rows: int
) -> None:
    """Refuse columns that show a few rows, of those that count."""
    numbers = [j for j in usable if source.kinds[j] != "categorical"]
    names, read = [source.names[j] for j in numbers], partial(source.batches, numbers)
    left = read() if policy.fills else without_missing(read, names, policy)
    check_values_shown(left, names, min_rows)


def load_summary(path: str | Path, *, memory: int | str | None = None) -> DataSummary:
    """Read a summary that `DataSummary.save` or `tamis summarise` wrote.

    `memory` is the limit for reading, as for `select`.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = summarise(np.eye(4)).save(Path(folder) / "eye.tamis")
    ...     load_summary(path)
    <DataSummary of 4 rows x 4 columns>
    """
    with limit_memory(MEMORY.check(memory)):
        source = open_source(path)
    if source.has_rows:
        raise TamisError(
            f"{source.label} is a table, not a summary: make one with `tamis summarise`."
        )
    return DataSummary(collect_stored(source, range(len(source.names))), {}, source.label)


_SUMMARY_LABEL = "The summary"
_NUMERIC: tuple[Kind, ...] = ("numeric",)
_ASYMMETRY = 1e-9  # of the larger of two variances: far above what rounding does


def summary(
    covariance: Any,
    *,
    n: int,
    names: Sequence[str] | None = None,
    means: Sequence[float] | None = None,
) -> DataSummary:
    """Give the summary of a table whose covariances are known: `select` takes it as the table.

    Parameters
    ----------
    covariance
        The covariances of all pairs of columns, divided by the number of rows (`covar_pop` of SQL,
        `covarPopMatrix` of ClickHouse): a square array or data frame, the file of one, or the upper
        triangle row by row with the diagonal, as one row of a query gives it.
    n
        Number of rows.
    names
        Names of the columns; by default those of a data frame.
    means
        Their means, 0 by default: no choice of columns depends on them.

    Returns
    -------
    DataSummary
        It merges with others, is saved, and selected from.

    Examples
    --------
    >>> summary([[4.0, 2.0], [2.0, 3.0]], n=100, names=["height", "weight"])
    <DataSummary of 100 rows x 2 columns>
    >>> summary([4.0, 2.0, 3.0], n=100).std
    array([2.        , 1.73205081])
    """
    rows: Any = n
    if not isinstance(rows, int | np.integer) or isinstance(rows, bool) or rows < 2:
        raise TamisError(f"n={n!r}: give the number of rows, an integer of at least 2.")
    matrix, given, named = _read_matrix(covariance)
    rows, width = int(rows), len(matrix)
    if names is not None:
        given, named = tuple(map(str, names)), True
    if len(given) != width:
        raise TamisError(
            f"names has {len(given)} names, and covariance has {width} columns: give one for each."
        )
    check_names(list(given), _SUMMARY_LABEL)
    check_width(width, _SUMMARY_LABEL)
    mean = np.zeros(width) if means is None else _read_numbers("means", means)
    if mean.shape != (width,):
        raise TamisError(
            f"means has {mean.size} values, and covariance has {width} columns: give one for each."
        )
    block = MomentArrays(rows, mean, matrix * rows, np.zeros(width), np.ones(width))
    absent, kinds = np.zeros(width, dtype=np.int64), _NUMERIC * width
    stored = StoredSummary(given, kinds, named, rows, absent, ("error",), (block,))
    try:
        check_arrays(stored, rows)
    except ValueError as error:
        raise TamisError(
            f"covariance cannot be that of any table ({error}): give all pairs of columns over "
            "the same rows, those without missing values."
        ) from error
    return DataSummary(stored, {}, _SUMMARY_LABEL)


def _read_matrix(covariance: Any) -> tuple[Floats, tuple[str, ...], bool]:
    """Give covariances as a square matrix, with the names of its columns."""
    if isinstance(covariance, list | tuple):
        covariance = _read_numbers("covariance", covariance)
    if isinstance(covariance, np.ndarray) and covariance.ndim == 1:
        covariance = _fold_triangle(covariance)
    source = open_source(covariance)
    batches = [np.asarray(batch, float) for batch in source.batches(range(len(source.names)))]
    matrix = np.concatenate(batches) if batches else np.zeros((0, len(source.names)))
    if matrix.shape[0] != matrix.shape[1]:
        raise TamisError(
            f"covariance has {matrix.shape[0]} rows and {matrix.shape[1]} columns: give a square "
            "matrix, a row and a column for each column of the table."
        )
    variances = np.abs(np.diagonal(matrix))
    largest = np.maximum.outer(variances, variances)
    with np.errstate(invalid="ignore"):  # what is not finite is refused below
        apart = np.abs(matrix - matrix.T) > _ASYMMETRY * largest
    if apart.any():
        i, j = (int(place[0]) for place in np.nonzero(apart))
        raise TamisError(
            f"covariance is not symmetric ({source.names[i]!r} and {source.names[j]!r} have two "
            "values): give the covariances of all pairs of columns."
        )
    return (matrix + matrix.T) / 2.0, source.names, source.named


def _fold_triangle(values: Floats) -> Floats:
    """Give the square matrix of which these are the upper triangle, row by row.

    >>> _fold_triangle(np.array([4.0, 2.0, 3.0]))
    array([[4., 2.],
           [2., 3.]])
    """
    width = int((np.sqrt(8 * len(values) + 1) - 1) / 2)
    if width * (width + 1) // 2 != len(values):
        raise TamisError(
            f"covariance has {len(values)} values, which are no upper triangle with its diagonal: "
            "give d (d + 1) / 2 of them, row by row, or a square matrix."
        )
    matrix = np.zeros((width, width))
    matrix[np.triu_indices(width)] = values
    return np.asarray(np.triu(matrix) + np.triu(matrix, 1).T)


def _read_numbers(name: str, values: Any) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TamisError(f"{name} has values that are no numbers: give numbers only.") from error
