"""Where the labels of a request are: in a column of the table, or beside it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse

from tamis.errors import TamisError, spell
from tamis.facts.shared_answer import ClusterFacts
from tamis.numerics.types import Floats, Indices
from tamis.run.request import Request
from tamis.sources.info import NUMBER_KINDS
from tamis.sources.positions import find_positions, names_column
from tamis.sources.source import Source
from tamis.statistics.classes import Responses
from tamis.statistics.labels import (
    CLUSTERS,
    ClusterLabels,
    asks_for_clusters,
    name_clusters,
)
from tamis.statistics.linear import stack_batches
from tamis.statistics.rows import check_label_count, rows_with_missing


def find_labels(source: Source, request: Request) -> Any:
    """Give the position of the column of labels, or the labels themselves, or None.

    Where clusters of the rows are asked for in their place, it is that word: the rows are not read
    yet. A column of this name goes first. Several columns, or a table of them, are `Responses`.
    """
    y = request.y
    if y is None:
        if request.learns:
            method, policy = request.method, spell("policy", "incremental")
            if request.explains_response and not method.supervised:
                policy = spell("y_weight", request.own["y_weight"])
            who = f"Method {method.id!r}" if method.supervised else policy
            raise TamisError(
                f"{who} needs labels: name their column, for example {spell('y', 'species')}."
            )
        return None
    if wants_clusters(source, y):
        _check_learns(source, request)
        return CLUSTERS
    if names_column(source, y):
        return find_positions(source, [y])[0]
    found = _find_responses(source, y)
    if isinstance(found, Responses):
        _check_several(request, found)
    elif source.n_rows is not None and not isinstance(found, int):
        check_label_count(source, source.n_rows, found)
    return found


def _find_responses(source: Source, y: Any) -> Any:
    """Give one response or several, from a list of columns or from a table of labels."""
    if names_several(source, y):
        places = find_positions(source, y)
        names = tuple(source.names[j] for j in places)
        return places[0] if len(places) == 1 else Responses(tuple(places), names)
    from tamis.sources.frames import read_label_table

    names, labels = read_label_table(y)
    if labels.ndim != 2 or labels.shape[1] < 2:
        return labels.ravel()
    if source.n_rows is not None:
        check_label_count(source, source.n_rows, labels)
    return Responses(tuple(labels.T), names or tuple(f"y{i}" for i in range(labels.shape[1])))


def names_several(source: Source, y: Any) -> bool:
    """Whether this is a list of columns, and not one label for each row.

    It is one of labels where no text in it names a column, and where there are as many as rows.
    """
    if not isinstance(y, list | tuple) or not y or not all(isinstance(one, str) for one in y):
        return False
    return len(y) != source.n_rows and any(one in source.names for one in y)


def find_label_columns(source: Source, y: Any) -> list[int]:
    """Give the positions of the columns of labels; none where they are arrays, or clusters."""
    if wants_clusters(source, y):
        return []
    if names_column(source, y):
        return find_positions(source, [y])
    return find_positions(source, y) if names_several(source, y) else []


def _check_several(request: Request, found: Responses) -> None:
    """Refuse several responses where a method learns from one column of labels."""
    policy = request.policy.get("policy") == "incremental"
    if policy or (request.method.supervised and not request.method.several):
        who = spell("policy", "incremental") if policy else f"method {request.method.id!r}"
        raise TamisError(
            f"{spell('y', list(found.names))}: {who} learns from one response: name one, or choose "
            "forward-regression, which takes several."
        )


def wants_clusters(source: Source, y: Any) -> bool:
    """Whether clusters of the rows are to stand for labels: a column of that name goes first."""
    return asks_for_clusters(y) and y not in source.names


def _check_learns(source: Source, request: Request) -> None:
    """Refuse clusters where nothing learns from them."""
    if not request.learns:
        raise TamisError(
            f"{source.label} has no column {CLUSTERS!r}, and only supervised methods of select and "
            f"extract, such as chi2 and lda, learn from clusters of the rows: name a column, or "
            "such a method."
        )


def column_of(labels: Any) -> int | None:
    """Give the position of the column of labels, if they are in the table."""
    return labels if isinstance(labels, int) else None


def columns_of(labels: Any) -> tuple[int, ...]:
    """Give the positions of all columns that hold labels."""
    if isinstance(labels, Responses):
        return labels.columns
    return (labels,) if isinstance(labels, int) else ()


_STABILITY_ROWS = 2000  # that seeds and halves are compared on, taken evenly
_FEWEST = 4


def make_labels(request: Request, source: Source, usable: Sequence[int], labels: Any) -> Any:
    """Cluster the rows where `labels` asks for it; give other labels as they are."""
    if not isinstance(labels, str):
        return labels
    _check_clusters(request, source)
    columns = [j for j in usable if source.kinds[j] in NUMBER_KINDS]
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
    from tamis.algorithms.cluster_count import (
        CLUSTER_RULE,
        assign_clusters,
        half_agreement,
        seed_agreement,
    )

    codes = assign_clusters(values[whole], values)
    some = slice(None, None, -(-len(whole) // _STABILITY_ROWS))
    rows, count = values[whole][some], len(np.unique(codes[whole]))
    seeds = seed_agreement(rows, assign_clusters(rows, rows, count))
    quality = ClusterFacts(columns, CLUSTER_RULE, seeds, half_agreement(rows, count))
    return ClusterLabels(values, assign_clusters, name_clusters(codes), quality)


def _check_clusters(request: Request, source: Source) -> None:
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
