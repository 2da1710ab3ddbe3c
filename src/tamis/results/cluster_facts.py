"""What is said of clusters of the rows that stand for labels."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tamis.presentation.labels import labels_sentence
from tamis.statistics.cluster_labels import ClusterQuality

__all__ = ["cluster_facts"]


def cluster_facts(
    counts: Mapping[str, int], quality: ClusterQuality, method: str
) -> dict[str, Any]:
    """Give the clusters as the facts on labels are given, with the sentence that the views show."""
    facts = {
        "column": None,
        "task": "classification",
        "counts": dict(sorted(counts.items())),
        "used": True,
        "clusters": asdict(quality),
        "method": method,
    }
    return {**facts, "sentence": labels_sentence(facts)}
