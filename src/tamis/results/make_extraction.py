"""From the components that were found in a table to the result that is given to the user."""

from dataclasses import replace
from typing import Any

import numpy as np

from tamis.evaluation.extraction_outcome import hold_rows
from tamis.evaluation.record import Record, describe_missing
from tamis.results.extraction import Extraction
from tamis.results.frame import frame_library
from tamis.run.extraction import FoundComponents
from tamis.statistics.fills import recall_fill
from tamis.statistics.labels import CLUSTERS, ClusterLabels, plain_labels

__all__ = ["make_extraction"]


def make_extraction(found: FoundComponents, data: Any) -> Extraction:
    """Make a result of what was found."""
    source, labels, missing = found.source, found.labels, found.request.missing
    column = source.names[labels] if isinstance(labels, int) else None
    clusters = labels.quality if isinstance(labels, ClusterLabels) else None
    column = column if clusters is None else CLUSTERS
    record = Record.of(source, found.request, column)
    missed = describe_missing(missing, found.summary.tally, source, found.usable)
    return Extraction(
        replace(record, library=frame_library(data)),
        found.projection,
        found.summary.n_rows,
        np.asarray(found.usable, dtype=np.intp),
        source,
        missed,
        plain_labels(labels),
        recall_fill(found.summary) if missing.fills else None,
        tuple(record.relabel(found.constant)),
        record.relabel_keys(found.skipped),
        hold_rows(found),
        clusters,
        found.reading,
    )
