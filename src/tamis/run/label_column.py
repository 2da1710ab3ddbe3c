"""Where the labels of a request are: in a column of the table, or beside it."""

from typing import Any

import numpy as np

from tamis.errors import TamisError, spell
from tamis.run.request import Request
from tamis.sources.positions import find_positions, names_column
from tamis.sources.source import Source
from tamis.statistics.cluster_labels import CLUSTERS, asks_for_clusters
from tamis.statistics.rows import check_label_count


def find_labels(source: Source, request: Request) -> Any:
    """Give the position of the column of labels, or the labels themselves, or None.

    Where clusters of the rows are asked for in their place, it is that word: the rows are not read
    yet. A column of this name goes first.
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
    labels = np.asarray(y, dtype=object).ravel()
    if source.n_rows is not None:
        check_label_count(source, source.n_rows, labels)
    return labels


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
