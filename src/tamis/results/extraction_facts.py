"""Everything that is known about an extraction; no view computes."""

from collections import Counter

import numpy as np

from tamis.evaluation.extraction_outcome import Extracted
from tamis.facts.extraction_answer import ExtractionFacts, LoadingFacts, SeparationFacts
from tamis.facts.rounding import decimals
from tamis.facts.shared_answer import LabelFacts
from tamis.results.cluster_facts import cluster_facts
from tamis.results.shared_facts import collect_shared_facts

__all__ = ["extraction_facts"]

_LOADED_COMPONENTS = 20
_LISTED_COLUMNS = 10  # for each of them


def extraction_facts(found: Extracted) -> ExtractionFacts:
    """Gather what the terminal, `--json` and the report show."""
    beside = {} if found.marks is None else {"y": np.asarray(found.marks)}
    settings, asked = found.request.settings, found.request.k
    return ExtractionFacts(
        **collect_shared_facts(found, "extract", **beside),
        labels=_clusters(found),
        warnings=(),
        asked=None if asked is None else int(asked),
        note=found.note,
        separation=_separation(found),
        rows=found.n_rows,
        used=len(found.used) - len(found.constant),
        held=float(found.shares.sum()),
        shares=tuple(found.shares.tolist()),
        cumulative=tuple(np.cumsum(found.shares).tolist()),
        values=None if found.values is None else tuple(np.asarray(found.values).tolist()),
        loadings=_loadings(found),
        scaled=bool(settings.get("scale", False)),
        labelled=found.marks is not None,
        label_column=settings.get("y"),
    )


def _loadings(found: Extracted) -> tuple[LoadingFacts, ...]:
    """List the largest weights of the first components; none for a kernel method."""
    if found.components is None:
        return ()
    listed = []
    for direction, name in enumerate(found.names[:_LOADED_COMPONENTS]):
        weights = found.loadings(direction, _LISTED_COLUMNS)
        # What would be written as 0.00 does not matter.
        least = 0.5 * 10.0 ** -decimals(max(map(abs, weights.values()), default=0.0))
        shown = {column: weight for column, weight in weights.items() if abs(weight) > least}
        others = len(found.used) - len(found.constant) - len(shown)
        listed.append(LoadingFacts(name, shown, max(others, 0)))
    return tuple(listed)


def _separation(found: Extracted) -> SeparationFacts | None:
    """Give how well the classes are separated on rows held out."""
    one = found.separation
    if one is None:
        return None
    return SeparationFacts(
        accuracy=one.accuracy,
        fitted=one.fitted,
        largest_class=one.largest_class,
        folds=one.folds,
        rows=one.rows,
        of_rows=found.n_rows,
        overfitted=one.overfitted,
    )


def _clusters(found: Extracted) -> LabelFacts | None:
    """Say what the clusters are that stand for labels, if they do."""
    if found.clusters is None:
        return None
    return cluster_facts(Counter(found.marks), found.clusters, found.request.method.id)
