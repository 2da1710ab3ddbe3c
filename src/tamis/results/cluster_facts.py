"""What is known of clusters of the rows that stand for labels."""

from collections.abc import Mapping

from tamis.facts.shared_answer import ClusterFacts, LabelFacts
from tamis.statistics.cluster_labels import ClusterQuality

__all__ = ["cluster_facts"]


def cluster_facts(counts: Mapping[str, int], quality: ClusterQuality, method: str) -> LabelFacts:
    """Give the clusters as the facts on labels are given."""
    clusters = ClusterFacts(quality.columns, quality.rule, quality.seeds, quality.halves)
    ordered = dict(sorted(counts.items()))
    return LabelFacts(None, "classification", ordered, True, method, clusters)
