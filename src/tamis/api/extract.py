"""`extract`: compute components (PCA, LDA, NMF, ...) of a table and the scores of its rows."""

from collections.abc import Mapping
from typing import Any

from tamis.api.keywords import takes_shared
from tamis.results import Extraction
from tamis.results.extraction import make_extraction
from tamis.run.extraction import extract_from
from tamis.run.request import Request


@takes_shared("extract")
def extract(
    data: Any,
    k: int | None = None,
    *,
    method: str = "pca",
    options: Mapping[str, Any] | None = None,
    **asked: Any,
) -> Extraction:
    """Compute components (PCA, LDA, NMF, ...) of a table and the scores of its rows.

    Parameters
    ----------
    data
        Any table that `select` takes.
    k
        How many components.
    method
        The id of a method; `tamis.methods()` lists them.
    y
        Labels: the name of a column, or one label for each row. Discriminants need them; for other
        methods they colour the report. A column of labels is not analysed itself.
    retain
        Instead of `k`: the share of the method's own measure to explain. When neither is given,
        0.95, or all discriminants.
    rule
        "ceil" for the fewest components that reach the share, "floor" for the most that do not
        exceed it.
    columns, exclude
        Names or positions of the columns to analyse, and of those to skip; or patterns such as
        "gene_*", for which a column of that very name comes first.
    categories, numbers, na, max_missing
        How columns are read, as for `select`; categories are skipped.
    scale
        Standardise the columns (mean 0, standard deviation 1); None for the default of the method.
    memory, skip_corrupt
        As for `select`.
    options
        Settings of the method itself, by name.

    Returns
    -------
    Extraction
        Components, shares, loadings, transform, report.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).standard_normal((2, 50))
    >>> found = extract(np.column_stack([a, b, a + b]), 2, method="pca", scale=True)
    >>> found.names, round(float(found.shares.sum()), 6)
    (['PC1', 'PC2'], 1.0)
    """
    request = Request.of(method, "extraction", k=k, options=options, **asked)
    return make_extraction(extract_from(request, data), data)
