"""Clusters of the rows where `y="clusters"` asks for them in the place of labels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse

from tamis.algorithms.row_clusters import (
    CLUSTER_RULE,
    assign_clusters,
    half_agreement,
    seed_agreement,
)
from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices
from tamis.run.request import Request
from tamis.sources.source import Source
from tamis.statistics.cluster_labels import (
    CLUSTERS,
    ClusterLabels,
    ClusterQuality,
    name_clusters,
)
from tamis.statistics.linear import stack_batches
from tamis.statistics.rows import rows_with_missing

_STABILITY_ROWS = 2000  # that seeds and halves are compared on, taken evenly
_FEWEST = 4


def make_labels(request: Request, source: Source, usable: Sequence[int], labels: Any) -> Any:
    """Cluster the rows where `labels` asks for it; give other labels as they are."""
    if not isinstance(labels, str):
        return labels
    _check_clusters(request, source)
    columns = [j for j in usable if source.kinds[j] in ("numeric", "boolean")]
    if not columns:
        raise TamisError(
            f"{spell('y', CLUSTERS)}: {source.label} has no columns of numbers to cluster the "
            "rows by: give labels."
        )
    table = stack_batches(list(source.batches(columns)))
    values = np.asarray(table.toarray() if scipy.sparse.issparse(table) else table, np.float64)
    whole = np.arange(len(values))
    if request.missing.drops:
        whole = np.flatnonzero(~rows_with_missing(values))
    if len(whole) < _FEWEST:
        raise TamisError(
            f"{spell('y', CLUSTERS)}: {source.label} has {len(whole):,} complete rows, too few "
            f"to cluster: at least {_FEWEST} are needed."
        )
    return _cluster_rows(values, whole, len(columns))


def _cluster_rows(values: Floats, whole: Indices, columns: int) -> ClusterLabels:
    codes = assign_clusters(values[whole], values)
    some = slice(None, None, -(-len(whole) // _STABILITY_ROWS))
    rows, count = values[whole][some], len(np.unique(codes[whole]))
    seeds = seed_agreement(rows, assign_clusters(rows, rows, count))
    quality = ClusterQuality(columns, CLUSTER_RULE, seeds, half_agreement(rows, count))
    return ClusterLabels(values, assign_clusters, name_clusters(codes), quality)


def _check_clusters(request: Request, source: Source) -> None:
    """Refuse what cannot be done with clusters."""
    asked = spell("y", CLUSTERS)
    if request.task == "regression":
        raise TamisError(
            f"{asked} and {spell('task', 'regression')}: clusters are classes; omit the task."
        )
    if request.own.get("oob"):
        raise TamisError(
            f"{asked} and {spell('oob', True)}: every row would have a part in the clusters that "
            "it is tested on; omit one of them."
        )
    if not source.has_rows:
        raise TamisError(f"{source.label} has no rows to cluster: give the table.")
    if source.info.once:
        raise TamisError(
            f"{source.label} can be read only once, and {asked} needs a second pass: give a "
            "function that opens it anew, or a table (`.read_all()`)."
        )
