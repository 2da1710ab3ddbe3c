"""Clustering of rows as scikit-learn estimators."""

from typing import TYPE_CHECKING

from tamis.lazy import lazily

if TYPE_CHECKING:
    from tamis.clustering.cobweb import Cobweb as Cobweb
    from tamis.clustering.cobweb import Hierarchy as Hierarchy
    from tamis.clustering.spectral_clusters import SpectralClusters as SpectralClusters

__all__ = ["Cobweb", "Hierarchy", "SpectralClusters"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "Cobweb": "tamis.clustering.cobweb",
        "Hierarchy": "tamis.clustering.cobweb",
        "SpectralClusters": "tamis.clustering.spectral_clusters",
    },
    (),
)
