"""`select`: join sources, statistics, methods and evaluation."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from tamis.api.keywords import takes_shared
from tamis.errors import TamisError, spell
from tamis.results import Selection
from tamis.results.selection import make_selection
from tamis.run.front import read_table, request_default
from tamis.run.request import Request
from tamis.run.search import GREEDY
from tamis.run.selection import FoundColumns, select_from

if TYPE_CHECKING:
    from tamis.run.estimate import Cost, TableShape


@takes_shared("select")
def select(
    data: Any,
    k: float | Literal["auto"] | None = None,
    *,
    method: str | None = None,
    forbid: Sequence[str | int] | None = None,
    costs: Mapping[str | int, float] | None = None,
    threshold: float | None = None,
    policy: str = "best",
    redundancy: str = "keep",
    options: Mapping[str, Any] | None = None,
    **asked: Any,
) -> Selection:
    """Find the columns of a table to keep, and say what it costs to drop the rest.

    Parameters
    ----------
    data
        A NumPy array, a pandas, polars or Arrow table, a SciPy sparse matrix; a table of an
        engine, such as a Dask array or a Spark frame; the path of a file (CSV, Parquet, Excel,
        ...), a list of paths, a folder or a pattern such as `data/*.parquet`; what hands out an
        Arrow stream: a polars LazyFrame, a DuckDB relation, a `pyarrow.dataset`, a function that
        opens a `RecordBatchReader`; for linear methods also a summary (`tamis.summarise`) or the
        path of one.
    k
        How many columns to keep: a number, or a share of them below 1; "auto" finds a number and
        its interval (`Selection.auto`).
    method
        The id of a method; `tamis.methods()` lists them. By default "forward", for
        numbers and categories alike.
    y
        Labels: the name of a column, or one label for each row. Supervised methods need them; a
        column of labels is never analysed itself. For `forward-regression` and `y_weight` several
        responses: a list of columns, or a table with a column for each. Without labels,
        "clusters" makes clusters of the rows (K-means on the standardised columns of numbers,
        their number by silhouette widths), unless a column has this name. What is measured on
        held-out rows takes clusters that are
        made of the other rows.
    task
        What the labels are: "classification" or "regression"; "auto" asks where it is not clear.
    retain
        Instead of `k`: keep as few columns as explain this share of the variance of held-out rows,
        before any swaps, or of all rows where no rows are held out (`held_out`: methods other than
        the default). Where no number does, those that explain most; 0.95 if neither is given.
    columns, exclude
        Names or positions of the columns to analyse, and of those to skip; or patterns such as
        "gene_*", for which a column of that very name comes first.
    include
        Columns that are always kept; they come first. Here, in `forbid`, `costs`, `categories` and
        `numbers` patterns are taken, too.
    forbid
        Columns that are never kept, but analysed and explained.
    costs
        Prices of columns, 1 where none is given; at each step the column with the largest gain per
        price is added.
    categories
        Columns of numbers that are codes: they are taken as categories.
    numbers
        Columns of text that are amounts, such as "€ 1,234.50": they are taken as numbers.
    names
        What the columns mean (questions, descriptions, units), shown beside their names: a mapping,
        or a table or file with two columns, names and texts. Labels of SPSS, Stata and SAS files
        are taken without it.
    scale
        Standardise the columns (mean 0, standard deviation 1); None for the default of the method.
    refine
        True swaps columns until no swap lowers the error; "exact" proves the best set, for up to 64
        columns.
    threshold
        Instead of `k`, for methods that remove columns: where to stop, on the method's own scale;
        for methods that score columns: the score to reach (for `relpca` and `q-alpha` and their
        variants: the share of the total relevance).
    policy
        For methods that score columns: keep the "best", those that reach a "threshold" (by default
        half of the best score), or, with labels, as many as improve a learner ("incremental").
    redundancy
        For methods that score columns: "drop" does not keep those that the kept ones explain.
    memory
        Memory limit for reading, such as "1GB"; the summary of the table comes on top. Default: a
        quarter of the machine's memory, at least 1 GB.
    skip_corrupt
        Skip damaged files and row groups, and list them in the result.
    options
        Settings of the method and of the policy, by name.
    checkpoint
        A file that is written now and then, and from which a stopped run resumes: for linear
        methods on a file the pass over its rows (`.tamis`), for wrappers the search.
    held_out, stability
        Show also what the kept columns explain on held-out rows, and how often each is kept on half
        the rows. `Selection.held_out` and `Selection.stability` work without these options, too,
        but then read the table once more.
    second_opinion
        Show also what trees predict of the least explained columns (`Selection.second_opinion`).

    Returns
    -------
    Selection
        Names, positions, shares, explanation, report.

    Examples
    --------
    The third column is the sum of the first two, so two columns explain everything.

    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).standard_normal((2, 50))
    >>> found = select(np.column_stack([a, b, a + b]), k=2)
    >>> found.names, round(found.retained, 6)
    (['x2', 'x0'], 1.0)
    >>> print(found.explain()[0])
    x1: safe, 100.0% explained on new rows (at least 100.0%), 100.0% on these rows; mostly ...
    """
    chosen = {"threshold": threshold, "policy": policy, "redundancy": redundancy}
    usual = {"threshold": None, "policy": "best", "redundancy": "keep"}
    goal: dict[str, Any] = {n: value for n, value in chosen.items() if value != usual[n]}
    named = {"forbid": forbid, "costs": costs}
    goal |= {name: value for name, value in named.items() if value is not None}
    asked |= {"k": k, "options": {**(options or {}), **goal}}
    found = find_columns(data, method, asked)
    if found.labels is None:
        return make_selection(found, data)
    from tamis.evaluation.prediction import predict_with_chosen

    return make_selection(found, data, predictions=predict_with_chosen(found))


def find_columns(data: Any, method: str | None, asked: dict[str, Any]) -> FoundColumns:
    """Find the columns to keep, by the method that suits the table if none is named."""
    request = request_default(asked) if method is None else Request.of(method, **asked)
    if not request.auto and request.retain is None:
        return select_from(request, data, doubts_columns=method is None)
    from tamis.evaluation.auto_size import find_size

    return select_from(request, data, find_size, doubts_columns=method is None)


def estimate(data: Any, k: Any, method: str | None = None) -> "tuple[TableShape, Cost]":
    """Glance at a table and this machine, and say what keeping `k` columns would take.

    Parameters
    ----------
    data
        A table that can be read more than once, as for `tamis.select`.
    k
        How many columns to keep: a number.
    method
        The default, `forward`, or `sfs`: what others take is not known.
    """
    from tamis.run.estimate import estimate_cost, measure_machine, measure_shape

    if method is not None and method not in GREEDY:
        raise TamisError(f"{spell('method', method)}: estimates are for {' and '.join(GREEDY)}.")
    if not isinstance(k, int):
        raise TamisError("An estimate needs a number of columns to keep: give -k 20.")
    shape = read_table(data, measure_shape)
    return shape, estimate_cost(shape, k, measure_machine())
